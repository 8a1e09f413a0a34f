//! What is known of the signs of values: a sum that begins with a positive number and gains squares stays positive.
//!
//! A variable has the least of the signs that its assignments give it. All are taken for positive first; what contradicts this is
//! weakened until nothing does (an optimistic fixed point). Only values of single variables are followed, not those of elements and fields.

use crate::ir::place::key;
use crate::ir::visit::{Access, Vars, Visit, blocks};
use crate::ir::*;
use crate::support::hash::HashMap;

/// The signs of variables.
#[derive(Clone, Default)]
pub struct Signs(HashMap<Var, Sign>);

/// What is known of a number's sign, from the least on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    Any,
    NotNegative,
    Positive,
}

impl Signs {
    /// Of the variables of a function.
    pub fn of(function: &Function) -> Self {
        let (mut given, mut unknown) = (Vec::new(), function.params.iter().map(|p| p.var).collect::<Vars>());
        sources(&function.body, &mut given, &mut unknown);
        let mut signs = Signs::default();
        signs.0.extend(given.iter().map(|(var, _)| (*var, Sign::Positive)));
        signs.0.extend(unknown.iter().map(|var| (*var, Sign::Any)));
        while given.iter().fold(false, |changed, (var, source)| signs.weaken(*var, source) | changed) {}
        signs
    }

    /// Of an operand.
    pub fn of_operand(&self, o: &Operand) -> Sign {
        match o {
            Operand::Passive(o) => written(o),
            o => o.as_var().map_or(Sign::Any, |v| self.of_var(v)),
        }
    }

    fn of_var(&self, var: Var) -> Sign {
        self.0.get(&var).copied().unwrap_or(Sign::Any)
    }

    fn weaken(&mut self, var: Var, source: &Source<'_>) -> bool {
        let given = match source {
            Source::Value(expr) => self.of_expr(expr),
            Source::Set(value) => self.of_operand(value),
            Source::Added(value) => sum(self.of_var(var), self.of_operand(value)),
        };
        let was = self.of_var(var);
        self.0.insert(var, was.min(given));
        given < was
    }

    fn of_expr(&self, expr: &Expr) -> Sign {
        match expr {
            Expr::Operand(o) => self.of_operand(o),
            Expr::Op { op, args, .. } => self.of_op(op, args),
            Expr::Passive(o) => written(o),
            _ => Sign::Any,
        }
    }

    fn of_op(&self, op: &Op, args: &[Operand]) -> Sign {
        let of = |k: usize| self.of_operand(&args[k]);
        match op {
            Op::Add | Op::Fn("add") => sum(of(0), of(1)),
            Op::Mul | Op::Fn("mul") if is_same(&args[0], &args[1]) => of(0).max(Sign::NotNegative),
            Op::Mul | Op::Div | Op::Fn("mul" | "div") => of(0).min(of(1)),
            Op::Fn("mul_add") if is_same(&args[0], &args[1]) => sum(Sign::NotNegative, of(2)),
            Op::Fn("powi") if exponent(&args[1]).is_some_and(|n| n >= 0 && n % 2 == 0) => of(0).max(Sign::NotNegative),
            Op::Fn("sqrt" | "recip" | "powi" | "powf" | "cbrt") => of(0),
            Op::Fn("abs") => of(0).max(Sign::NotNegative),
            Op::Fn("exp" | "exp2" | "hypot") => Sign::NotNegative,
            Op::Fn("cosh") => Sign::Positive,
            Op::Fn("max") => of(0).max(of(1)),
            Op::Fn("min") => of(0).min(of(1)),
            _ => Sign::Any,
        }
    }
}

/// What gives a variable a value.
enum Source<'a> {
    Value(&'a Expr),
    Set(&'a Operand),
    Added(&'a Operand),
}

/// All that gives variables values; those that get one in another way are unknown.
fn sources<'a>(block: &'a Block, given: &mut Vec<(Var, Source<'a>)>, unknown: &mut Vars) {
    for stmt in &block.stmts {
        let source = source(stmt);
        let known = source.as_ref().map(|(var, _)| *var);
        Visit(&mut |var, access| {
            if matches!(access, Access::Write | Access::Define) && known != Some(var) {
                unknown.insert(var);
            }
        })
        .head(stmt);
        given.extend(source);
        blocks(stmt).into_iter().for_each(|inner| sources(inner, given, unknown));
    }
}

fn source(stmt: &Stmt) -> Option<(Var, Source<'_>)> {
    match stmt {
        Stmt::Let { var, expr } => Some((*var, Source::Value(expr))),
        Stmt::Assign { place, op: Assign::Set, value, .. } if place.path.is_empty() => {
            Some((place.root, Source::Set(value)))
        }
        Stmt::Assign { place, op: Assign::Add, value, .. } if place.path.is_empty() => {
            Some((place.root, Source::Added(value)))
        }
        _ => None,
    }
}

fn sum(a: Sign, b: Sign) -> Sign {
    if a.min(b) == Sign::Any { Sign::Any } else { a.max(b) }
}

fn is_same(a: &Operand, b: &Operand) -> bool {
    matches!((a, b), (Operand::Place(a), Operand::Place(b)) if key(a) == key(b))
}

/// The exponent of a power, if it is written out.
pub fn exponent(operand: &Operand) -> Option<i32> {
    let Operand::Passive(n) = operand else { return None };
    n.tokens.to_string().replace(' ', "").parse().ok()
}

/// A number that is written out.
pub fn literal(o: &PassiveCode) -> Option<f64> {
    let text = o.tokens.to_string().replace(['_', ' '], "");
    text.trim_end_matches("f64").trim_end_matches("f32").parse().ok()
}

/// The sign of passive code: that of a number, where one is written out.
fn written(o: &PassiveCode) -> Sign {
    match literal(o) {
        Some(n) if n > 0.0 => Sign::Positive,
        Some(n) if n >= 0.0 => Sign::NotNegative,
        _ => Sign::Any,
    }
}
