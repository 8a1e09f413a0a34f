//! Methods of annotated traits behind `dyn`: the values and the partial derivatives that an implementation gives, and the derivative code
//! of the object that is made of them.
//!
//! ```text
//! trait Model {
//!     fn energy(&self, x: f64) -> f64;
//!     fn Model__partials(&self, method: usize, arguments: &[Argument], second: bool) -> Partials { none }      in annotated implementations:
//!     fn Model__partials_by_pulls(..) -> Partials where Self: Sized { match method { 0 => .. energy__pull .. } }    by this one
//! }
//! impl dyn Model + '_ {
//!     fn energy__object(&self, a0: f64) -> f64 { self.energy(a0) }
//!     fn energy__object__push(&self, _: Off, a0: f64, d0: impl DotSlot<..>, ..) -> (f64, Space) { .. }     by the partial derivatives
//! }
//! ```

use crate::item::object_methods::Method;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// What generated functions are allowed.
const ALLOWED: &[&str] = &["warnings", "clippy::all", "clippy::pedantic", "clippy::nursery"];

fn allowed() -> TokenStream {
    let lints = ALLOWED.iter().map(|lint| syn::parse_str::<syn::Path>(lint).unwrap_or_else(|_| unreachable!("a lint")));
    quote!(#[doc(hidden)] #[allow(#(#lints),*)])
}

/// What gives the partial derivatives of a trait's methods, in the trait, and the derivative code of its objects, beside it.
pub fn of_trait(
    block: &syn::ItemTrait,
    methods: &[(syn::Signature, Vec<Ident>)],
    root: &TokenStream,
) -> (TokenStream, TokenStream) {
    let known = |(signature, constant): &'_ (syn::Signature, Vec<Ident>)| Method::of(signature, constant);
    let methods: Vec<Method> = match is_object_safe(block) {
        true => methods.iter().filter_map(known).collect(),
        false => Vec::new(),
    };
    (in_trait(block, &methods, root), beside_trait(block, &methods, root))
}

/// No implementation has to give them.
fn in_trait(block: &syn::ItemTrait, methods: &[Method], root: &TokenStream) -> TokenStream {
    let (allowed, of) = (allowed(), block.ident.to_string());
    let [none, by_pulls] = ["", "_by_pulls"].map(|end| header(&block.ident, end, root));
    let cases = methods.iter().enumerate().map(|(k, method)| {
        let body = method.partials();
        quote!(#k => #body,)
    });
    let carries = methods.iter().any(|method| method.active_receiver);
    let active = carries.then(|| quote!(+ #root::__private::Active<Base = f64> + #root::__private::Whole<f64>));
    quote! {
        #allowed #[inline] #none { #root::__private::objects::Partials::none(#of) }
        #allowed #[inline] #by_pulls where Self: ::core::marker::Sized #active {
            use #root::__private as __d;
            match method { #(#cases)* _ => __d::objects::Partials::none(#of) }
        }
    }
}

/// The same of an annotated implementation.
pub fn in_implementation(path: &syn::Path, root: &TokenStream) -> Option<TokenStream> {
    let of = &path.segments.last()?.ident;
    let (allowed, header, by_pulls) = (allowed(), header(of, "", root), format_ident!("{of}__partials_by_pulls"));
    Some(quote!(#allowed #[inline] #header { <Self as #path>::#by_pulls(self, method, arguments, second) }))
}

/// The derivative code of the object, beside the trait.
fn beside_trait(block: &syn::ItemTrait, methods: &[Method], root: &TokenStream) -> TokenStream {
    if methods.is_empty() {
        return TokenStream::new();
    }
    let (name, allowed) = (&block.ident, allowed());
    let partials = format_ident!("{name}__partials");
    let code: Vec<TokenStream> = methods.iter().enumerate().map(|(k, method)| method.of_object(&partials, k)).collect();
    let blocks = [quote!(), quote!(+ Send), quote!(+ Sync), quote!(+ Send + Sync)]
        .map(|marker| quote!(#allowed impl<'object> dyn #name #marker + 'object { #(#code)* }));
    quote!(#allowed const _: () = { use #root::__private as __d; #(#blocks)* };)
}

/// The signature of the method that gives partial derivatives.
fn header(of: &Ident, end: &str, root: &TokenStream) -> TokenStream {
    let (name, objects) = (format_ident!("{of}__partials{end}"), quote!(#root::__private::objects));
    quote!(fn #name(&self, method: usize, arguments: &[#objects::Argument<'_>], second: bool) -> #objects::Partials)
}

/// Whether there may be objects of a trait, as far as its text says it.
fn is_object_safe(block: &syn::ItemTrait) -> bool {
    const SAFE: &[&str] = &["Send", "Sync", "Debug", "Display", "Any"];
    let safe = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(of) => {
            of.path.segments.last().is_some_and(|s| SAFE.iter().any(|name| s.ident == name))
        }
        syn::TypeParamBound::Lifetime(_) => true,
        _ => false,
    };
    let callable = |item: &syn::TraitItem| match item {
        syn::TraitItem::Fn(f) => is_callable(&f.sig),
        syn::TraitItem::Verbatim(_) => true,
        _ => false,
    };
    block.generics.params.is_empty()
        && block.generics.where_clause.is_none()
        && block.supertraits.iter().all(safe)
        && block.items.iter().all(callable)
}

/// Whether objects have a method, or a trait with this method may have objects nevertheless.
fn is_callable(signature: &syn::Signature) -> bool {
    let sized = signature.generics.where_clause.as_ref().is_some_and(|clause| {
        let text = |p: &syn::WherePredicate| p.to_token_stream().to_string().replace(' ', "");
        clause.predicates.iter().any(|p| text(p).starts_with("Self:") && text(p).contains("Sized"))
    });
    let by_reference = signature.receiver().is_some_and(|r| r.reference.is_some() && r.colon_token.is_none());
    let types = signature.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(param) => Some(param.ty.to_token_stream()),
        syn::FnArg::Receiver(_) => None,
    });
    let lifetimes = signature.generics.params.iter().all(|p| matches!(p, syn::GenericParam::Lifetime(_)));
    let plain = !types.chain([signature.output.to_token_stream()]).any(mentions_unknown);
    sized || by_reference && lifetimes && signature.asyncness.is_none() && plain
}

/// Whether a type names `Self`, or is that of an `impl Trait`.
fn mentions_unknown(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Group(group) => mentions_unknown(group.stream()),
        token => ["Self", "impl"].contains(&token.to_string().as_str()),
    })
}
