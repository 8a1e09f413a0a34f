//! Arrays as slices, and as arrays of another number of axes.

use crate::frontend::arrays::library::known::SLICES;
use crate::frontend::arrays::library::operation;
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Refs, Value};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use syn::spanned::Spanned;

/// Whether a method sees an array as a slice, or as one of another number of axes.
pub fn is_reshaped(m: &syn::ExprMethodCall) -> bool {
    let dimension = m.method == "into_dimensionality" && m.turbofish.is_some() || m.method == "into_dyn";
    m.args.is_empty() && (dimension || SLICES.iter().any(|name| m.method == name))
}

impl Lower {
    pub fn reshaped(&mut self, receiver: Value, m: &syn::ExprMethodCall) -> Value {
        let (name, span) = (m.method.to_string(), m.span());
        let dimension = match (&m.turbofish, name.as_str()) {
            (Some(of), "into_dimensionality") => {
                let of = &of.args;
                quote!(#of)
            }
            (_, "into_dyn") => quote!(__d::library::IxDyn),
            _ => return self.slice_of_array(receiver, &name, span),
        };
        let op = operation("OfDimension", span);
        let op = PassiveCode { span, ..PassiveCode::literal(quote!(#op::<#dimension>(::core::marker::PhantomData))) };
        self.rule(op, &[receiver.dereferenced_fully()], Ty::Library, "array", span)
    }

    /// The elements as a vector; written back where they are changed.
    fn slice_of_array(&mut self, receiver: Value, name: &str, span: Span) -> Value {
        let refs = Refs { depth: 1, exclusive: name.ends_with("_mut") };
        self.as_sequence(receiver.dereferenced_fully().behind(refs), span)
    }
}
