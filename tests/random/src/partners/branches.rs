//! `if` with its condition negated and its branches exchanged.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, parse_quote};

/// Every `if` without a pattern.
pub fn exchanged(file: &mut syn::File) {
    Exchange.visit_file_mut(file);
}

struct Exchange;

impl VisitMut for Exchange {
    fn visit_expr_if_mut(&mut self, choice: &mut syn::ExprIf) {
        visit_mut::visit_expr_if_mut(self, choice);
        if has_pattern(&choice.cond) {
            return;
        }
        let (cond, then) = (&choice.cond, &choice.then_branch);
        let otherwise: syn::Block = match &choice.else_branch {
            Some((_, other)) => match &**other {
                Expr::Block(block) => block.block.clone(),
                other => parse_quote!({ #other }),
            },
            None => parse_quote!({}),
        };
        let (attrs, exchanged) = (&choice.attrs, parse_quote!(if !(#cond) #otherwise else #then));
        *choice = syn::ExprIf { attrs: attrs.clone(), ..exchanged };
    }
}

fn has_pattern(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(both) => has_pattern(&both.left) || has_pattern(&both.right),
        _ => false,
    }
}
