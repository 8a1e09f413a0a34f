//! Loops on chains of conditions with patterns, `while let Some(v) = stack.pop() && v > 0.0 { .. }`, as loops with an `if` in them: such
//! chains are taken apart there.

use crate::support::syntax::strip_parens;
use syn::visit_mut::{self, VisitMut};

/// The function with such loops written so.
pub fn with_tested_loops(mut item: syn::ItemFn) -> syn::ItemFn {
    Tested.visit_block_mut(&mut item.block);
    item
}

struct Tested;

impl VisitMut for Tested {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, e);
        let syn::Expr::While(syn::ExprWhile { attrs, label, cond, body, while_token }) = e else { return };
        if is_chain(cond) {
            *e =
                syn::parse_quote_spanned!(while_token.span=> #(#attrs)* #label loop { if #cond #body else { break; } });
        }
    }
}

/// Whether a condition joins a pattern with another one.
fn is_chain(cond: &syn::Expr) -> bool {
    match strip_parens(cond) {
        syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => has_pattern(&b.left) || has_pattern(&b.right),
        _ => false,
    }
}

fn has_pattern(cond: &syn::Expr) -> bool {
    matches!(cond, syn::Expr::Let(_)) || is_chain(cond)
}
