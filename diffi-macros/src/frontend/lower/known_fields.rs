//! Structs whose fields are known from their definitions: rustc confirms that they are what the function takes them for.

use crate::frontend::projections::field_types::{self, KnownStruct, name_of};
use crate::frontend::state::context::Lower;
use crate::ir::Ty;
use crate::support::syntax::mentions;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

impl Lower {
    /// The struct that a parameter's type is, with the fields that are made of numbers.
    pub fn struct_of(&mut self, ty: &syn::Type) -> Option<Ty> {
        let name = name_of(ty)?;
        let generic = |generics: &syn::Generics| generics.type_params().any(|t| t.ident == *name);
        if generic(&self.generics) || self.owner.as_ref().is_some_and(|owner| generic(&owner.generics)) {
            return None;
        }
        let (shape, structs) = field_types::struct_of(ty, &self.base)?;
        self.structs.extend(structs);
        Some(shape)
    }

    /// The shape of a type, with what is known of the structs in it.
    pub fn with_structs(&mut self, ty: &syn::Type, shape: Ty) -> Ty {
        match (ty, shape) {
            (syn::Type::Array(of), Ty::Array(inner)) => Ty::Array(Box::new(self.with_structs(&of.elem, *inner))),
            (syn::Type::Slice(of), Ty::Slice(inner)) => Ty::Slice(Box::new(self.with_structs(&of.elem, *inner))),
            (syn::Type::Path(of), Ty::Vec(inner)) => match field_types::list_of(of) {
                Some(of) => Ty::Vec(Box::new(self.with_structs(of, *inner))),
                None => Ty::Vec(inner),
            },
            (syn::Type::Tuple(of), Ty::Tuple(all)) if of.elems.len() == all.len() => {
                Ty::Tuple(of.elems.iter().zip(all).map(|(of, shape)| self.with_structs(of, shape)).collect())
            }
            (ty, Ty::Unknown) => self.struct_of(ty).unwrap_or(Ty::Unknown),
            (_, shape) => shape,
        }
    }

    /// The struct that the function of a type gives, `Matrix::new(2, 3)`.
    pub fn struct_given(&mut self, call: TokenStream) -> Option<Ty> {
        let call = syn::parse2::<syn::ExprCall>(call).ok()?;
        let name = self.unannotated.as_ref()?.own_type(&syn::Expr::Call(call))?;
        self.struct_of(&syn::parse_str(&name).ok()?)
    }

    /// Compiles only if the fields that the function mentions are what they are taken for.
    pub fn only_known_fields(&mut self, item: &syn::ItemFn) {
        let body = item.block.to_token_stream();
        for KnownStruct { ty, fields } in self.structs.clone() {
            let span = ty.span();
            let fields = fields.iter().filter_map(|(name, of)| {
                let member = syn::parse_str::<syn::Member>(name).ok()?;
                let is_mentioned = match &member {
                    syn::Member::Named(name) => mentions(&body, name),
                    syn::Member::Unnamed(_) => true,
                };
                is_mentioned
                    .then(|| quote_spanned!(span=> __d::is_type_of_field::<#of, _>(&raw const __value.#member);))
            });
            let fields: Vec<TokenStream> = fields.collect();
            if !fields.is_empty() {
                self.confirm(quote!(let _ = |__value: &#ty| { #(#fields)* };));
            }
        }
    }
}
