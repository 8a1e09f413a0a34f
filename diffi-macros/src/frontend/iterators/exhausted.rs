//! `v.extract_if(range, f)` that is run to its end: then the elements that leave are all those for which `f` holds, at once.
//!
//! Where it is left before, the elements that it did not come to stay: that is refused.

use crate::frontend::iterators::methods::{Stage, method};
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;
use syn::visit::{self, Visit};

/// Adaptors that take all elements, if they are asked for all of theirs.
const WHOLE: &[&str] =
    &["map", "filter", "filter_map", "flat_map", "enumerate", "inspect", "copied", "cloned", "chain"];

/// Whether a method is such an `extract_if`: it is marked by a list of no types, which rustc takes, too.
pub fn is_exhausted(m: &syn::ExprMethodCall) -> bool {
    m.method == "extract_if" && m.args.len() == 2 && m.turbofish.as_ref().is_some_and(|types| types.args.is_empty())
}

/// Marks an `extract_if` at the start of what is run to its end.
pub fn mark(expr: &mut syn::Expr) {
    match expr {
        syn::Expr::MethodCall(m) if runs_to_the_end(&m.method) => mark_start(&mut m.receiver),
        syn::Expr::ForLoop(f) if !leaves(&f.body) => mark_start(&mut f.expr),
        _ => {}
    }
}

fn runs_to_the_end(name: &Ident) -> bool {
    method(&name.to_string()).is_some_and(|row| row.stage == Stage::Consumer)
}

fn mark_start(chain: &mut syn::Expr) {
    let syn::Expr::MethodCall(m) = chain else { return };
    if m.method == "extract_if" && m.args.len() == 2 {
        m.turbofish = Some(syn::parse_quote!(::<>));
    } else if WHOLE.iter().any(|name| m.method == name) {
        mark_start(&mut m.receiver);
    }
}

/// Whether a loop's body may leave the loop.
fn leaves(body: &syn::Block) -> bool {
    struct Leaves(bool);
    impl<'a> Visit<'a> for Leaves {
        fn visit_expr(&mut self, e: &'a syn::Expr) {
            self.0 |= matches!(strip_parens(e), syn::Expr::Break(_) | syn::Expr::Return(_) | syn::Expr::Try(_));
            self.0 |= matches!(strip_parens(e), syn::Expr::Continue(c) if c.label.is_some());
            visit::visit_expr(self, e);
        }
    }
    let mut leaves = Leaves(false);
    leaves.visit_block(body);
    leaves.0
}
