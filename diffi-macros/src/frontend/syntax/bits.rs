//! Looking at the bits of a float: refused, whatever becomes of them.

use crate::frontend::state::context::Lower;
use crate::support::names;
use crate::support::syntax::strip_parens;
use proc_macro2::Ident;

impl Lower {
    /// Refuses to look at the bits of an active value, whatever becomes of them.
    pub fn refuse_bits(&mut self, block: &syn::Block) {
        let mut found = Bits::default();
        syn::visit::Visit::visit_block(&mut found, block);
        for name in found.names {
            self.errors.unsafe_code(name.span(), &format!("`{name}`"), "use arithmetic on the value itself");
        }
    }
}

#[derive(Default)]
struct Bits {
    names: Vec<Ident>,
}

impl<'a> syn::visit::Visit<'a> for Bits {
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        let literal = matches!(strip_parens(&m.receiver), syn::Expr::Lit(_));
        if !literal && names::BITS.iter().any(|b| m.method == b) {
            self.names.push(m.method.clone());
        }
        syn::visit::visit_expr_method_call(self, m);
    }
    fn visit_path_segment(&mut self, s: &'a syn::PathSegment) {
        if names::BITS.iter().any(|b| s.ident == b) {
            self.names.push(s.ident.clone());
        }
        syn::visit::visit_path_segment(self, s);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
