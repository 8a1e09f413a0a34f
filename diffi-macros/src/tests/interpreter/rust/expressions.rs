//! Expressions.

use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Closure, Value};
use quote::ToTokens;
use std::rc::Rc;
use syn::Expr;

impl Machine<'_> {
    /// The value of an expression.
    pub fn eval(&mut self, e: &Expr) -> Run<Value> {
        self.step()?;
        match e {
            Expr::Lit(lit) => literal(&lit.lit),
            Expr::Paren(inner) => self.eval(&inner.expr),
            Expr::Group(inner) => self.eval(&inner.expr),
            Expr::Path(path) => self.named(path),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method_call(call),
            Expr::Field(_) | Expr::Index(_) => {
                let place = self.place(e)?;
                self.memory.shallow(&place)
            }
            Expr::Tuple(all) if all.elems.is_empty() => Ok(Value::Unit),
            Expr::Tuple(all) => Ok(Value::Tuple(self.list(&all.elems)?)),
            Expr::Array(all) => Ok(Value::Seq(self.list(&all.elems)?)),
            Expr::Repeat(repeat) => self.repeat(&repeat.expr, &repeat.len),
            Expr::Struct(literal) => self.literal(literal),
            Expr::Reference(reference) => Ok(Value::Ref(self.place(&reference.expr)?)),
            Expr::Range(range) => self.range(range),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Closure(closure) => Ok(self.closure(closure)),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Try(tried) => self.tried(&tried.expr),
            Expr::Let(condition) => self.let_condition(condition),
            _ => self.control(e),
        }
    }

    /// Values in order.
    pub fn list<'a>(&mut self, all: impl IntoIterator<Item = &'a Expr>) -> Run<Vec<Value>> {
        all.into_iter().map(|e| self.eval(e)).collect()
    }

    /// The value of an expression behind all references.
    pub fn eval_through(&mut self, e: &Expr) -> Run<Value> {
        let value = self.eval(e)?;
        self.read_value(value)
    }

    /// A condition.
    pub fn test(&mut self, e: &Expr) -> Run<bool> {
        match self.eval_through(e)? {
            Value::Bool(holds) => Ok(holds),
            _ => Err(Stop::unknown("a condition that is no `bool`")),
        }
    }

    /// `[value; len]`.
    pub fn repeat(&mut self, value: &Expr, len: &Expr) -> Run<Value> {
        let (value, len) = (self.eval(value)?, self.eval_through(len)?);
        match len {
            Value::Int(n) => Ok(Value::Seq(vec![value; n as usize])),
            _ => Err(Stop::unknown("the length of an array")),
        }
    }

    fn named(&mut self, path: &syn::ExprPath) -> Run<Value> {
        if let Some(name) = path.path.get_ident().filter(|_| path.qself.is_none()) {
            let name = name.to_string();
            if let Some(place) = self.variable(&name) {
                return self.memory.shallow(&place);
            }
        }
        let text: String = path.to_token_stream().to_string().replace(' ', "");
        let last = path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        if let Some(constant) = constant(&text) {
            return Ok(constant);
        }
        if self.program.is_unit(&last) {
            return Ok(Value::tagged(&last, Vec::new()));
        }
        Ok(Value::Function(text.into()))
    }

    fn literal(&mut self, literal: &syn::ExprStruct) -> Run<Value> {
        let name = literal.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let Some((name, names)) = self.program.variant(&name) else {
            return Err(Stop::unknown(format!("the struct `{name}`")));
        };
        let mut given = Vec::new();
        for field in &literal.fields {
            given.push((field.member.to_token_stream().to_string(), self.eval(&field.expr)?));
        }
        let rest = literal.rest.as_ref().map(|rest| self.place(rest)).transpose()?;
        let mut fields = Vec::new();
        for name in names.iter() {
            let at = given.iter().position(|(n, _)| **n == **name);
            fields.push(match (at, &rest) {
                (Some(at), _) => given[at].1.clone(),
                (None, Some(rest)) => self.memory.shallow(&self.memory.field(rest, name)?)?,
                (None, None) => return Err(Stop::unknown(format!("the field `{name}`"))),
            });
        }
        Ok(Value::Data(name, names, fields))
    }

    fn range(&mut self, range: &syn::ExprRange) -> Run<Value> {
        let mut end = |e: &Option<Box<Expr>>| e.as_ref().map(|e| self.eval_through(e)).transpose();
        let ends = [end(&range.start)?, end(&range.end)?];
        Ok(Value::Range(Box::new(ends), matches!(range.limits, syn::RangeLimits::Closed(_))))
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Run<Value> {
        let value = self.eval_through(&cast.expr)?;
        let ty = cast.ty.to_token_stream().to_string();
        Ok(match (value, ty.as_str()) {
            (Value::Int(n), "f64" | "__FloatOfType") => Value::float(n as f64),
            (Value::Float(v), "f64" | "__FloatOfType") => Value::Float(v),
            (Value::Float(v), "usize" | "u64") => Value::Int(i128::from(v.v as u64)),
            (Value::Float(v), "u32") => Value::Int(i128::from(v.v as u32)),
            (Value::Float(v), "u8") => Value::Int(i128::from(v.v as u8)),
            (Value::Float(v), "i64" | "isize") => Value::Int(i128::from(v.v as i64)),
            (Value::Float(v), "i32") => Value::Int(i128::from(v.v as i32)),
            (Value::Int(n), "usize" | "u64" | "i32" | "i64" | "isize" | "u32" | "u8" | "_") => Value::Int(n),
            (Value::Bool(b), "usize" | "i32" | "u32" | "u8" | "i64" | "u64") => Value::Int(i128::from(b)),
            _ => return Err(Stop::unknown(format!("a cast to `{ty}`"))),
        })
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Value {
        let mut around = self.scope[self.base..].to_vec();
        if closure.capture.is_some() {
            // what is captured is the closure's own from now on
            for (_, place) in &mut around {
                if let Ok(value) = self.memory.shallow(place) {
                    *place = self.memory.alloc(value);
                }
            }
        }
        Value::Closure(Rc::new(Closure { text: closure.clone(), around, frame: self.frame }))
    }
}

/// A literal.
pub fn literal(lit: &syn::Lit) -> Run<Value> {
    let no_number = |_| Stop::unknown("a literal");
    Ok(match lit {
        syn::Lit::Float(v) if v.suffix() != "f32" => Value::float(v.base10_parse().map_err(no_number)?),
        syn::Lit::Int(n) if n.suffix() == "f64" => Value::float(n.base10_parse().map_err(no_number)?),
        syn::Lit::Int(n) => Value::Int(n.base10_parse().map_err(no_number)?),
        syn::Lit::Bool(b) => Value::Bool(b.value),
        syn::Lit::Str(text) => Value::Text(text.value().into()),
        _ => return Err(Stop::unknown("a literal")),
    })
}

/// Constants of std.
fn constant(path: &str) -> Option<Value> {
    use std::f64::consts;
    Some(Value::float(match path.trim_start_matches("std::").trim_start_matches("core::") {
        "f64::INFINITY" => f64::INFINITY,
        "f64::NEG_INFINITY" => f64::NEG_INFINITY,
        "f64::NAN" => f64::NAN,
        "f64::MAX" => f64::MAX,
        "f64::MIN" => f64::MIN,
        "f64::EPSILON" => f64::EPSILON,
        "f64::MIN_POSITIVE" => f64::MIN_POSITIVE,
        "f64::consts::PI" => consts::PI,
        "f64::consts::TAU" => consts::TAU,
        "f64::consts::E" => consts::E,
        "f64::consts::LN_2" => consts::LN_2,
        "f64::consts::LN_10" => consts::LN_10,
        "f64::consts::SQRT_2" => consts::SQRT_2,
        "usize::MAX" => return Some(Value::Int(i128::from(u64::MAX))),
        "i32::MAX" => return Some(Value::Int(i128::from(i32::MAX))),
        "None" | "Option::None" | "::core::option::Option::None" | "option::Option::None" => {
            return Some(Value::option(None));
        }
        _ => return None,
    }))
}
