//! Windows and chunks of arrays: parts of equal lengths, one after the other.

use crate::frontend::arrays::library::{library, operation};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Chain, Refs, Value};
use crate::ir::affine::gathered;
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;

impl Lower {
    /// The windows or the chunks of an array, in logical order.
    pub fn strided_parts(&mut self, array: Place, m: &syn::ExprMethodCall, exclusive: bool) -> Option<Chain> {
        let (op, count, part) = functions(&m.method.to_string())?;
        let along = op == "SliceAxis";
        let (span, place) = (m.span(), array);
        let mut shown = self.show_place(&place, Refs::SHARED);
        shown.reads.remove(&place.root);
        shown.shapes.insert(place.root);
        let args: Vec<PassiveCode> = m.args.iter().map(|arg| self.parameter(arg)).collect();
        let args: Vec<PassiveCode> = args.into_iter().map(|arg| self.atom("size", arg)).collect();
        let (count, tokens) = (library(count, span), args.iter().map(|arg| &arg.tokens));
        let a = &shown.tokens;
        let len = gathered(quote!(#count(#a, #(#tokens),*)), std::iter::once(&shown).chain(&args), span);
        let len = self.hold("n", len);
        Some(Chain::counted(len, move |l, k| {
            let (op, part) = (operation(op, span), library(part, span));
            let (a, at, tokens) = (&shown.tokens, &k.tokens, args.iter().map(|arg| &arg.tokens));
            let axis: Option<TokenStream> = along.then(|| {
                let axis = &args[0].tokens;
                quote!(#axis,)
            });
            let tokens = quote!(#op(#axis #part(#a, #(#tokens,)* #at)));
            let op = gathered(tokens, std::iter::once(&shown).chain(&args).chain([&k]), span);
            if exclusive {
                return l.part_mut(place.clone(), op, Ty::Library, span);
            }
            let part = l.rule(op, &[Value::place(place.clone())], Ty::Library, "window", span);
            if let Value::Active(a) = &part {
                l.fact_mut(a.place.root).view = true;
            }
            part.behind(Refs::SHARED)
        }))
    }
}

/// The operation that takes a part (`SliceAxis` along the first argument), what counts the parts, and what says where one lies.
fn functions(name: &str) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match name {
        "windows" => ("Slice", "windows", "window"),
        "windows_with_stride" => ("Slice", "strided_windows", "strided_window"),
        "exact_chunks" | "exact_chunks_mut" => ("Slice", "exact_chunks", "exact_chunk"),
        "axis_windows" => ("SliceAxis", "axis_windows", "axis_window"),
        "axis_chunks_iter" | "axis_chunks_iter_mut" => ("SliceAxis", "axis_chunks", "axis_chunk"),
        _ => return None,
    })
}
