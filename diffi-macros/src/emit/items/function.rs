//! The items around the bodies: the handle, its derivative functions, and the traits that operators see.

use crate::ad::derivatives::Derivatives;
use crate::analysis::activity::Activity;
use crate::emit::any_number;
use crate::emit::code::text::Holes;
use crate::emit::items::frame::Frame;
use crate::emit::items::global_sparsity::{Instead, Traces};
use crate::emit::items::rule;
use crate::ir::*;
use crate::support::options::Rule;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// What the user says of the handle, and where our crate is.
pub struct Handle<'a> {
    /// Its name, if it is not the function's.
    pub name: Option<Ident>,
    /// The function's.
    pub visibility: &'a syn::Visibility,
    /// The path of the crate `diffi`.
    pub root: &'a TokenStream,
    /// The number of the function's text, where callers may inline it.
    pub fingerprint: Option<u64>,
}

/// What the attribute adds.
#[derive(Default)]
pub struct Code {
    /// In the block of a trait, or of an implementation of one.
    pub inside: TokenStream,
    /// Beside the function or its block.
    pub beside: TokenStream,
    /// For the trait of the handles of a trait's methods.
    pub constants: TokenStream,
    /// Bounds for the header of an implementation, with commas between them.
    pub header: TokenStream,
}

impl Code {
    /// That of another function too.
    pub fn extend(&mut self, other: Code) {
        self.inside.extend(other.inside);
        self.beside.extend(other.beside);
        self.constants.extend(other.constants);
        let comma = (!self.header.is_empty() && !other.header.is_empty()).then(<syn::Token![,]>::default);
        self.header.extend(quote!(#comma));
        self.header.extend(other.header);
    }
}

/// Everything that the attribute adds for a function.
pub fn items(
    function: &Function,
    handle: &Handle<'_>,
    activity: &Activity,
    products: Derivatives<'_>,
    traces: &Traces<'_>,
) -> Code {
    let holes = Holes::of(function);
    let mut frame = Frame::new(function, activity, &holes);
    frame.ask(&products.push, handle);
    let (primal, callees) = match any_number::primal(&frame, traces.trace) {
        Some((primal, callees)) => (primal, Some(callees)),
        None => (any_number::stub(&frame), None),
    };
    let instead = Instead::of(traces, &frame, callees.is_some(), products.second.is_some());
    let push = frame.push(&products.push, &instead.push);
    let pull_push = frame.pull_push(&products, &instead.pull_push);
    let text = [push, frame.pull(&products), pull_push, frame.reads(&products), primal].concat();
    frame.code(handle, &Bodies { text, callees, cost: frame.cost() })
}

/// The same for a function with a rule by hand.
pub fn items_by_rule(function: &Function, handle: &Handle<'_>, activity: &Activity, rule: &Rule) -> Code {
    let holes = Holes::of(function);
    let frame = Frame::new(function, activity, &holes);
    let (primal, callees) = match any_number::linear(&frame) {
        Some(primal) => (primal, Some(Vec::new())),
        None => (any_number::stub(&frame), None),
    };
    let cost = "usize::MAX".to_owned();
    frame.code(handle, &Bodies { text: rule::bodies(&frame, rule) + &frame.reads_all() + &primal, callees, cost })
}

/// The same for a function that is refused: its callers find what they ask for, and say nothing more. Where the types of its parameters are
/// not known, it asks nothing of them, and operators do not take it.
pub fn items_refused(function: &Function, handle: &Handle<'_>, activity: &Activity, asks_nothing: bool) -> Code {
    let holes = Holes::of(function);
    let mut frame = Frame::new(function, activity, &holes);
    let owner = function.owner.as_ref().map(|owner| &owner.kind);
    frame.refused = asks_nothing && !matches!(owner, Some(OwnerKind::Trait(_)));
    let text = rule::without(&frame, "this function is refused") + &frame.reads_all() + &any_number::stub(&frame);
    frame.code(handle, &Bodies { text, callees: None, cost: "usize::MAX".to_owned() })
}

/// The same for a method that implementations define.
pub fn items_to_come(function: &Function, handle: &Handle<'_>, activity: &Activity) -> Code {
    let holes = Holes::of(function);
    let frame = Frame::new(function, activity, &holes);
    frame.code(handle, &Bodies { text: frame.to_come(), callees: None, cost: String::new() })
}

/// Derivative functions, and what the body over any number type calls, if there is one.
pub struct Bodies {
    pub text: String,
    pub callees: Option<Vec<TokenStream>>,
    /// What it costs to evaluate the function again.
    pub cost: String,
}

/// The handle of a function, its derivative functions, and its traits.
pub fn beside(frame: &Frame<'_>, handle: &Handle<'_>, bodies: &Bodies) -> TokenStream {
    let holes = frame.holes;
    let (visibility, root) = (holes.put(handle.visibility.to_token_stream()), holes.put(handle.root.clone()));
    let name = holes.put(handle.name.as_ref().unwrap_or(&frame.function.name).to_token_stream());
    let aliases = &frame.aliases;
    let Witness { lint, generics, field, value } = Witness::of(frame);
    holes.fill(&format!(
        "#[doc(hidden)]
         #[allow(non_camel_case_types{lint})]
         #[derive(Clone, Copy, Debug, Default)]
         {visibility} struct {name}{generics} {{{field}}}
         #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, missing_docs)]
         const _: () = {{
             use {root}::__private as __d;
             {aliases}
             {inherent}
             impl __d::Annotated for {name} {{}}
             {traits}
         }};",
        inherent = inherent(&name, value, handle.fingerprint, bodies),
        traits = traits(frame, &name, bodies.callees.as_ref()),
    ))
}

/// A handle's parameter that mentions types: by it rustc sees which of them are private, and that so is the handle.
#[derive(Default)]
struct Witness {
    lint: &'static str,
    generics: String,
    field: &'static str,
    value: &'static str,
}

impl Witness {
    fn of(frame: &Frame<'_>) -> Self {
        if frame.named.is_empty() {
            return Witness::default();
        }
        let types: String = frame.named.iter().map(|ty| frame.holes.put(quote!(*const #ty,))).collect();
        Witness {
            lint: ", private_interfaces",
            generics: format!("<__Types = ::core::marker::PhantomData<fn({types})>>"),
            field: "types: __Types",
            value: "types: ::core::marker::PhantomData",
        }
    }
}

/// The handle's constants and functions.
fn inherent(name: &str, value: &str, fingerprint: Option<u64>, Bodies { text: bodies, cost, .. }: &Bodies) -> String {
    let fingerprint =
        fingerprint.map_or_else(String::new, |n| format!("#[doc(hidden)] pub const __FINGERPRINT: u64 = {n}u64;"));
    format!(
        "impl {name} {{
             /// The handle: what operators take.
             pub const D: Self = Self {{{value}}};
             #[doc(hidden)]
             pub const __COST: usize = {cost};
             {fingerprint}
             {bodies}
         }}"
    )
}

/// What operators see, and the body over any number type.
fn traits(frame: &Frame<'_>, name: &str, callees: Option<&Vec<TokenStream>>) -> String {
    let overload = callees.filter(|_| frame.is_for_operators()).map(|callees| frame.overload(name, callees));
    let imports = if callees.is_some_and(|all| !all.is_empty()) { frame.imports() } else { String::new() };
    format!("{} const _: () = {{ {imports} {} }};", frame.for_operators(name), overload.unwrap_or_default())
}
