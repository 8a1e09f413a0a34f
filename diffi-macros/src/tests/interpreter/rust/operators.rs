//! Operators and assignments.

use crate::tests::interpreter::library::arrays::elementwise;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::Value;
use std::cmp::Ordering;
use syn::{BinOp, Expr, UnOp};

impl Machine<'_> {
    pub fn unary(&mut self, e: &syn::ExprUnary) -> Run<Value> {
        if let UnOp::Deref(_) = e.op {
            let value = self.eval(&e.expr)?;
            return match value {
                Value::Ref(place) => self.memory.shallow(&place),
                other => Ok(other),
            };
        }
        match (&e.op, self.eval_through(&e.expr)?) {
            (UnOp::Neg(_), Value::Float(v)) => Ok(Value::Float(-v)),
            (UnOp::Neg(_), array @ Value::Nd(..)) => elementwise('*', &Value::float(-1.0), &array),
            (UnOp::Neg(_), Value::Int(n)) => Ok(Value::Int(-n)),
            (UnOp::Not(_), Value::Bool(b)) => Ok(Value::Bool(!b)),
            _ => Err(Stop::unknown("a sign")),
        }
    }

    pub fn binary(&mut self, e: &syn::ExprBinary) -> Run<Value> {
        match e.op {
            BinOp::And(_) => return Ok(Value::Bool(self.test(&e.left)? && self.test(&e.right)?)),
            BinOp::Or(_) => return Ok(Value::Bool(self.test(&e.left)? || self.test(&e.right)?)),
            _ => {}
        }
        if let Some(sign) = changing(&e.op) {
            let value = self.eval_through(&e.right)?;
            let place = self.place(&e.left)?;
            let old = self.memory.read(&place)?;
            let new = operate(sign, &old, &value)?;
            self.memory.write(&place, new)?;
            return Ok(Value::Unit);
        }
        let (a, b) = (self.eval_through(&e.left)?, self.eval_through(&e.right)?);
        match plain(&e.op) {
            Some(sign) => operate(sign, &a, &b),
            None => self.compared(&e.op, &a, &b),
        }
    }

    fn compared(&self, op: &BinOp, a: &Value, b: &Value) -> Run<Value> {
        let order = self.order(a, b)?;
        Ok(Value::Bool(match op {
            BinOp::Eq(_) => order == Some(Ordering::Equal),
            BinOp::Ne(_) => order != Some(Ordering::Equal),
            BinOp::Lt(_) => order == Some(Ordering::Less),
            BinOp::Gt(_) => order == Some(Ordering::Greater),
            BinOp::Le(_) => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            BinOp::Ge(_) => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            _ => return Err(Stop::unknown("an operator")),
        }))
    }

    /// How two values compare, as derived by `PartialOrd`.
    pub fn order(&self, a: &Value, b: &Value) -> Run<Option<Ordering>> {
        Ok(match (a, b) {
            (Value::Ref(a), b) => self.order(&self.memory.read(a)?, b)?,
            (a, Value::Ref(b)) => self.order(a, &self.memory.read(b)?)?,
            (Value::Float(a), Value::Float(b)) => a.v.partial_cmp(&b.v),
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
            (Value::Unit, Value::Unit) => Some(Ordering::Equal),
            (Value::Data(m, ..), Value::Data(n, ..)) if m != n => {
                Some(if **m == *"None" || **m == *"Less" { Ordering::Less } else { Ordering::Greater })
            }
            (Value::Seq(_) | Value::Tuple(_) | Value::Data(..), Value::Seq(_) | Value::Tuple(_) | Value::Data(..)) => {
                self.in_order(a.parts(), b.parts())?
            }
            _ => return Err(Stop::unknown("a comparison")),
        })
    }

    fn in_order(&self, a: &[Value], b: &[Value]) -> Run<Option<Ordering>> {
        for (a, b) in a.iter().zip(b) {
            match self.order(a, b)? {
                Some(Ordering::Equal) => {}
                other => return Ok(other),
            }
        }
        Ok(Some(a.len().cmp(&b.len())))
    }

    /// `place = value`, or a pattern of places.
    pub fn assign(&mut self, left: &Expr, right: &Expr) -> Run<Value> {
        let value = self.eval(right)?;
        self.store(left, value)?;
        Ok(Value::Unit)
    }

    fn store(&mut self, left: &Expr, value: Value) -> Run<()> {
        match left {
            Expr::Tuple(all) => self.store_all(all.elems.iter(), &value),
            Expr::Array(all) => self.store_all(all.elems.iter(), &value),
            Expr::Infer(_) => Ok(()),
            Expr::Paren(inner) => self.store(&inner.expr, value),
            _ => {
                let place = self.place(left)?;
                // what is assigned to a name of a reference is another reference
                match (left, &value) {
                    (Expr::Path(_), _) | (_, Value::Ref(_)) => *self.memory.at_mut(&place)? = value,
                    _ => self.memory.write(&place, value)?,
                }
                Ok(())
            }
        }
    }

    fn store_all<'a>(&mut self, all: impl Iterator<Item = &'a Expr>, value: &Value) -> Run<()> {
        for (left, value) in all.zip(value.parts()) {
            self.store(left, value.clone())?;
        }
        Ok(())
    }
}

/// `+` for `+=`.
fn changing(op: &BinOp) -> Option<char> {
    Some(match op {
        BinOp::AddAssign(_) => '+',
        BinOp::SubAssign(_) => '-',
        BinOp::MulAssign(_) => '*',
        BinOp::DivAssign(_) => '/',
        BinOp::RemAssign(_) => '%',
        BinOp::BitAndAssign(_) => '&',
        BinOp::BitOrAssign(_) => '|',
        BinOp::BitXorAssign(_) => '^',
        _ => return None,
    })
}

fn plain(op: &BinOp) -> Option<char> {
    Some(match op {
        BinOp::Add(_) => '+',
        BinOp::Sub(_) => '-',
        BinOp::Mul(_) => '*',
        BinOp::Div(_) => '/',
        BinOp::Rem(_) => '%',
        BinOp::BitAnd(_) => '&',
        BinOp::BitOr(_) => '|',
        BinOp::BitXor(_) => '^',
        BinOp::Shl(_) => '<',
        BinOp::Shr(_) => '>',
        _ => return None,
    })
}

/// Arithmetic.
pub fn operate(sign: char, a: &Value, b: &Value) -> Run<Value> {
    Ok(match (sign, a, b) {
        ('+', Value::Float(a), Value::Float(b)) => Value::Float(*a + *b),
        ('-', Value::Float(a), Value::Float(b)) => Value::Float(*a - *b),
        ('*', Value::Float(a), Value::Float(b)) => Value::Float(*a * *b),
        ('/', Value::Float(a), Value::Float(b)) => Value::Float(*a / *b),
        ('%', Value::Float(a), Value::Float(b)) => Value::Float(*a % *b),
        ('/' | '%', Value::Int(_), Value::Int(0)) => return Err(Stop::panic("division by zero")),
        ('+', Value::Int(a), Value::Int(b)) => Value::Int(a + b),
        ('-', Value::Int(a), Value::Int(b)) => Value::Int(a - b),
        ('*', Value::Int(a), Value::Int(b)) => Value::Int(a * b),
        ('/', Value::Int(a), Value::Int(b)) => Value::Int(a / b),
        ('%', Value::Int(a), Value::Int(b)) => Value::Int(a % b),
        ('&', Value::Int(a), Value::Int(b)) => Value::Int(a & b),
        ('|', Value::Int(a), Value::Int(b)) => Value::Int(a | b),
        ('^', Value::Int(a), Value::Int(b)) => Value::Int(a ^ b),
        ('<', Value::Int(a), Value::Int(b @ 0..64)) => Value::Int(a << b),
        ('>', Value::Int(a), Value::Int(b @ 0..64)) => Value::Int(a >> b),
        ('&', Value::Bool(a), Value::Bool(b)) => Value::Bool(a & b),
        ('|', Value::Bool(a), Value::Bool(b)) => Value::Bool(a | b),
        ('^', Value::Bool(a), Value::Bool(b)) => Value::Bool(a ^ b),
        (_, Value::Nd(..), _) | (_, _, Value::Nd(..)) => elementwise(sign, a, b)?,
        _ => return Err(Stop::unknown(format!("`{sign}` of these values"))),
    })
}
