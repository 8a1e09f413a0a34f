//! Where the chain rule may multiply by what is infinite or no number, though all arguments of the function are numbers.
//!
//! A root has no derivative at zero and no value below. Where the cotangent of such a value is zero, as nothing selected it, the product is
//! to be zero: the strong zero of [`Op::StrongMul`]. Only values of single variables are followed, not those of elements and fields.

use crate::ir::place::key;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use diffi_rules::Kind;

/// What may be infinite or no number.
#[derive(Clone, Default)]
pub struct Unbounded {
    /// What is known of the signs of other values.
    signs: HashMap<Var, Sign>,
    /// Variables whose values may be.
    values: Vars,
    /// Variables whose tangents may be.
    tangents: Vars,
    /// Variables whose values and tangents exceed all numbers for large arguments.
    growing: Vars,
}

/// What is known of a number's sign.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Sign {
    Any,
    NotNegative,
    Positive,
}

/// Functions whose partial derivatives are finite wherever their arguments are.
const BOUNDED: &[&str] = &["sin", "cos", "tanh", "atan", "mul_add", "asinh", "powi"];
/// Functions that exceed all numbers for large arguments, as their derivatives do.
const GROWING: &[&str] = &["exp", "exp2", "exp_m1", "sinh", "cosh"];
/// Functions that have a value and a slope for every argument, though the latter is a quotient.
const SMOOTH: &[&str] = &["hypot", "atan2"];
/// Piecewise linear functions of which a partial derivative is a quotient.
const REMAINDERS: &[&str] = &["rem", "rem_euclid"];
/// Functions of which some arguments are outside of the domain.
const PARTIAL: &[&str] = &["sqrt", "powf", "ln", "ln_1p", "log2", "log10", "log", "asin", "acos", "acosh", "atanh"];

impl Unbounded {
    /// Of a function, whose arguments are numbers.
    pub fn of(function: &Function) -> Self {
        let mut found = Unbounded::default();
        found.signs(&function.body, &touched(&function.body.stmts, &[Access::Write]));
        while found.block(&function.body) {}
        found
    }

    /// Whether a partial derivative of an operation, or what the operation is applied to, may be infinite or no number.
    pub fn partial(&self, op: &Op, args: &[Operand]) -> bool {
        self.is_steep(op, args) || args.iter().any(|a| is_in(a, &self.values))
    }

    /// Whether the tangent may be infinite or no number.
    pub fn tangent(&self, operand: &Operand) -> bool {
        is_in(operand, &self.tangents)
    }

    /// Whether value and tangent exceed all numbers for large arguments.
    pub fn grows(&self, operand: &Operand) -> bool {
        is_in(operand, &self.growing)
    }

    fn signs(&mut self, block: &Block, written: &Vars) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr } = stmt
                && !written.contains(var)
            {
                let sign = self.sign_of(expr);
                self.signs.insert(*var, sign);
            }
            blocks(stmt).into_iter().for_each(|inner| self.signs(inner, written));
        }
    }

    fn sign_of(&self, expr: &Expr) -> Sign {
        match expr {
            Expr::Operand(o) => self.sign(o),
            Expr::Op { op, args, .. } => self.sign_of_op(op, args),
            Expr::Passive(o) => literal(o).map_or(Sign::Any, sign),
            _ => Sign::Any,
        }
    }

    fn sign_of_op(&self, op: &Op, args: &[Operand]) -> Sign {
        let of = |k: usize| self.sign(&args[k]);
        let least = |a: Sign, b: Sign| if a < b { a } else { b };
        let larger = |a: Sign, b: Sign| if a > b { a } else { b };
        match op {
            Op::Add | Op::Fn("add") if least(of(0), of(1)) != Sign::Any => larger(of(0), of(1)),
            Op::Mul | Op::Fn("mul") if is_same(&args[0], &args[1]) => larger(of(0), Sign::NotNegative),
            Op::Mul | Op::Div | Op::Fn("mul" | "div") => least(of(0), of(1)),
            Op::Fn("mul_add") if is_same(&args[0], &args[1]) && of(2) != Sign::Any => of(2),
            Op::Fn("powi") if exponent(&args[1]).is_some_and(|n| n >= 0 && n % 2 == 0) => {
                larger(of(0), Sign::NotNegative)
            }
            Op::Fn("sqrt" | "recip" | "powi" | "powf" | "cbrt") => of(0),
            Op::Fn("abs") => larger(of(0), Sign::NotNegative),
            Op::Fn("exp" | "exp2" | "hypot") => Sign::NotNegative,
            Op::Fn("cosh") => Sign::Positive,
            Op::Fn("max") => larger(of(0), of(1)),
            Op::Fn("min") => least(of(0), of(1)),
            _ => Sign::Any,
        }
    }

    fn sign(&self, o: &Operand) -> Sign {
        match o {
            Operand::Passive(o) => literal(o).map_or(Sign::Any, sign),
            o => o.as_var().and_then(|v| self.signs.get(&v)).copied().unwrap_or(Sign::Any),
        }
    }

    fn block(&mut self, block: &Block) -> bool {
        let mut changed = false;
        for stmt in &block.stmts {
            changed |= self.stmt(stmt);
            blocks(stmt).into_iter().for_each(|inner| changed |= self.block(inner));
        }
        changed
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        let (var, op, args) = match stmt {
            Stmt::Let { var, expr: Expr::Op { op, args, .. } } => (*var, Some(op), &args[..]),
            Stmt::Let { var, expr: Expr::Operand(o) } => (*var, None, std::slice::from_ref(o)),
            Stmt::Assign { place, op: Assign::Set, value, .. } if place.path.is_empty() => {
                (place.root, None, std::slice::from_ref(value))
            }
            _ => return false,
        };
        let grows = matches!(op, Some(Op::Fn(name)) if GROWING.contains(name));
        let steep = !grows && op.is_some_and(|op| self.is_steep(op, args));
        let undefined = op.is_some_and(|op| self.is_undefined(op, args));
        let add = |set: &mut Vars, starts: bool| (starts || args.iter().any(|a| is_in(a, set))) && set.insert(var);
        let added = [(&mut self.values, undefined), (&mut self.tangents, steep), (&mut self.growing, grows)];
        added.into_iter().fold(false, |changed, (set, starts)| add(set, starts) | changed)
    }

    /// Whether an operation's partial derivative may be infinite, or no number.
    fn is_steep(&self, op: &Op, args: &[Operand]) -> bool {
        let of = |k: usize| self.sign(&args[k]);
        match op {
            Op::Div => self.may_vanish(&args[1]),
            Op::Fn("sqrt" | "cbrt" | "recip" | "ln" | "log2" | "log10" | "powf") => of(0) != Sign::Positive,
            Op::Fn("ln_1p") => of(0) == Sign::Any,
            Op::Fn("powi") => of(0) != Sign::Positive && exponent(&args[1]).is_none_or(|n| n < 0),
            Op::Fn(name) if SMOOTH.contains(name) => false,
            Op::Fn(name) if REMAINDERS.contains(name) => self.may_vanish(&args[1]),
            op => is_unbounded(op, args),
        }
    }

    /// Whether an operation's arguments may be outside of its domain.
    fn is_undefined(&self, op: &Op, args: &[Operand]) -> bool {
        match op {
            Op::Fn("log") => args.iter().any(|a| self.sign(a) == Sign::Any),
            Op::Fn(name) if REMAINDERS.contains(name) => self.may_vanish(&args[1]),
            Op::Fn(name) => PARTIAL.contains(name) && self.sign(&args[0]) == Sign::Any,
            _ => false,
        }
    }

    /// Whether a divisor is zero as it is written, or carries a derivative and may be zero.
    fn may_vanish(&self, divisor: &Operand) -> bool {
        match divisor {
            Operand::Passive(o) => literal(o) == Some(0.0),
            _ => self.sign(divisor) != Sign::Positive,
        }
    }
}

/// Whether a partial derivative of an operation may be infinite, or no number, whatever the signs of its arguments are.
pub fn is_unbounded(op: &Op, args: &[Operand]) -> bool {
    let is_literal = |o: &Operand| matches!(o, Operand::Passive(o) if o.reads.is_empty());
    match op {
        Op::Div => !args.get(1).is_some_and(is_literal),
        Op::Fn(name) => {
            !BOUNDED.contains(name) && diffi_rules::rule(name).is_some_and(|rule| matches!(rule.kind, Kind::Curved))
        }
        _ => false,
    }
}

fn is_in(operand: &Operand, vars: &Vars) -> bool {
    operand.as_var().is_some_and(|v| vars.contains(&v))
}

fn is_same(a: &Operand, b: &Operand) -> bool {
    matches!((a, b), (Operand::Place(a), Operand::Place(b)) if key(a) == key(b))
}

/// The exponent of a power, if it is written out.
fn exponent(operand: &Operand) -> Option<i32> {
    let Operand::Passive(n) = operand else { return None };
    n.tokens.to_string().replace(' ', "").parse().ok()
}

fn literal(o: &PassiveCode) -> Option<f64> {
    let text = o.tokens.to_string().replace('_', "");
    text.trim_end_matches("f64").trim_end_matches("f32").parse().ok()
}

fn sign(number: f64) -> Sign {
    match number {
        n if n > 0.0 => Sign::Positive,
        n if n >= 0.0 => Sign::NotNegative,
        _ => Sign::Any,
    }
}
