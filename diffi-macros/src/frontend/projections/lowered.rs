//! Calls of methods that return references, as places.

use super::asked::{Asked, where_function};
use super::written_out::{Called, called};
use crate::frontend::state::context::Lower;
use crate::frontend::state::value::{Maybe, Passive, Refs, Value};
use crate::ir::affine::gathered;
use crate::ir::*;
use crate::support::errors::ErrorCode;
use crate::support::names;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::spanned::Spanned;

impl Lower {
    /// `m[__where_at(i, j)]`: the part of `m` that `m.at(i, j)` leads to.
    pub fn projected(&mut self, i: &syn::ExprIndex) -> Option<Value> {
        let Called { method, form, to, args } = called(&i.index)?;
        let (asked, args) = Asked::of(method, args);
        let base = self.expr(&i.expr).dereferenced_fully();
        let args = self.passive_arguments(&args);
        let hint = asked.name().map(ToString::to_string).unwrap_or_default();
        match base {
            Value::Active(_) if form == "any_type" => {
                let instead = "name the type, or read and set numbers by methods that take and return them";
                Some(self.refuse(method.span(), "a reference that a method of a generic type returns", instead))
            }
            Value::Active(_) if form == "unequal" => {
                let instead = "write the same place in `index` and `index_mut` (`deref` and `deref_mut`)";
                Some(self.refuse(
                    method.span(),
                    "a type whose shared and exclusive references lead to other places",
                    instead,
                ))
            }
            Value::Active(_) if form == "unannotated" => {
                self.errors.unknown_place(method.span(), &method.to_string());
                Some(Value::Poison)
            }
            Value::Active(a) => {
                let at = self.found_by(&a.place, &asked, &args, method.span());
                let at = typed(self.hold(&hint, at), Some(&to));
                Some(self.element_of(Value::Active(a), at, i.span()))
            }
            Value::Passive(p) => {
                self.projections.insert(hint);
                let call = called_on(&p, &asked, &args, form == "exclusive").map(|call| quote!((*#call)));
                Some(Value::Passive(Passive { passive: call, refs: Refs::default(), ty: Ty::Passive, root: p.root }))
            }
            Value::Poison => Some(Value::Poison),
            _ => Some(self.refuse(i.span(), "this receiver", "bind it to a name first")),
        }
    }

    /// Whether a passive place is one that such a method leads to: its variable is the one that changes.
    pub fn is_projected(&self, place: &PassiveCode) -> bool {
        let Some(TokenTree::Group(group)) = place.tokens.clone().into_iter().next() else { return false };
        let mut names = group.stream().into_iter().filter_map(|tree| match tree {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        names.any(|name| self.projections.contains(&name))
    }

    /// `m.__maybe_find(k)`: the part of `m` that `m.find(k)` leads to, if there is one.
    pub fn maybe_projected(&mut self, m: &syn::ExprMethodCall) -> Option<Value> {
        let exclusive = m.method.to_string().starts_with(names::MAYBE_MUT);
        let method = names::without_maybe(&m.method)?;
        let base = self.expr(&m.receiver).dereferenced_fully();
        let (asked, args) = Asked::of(&method, &m.args);
        let args = self.passive_arguments(&args);
        match base {
            Value::Active(a) => {
                let found = self.found_by(&a.place, &asked, &args, m.method.span());
                let at = self.hold("found", found);
                let present = at.clone().map(|at| quote!(#at.is_some()));
                let (span, to) = (m.span(), type_argument(m));
                let content = move |l: &mut Lower| {
                    let at = l.hold("at", at.clone().map(|at| quote!(#at.unwrap())));
                    let at = typed(at, to.as_deref());
                    let part = l.element_of(Value::place(a.place.clone()), at, span);
                    part.borrowed(exclusive)
                };
                Some(Value::Maybe(Maybe::new(present, content)))
            }
            Value::Passive(p) => {
                let passive = called_on(&p, &asked, &args, exclusive);
                Some(Value::Passive(Passive { passive, refs: Refs::default(), ty: Ty::Passive, root: p.root }))
            }
            Value::Poison => Some(Value::Poison),
            _ => Some(self.refuse(m.span(), "this receiver", "bind it to a name first")),
        }
    }

    /// Where a method leads in a place.
    fn found_by(&mut self, place: &Place, asked: &Asked<'_>, args: &[PassiveCode], span: Span) -> PassiveCode {
        self.item_once(quote!(
            use __d::{Leads as _, LeadsMut as _};
        ));
        if let Asked::Method(method) = asked {
            self.item_once(unknown(method, args.len()));
        }
        let shown = self.show_place(place, Refs::default());
        let tokens = asked.find(&shown.tokens, &tokens_of(args));
        gathered(tokens, [&shown].into_iter().chain(args), span)
    }

    fn passive_arguments(&mut self, args: &[&syn::Expr]) -> Vec<PassiveCode> {
        let values = self.in_order(args, &mut |l, _, arg| l.expr(arg));
        values.iter().zip(args).map(|(value, arg)| self.show(value, arg.span())).collect()
    }
}

fn tokens_of(args: &[PassiveCode]) -> Vec<TokenStream> {
    args.iter().map(|a| a.tokens.clone()).collect()
}

/// The call itself.
fn called_on(on: &Passive, asked: &Asked<'_>, args: &[PassiveCode], exclusive: bool) -> PassiveCode {
    let tokens = asked.call(&on.passive.tokens, &tokens_of(args), exclusive);
    gathered(tokens, [&on.passive].into_iter().chain(args), on.passive.span)
}

/// The name of the type that a method leads to.
fn type_argument(m: &syn::ExprMethodCall) -> Option<String> {
    m.turbofish.as_ref().and_then(|of| of.args.first()).map(|of| quote!(#of).to_string())
}

/// The same index, which says what type it leads to.
fn typed(at: PassiveCode, to: Option<&str>) -> PassiveCode {
    let leads = place::leads_to(to.unwrap_or("any"));
    at.map(|at| quote!(#at.#leads()))
}

/// rustc's message for a method of which no attribute says where it leads.
fn unknown(method: &Ident, args: usize) -> TokenStream {
    let function = where_function(method);
    let plain = method.to_string();
    let plain = plain.trim_start_matches("r#");
    let [known, fallback] = ["known_place", "fallback_place"].map(|end| format_ident!("{plain}__{end}"));
    let message = format!(
        "`{plain}` of `{{Self}}` returns a reference to active values, and diffi does not know where it leads [{}]",
        ErrorCode::Unannotated
    );
    let label = "nothing says what this reference leads to";
    let cure = format!("put `#[differentiable]` on the `impl` block that defines `{plain}`");
    let given = (0..args).map(|k| Ident::new(&format!("Given{k}"), Span::call_site())).collect::<Vec<_>>();
    quote! {
        #[diagnostic::on_unimplemented(message = #message, label = #label, note = #cure)]
        trait #known {}
        trait #fallback {
            fn #function<#(#given),*>(&self, #(_: #given),*) -> usize { 0 }
        }
        impl<T: #known + ?::core::marker::Sized> #fallback for T {}
    }
}
