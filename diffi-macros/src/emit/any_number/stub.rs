//! What stands for a body over any number type where there is none: callers are written the same, and refused by a bound.

use crate::emit::any_number::{Params, is_plain_type, over, returns_numbers};
use crate::emit::items::frame::Frame;
use crate::frontend::syntax::types::is_function;
use crate::ir::*;
use crate::support::syntax::mentions;
use proc_macro2::TokenStream;

/// `__primal` of a function that has none: never called.
pub fn stub(frame: &Frame<'_>) -> String {
    let function = frame.function;
    if function.owner.is_some() {
        return String::new();
    }
    let closures = takes_closures(function);
    let params = Params::of(frame, closures);
    let plain = gives_numbers(function);
    let ret = match plain {
        true => over(frame, function.ret.clone()),
        false if function.generics.params.is_empty() => frame.ret.clone(),
        false => "__d::Unknown".to_owned(),
    };
    let (generics, bounds) = match closures {
        true => frame.generics_over(&params.generics),
        false => mentioned(frame, plain, &params.generics),
    };
    format!(
        "#[doc(hidden)]
         pub fn __primal{generics}(_: ::core::marker::PhantomData<__Number>, {}) -> {ret} {bounds} {{
             ::core::unreachable!(\"there is no body over other number types\")
         }}",
        params.args,
    )
}

fn gives_numbers(function: &Function) -> bool {
    let generic = !function.generics.params.is_empty();
    is_plain_type(&function.ret, &function.base) || !generic && returns_numbers(function)
}

/// Whether rustc needs a parameter's bounds to know the type of what is given.
fn takes_closures(function: &Function) -> bool {
    let is_closure = |p: &Param| syn::parse2(p.ty.clone()).is_ok_and(|ty| is_function(&ty, &function.generics));
    function.params.iter().any(is_closure)
}

/// The generics, without those of the user that callers could not infer.
fn mentioned(frame: &Frame<'_>, plain: bool, extra: &[String]) -> (String, String) {
    let function = frame.function;
    let mut said: Vec<TokenStream> = Vec::new();
    said.extend(plain.then(|| function.ret.clone()));
    said.extend(function.params.iter().filter(|p| is_plain_type(&p.ty, &function.base)).map(|p| p.ty.clone()));
    frame.generics_over_some(extra, &|name| said.iter().any(|tokens| mentions(tokens, name)))
}
