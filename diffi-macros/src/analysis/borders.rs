//! Index expressions that are affine except in a loop's first and last iterations: at borders that wrap around or are clamped.
//!
//! `(j + 1) % n`, `(j + 1).min(n - 1)` and `if j + 1 == n { 0 } else { j + 1 }` are `j + 1` where `j < n - 1`, and `j.saturating_sub(1)` and
//! `(j + n - 1) % n` are `j - 1` where `j > 0`. A comparison of a loop's variable with its bounds has one answer between them.

use crate::analysis::cost_model::BORDER_ITERATIONS;
use crate::ir::affine::polynomial::Poly;
use crate::support::hash::HashMap;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, parse_quote};

/// A sum of products of things that do not change in the loop, and of its variable.
type Sum = Poly<usize>;

/// The loop's variable, as a symbol.
const VARIABLE: usize = 0;

/// A loop's range, and which iterations at its ends belong to the borders so far.
pub struct Borders {
    variable: Ident,
    /// What stands for numbers, by its text. Nothing that changes may be in it.
    symbols: HashMap<String, Sum>,
    first: i64,
    /// The end of the range.
    end: Sum,
    /// Before which iteration the border ends.
    pub from: i64,
    /// How many iterations before the end the other border begins.
    pub before: i64,
}

impl Borders {
    /// Those of `for variable in first..end`; the definitions are of names that do not change in an iteration, the first ones first.
    pub fn of(variable: &Ident, first: i64, end: &Expr, definitions: &[(String, Option<Expr>)]) -> Option<Borders> {
        let symbols = HashMap::from_iter([(variable.to_string(), Sum::symbol(VARIABLE))]);
        let variable = variable.clone();
        let mut borders = Borders { variable, symbols, first, end: Sum::number(0), from: first, before: 0 };
        definitions.iter().for_each(|(name, value)| borders.define(name, value.as_ref()));
        borders.end = borders.sum(end)?;
        Some(borders)
    }

    /// Names a sum, or something else, by its own text, too.
    fn define(&mut self, name: &str, value: Option<&Expr>) {
        let sum = value.and_then(|value| self.sum(value)).unwrap_or_else(|| Sum::symbol(self.symbols.len()));
        if let Some(value) = value {
            self.symbols.insert(text(value), sum.clone());
        }
        self.symbols.insert(name.to_owned(), sum);
    }

    /// Whether there is a border at all.
    pub fn any(&self) -> bool {
        self.has_first() || self.before > 0
    }

    /// Whether the first iterations are one.
    pub fn has_first(&self) -> bool {
        self.from > self.first
    }

    /// The expression as a sum, if it is one.
    fn sum(&self, e: &Expr) -> Option<Sum> {
        Sum::of_terms(e, &mut |term| match term {
            // what a parameter refers to does not change either
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => self.sum(expr),
            term => self.symbols.get(&text(term)).cloned(),
        })
    }

    /// What is added to the loop's variable, if that is what a sum is.
    fn shift(&self, sum: &Sum) -> Option<i64> {
        constant(&sum.sub(&Sum::symbol(VARIABLE)))
    }

    /// From here on, iterations are no border's; whether that is near the first one.
    fn from(&mut self, at: i64) -> Option<()> {
        (at - self.first <= BORDER_ITERATIONS).then(|| self.from = self.from.max(at))
    }

    /// Up to here, iterations are no border's; whether that is near the end.
    fn until(&mut self, end: &Sum) -> Option<()> {
        let before = constant(&self.end.sub(end))?;
        (before <= BORDER_ITERATIONS).then(|| self.before = self.before.max(before))
    }

    /// What the expression is between the borders, which grow if they have to.
    fn between(&mut self, e: &Expr) -> Option<Expr> {
        let shift = match e {
            Expr::Binary(b) if matches!(b.op, BinOp::Rem(_)) => self.wrapped(&b.left, &b.right),
            Expr::MethodCall(call) if call.args.len() == 1 => match &call.method.to_string()[..] {
                "rem_euclid" => self.wrapped(&call.receiver, &call.args[0]),
                "saturating_sub" | "wrapping_sub" => self.above_zero(&call.receiver, &call.args[0]),
                "min" => self.clamped(&call.receiver, &call.args[0], false),
                "max" => self.clamped(&call.receiver, &call.args[0], true),
                _ => None,
            },
            _ => return self.chosen(e),
        };
        Some(shifted(&self.variable, shift?))
    }

    /// `(j + n - 1) % n`: in the range of `n` without the operation, or with one `n` less.
    fn wrapped(&mut self, of: &Expr, by: &Expr) -> Option<i64> {
        let (of, by) = (self.sum(of)?, self.sum(by)?);
        [of.sub(&by), of].iter().find_map(|of| {
            let shift = self.shift(of)?;
            self.until(&by.sub(&Sum::number(shift)))?;
            self.from(-shift)?;
            Some(shift)
        })
    }

    /// `j.saturating_sub(1)`.
    fn above_zero(&mut self, of: &Expr, less: &Expr) -> Option<i64> {
        let of = self.sum(of)?.sub(&self.sum(less)?);
        let shift = self.shift(&of)?;
        self.from(-shift)?;
        Some(shift)
    }

    /// `j.max(1)`, or `(j + 1).min(n - 1)`.
    fn clamped(&mut self, a: &Expr, b: &Expr, below: bool) -> Option<i64> {
        let (a, b) = (self.sum(a)?, self.sum(b)?);
        let (shift, bound) = match self.shift(&a) {
            Some(shift) => (shift, b),
            None => (self.shift(&b)?, a),
        };
        match below {
            true => self.from(constant(&bound)? - shift)?,
            false => self.until(&bound.sub(&Sum::number(shift - 1)))?,
        }
        Some(shift)
    }

    /// Conditions, and what they choose.
    fn chosen(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Binary(b) => match (&b.op, truth(&b.left), truth(&b.right)) {
                (BinOp::And(_), Some(true), _) | (BinOp::Or(_), Some(false), _) => Some((*b.right).clone()),
                (BinOp::And(_), _, Some(true)) | (BinOp::Or(_), _, Some(false)) => Some((*b.left).clone()),
                (BinOp::And(_), Some(false), _) => Some(parse_quote!(false)),
                (BinOp::Or(_), Some(true), _) => Some(parse_quote!(true)),
                _ => self.compared(b).map(|answer| if answer { parse_quote!(true) } else { parse_quote!(false) }),
            },
            Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) => {
                truth(expr).map(|answer| if answer { parse_quote!(false) } else { parse_quote!(true) })
            }
            Expr::If(choice) => match (truth(&choice.cond)?, &choice.else_branch) {
                (true, _) => only(&choice.then_branch),
                (false, Some((_, other))) => match &**other {
                    Expr::Block(block) if block.label.is_none() => only(&block.block),
                    other => Some(other.clone()),
                },
                (false, None) => None,
            },
            _ => None,
        }
    }

    /// The one answer of a comparison between the borders.
    fn compared(&mut self, b: &syn::ExprBinary) -> Option<bool> {
        let difference = || Some(self.sum(&b.left)?.sub(&self.sum(&b.right)?));
        let (mut less, mut with) = match b.op {
            BinOp::Lt(_) => (true, false),
            BinOp::Le(_) => (true, true),
            BinOp::Gt(_) => (false, false),
            BinOp::Ge(_) => (false, true),
            BinOp::Eq(_) | BinOp::Ne(_) => return self.equal(&difference()?, matches!(b.op, BinOp::Eq(_))),
            _ => return None,
        };
        let mut difference = difference()?;
        if self.opposite(&difference).is_some() {
            (difference, less) = (Sum::number(0).sub(&difference), !less);
        }
        // `j < zero` or `j <= zero`, or that it is not
        if !less {
            with = !with;
        }
        let zero = self.zero(&difference)?.add(&Sum::number(i64::from(with)));
        Some(self.below(&zero)? == less)
    }

    fn equal(&mut self, difference: &Sum, equal: bool) -> Option<bool> {
        let difference = match self.opposite(difference) {
            Some(opposite) => opposite,
            None => difference.clone(),
        };
        let zero = self.zero(&difference)?;
        match constant(&zero) {
            Some(at) => self.from(at + 1)?,
            None => self.until(&zero)?,
        }
        Some(!equal)
    }

    /// The sum with the other sign, if that of the loop's variable is negative.
    fn opposite(&self, sum: &Sum) -> Option<Sum> {
        let (with, _) = sum.split(VARIABLE);
        (with == Sum::number(-1)).then(|| Sum::number(0).sub(sum))
    }

    /// The loop's variable where the sum is zero.
    fn zero(&self, sum: &Sum) -> Option<Sum> {
        let (with, without) = sum.split(VARIABLE);
        (with == Sum::number(1)).then(|| Sum::number(0).sub(&without))
    }

    /// Whether the loop's variable is below a number between the borders.
    fn below(&mut self, number: &Sum) -> Option<bool> {
        match constant(number) {
            Some(at) => self.from(at).map(|()| false),
            None => self.until(number).map(|()| true),
        }
    }
}

impl VisitMut for Borders {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Some(simple) = self.between(e) {
            *e = simple;
        }
        if let Some(sum) = flat(e) {
            *e = sum;
        }
    }
}

/// The number that a sum is.
fn constant(sum: &Sum) -> Option<i64> {
    sum.symbols().is_empty().then(|| sum.constant())
}

/// `(j + shift)`.
fn shifted(variable: &Ident, shift: i64) -> Expr {
    let size = proc_macro2::Literal::i64_unsuffixed(shift.abs());
    match shift {
        0 => parse_quote!(#variable),
        1.. => parse_quote!((#variable + #size)),
        _ => parse_quote!((#variable - #size)),
    }
}

/// `a + (j - 1)` as `a + j - 1`.
fn flat(e: &Expr) -> Option<Expr> {
    let Expr::Binary(syn::ExprBinary { left, op: BinOp::Add(_), right, .. }) = e else { return None };
    let Expr::Paren(inner) = &**right else { return None };
    let Expr::Binary(syn::ExprBinary { left: variable, op, right: size, .. }) = &*inner.expr else { return None };
    let simple = matches!(**variable, Expr::Path(_)) && matches!(**size, Expr::Lit(_));
    match op {
        BinOp::Add(_) if simple => Some(parse_quote!(#left + #variable + #size)),
        BinOp::Sub(_) if simple => Some(parse_quote!(#left + #variable - #size)),
        _ => None,
    }
}

/// The answer that a literal is.
pub fn truth(e: &Expr) -> Option<bool> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(answer), .. }) => Some(answer.value),
        Expr::Paren(inner) => truth(&inner.expr),
        Expr::Group(inner) => truth(&inner.expr),
        _ => None,
    }
}

/// The expression that a block is.
fn only(block: &syn::Block) -> Option<Expr> {
    match &block.stmts[..] {
        [syn::Stmt::Expr(Expr::Paren(e), None)] => Some(Expr::Paren(e.clone())),
        [syn::Stmt::Expr(e @ (Expr::Path(_) | Expr::Lit(_)), None)] => Some(e.clone()),
        [syn::Stmt::Expr(e, None)] => Some(parse_quote!((#e))),
        _ => None,
    }
}

/// Whether tokens may contain what is another expression between borders.
pub fn may_have_borders(tokens: &proc_macro2::TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        proc_macro2::TokenTree::Punct(sign) => matches!(sign.as_char(), '%' | '<' | '>' | '='),
        proc_macro2::TokenTree::Ident(name) => {
            ["min", "max", "saturating_sub", "wrapping_sub", "rem_euclid"].iter().any(|known| name == known)
        }
        proc_macro2::TokenTree::Group(group) => may_have_borders(&group.stream()),
        proc_macro2::TokenTree::Literal(_) => false,
    })
}

/// An expression as text, by which it is known.
fn text(e: &Expr) -> String {
    e.to_token_stream().to_string()
}

#[cfg(test)]
mod tests;
