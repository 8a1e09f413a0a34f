//! From an annotated function to its derivative code: front end, transforms and passes, emission.
//!
//! Enters: an item and the attribute's options. Leaves: the items that stand beside it.
//! Imports: every floor below `item`.

use crate::ad::sparsity::{Everywhere, everywhere, trace};
use crate::analysis::activity::activity;
use crate::emit::items::function::{Code, Handle, items, items_by_rule, items_refused, items_to_come};
use crate::emit::items::global_sparsity::Traces;
use crate::frontend::arrays::listed_indices::with_listed_indices;
use crate::frontend::containers::maps;
use crate::frontend::implicit;
use crate::frontend::inline::{self, Which};
use crate::frontend::lower::{self, lower};
use crate::frontend::macros;
use crate::frontend::projections;
use crate::frontend::projections::boxed_options::with_boxed_options;
use crate::frontend::projections::clones::refuse_changing;
use crate::frontend::projections::collections::with_from_iter;
use crate::frontend::projections::float_suffixes::with_suffixes;
use crate::frontend::projections::function_types::with_function_types;
use crate::frontend::projections::own_methods::with_own_methods;
use crate::frontend::projections::qualified_numbers::with_qualified_numbers;
use crate::frontend::projections::refused_types::mentions_refused;
use crate::frontend::projections::value_types::with_value_types;
use crate::frontend::projections::variants::{with_enums, with_raw_variants};
use crate::frontend::syntax::aliases::with_known_kinds;
use crate::frontend::syntax::capital_names;
use crate::frontend::syntax::chained_conditions::with_tested_loops;
use crate::frontend::syntax::chosen_references::with_branches;
use crate::frontend::syntax::configured::settled;
use crate::frontend::syntax::copied_params::with_copies;
use crate::frontend::syntax::copied_slices::with_copied_slices;
use crate::frontend::syntax::file_names::{Collision, FileNames};
use crate::frontend::syntax::free_lifetimes::with_static_results;
use crate::frontend::syntax::ill_typed::is_ill_typed;
use crate::frontend::syntax::inner_functions::as_closures;
use crate::frontend::syntax::iterator_params::with_lists;
use crate::frontend::syntax::iterator_results::with_listed_result;
use crate::frontend::syntax::named_ranges::with_written_ranges;
use crate::frontend::syntax::own_scratch::with_own_scratch;
use crate::frontend::syntax::signature::with_named_types;
use crate::frontend::syntax::text_params::with_text_params;
use crate::frontend::syntax::unit_tails::closed;
use crate::frontend::syntax::variant_paths::with_plain_variants;
use crate::frontend::syntax::{bases, types};
use crate::ir::symbols::Table;
use crate::ir::*;
use crate::opt::differentiate::{Wanted, derivatives, normalized};
use crate::opt::dump::Dump;
use crate::support::errors;
use crate::support::options::{Options, Rule};
use crate::support::switches::is_on;
use crate::support::timer::{self, timed};
use crate::support::tokens;
use proc_macro2::{Ident, TokenStream};
use syn::visit::Visit;

/// From the user's function to the items that stand beside it.
pub fn compile(options: &Options, item: &syn::ItemFn, root: &TokenStream) -> syn::Result<TokenStream> {
    compile_in(options, item, None, root).map(|code| code.beside)
}

/// The same for a function whose attribute is refused.
pub fn refuse(item: &syn::ItemFn, root: &TokenStream, error: syn::Error) -> syn::Result<TokenStream> {
    let options = Options::default();
    let handle = Handle { name: None, visibility: &item.vis, root, fingerprint: None };
    refused(&options, &derived_from(&options, item, None), None, &handle, error).map(|code| code.beside)
}

/// The items of a function of which only the signature can be read, where its types are known.
pub fn unread(item: &syn::ItemFn, root: &TokenStream) -> Option<TokenStream> {
    let options = Options::default();
    let handle = Handle { name: None, visibility: &item.vis, root, fingerprint: None };
    stub(&options, &derived_from(&options, item, None), None, &handle).map(|code| code.beside)
}

/// The same, where the function may stand in a block.
pub fn compile_in(
    options: &Options,
    item: &syn::ItemFn,
    owner: Option<&Owner>,
    root: &TokenStream,
) -> syn::Result<Code> {
    let with_text = with_text_params(options, item);
    let (options, item) = with_text.as_ref().map_or((options, item), |(options, item)| (options, item));
    let written = item;
    let item = &timed("settle", || derived_from(options, item, owner));
    if carries_nothing(item, owner) {
        return Ok(Code::default());
    }
    if owner.is_none() && options.handle.is_none() {
        let name = &item.sig.ident;
        match FileNames::here().and_then(|names| names.collision(written)) {
            Some(Collision::Function) => return Ok(Code::default()), // rustc says that there are two
            Some(Collision::Type) => return Err(errors::hiding_handle(name)),
            None if hides(name, root) => return Err(errors::hiding_handle(name)),
            None => {}
        }
    }
    if let Some(code) = unusable(options, (written, item), owner, root) {
        return Ok(code);
    }
    if bases::is_of_numbers(owner) && has_arithmetic(&item.block) {
        let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root, fingerprint: None };
        return refused(options, item, owner, &handle, errors::default_of_numbers(&item.sig.ident));
    }
    let dump = Dump::of(options.dump, &item.sig.ident.to_string());
    let inlined = inline::as_inlined(written.clone());
    let fingerprint = (owner.is_none() && inline::is_small(&inlined)).then(|| inline::fingerprint(&inlined));
    let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root, fingerprint };
    if mentions_refused(item, owner) {
        return Ok(plain_stub(options, item, owner, &handle).unwrap_or_default());
    }
    let code = match options.implicit.is_some() || options.rule.is_some() {
        true => by_hand(options, item, owner, &handle)?,
        false => match refuse_changing(written).and_then(|()| with_inlined(options, (written, item), owner, &dump)) {
            Ok((function, confirmed)) => {
                let mut code = differentiated(options, &function, &handle, &dump);
                code.beside.extend(confirmed);
                code
            }
            Err(error) => refused(options, item, owner, &handle, error)?,
        },
    };
    dump.tokens(&code.inside);
    dump.tokens(&code.beside);
    timer::report(&item.sig.ident);
    Ok(code)
}

/// What stands beside a function that is followed where it is called: by its number, callers confirm its text.
pub fn followed(options: &Options, item: &syn::ItemFn) -> Option<TokenStream> {
    let plain = options.rule.is_none() && options.implicit.is_none() && options.constant.is_empty();
    if !plain || !inline::can_be_followed(item) || hides(&item.sig.ident, &TokenStream::new()) {
        return None;
    }
    let (visibility, name) = (&item.vis, &item.sig.ident);
    let number = inline::fingerprint(&inline::as_inlined(item.clone()));
    Some(quote::quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_docs)]
        #visibility struct #name {}
        #[doc(hidden)]
        #[allow(missing_docs, dead_code)]
        impl #name { pub const __FINGERPRINT: u64 = #number; }
    })
}

/// Whether code has operators.
fn has_arithmetic(block: &syn::Block) -> bool {
    struct Operators(bool);
    impl<'a> Visit<'a> for Operators {
        fn visit_expr_binary(&mut self, _: &'a syn::ExprBinary) {
            self.0 = true;
        }
        fn visit_expr_unary(&mut self, e: &'a syn::ExprUnary) {
            self.0 |= matches!(e.op, syn::UnOp::Neg(_));
            syn::visit::visit_expr_unary(self, e);
        }
    }
    let mut operators = Operators(false);
    operators.visit_block(block);
    operators.0
}

/// The items of a function that rustc refuses as it is written, without a message of ours.
fn unusable(
    options: &Options,
    (written, item): (&syn::ItemFn, &syn::ItemFn),
    owner: Option<&Owner>,
    root: &TokenStream,
) -> Option<Code> {
    let by_hand = options.rule.is_some() || options.implicit.is_some();
    if by_hand || owner.is_some() || !is_ill_typed(written) {
        return None;
    }
    let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root, fingerprint: None };
    stub(options, item, owner, &handle)
}

/// The code of a function whose derivatives come from an equation or from a rule.
fn by_hand(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>, handle: &Handle<'_>) -> syn::Result<Code> {
    if options.implicit.is_some() && options.rule.is_some() {
        return Err(errors::rule_and_equation(item.sig.ident.span()));
    }
    let function = signature(options, item, owner)?;
    let by_rule = |rule: &Rule| items_by_rule(&function, handle, &activity(&function), rule);
    let Some(equation) = &options.implicit else {
        return Ok(options.rule.iter().map(by_rule).next().unwrap_or_default());
    };
    let (rule, halves) = implicit::rule(equation, item, &function, handle.root)?;
    let mut code = by_rule(&rule);
    code.beside.extend(halves);
    Ok(code)
}

/// Whether a handle of this name would hide a type of the language, or the crate.
fn hides(name: &Ident, root: &TokenStream) -> bool {
    const TYPES: &[&str] = &[
        "f64", "f32", "usize", "u8", "u16", "u32", "u64", "u128", "isize", "i8", "i16", "i32", "i64", "i128", "bool",
        "char", "str",
    ];
    let own = root.clone().into_iter().last().is_some_and(|last| *name == last.to_string());
    own || TYPES.iter().any(|ty| name == ty)
}

/// Whether a function only looks at what it is given: its value carries no derivative, and it changes nothing. Callers call it as it is.
fn carries_nothing(item: &syn::ItemFn, owner: Option<&Owner>) -> bool {
    let ret = types::result(&item.sig, &bases::base_of(&item.sig, owner));
    let is_unit = matches!(&ret, Ty::Tuple(all) if all.is_empty());
    types::is_passive(&ret)
        && !is_unit
        && !bases::returns_fixed_float(&item.sig, owner)
        && !item.sig.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(receiver) => receiver.mutability.is_some() && receiver.reference.is_some(),
            syn::FnArg::Typed(param) => matches!(&*param.ty, syn::Type::Reference(r) if r.mutability.is_some()),
        })
}

/// The items of a function whose body is refused, and the refusal. Callers have no errors of their own then, where its types are known.
fn refused(
    options: &Options,
    item: &syn::ItemFn,
    owner: Option<&Owner>,
    handle: &Handle<'_>,
    error: syn::Error,
) -> syn::Result<Code> {
    let Some(mut code) = stub(options, item, owner, handle) else { return Err(error) };
    code.beside.extend(error.into_compile_error());
    Ok(code)
}

/// The same of a function that mentions no type of which rustc would have to know whether it has tangents.
fn plain_stub(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>, handle: &Handle<'_>) -> Option<Code> {
    let function = signature(options, item, owner).ok()?;
    let is_plain = owner.is_none() && has_known_types(&function, item);
    if is_plain { stub(options, item, owner, handle) } else { None }
}

/// Items that are a compile error where they are used, of a function whose types are known.
fn stub(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>, handle: &Handle<'_>) -> Option<Code> {
    let function = signature(options, item, owner).ok()?;
    let is_plain = owner.is_none() && item.sig.generics.params.is_empty() && has_known_types(&function, item);
    let asks_nothing = !is_plain;
    (is_plain || gives_known_type(item, owner))
        .then(|| items_refused(&function, handle, &activity(&function), asks_nothing))
}

/// Whether what a function gives has a shadow that is known without asking whether types carry derivatives.
fn gives_known_type(item: &syn::ItemFn, owner: Option<&Owner>) -> bool {
    let output = &item.sig.output;
    let result = types::result(&item.sig, &bases::base_of(&item.sig, owner));
    let closed = item.sig.generics.params.is_empty() && owner.is_none_or(|owner| owner.generics.params.is_empty());
    let is_name = |ty: &syn::Type| matches!(ty, syn::Type::Path(p) if p.path.get_ident().is_some());
    let named = matches!(output, syn::ReturnType::Type(_, ty) if is_name(ty));
    let borrows = quote::quote!(#output).to_string().contains(['&', '\'']);
    !borrows && (is_known(&result) || owner.is_some() && closed && named)
}

/// Whether the types of the parameters and of the result are known by what is written.
fn has_known_types(function: &Function, item: &syn::ItemFn) -> bool {
    let params = function.params.iter().map(|p| &function.vars[p.var.0 as usize].ty);
    let output = &item.sig.output;
    if quote::quote!(#output).to_string().contains('&') {
        return false; // a lifetime may be left out there
    }
    let result = types::result(&item.sig, &bases::base_of(&item.sig, None));
    params.chain([&result]).all(is_known)
}

fn is_known(ty: &Ty) -> bool {
    match ty {
        Ty::Float | Ty::Passive => true,
        Ty::Vec(t) | Ty::Array(t) | Ty::Slice(t) => is_known(t),
        Ty::Tuple(all) => all.iter().all(is_known),
        _ => false,
    }
}

/// The items of a function whose body is differentiated.
fn differentiated(options: &Options, function: &Function, handle: &Handle<'_>, dump: &Dump) -> Code {
    let activity = timed("activity", || activity(function));
    let wanted = Wanted { again: true, second: !options.first_order };
    let derivatives = timed("derivatives", || derivatives(function, &activity, wanted, dump));
    let trace = timed("trace", || trace(function, &activity));
    trace.iter().for_each(|trace| dump.block("trace", &derivatives.push.pass.table, &trace.function.body));
    let all = timed("everywhere", || everywhere(function, &activity));
    if let Everywhere::All(function) = &all {
        dump.block("everywhere", &Table::of(function), &function.body);
    }
    let traces = Traces { trace: trace.as_ref(), all: &all, asked: options.everywhere };
    timed("emit", || items(function, handle, &activity, derivatives, &traces))
}

/// A method without a body, which implementations may leave without derivatives.
pub fn compile_required(options: &Options, item: &syn::ItemFn, owner: &Owner, root: &TokenStream) -> syn::Result<Code> {
    let function = lower::required(options, &derived_from(options, item, Some(owner)), owner)?;
    let handle = Handle { name: options.handle.clone(), visibility: &item.vis, root, fingerprint: None };
    Ok(items_to_come(&function, &handle, &activity(&function)))
}

/// The item as the front end reads it.
fn derived_from(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>) -> syn::ItemFn {
    let item = with_boxed_options(with_own_methods(
        with_written_ranges(with_listed_indices(with_qualified_numbers(macros::expanded(item.clone()), owner))),
        owner,
    ));
    let item = with_static_results(&capital_names::renamed(item));
    let item = with_tested_loops(with_plain_variants(with_raw_variants(with_enums(item), owner.map(|of| &of.ty))));
    let item = &bases::with_constants(with_value_types(item, owner), &options.constant);
    let base = bases::base_of(&item.sig, owner);
    let item = with_function_types(with_named_types(item));
    let item = with_listed_result(with_lists(with_known_kinds(item)));
    let item = projections::written_out(item, owner);
    let item = with_copied_slices(with_suffixes(with_branches(with_from_iter(item)), &base));
    if options.rule.is_some() || options.implicit.is_some() {
        return as_closures(closed(settled(item)));
    }
    let item = with_own_scratch(with_copies(item, &options.constant, &base), &options.cache);
    as_closures(closed(settled(item)))
}

/// The signature of a function with a rule by hand, which takes functions for constants.
fn signature(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>) -> syn::Result<Function> {
    let mut function = lower::signature(options, item, owner)?;
    function.params.iter_mut().filter_map(|p| p.function.as_mut()).for_each(|f| f.followed = false);
    Ok(function)
}

/// The function that the transforms work on, and what rustc confirms of the functions that are inlined in it, of a function as it is
/// written and as the front end reads it. What is refused with them may be accepted without.
fn with_inlined(
    options: &Options,
    (written, item): (&syn::ItemFn, &syn::ItemFn),
    owner: Option<&Owner>,
    dump: &Dump,
) -> syn::Result<(Function, TokenStream)> {
    let at = tokens::position();
    let base = bases::base_of(&written.sig, owner);
    if is_on("inline") {
        let with_own = inline::with_own_types(written, owner, &base);
        if let Some(found) = with_own.and_then(|with| with_small_ones(options, &with, owner, dump)) {
            return Ok(found);
        }
        if let Some(found) = with_functions(options, written, owner, dump) {
            return Ok(found);
        }
    }
    if let Some((with, functions)) = at.and_then(|at| inline::inlined(written, &base, &at, Which::Followed)) {
        let function = normal(options, &derived_from(options, &with, owner), owner, dump)?;
        return Ok((function, functions.iter().map(confirmed).collect()));
    }
    let with_maps = || maps::written_out(item).and_then(|item| normal(options, &item, owner, dump).ok());
    let modified = if maps::modifies_entries(item) { with_maps() } else { None };
    let function = match modified.map_or_else(|| normal(options, item, owner, dump), Ok) {
        Ok(function) if maps::is_left(&function.body) => with_maps().unwrap_or(function),
        Ok(function) => function,
        Err(refusal) => with_maps().ok_or(refusal)?,
    };
    Ok((function, TokenStream::new()))
}

/// The same of a function in which what is applied to own structs is written out, whether or not other functions are inlined, too.
fn with_small_ones(
    options: &Options,
    with: &syn::ItemFn,
    owner: Option<&Owner>,
    dump: &Dump,
) -> Option<(Function, TokenStream)> {
    let alone = || normal(options, &derived_from(options, with, owner), owner, dump).ok();
    let found = with_functions(options, with, owner, dump).or_else(|| Some((alone()?, TokenStream::new())));
    found.map(|(function, confirmed)| {
        let typed = inline::typed_text(with, owner);
        (function, quote::quote!(#confirmed #typed))
    })
}

/// The same with small methods of the block, or with small functions beside the function.
fn with_functions(
    options: &Options,
    written: &syn::ItemFn,
    owner: Option<&Owner>,
    dump: &Dump,
) -> Option<(Function, TokenStream)> {
    let base = bases::base_of(&written.sig, owner);
    let normal = |with: &syn::ItemFn| normal(options, &derived_from(options, with, owner), owner, dump).ok();
    let methods = owner.filter(|_| matches!(base, Base::Concrete(_))).and_then(|of| inline::with_methods(written, of));
    if let Some(function) = methods.and_then(|with| normal(&with)) {
        return Some((function, TokenStream::new()));
    }
    let (with, functions) = inline::inlined(written, &base, tokens::position().as_ref()?, Which::All)?;
    Some((normal(&with)?, functions.iter().map(confirmed).collect()))
}

/// Asks rustc whether the name of a function that was inlined stands for it.
fn confirmed(function: &syn::ItemFn) -> TokenStream {
    let (name, number) = (&function.sig.ident, inline::fingerprint(function));
    quote::quote!(
        const _: () = ::core::assert!(#name::__FINGERPRINT == #number, "the source of an inlined function has changed");
    )
}

/// The function that the transforms work on.
fn normal(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>, dump: &Dump) -> syn::Result<Function> {
    let lowered = timed("lower", || lower(options, item, owner))?;
    dump.function("lower", &lowered);
    let function = timed("normalize", || normalized(lowered, dump));
    dump.function("normalize", &function);
    Ok(function)
}

/// The function that the transforms work on; none, if it carries no derivative.
#[cfg(test)]
pub fn normal_form(item: &syn::ItemFn, owner: Option<&Owner>, dump: &Dump) -> syn::Result<Option<Function>> {
    let options = &Options::default();
    let item = &derived_from(options, item, owner);
    let function = || normal(options, item, owner, dump);
    (!carries_nothing(item, owner)).then(function).transpose()
}

#[cfg(test)]
mod book;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod tests;
