//! Slices that are cut where a function says so: `chunk_by`, `split` and its kind. Where the parts lie carries no derivative.

use crate::frontend::iterators::methods::{Stage, method};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Refs, Value, over};
use crate::ir::*;
use proc_macro2::Ident;
use quote::quote;
use syn::spanned::Spanned;

/// Whether a method cuts a slice by a function.
pub fn is_cut(name: &str) -> bool {
    method(name).is_some_and(|row| row.stage == Stage::Cut)
}

impl Lower {
    /// The parts of a slice, found by the user's own function.
    pub fn cut(&mut self, value: Value, m: &syn::ExprMethodCall, refs: Refs) -> Chain {
        let (span, name) = (m.span(), m.method.to_string());
        let shared = name.trim_end_matches("_mut");
        let method = Ident::new(shared, m.method.span());
        let by = self.function_tokens(m.args.last().expect("it has one"));
        let most = (m.args.len() == 2).then(|| self.integer(&m.args[0]));
        let shown = self.show(&value.clone().dereferenced_fully(), span);
        let (s, f, most_tokens) = (&shown.tokens, &by.tokens, most.iter().map(|n| &n.tokens));
        // A separator lies between the parts of all but these.
        let between = usize::from(!matches!(shared, "chunk_by" | "split_inclusive"));
        let step = match shared.starts_with('r') {
            true => quote!({ to = end - part.len(); end = to.saturating_sub(#between); (to, to + part.len()) }),
            false => quote!({ let from = end; end += part.len() + #between; (from, from + part.len()) }),
        };
        let start = if shared.starts_with('r') { quote!(#s.len()) } else { quote!(0usize) };
        let state = if shared.starts_with('r') { quote!(let mut to;) } else { quote!() };
        let tokens = quote!({
            let mut end = #start;
            let parts: ::std::vec::Vec<(usize, usize)> =
                #s.#method(#(#most_tokens,)* #f).map(|part| { #state #step }).collect();
            parts
        });
        let parts: Vec<&PassiveCode> = [&shown, &by].into_iter().chain(&most).collect();
        let bounds = self.hold("parts", over(tokens, &parts));
        let len = bounds.clone().map(|b| quote!(#b.len()));
        Chain::counted(len, move |l, k| {
            let (b, i) = (&bounds.tokens, &k.tokens);
            let part = l.hold("part", over(quote!(*#b.get(#i).expect("a part")), &[&bounds, &k]));
            let lo = l.hold("from", part.clone().map(|p| quote!(#p.0)));
            let hi = l.hold("to", part.map(|p| quote!(#p.1)));
            l.slice_of(value.clone(), Some(lo), Some(hi), span).behind(refs)
        })
    }
}
