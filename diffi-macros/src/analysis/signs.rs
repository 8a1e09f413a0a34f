//! What is known of the signs of values: a sum that begins with a positive number and gains squares stays positive.
//!
//! A variable has the least of the signs that its assignments give it. All are taken for positive first; what contradicts this is
//! weakened until nothing does (an optimistic fixed point). Only values of single variables are followed, not those of elements and fields.

use crate::ir::place::key;
use crate::ir::visit::{Access, Vars, Visit, blocks};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::{TokenStream, TokenTree};

/// The signs of variables.
#[derive(Clone, Default)]
pub struct Signs(HashMap<Var, Sign>);

/// What is known of a number's sign, from the least on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    Any,
    NotNegative,
    /// Not negative, and where it is zero its derivatives are: a square, a sum of squares.
    Vertex,
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
            Op::Mul | Op::Fn("mul") if is_same(&args[0], &args[1]) => of(0).max(Sign::Vertex),
            Op::Mul | Op::Div | Op::Fn("mul" | "div") => of(0).min(of(1)),
            Op::Fn("mul_add") if is_same(&args[0], &args[1]) => sum(Sign::Vertex, of(2)),
            Op::Fn("powi") if exponent(&args[1]).is_some_and(|n| n >= 0 && n % 2 == 0) => of(0).max(Sign::Vertex),
            Op::Fn("sqrt" | "recip" | "powi" | "powf" | "cbrt") => bent(of(0)),
            Op::Fn("abs") => bent(of(0).max(Sign::NotNegative)),
            Op::Fn("exp" | "exp2") => Sign::Vertex,
            Op::Fn("hypot") => Sign::NotNegative,
            Op::Fn("cosh") => Sign::Positive,
            Op::Fn("max") if of(0) == of(1) => of(0),
            Op::Fn("max") => bent(of(0).max(of(1))),
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
    let (least, most) = (a.min(b), a.max(b));
    if least > Sign::Any && most == Sign::Positive { most } else { least }
}

/// Of a function whose derivatives need not be zero where its argument's are.
fn bent(sign: Sign) -> Sign {
    if sign == Sign::Vertex { Sign::NotNegative } else { sign }
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

/// The sign of passive code: that of a number, where one is written out; a square is not negative.
fn written(o: &PassiveCode) -> Sign {
    match literal(o) {
        Some(n) if n > 0.0 => Sign::Positive,
        Some(n) if n >= 0.0 => Sign::Vertex,
        _ if is_square(&o.tokens) => Sign::Vertex,
        _ => Sign::Any,
    }
}

/// Whether the code is `a * a`, of a name or a field `a`.
fn is_square(code: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = code.clone().into_iter().collect();
    let [left @ .., star] = &trees[..trees.len().div_ceil(2)] else { return false };
    let right = &trees[left.len() + 1..];
    let plain = |tree: &TokenTree| match tree {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(sign) => sign.as_char() == '.',
        TokenTree::Group(_) => false,
    };
    let is_star = matches!(star, TokenTree::Punct(sign) if sign.as_char() == '*');
    let text = |part: &[TokenTree]| part.iter().map(TokenTree::to_string).collect::<Vec<_>>();
    is_star && !left.is_empty() && left.iter().all(plain) && text(left) == text(right)
}
