//! The types of passive expressions that carry no annotation, as far as their text shows them.

use crate::frontend::syntax::types;
use crate::ir::{Base, PassiveCode, Ty};
use crate::support::syntax::strip_parens;

/// The type of a sequence that a passive expression makes, for a variable that turns out to be active: `Vec<f64>` of
/// `x.to_vec()` and of `.collect::<Vec<_>>()`. It is left open where the elements may be structs.
pub fn sequence(o: &PassiveCode, base: &Base) -> Option<Ty> {
    let expr = syn::parse2::<syn::Expr>(o.tokens.clone()).ok()?;
    made(&expr, base)
}

/// The same of an expression.
pub fn made(expr: &syn::Expr, base: &Base) -> Option<Ty> {
    let m = match strip_parens(expr) {
        syn::Expr::MethodCall(m) => m,
        syn::Expr::Block(b) => match b.block.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) => return made(e, base),
            _ => return None,
        },
        _ => return None,
    };
    if m.method == "to_vec" {
        return Some(Ty::Vec(Box::new(Ty::Float)));
    }
    let syn::GenericArgument::Type(ty) = m.turbofish.as_ref().filter(|_| m.method == "collect")?.args.first()? else {
        return None;
    };
    match types::describe(ty, base) {
        Ty::Vec(inner) if *inner == Ty::Unknown => match of_items(&m.receiver, base) {
            Ty::Unknown => Some(Ty::Unknown),
            inner => Some(Ty::Vec(Box::new(inner))),
        },
        ty => types::is_sequence(&ty).then_some(ty),
    }
}

/// What `..map(|i| e)` gives: a sequence, or a float where `e` is arithmetic.
fn of_items(chain: &syn::Expr, base: &Base) -> Ty {
    let syn::Expr::MethodCall(m) = strip_parens(chain) else { return Ty::Float };
    match m.args.first().map(strip_parens) {
        Some(syn::Expr::Closure(c)) if m.method == "map" => value(&c.body, base),
        _ => Ty::Float,
    }
}

/// Whether a passive expression is no number, to the eye: a tuple, an array, a struct, or a `Vec` of its elements.
pub fn is_made_of_members(o: &PassiveCode) -> bool {
    syn::parse2::<syn::Expr>(o.tokens.clone()).is_ok_and(|e| has_members(strip_parens(&e)))
}

fn has_members(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Struct(_) | syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) => true,
        syn::Expr::Macro(m) => m.mac.path.is_ident("vec"),
        _ => false,
    }
}

fn value(body: &syn::Expr, base: &Base) -> Ty {
    match strip_parens(body) {
        syn::Expr::Block(b) => match b.block.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) => value(e, base),
            _ => Ty::Unknown,
        },
        syn::Expr::Call(_) | syn::Expr::Path(_) => Ty::Unknown,
        e if has_members(e) => Ty::Unknown,
        e => made(e, base).unwrap_or(Ty::Float),
    }
}

/// Whether passive code is an integer as it is written: a variable that begins with `0` holds no float.
pub fn is_integer(o: &PassiveCode) -> bool {
    let literal = match syn::parse2(o.tokens.clone()) {
        Ok(syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. })) => *expr,
        Ok(literal) => literal,
        Err(_) => return false,
    };
    matches!(literal, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) if !n.suffix().starts_with('f'))
}
