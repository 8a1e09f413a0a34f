//! Sorts: the permutation is passive, and the elements are moved by it.

use crate::frontend::iterators::applied;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Refs, Value};
use crate::frontend::syntax::types;
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::syntax::has_return;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

/// Methods that sort their receiver, wholly or in part.
pub const SORTS: &[&str] = &[
    "sort_by",
    "sort_unstable_by",
    "sort_by_key",
    "sort_by_cached_key",
    "sort_unstable_by_key",
    "select_nth_unstable_by",
    "select_nth_unstable_by_key",
];

impl Lower {
    /// The same method sorts the indices; then the elements go where the permutation says.
    pub fn sort(&mut self, target: &Value, m: &syn::ExprMethodCall) {
        let span = m.span();
        let Some((by, places)) = m.args.iter().collect::<Vec<_>>().split_last().map(|(by, p)| (*by, p.to_vec())) else {
            return self.errors.unknown_change(m.method.span(), &m.method.to_string());
        };
        let shown = self.show(&target.clone().dereferenced_fully(), span);
        let by = self.function_tokens(by);
        let places: Vec<PassiveCode> = places.into_iter().map(|k| self.integer(k)).collect();
        let (method, s) = (&m.method, &shown.tokens);
        let places_tokens = places.iter().map(|k| &k.tokens);
        let by_index = match method.to_string().contains("key") {
            true => {
                let key = key(&by.tokens, &quote!(&#s[*i]));
                quote!(|i| #key)
            }
            false => {
                let ordering = applied(&by.tokens, &[quote!(&#s[*i]), quote!(&#s[*j])]);
                quote!(|i, j| #ordering)
            }
        };
        let tokens = quote!({
            let mut order: ::std::vec::Vec<usize> = (0..#s.len()).collect();
            order.#method(#(#places_tokens,)* #by_index);
            order
        });
        let order = self.hold("order", gathered(tokens, [&shown, &by].into_iter().chain(&places), span));
        self.permute(target, &order, span);
    }

    /// `target[k] = old[order[k]]`.
    fn permute(&mut self, target: &Value, order: &PassiveCode, span: Span) {
        let old = self.copy_of(target, span);
        self.each(target, span, &mut |l, element, k| {
            let (o, i) = (&order.tokens, &k.tokens);
            // A call is kept for the reverse sweep, and the permutation is not.
            let from = gathered(quote!(*#o.get(#i).expect("a permutation")), [order, k].into_iter(), span);
            let from = l.hold("from", from);
            let value = l.element_of(old.clone(), from, span);
            l.store(element, value, span);
        });
    }

    /// The elements as they are now.
    pub fn copy_of(&mut self, target: &Value, span: Span) -> Value {
        let Value::Active(a) = target else { return Value::Poison };
        let ty = Ty::Vec(Box::new(types::element(&self.ty_of(&a.place))));
        Value::place(Place::var(self.bind("old", span, ty, Expr::ToVec(a.place.clone())))).behind(Refs::default())
    }
}

/// A key function applied to an expression.
fn key(by: &TokenStream, of: &TokenStream) -> TokenStream {
    match syn::parse2::<syn::ExprClosure>(by.clone()) {
        Ok(closure) if closure.inputs.len() == 1 => {
            let (a, body) = (&closure.inputs[0], &closure.body);
            match has_return(body) {
                true => quote!((|| { let #a = #of; #body })()),
                false => quote!({ let #a = #of; #body }),
            }
        }
        _ => quote!((#by)(#of)),
    }
}
