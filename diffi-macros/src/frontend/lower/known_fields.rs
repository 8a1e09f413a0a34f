//! Structs whose fields are known from their definitions: rustc confirms that they are what the function takes them for.

use crate::frontend::inline::derives_clone;
use crate::frontend::projections::field_types::{self, KnownStruct, enum_of, struct_name};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::Value;
use crate::frontend::syntax::types;
use crate::ir::*;
use crate::support::syntax::{mentions, strip_parens};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::spanned::Spanned;

impl Lower {
    /// The struct that a parameter's type is, or a list of such, with the fields that are made of numbers.
    pub fn struct_of(&mut self, ty: &syn::Type) -> Option<Ty> {
        let element = std::iter::successors(Some(ty), |ty| types::described_element(ty)).last();
        let (name, _) = element.and_then(struct_name)?;
        let generic = |generics: &syn::Generics| generics.type_params().any(|t| t.ident == *name);
        if generic(&self.generics) || self.owner.as_ref().is_some_and(|owner| generic(&owner.generics)) {
            return None;
        }
        let (shape, structs) = field_types::struct_of(ty, &self.base)?;
        for known in structs {
            if self.structs.iter().all(|other| other.ty != known.ty) {
                self.structs.push(known);
            }
        }
        Some(shape)
    }

    /// What the type that is written for a value says of the fields of the struct that it is.
    pub fn note_struct(&mut self, value: &Value, ty: Option<&syn::Type>) {
        let a = match value {
            Value::Active(a) => a,
            Value::Ref(inner) => return self.note_struct(inner, ty),
            _ => return,
        };
        let shape = ty.and_then(|ty| self.struct_of(types::without_reference(ty)));
        shape.into_iter().for_each(|shape| self.refine(&a.place, shape));
    }

    /// The fields of the struct that a path names which carry no derivative.
    pub fn constant_fields(&mut self, path: &syn::Path) -> BTreeMap<String, Ty> {
        let own = self.owner.as_ref().map(|owner| owner.ty.clone());
        let own =
            own.filter(|ty| struct_name(ty).is_some_and(|(name, _)| path.is_ident(name) || path.is_ident("Self")));
        let known = self.struct_of(&own.unwrap_or_else(|| syn::parse_quote!(#path)));
        let Some(Ty::Struct(fields)) = known else { return BTreeMap::new() };
        fields.into_iter().filter(|(_, ty)| types::is_passive(ty)).collect()
    }

    /// Whether the type of a field of the struct that a path names holds no number with a derivative.
    pub fn is_without_numbers(&self, path: &syn::Path, member: &syn::Member) -> bool {
        let name = place::field_name(member);
        let is_named = |known: &&KnownStruct| struct_name(&known.ty).is_some_and(|(name, _)| path.is_ident(name));
        let known = self.structs.iter().filter(is_named).flat_map(|known| known.fields.iter());
        known.filter(|(field, _)| *field == name).any(|(_, ty)| types::is_passive(&types::describe(ty, &self.base)))
    }

    /// What a field without a derivative is given: a copy of a variable that is no scalar, since derivative code reads that once more.
    pub fn kept_constant(&self, path: &syn::Path, member: &syn::Member, value: Operand) -> Operand {
        let Operand::Passive(o) = &value else { return value };
        let name = place::field_name(member);
        let is_named = |known: &&KnownStruct| struct_name(&known.ty).is_some_and(|(name, _)| path.is_ident(name));
        let types = self.structs.iter().filter(is_named).flat_map(|known| known.constants.iter());
        let is_object = types.filter(|(field, _)| *field == name).any(|(_, ty)| !types::is_passive_scalar(ty));
        let is_variable = !o.reads.is_empty() && syn::parse2::<Ident>(o.tokens.clone()).is_ok();
        match is_object && is_variable && derives_clone(path) {
            true => Operand::Passive(o.clone().map(|o| quote!(#o.clone()))),
            false => value,
        }
    }

    /// `&mut state.count`, a field without derivative, as an argument: the call changes the field where it is.
    pub fn lent_part(&mut self, arg: &syn::Expr) -> Option<Value> {
        let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr: field, .. }) = strip_parens(arg)
        else {
            return None;
        };
        let place = self.place_of(field).filter(|place| self.fact(place.root).active)?;
        let is_field = !place.path.is_empty() && place.path.iter().all(|step| matches!(step, Proj::Field(_)));
        let is_declared = types::is_passive(&self.ty_of(&place));
        if !is_field || !is_declared && !self.is_passive_part(&place) {
            return None;
        }
        if is_declared && self.may_keep_numbers(&place) {
            self.errors.lent_constant(arg.span());
            return Some(Value::Poison);
        }
        self.check_integer(&place);
        Some(Value::place(place).borrowed(true))
    }

    /// Whether a field is declared constant, and may hold numbers by its type.
    fn may_keep_numbers(&self, field: &Place) -> bool {
        let Some(Proj::Field(member)) = field.path.last() else { return false };
        let name = place::field_name(member);
        let holds = |ty: &syn::Type| !types::is_passive(&types::describe(ty, &self.base));
        let known = self.structs.iter().flat_map(|known| known.constants.iter());
        known.filter(|(constant, _)| *constant == name).any(|(_, ty)| holds(ty))
    }

    /// The struct that the function of a type gives, `Matrix::new(2, 3)`.
    pub fn struct_given(&mut self, call: TokenStream) -> Option<Ty> {
        let call = syn::parse2::<syn::ExprCall>(call).ok()?;
        let default = match &*call.func {
            syn::Expr::Path(p) => default_of(&p.path),
            _ => None,
        };
        let name = default.or_else(|| self.unannotated.as_ref()?.own_type(&syn::Expr::Call(call)))?;
        self.struct_of(&syn::parse_str(&name).ok()?)
    }

    /// Compiles only if the fields that the function mentions are what they are taken for.
    pub fn only_known_fields(&mut self, item: &syn::ItemFn) {
        let body = item.block.to_token_stream();
        for KnownStruct { ty, generics, fields, constants } in self.structs.clone() {
            let span = ty.span();
            let value = Ident::new("__value", span);
            let generics = if generics.is_empty() { self.constants_in_scope(&ty) } else { generics };
            self.only_constant_fields(&ty, &constants, &body, &generics);
            let fields = fields.iter().filter_map(|(name, of)| {
                let member = syn::parse_str::<syn::Member>(name).ok()?;
                let is_mentioned = match &member {
                    syn::Member::Named(name) => mentions(&body, name),
                    syn::Member::Unnamed(_) => true,
                };
                let enum_check = enum_of(of);
                let enum_check =
                    enum_check.map(|of| quote_spanned!(span=> __d::is_only_names(__d::Named::<#of>::kind());));
                is_mentioned.then(
                    || quote_spanned!(span=> __d::is_type_of_field::<#of, _>(&raw const #value.#member); #enum_check),
                )
            });
            let fields: Vec<TokenStream> = fields.collect();
            if !fields.is_empty() {
                self.confirm(within(
                    &generics,
                    quote!(
                        #[allow(unused_imports)]
                        let _ = |#value: &#ty| {
                            use __d::NamedLikeOthers as _;
                            #(#fields)*
                        };
                    ),
                ));
            }
        }
    }

    /// Compiles only if the tangents of these fields, where the function mentions them, have nothing in them.
    fn only_constant_fields(
        &mut self,
        ty: &syn::Type,
        constants: &[(String, syn::Type)],
        body: &TokenStream,
        generics: &[syn::ConstParam],
    ) {
        let members = constants.iter().filter_map(|(name, _)| syn::parse_str::<syn::Member>(name).ok());
        let mentioned = members.filter(|member| match member {
            syn::Member::Named(name) => mentions(body, name),
            syn::Member::Unnamed(_) => true,
        });
        let span = ty.span();
        let tangent = Ident::new("__tangent", span);
        let fields: Vec<TokenStream> =
            mentioned.map(|member| quote_spanned!(span=> __d::is_no_tangent(&#tangent.#member);)).collect();
        if !fields.is_empty() {
            let question = quote!(
                let _ = |#tangent: &<#ty as __d::Active>::Tangent<<#ty as __d::Active>::Base>| { #(#fields)* };
            );
            self.confirm(within(generics, question));
        }
    }

    /// The constants that the function or its block is generic over, if a type is given some.
    fn constants_in_scope(&self, ty: &syn::Type) -> Vec<syn::ConstParam> {
        let given = struct_name(ty).is_some_and(|(_, constants)| !constants.is_empty());
        let owner = self.owner.iter().map(|owner| &owner.generics);
        let all = owner.chain([&self.generics]).flat_map(syn::Generics::const_params);
        all.filter(|_| given).map(|param| syn::ConstParam { eq_token: None, default: None, ..param.clone() }).collect()
    }
}

/// The type of `Type::default`, which gives one.
fn default_of(path: &syn::Path) -> Option<String> {
    let [ty, function] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
    let name = ty.ident.to_string();
    let is_default = function.ident == "default" && ty.arguments.is_none() && name != "Self";
    (is_default && name.starts_with(char::is_uppercase)).then_some(name)
}

/// A question that mentions constants of generic code, which questions stand outside of.
fn within(generics: &[syn::ConstParam], question: TokenStream) -> TokenStream {
    match generics.is_empty() {
        true => question,
        false => quote!({
            #[allow(unused)]
            fn known_fields<#(#generics),*>() {
                #question
            }
        }),
    }
}
