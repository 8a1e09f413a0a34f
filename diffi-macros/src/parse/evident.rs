//! The types of passive expressions that carry no annotation, as far as their text shows them.

use crate::ir::{Base, Opaque, Ty};
use crate::parse::opaque::strip_parens;
use crate::parse::types;

/// The type of a sequence that a passive expression makes, for a variable that turns out to be active: `Vec<f64>` of
/// `x.to_vec()`, of `vec![..]` and of `.collect::<Vec<_>>()`.
pub fn sequence(o: &Opaque, base: &Base) -> Option<Ty> {
    let expr = syn::parse2::<syn::Expr>(o.tokens.clone()).ok()?;
    let ty = of(&expr, base);
    types::is_sequence(&ty).then_some(ty)
}

fn of(expr: &syn::Expr, base: &Base) -> Ty {
    match strip_parens(expr) {
        syn::Expr::MethodCall(m) if m.method == "to_vec" => Ty::Vec(Box::new(Ty::Float)),
        syn::Expr::MethodCall(m) if m.method == "collect" => {
            let Some(syn::GenericArgument::Type(ty)) = m.turbofish.as_ref().and_then(|t| t.args.first()) else {
                return Ty::Opaque;
            };
            match types::describe(ty, base) {
                Ty::Vec(inner) if *inner == Ty::Opaque => Ty::Vec(Box::new(of_items(&m.receiver, base))),
                ty => ty,
            }
        }
        syn::Expr::Block(b) => match b.block.stmts.last() {
            Some(syn::Stmt::Expr(e, None)) => of(e, base),
            _ => Ty::Opaque,
        },
        _ => Ty::Opaque,
    }
}

/// What `..map(|i| e)` gives: floats, where `e` is no sequence.
fn of_items(chain: &syn::Expr, base: &Base) -> Ty {
    let inner = match strip_parens(chain) {
        syn::Expr::MethodCall(m) if m.method == "map" => match m.args.first().map(strip_parens) {
            Some(syn::Expr::Closure(c)) => of(&c.body, base),
            _ => Ty::Opaque,
        },
        _ => Ty::Opaque,
    };
    if types::is_sequence(&inner) { inner } else { Ty::Float }
}
