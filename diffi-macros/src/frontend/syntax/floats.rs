//! Operators, and expressions that are plainly floats.

use crate::ir::*;
use crate::support::names;
use crate::support::syntax::strip_parens;

/// Whether the text alone tells that it is a float: `0.5`, `-2.0 * w`, `n as f64`, `w.sin()`, `o.unwrap_or(0.5)`.
pub fn is_float(o: &PassiveCode) -> bool {
    syn::parse2(o.tokens.clone()).is_ok_and(|e| is_float_expr(&e))
}

pub fn is_float_expr(expr: &syn::Expr) -> bool {
    /// Of the table's functions, those that integers have too.
    const SHARED: &[&str] = &["abs", "signum", "min", "max", "clamp", "rem_euclid", "div_euclid", "midpoint"];
    let is_float_type = |name: &proc_macro2::Ident| name == "f64" || name == "f32";
    match strip_parens(expr) {
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Float(_)),
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Neg(_)) && is_float_expr(&u.expr),
        syn::Expr::Binary(b) => operator(&b.op).is_some() && (is_float_expr(&b.left) || is_float_expr(&b.right)),
        syn::Expr::Cast(c) => matches!(&*c.ty, syn::Type::Path(p) if p.path.get_ident().is_some_and(is_float_type)),
        syn::Expr::MethodCall(m) => {
            let name = m.method.to_string();
            let of_floats = names::scalar(&name, m.args.len()).is_some() && !SHARED.contains(&name.as_str());
            let other = ["unwrap_or", "map_or"].contains(&name.as_str()) && m.args.first().is_some_and(is_float_expr);
            other || of_floats || SHARED.contains(&name.as_str()) && is_float_expr(&m.receiver)
        }
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) => p.path.segments.len() == 2 && is_float_type(&p.path.segments[0].ident),
            _ => false,
        },
        _ => false,
    }
}

/// The operation of an arithmetic operator, compound or not.
pub fn operator(op: &syn::BinOp) -> Option<Op> {
    use syn::BinOp::*;
    Some(match op {
        Add(_) | AddAssign(_) => Op::Add,
        Sub(_) | SubAssign(_) => Op::Sub,
        Mul(_) | MulAssign(_) => Op::Mul,
        Div(_) | DivAssign(_) => Op::Div,
        Rem(_) | RemAssign(_) => Op::Fn("rem"),
        _ => return None,
    })
}
