//! The functions that operators, methods and constructors of own structs mean, as inner functions.

use super::kinds::{Kind, kind_of};
use super::shown::OwnFunction;
use super::typing::Typing;
use crate::frontend::inline::eligible::{is_short_and_plain, with_types};
use crate::frontend::inline::names;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};

/// The most functions that are inlined in one function.
const MOST: usize = 24;

/// A function that is meant.
#[derive(Clone)]
pub struct Meant {
    /// The inner function's name; none if it stays a call.
    pub name: Option<Ident>,
    pub receiver: Option<Receiver>,
    pub gives: Option<Kind>,
}

/// How a function takes what it is applied to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    Value,
    Ref,
    Mut,
}

impl Typing<'_> {
    /// The function, which becomes an inner one if that is possible.
    pub fn meant(&mut self, function: &OwnFunction) -> Option<Meant> {
        let key = self.key(function);
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let mut item = function.item()?;
        let receiver = receiver(&item.sig);
        WrittenOut { function }.visit_item_fn_mut(&mut item);
        let gives = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => kind_of(ty, &|name| self.is_own(name)),
            syn::ReturnType::Default => None,
        };
        // while its body is read, it stays a call
        self.known.insert(key.clone(), Meant { name: None, receiver, gives: gives.clone() });
        let name = self.inlined(function, item, receiver, &key);
        let meant = Meant { name, receiver, gives };
        self.known.insert(key, meant.clone());
        Some(meant)
    }

    fn inlined(
        &mut self,
        function: &OwnFunction,
        mut item: syn::ItemFn,
        receiver: Option<Receiver>,
        key: &str,
    ) -> Option<Ident> {
        let fits = function.annotated && item.sig.inputs.iter().all(|input| self.takes(input));
        let gives = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => self.is_known(ty) && !matches!(**ty, syn::Type::Reference(_)),
            syn::ReturnType::Default => true,
        };
        let exclusive = receiver == Some(Receiver::Mut);
        let unit = matches!(item.sig.output, syn::ReturnType::Default);
        let lends = |input: &&syn::FnArg| match input {
            syn::FnArg::Typed(p) => matches!(&*p.ty, syn::Type::Reference(r) if r.mutability.is_some()),
            syn::FnArg::Receiver(_) => false,
        };
        let fits = fits && item.sig.inputs.iter().filter(lends).count() == usize::from(exclusive);
        if !fits || !gives || unit != exclusive || self.found.len() >= MOST || !is_short_and_plain(&item) {
            return None;
        }
        if !names::free(&item).is_disjoint(self.bound) || makes_what_is_asked_for(&item.block) {
            return None;
        }
        item.sig.ident = format_ident!("{key}");
        let around = (std::mem::take(&mut self.scopes), std::mem::take(&mut self.leaves_calls));
        self.function(&mut item);
        // calls of cheap functions keep little on the tape
        let stays = std::mem::replace(&mut self.leaves_calls, around.1);
        self.scopes = around.0;
        if stays {
            return None;
        }
        self.found.push(with_types(item));
        Some(format_ident!("{key}"))
    }

    /// The name of the inner function. Its number is what no other function has: `mul` of `Mul<f64>` and `mul_f64` would share the rest.
    fn key(&self, function: &OwnFunction) -> String {
        let number = self.module.functions.iter().position(|f| std::ptr::eq(f, function)).unwrap_or_default();
        let text = format!("__{}_{}_{number}", function.owner, function.name);
        text.replace('&', "ref_")
    }

    fn takes(&self, input: &syn::FnArg) -> bool {
        match input {
            syn::FnArg::Typed(p) => matches!(&*p.pat, syn::Pat::Ident(_)) && p.attrs.is_empty() && self.is_known(&p.ty),
            syn::FnArg::Receiver(_) => false,
        }
    }

    fn is_known(&self, ty: &syn::Type) -> bool {
        kind_of(ty, &|name| self.is_own(name)).is_some()
    }
}

/// Whether a body makes a value of a type that its signature alone tells.
fn makes_what_is_asked_for(block: &syn::Block) -> bool {
    const ASKED: &[&str] = &["collect", "into", "try_into", "parse", "default", "unwrap_or_default", "from_iter"];
    struct Names(bool);
    impl<'a> Visit<'a> for Names {
        fn visit_ident(&mut self, name: &'a Ident) {
            self.0 |= ASKED.iter().any(|asked| name == asked);
        }
    }
    let mut names = Names(false);
    names.visit_block(block);
    names.0
}

fn receiver(signature: &syn::Signature) -> Option<Receiver> {
    let receiver = signature.receiver()?;
    Some(match (&receiver.reference, receiver.mutability) {
        (None, _) => Receiver::Value,
        (Some(_), None) => Receiver::Ref,
        (Some(_), Some(_)) => Receiver::Mut,
    })
}

/// Writes out what `Self` and `self` stand for.
struct WrittenOut<'a> {
    function: &'a OwnFunction,
}

impl WrittenOut<'_> {
    fn owner(&self, span: Span) -> Ident {
        Ident::new(self.function.owner.trim_start_matches('&'), span)
    }
}

impl VisitMut for WrittenOut<'_> {
    fn visit_signature_mut(&mut self, sig: &mut syn::Signature) {
        let ty: Option<syn::Type> = syn::parse_str(&self.function.owner).ok();
        for input in &mut sig.inputs {
            if let (syn::FnArg::Receiver(receiver), Some(ty)) = (&*input, &ty)
                && receiver.colon_token.is_none()
            {
                let mutable = receiver.mutability;
                *input = match &receiver.reference {
                    None => syn::parse_quote!(#mutable __self: #ty),
                    Some(_) => syn::parse_quote!(__self: & #mutable #ty),
                };
            }
        }
        visit_mut::visit_signature_mut(self, sig);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(p) = ty {
            let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
            match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["Self"] => {
                    let owner = self.function.owner.parse().ok();
                    *ty = owner.map_or_else(|| ty.clone(), syn::Type::Verbatim);
                    *ty = syn::parse_quote!(#ty);
                }
                ["Self", "Output"] => {
                    let output = self.function.output.as_deref().and_then(|text| syn::parse_str(text).ok());
                    *ty = output.unwrap_or_else(|| ty.clone());
                    if !matches!(ty, syn::Type::Path(p) if p.path.segments.len() == 2) {
                        self.visit_type_mut(ty);
                    }
                    return;
                }
                _ => {}
            }
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if let Some(first) = path.segments.first_mut().filter(|first| first.ident == "Self") {
            first.ident = self.owner(first.ident.span());
        }
        if path.is_ident("self") {
            *path = syn::parse_quote!(__self);
        }
        visit_mut::visit_path_mut(self, path);
    }
}
