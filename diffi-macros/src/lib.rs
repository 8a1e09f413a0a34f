//! The compiler inside `#[differentiable]`: tokens in, tokens out.
//!
//! `pipeline/mod.rs` runs the phases, `opt/passes.rs` lists the passes, and `ir/mod.rs` has the types that they work on.
//! Enters: tokens of rustc. Leaves: tokens of rustc. Imports: every floor.

#![forbid(unsafe_code)]

mod ad;
mod analysis;
mod emit;
mod frontend;
mod ir;
mod item;
mod opt;
mod pipeline;
mod support;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;
use proc_macro2::{Delimiter, TokenStream as TokenStream2, TokenTree};
use quote::{ToTokens, quote};

/// Adds derivative code beside a function.
///
/// The function stays what it is. Beside it stands a handle of the same name, `name::D`, that the operators take.
///
/// # Options
///
/// | option | meaning |
/// |---|---|
/// | `constant(a, b)` | parameters that never carry a derivative, and may be of any type; calls pass them in `Constant(..)`, as all others without a derivative. And variables that calls change and that carry none; generators of random numbers need no word. Integers, strings and the like need no word |
/// | `cache(buffer)` | scratch, a `&mut` parameter that callers pass as `Cache(&mut buffer)` |
/// | `output(y)` | a `&mut` parameter whose value at entry does not count, though the function reads it |
/// | `handle = Name` | the handle's name, where the function's own is taken by a type |
/// | `pushforward = jvp`, `pullback = vjp` | a rule by hand, one half or both; the body is not looked at |
/// | `root_of = condition` | the function solves `condition(y, parameters) = 0`: its derivatives are those of the solution |
/// | `fixed_point_of = step` | the function solves `y = step(y, parameters)` |
/// | `constant` | all derivatives are zero, whatever the body does |
/// | `has_aux` | the function returns a pair, and the second member stands beside what is differentiated: any type, without a derivative |
/// | `first_order` | no code for second derivatives, which takes more than a quarter off compile times; to ask for them is a compile error |
/// | `everywhere` | code that follows both sides of what is asked of active values, for `TracerSparsityDetector.derivative_code()`; only functions of slices and other containers of floats need the word |
/// | `reassociate` | derivative code may add the terms of a sum in another order than the function does, several at once: faster where a loop is a long sum, and the last digits of values and derivatives change |
/// | `vector_math` | derivative code may compute `exp`, `ln`, `sin` and others of several iterations of a loop at once, within 4 units in the last place (feature `vector-math`) |
/// | `dump` | prints the function at the end of each phase of the compiler |
///
/// What `has_aux` sets aside comes back from every operator beside the result: `gradient` gives `(g, aux)`, `value_and_gradient`
/// gives `((y, aux), g)`, and `gradient_into` gives `aux`.
///
/// A `&mut` parameter that is only written is an output without a word; one that is read too is input and output.
///
/// # Methods
///
/// On an `impl` block the attribute differentiates every method and associated function through which derivatives may flow; their
/// handles are the constants `Type::method_d`. An attribute on one of them, inside the block, has options for that one; options of
/// the block hold for all functions that have such a parameter: `#[differentiable(constant(self))] impl Table { .. }` for a type
/// without derivatives. On a trait it adds derivative functions to the trait, which every `impl` with the attribute defines, and a
/// trait `Name_d` of the handles beside it. Generic code calls `p.method(x)` as ever. The trait may still be used with `dyn`, but not in annotated
/// functions: they cannot call its methods on a `dyn Name`.
///
/// Associated types that stand in the signature of such a function are bound to types that carry derivatives. On an implementation
/// of std's `From` or `TryFrom` the derivative functions are the type's own, so one of each can be differentiated for a type.
///
/// A call `x.method(a)` whose value is not used is taken for one that may change `x`. A method may also change `x` and return a value that is
/// used: `sum += filter.update(v).powi(2)`. If the compiler takes such a call for one that only reads, the program does not compile; then write the
/// method by its path, `Filter::update(&mut filter, v)`.
///
/// # Options and results
///
/// A function may return an `Option` or a `Result` of numbers, arrays, `Vec`s and the like: its derivative is that of the value that
/// is there. Seeds and tangents are `Option`s then. Where there is no value, `pushforward` and `derivative` of forward backends give `None`, and
/// operators that need a value (`gradient`, `pullback`, `hvp`, `hessian`) give `Error::NoValue`; the function itself says what its error is. The error
/// type is `Clone + Debug`: the reverse sweep keeps values, and no errors. (Where a loop carries a whole `Result` from iteration to iteration,
/// the error has a `Default` too.)
///
/// # Long loops
///
/// What the reverse sweep of a loop needs of each iteration is kept, and so memory grows with the number of iterations. An attribute on a
/// loop trades memory for time: only the states before some of its iterations are kept, and the iterations from there on are run again.
///
/// | attribute of a `for`, `while` or `loop` | what is kept | iterations run once more |
/// |---|---|---|
/// | `#[checkpoint]` | about the root of the number of iterations, in states and in iterations at a time | all |
/// | `#[checkpoint(every = q)]` | the state before every q-th iteration, and q iterations at a time | all |
/// | `#[checkpoint(snapshots = c)]` | c states, and one iteration at a time | fewest possible with so many states |
///
/// The state is what an iteration reads that iterations have written: variables from outside of the loop, and what is behind `&mut`. The
/// numbers q and c are `usize`, without derivative, at least 1. Where the number of iterations is not known before the loop ends (`while`,
/// `loop`, a `for` that may be left) `#[checkpoint]` keeps states at growing distances, 1, 2, 3, .. iterations, which needs no more memory
/// for n iterations than the root of 2 n; `snapshots` keeps the first state alone in the first sweep, and so runs up to n iterations more. With n
/// iterations and c states r n − β(c + 1, r − 1) iterations are run again, for the least r with n ≤ β(c, r), where β(c, r) = (c + r)! / (c! r!).
/// (Griewank and Walther, Algorithm 799: revolve, ACM TOMS 26, 2000.)
///
/// An iteration that is run again must do what it did: asserts and prints are left out, passive calls are made again, and have to give the
/// same values: clocks and random numbers are refused where they are called by their usual names, and what other calls give is compared
/// when the reverse sweep has run all iterations again: it panics where a value was another one, as helpers with a hidden state give. Loops that keep nothing for their reverse sweep are not changed by the attribute.
///
/// # Rules by hand
///
/// `pushforward = jvp` names a function that takes the parameters and then a tangent for every active one, passed like it, in
/// their order, and gives the tangent of the result. `pullback = vjp` names one that takes the parameters and then the cotangent
/// of the result, by value if that is one number and by reference if not; it gives the cotangents of the active parameters, bare
/// if there is one and as a tuple if there are several. Parameters declared `output(..)` are left out of both; their tangents come
/// last, as `&mut` to be overwritten, their cotangents last, as `&`.
///
/// ```ignore
/// #[differentiable(pushforward = norm_jvp, pullback = norm_vjp)]
/// fn norm(x: &[f64]) -> f64 { .. }
/// fn norm_jvp(x: &[f64], dx: &[f64]) -> f64 { .. }
/// fn norm_vjp(x: &[f64], dy: f64) -> Vec<f64> { .. }
/// ```
///
/// Where one half is missing the other one is applied to every basis vector. Second derivatives go through a pullback that is
/// annotated itself and given by its handle, `pullback = norm_vjp::D`; without one they are a compile error. `check_rule` compares
/// a rule with differences.
///
/// # Solutions of equations
///
/// Where a function solves an equation its derivatives follow from the equation, and not from the steps to the solution:
/// `root_of = condition` names a function with the attribute that takes the unknowns and then the function's parameters, and is zero
/// at the solution; `fixed_point_of = step` one that gives the unknowns again. A number is passed by value, several unknowns as a slice.
/// The body is not looked at. Parameters are numbers, slices, arrays and `Vec`s, or constant. Derivatives of several unknowns take a linear equation
/// (feature `nalgebra`); where it is singular they panic. Second derivatives are an error when the program is built.
///
/// ```ignore
/// #[differentiable(root_of = kepler)]
/// fn eccentric_anomaly(mean: f64, e: f64) -> f64 { .. }
/// #[differentiable]
/// fn kepler(y: f64, mean: f64, e: f64) -> f64 { y - e * y.sin() - mean }
/// ```
///
/// # Conditional compilation
///
/// `#[cfg(..)]` and `#[cfg_attr(..)]` may stand wherever Rust accepts them: on the item, and on statements, arms, parameters, fields,
/// elements, arguments and methods within. Derivative code has what rustc compiles. In the arguments of a macro they are refused.
///
/// # What is constant
///
/// Casts to integers, and with them loop bounds and indices; comparisons, and with them the choice of a branch; text, clocks and
/// whatever else does not come from a parameter. Checks and panics are kept. Where a function has a kink the conventions of the
/// table in `diffi-rules` hold.
///
/// # What is refused
///
/// Whatever would lose a derivative silently: `unsafe`, bits and digits of floats, cells, statics and channels, functions without
/// the attribute whose derivatives are needed, functions that come out of data. The message says what to write instead.
#[proc_macro_attribute]
pub fn differentiable(arguments: TokenStream, item: TokenStream) -> TokenStream {
    support::tokens::expand([arguments, item], |[arguments, item]| {
        match frontend::syntax::configured::is_needed(&item) {
            true => frontend::syntax::configured::carrier(&arguments, item, &facade()),
            false => expanded(arguments, item),
        }
    })
}

/// Expands what `#[differentiable]` stands on, after rustc has evaluated the conditions in it.
#[doc(hidden)]
#[proc_macro_derive(Configured)]
pub fn derive_configured(carrier: TokenStream) -> TokenStream {
    support::tokens::expand([carrier], |[carrier]| match frontend::syntax::configured::carried(carrier) {
        Ok([_, item]) if item.is_empty() => item,
        Ok([options, item]) => expanded(options, item),
        Err(error) => error.into_compile_error(),
    })
}

/// Throws a carrier away, when its item has been expanded.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn carrier(_: TokenStream, _: TokenStream) -> TokenStream {
    TokenStream::new()
}

fn expanded(options: TokenStream2, item: TokenStream2) -> TokenStream2 {
    if options.is_empty() && syn::parse2::<syn::DeriveInput>(item.clone()).is_ok_and(|ty| !is_union(&ty)) {
        return derived(&item);
    }
    let options = syn::parse2::<support::options::Options>(options);
    match syn::parse2::<syn::ItemFn>(item.clone()) {
        Ok(function) => on_function(options, function),
        Err(error) => on_block(options, item, error),
    }
}

fn on_function(options: syn::Result<support::options::Options>, mut function: syn::ItemFn) -> TokenStream2 {
    let second =
        function.attrs.extract_if(.., |a| a.path().segments.last().is_some_and(|s| s.ident == "differentiable")).next();
    let options = match second {
        Some(second) => Err(support::errors::second_attribute(&second)),
        None => options,
    };
    let beside = match options {
        Ok(options) => match (pipeline::followed(&options, &function), returned_reference(&options, &function)) {
            (Some(code), _) => Ok(code),
            (None, Some(code)) => code,
            (None, None) => pipeline::compile(&options, &function, &facade()),
        },
        Err(error) => pipeline::refuse(&function, &facade(), error),
    };
    let beside = beside.unwrap_or_else(|error| error.into_compile_error());
    let function = support::checkpoint_attribute::without(function).into_token_stream();
    quote!(#function #beside)
}

/// What stands beside a function that returns a reference into an argument.
fn returned_reference(
    options: &support::options::Options,
    function: &syn::ItemFn,
) -> Option<syn::Result<TokenStream2>> {
    let by_hand = options.rule.is_some() || options.implicit.is_some();
    (!by_hand).then(|| item::projections::functions::code(function, &facade()))?
}

fn on_block(
    options: syn::Result<support::options::Options>,
    item: TokenStream2,
    no_function: syn::Error,
) -> TokenStream2 {
    let beside = |code: syn::Result<TokenStream2>| {
        let code = code.unwrap_or_else(|error| error.into_compile_error());
        quote!(#item #code)
    };
    match (options, syn::parse2::<syn::Item>(item.clone())) {
        (Ok(options), Ok(syn::Item::Impl(block))) if item::operator_impls::operation(&block).is_some() => {
            beside(item::operator_impls::rule(&options, &block, &facade()))
        }
        (Ok(options), Ok(syn::Item::Impl(block))) if item::index_impls::is_index(&block) => {
            beside(item::index_impls::code(&options, &block, &facade()))
        }
        (Ok(options), Ok(syn::Item::Impl(block))) if item::conversions::is_one_of_several(&block) => {
            beside(item::conversions::rule(&options, &block, &facade()))
        }
        (Ok(_), Ok(syn::Item::Impl(block))) if item::sum_impls::is_total(&block) => {
            beside(item::sum_impls::code(&block, &facade()))
        }
        (Ok(options), Ok(syn::Item::Impl(block))) => item::impls::implementation(&options, block, &facade()),
        (Ok(options), Ok(syn::Item::Trait(block))) => item::impls::definition(&options, block, &facade()),
        (Err(error), Ok(syn::Item::Impl(_) | syn::Item::Trait(_))) => beside(Err(error)),
        _ => match without_body(&item).and_then(|function| pipeline::unread(&function, &facade())) {
            Some(code) => beside(Ok(code)),
            None => beside(Err(support::errors::item(&item, no_function))),
        },
    }
}

/// A function whose body cannot be read, as rustc says, without it.
fn without_body(item: &TokenStream2) -> Option<syn::ItemFn> {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    tokens.pop_if(|last| matches!(last, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace))?;
    let head: TokenStream2 = tokens.into_iter().collect();
    syn::parse2(quote!(#head { ::core::unimplemented!() })).ok()
}

fn is_union(ty: &syn::DeriveInput) -> bool {
    matches!(ty.data, syn::Data::Union(_))
}

/// `#[differentiable]` on a struct or an enum says the same as the derive.
fn derived(item: &TokenStream2) -> TokenStream2 {
    let facade = facade();
    quote!(#[derive(#facade::Differentiable)] #item)
}

/// Makes a struct or an enum a value that can be differentiated: an argument, a local, a result, a part of another one. `#[differentiable]`
/// on the type says the same.
///
/// `struct Params` gets the tangent type `ParamsTangent`, with the same fields. Numbers have numbers for their tangents, and what
/// carries no derivative (integers, `bool`, text, and fields that are marked) has `()`. A gradient by `&Params` is a
/// `ParamsTangent`; so are directions and cotangents. `to_flat` gives the numbers of either as one list, row by row and field by
/// field in the order of their declaration, and `set_flat` sets them.
///
/// An `enum` gets a tangent with the same variants. Types may be generic and recursive; the parts are numbers, arrays, `Vec`s,
/// `Option`s, `Box`es, tuples, `ndarray`'s arrays, and other types that derive `Differentiable`. The type needs no `Clone`.
///
/// | attribute of a field | meaning |
/// |---|---|
/// | `#[differentiable(constant)]` | carries no derivative, and may be of any type |
///
/// ```ignore
/// #[derive(Clone, Differentiable)]
/// struct Spring { stiffness: f64, length: f64, name: String }
///
/// #[differentiable]
/// fn energy(s: &Spring, x: f64) -> f64 { 0.5 * s.stiffness * (x - s.length).powi(2) }
///
/// let g: SpringTangent = gradient(energy::D, AutoReverse, (&spring, Constant(1.0)))?;
/// ```
#[proc_macro_derive(Differentiable, attributes(differentiable))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    support::tokens::expand([item], |[item]| {
        let items = syn::parse2(item).and_then(|input| item::derive::derive(&input, &facade()));
        items.unwrap_or_else(|error| error.into_compile_error())
    })
}

/// The path of the crate `diffi` in the crate at hand.
fn facade() -> proc_macro2::TokenStream {
    match proc_macro_crate::crate_name("diffi") {
        Ok(proc_macro_crate::FoundCrate::Name(name)) => {
            let name = quote::format_ident!("{name}");
            quote!(::#name)
        }
        _ => quote!(::diffi),
    }
}
