//! From syn to the IR: the accepted part of Rust is what these files match.
//!
//! Lowering works in rounds. A round assumes that certain declarations are active; where it finds
//! an active value stored in a variable that was assumed passive it notes the declaration, and
//! another round begins, until nothing is found. Likewise with parts of active values that are read as integers, and with
//! operators that may be a user's.
//!
//! Enters: the body of a function. Leaves: blocks of the IR; questions of names and types go to `syntax`, facts of rounds to `infer`.
//! Imports: every other folder of `frontend`, and the floors below.

pub mod arithmetic;
pub mod assignments;
pub mod bindings;
mod boxes;
pub mod branches;
mod called_items;
pub mod calls;
pub mod closures;
pub mod confirmed;
mod constant_lists;
mod counted;
pub mod exit_values;
pub mod expressions;
pub mod failing_macros;
pub mod fits;
pub mod function_args;
pub mod function_values;
mod guards;
pub mod index;
pub mod jumps;
mod known_fields;
mod known_macros;
mod lacking;
mod lent_integers;
mod lent_options;
mod lent_tuples;
mod libm;
pub mod loops;
pub mod macros;
pub mod matches;
pub mod methods;
mod moving_references;
mod number_traits;
mod objects;
pub mod observers;
pub mod operands;
mod passive_types;
pub mod patterns;
pub mod places;
mod read_args;
pub mod reference_vars;
pub mod result;
pub mod special;
pub mod statements;
pub mod std_methods;
pub mod structs;
mod threads;
mod unannotated;

use crate::frontend::infer::usefulness::Usefulness;
use crate::frontend::inline;
use crate::frontend::iterators::written_out::written_out;
use crate::frontend::projections::number_traits::NumberTraits;
use crate::frontend::projections::own_methods::exclusive_calls;
use crate::frontend::state::context::Lower;
use crate::frontend::state::doubts::Doubts;
use crate::frontend::state::jumps::Jumps;
use crate::frontend::state::option_shapes::OptionShapes;
use crate::frontend::state::passive_parts::PassiveParts;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::Scope;
use crate::frontend::syntax::objects::Objects;
use crate::frontend::syntax::{
    bases, capital_names, constant_patterns, counters, inner_constants, inner_names, unread,
};
use crate::frontend::unannotated::Unannotated;
use crate::ir::*;
use crate::support::errors::Errors;
use crate::support::options::Options;
use crate::support::timer::timed;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// An annotated function as IR, or everything that is wrong with it.
pub fn lower(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>) -> Result<Function, syn::Error> {
    let (mut assumed, mut passive, mut doubts) = (BTreeSet::new(), PassiveParts::default(), Doubts::default());
    let mut option_shapes = OptionShapes::default();
    let item = &capital_names::renamed(inner_constants::renamed(inner_names::renamed(item, &inline::is_in_file)));
    let (item, of_itertools) = &written_out(&counters::as_inferred(&constant_patterns::as_paths(item)));
    let unread = Rc::new(unread::names(item));
    let mut usefulness = Usefulness::of(item, &bases::base_of(&item.sig, owner));
    let mut whole_options = BTreeSet::new();
    let unannotated = Unannotated::around(item, owner).map(Rc::new);
    let exclusive_calls = Rc::new(exclusive_calls(item, owner));
    let shown = unannotated.as_ref().map(|around| around.objects.clone()).unwrap_or_default();
    let number_traits = Rc::new(NumberTraits::of_function(item, owner));
    let objects = Rc::new(Objects::of(item, owner.map(|owner| &owner.ty), shown));
    loop {
        let mut round = start(options, (item, owner), assumed.clone(), passive.clone());
        round.usefulness = usefulness.clone();
        round.unannotated = unannotated.clone();
        round.exclusive_calls = exclusive_calls.clone();
        round.objects = objects.clone();
        round.number_traits = number_traits.clone();
        round.unread = unread.clone();
        round.doubts = doubts.known();
        round.option_shapes = option_shapes.known();
        round.whole_options = whole_options.clone();
        of_itertools.iter().for_each(|name| round.only_of_itertools(name));
        let function = timed("round", || round.function(item));
        let known = assumed.len();
        assumed.extend(std::mem::take(&mut round.found));
        let settled = !passive.learn(&round.passive) && assumed.len() == known;
        let settled = !option_shapes.learn(&round.option_shapes) && settled;
        let settled = settled && !doubts.learn(&round.doubts) && round.found_whole.borrow().is_subset(&whole_options);
        whole_options.extend(round.found_whole.take());
        if settled && round.found_useful.is_empty() {
            if let Some((span, name)) = round.contradicted.take().filter(|_| round.errors.is_empty()) {
                round.errors.passive_type(span, &name);
            }
            round.errors.finish()?;
            return Ok(function);
        }
        round.found_useful.iter().filter(|_| settled).for_each(|call| usefulness.note_useful(call));
    }
}

/// What the signature says, for a function whose body is not looked at.
pub fn signature(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>) -> Result<Function, syn::Error> {
    let (mut round, function) = declared(options, item, owner);
    round.check_rule(&function);
    round.errors.finish()?;
    Ok(function)
}

/// The same for a method whose body others write.
pub fn required(options: &Options, item: &syn::ItemFn, owner: &Owner) -> Result<Function, syn::Error> {
    let (round, function) = declared(options, item, Some(owner));
    round.errors.finish()?;
    Ok(function)
}

fn declared(options: &Options, item: &syn::ItemFn, owner: Option<&Owner>) -> (Lower, Function) {
    let mut round = start(options, (item, owner), BTreeSet::new(), PassiveParts::default());
    let (mut function, _) = round.signature(item);
    function.vars = std::mem::take(&mut round.vars);
    (round, function)
}

fn start(
    options: &Options,
    (item, owner): (&syn::ItemFn, Option<&Owner>),
    assumed: BTreeSet<Site>,
    passive: PassiveParts,
) -> Lower {
    let base = crate::frontend::syntax::bases::base_of(&item.sig, owner);
    let mut options = options.clone();
    let indices = crate::frontend::syntax::aliases::indices(item, &base);
    options.constant.extend(indices.iter().map(|(name, _)| name.clone()));
    let mut lower = Lower {
        options,
        owner: owner.cloned().map(Rc::new),
        name: Some(item.sig.ident.clone()).filter(|_| owner.is_none()),
        generics: item.sig.generics.clone(),
        base,
        vars: Vec::new(),
        facts: Vec::new(),
        scope: Scope::in_block(owner),
        open: vec![Block::default()],
        assumed,
        found: BTreeSet::new(),
        contradicted: None,
        passive,
        errors: Errors::default(),
        jumps: Jumps::default(),
        items: crate::frontend::arrays::complex::mentions_complex(quote::ToTokens::to_token_stream(item))
            .then(crate::frontend::arrays::complex::imports)
            .into_iter()
            .chain(crate::frontend::arrays::nalgebra::import_for(quote::ToTokens::to_token_stream(item)))
            .collect(),
        usefulness: Usefulness::default(),
        looked_at: RefCell::default(),
        found_useful: BTreeSet::new(),
        callees: Vec::new(),
        unannotated: None,
        exclusive_calls: Rc::default(),
        objects: Rc::default(),
        number_traits: Rc::default(),
        in_body_of_floats: false,
        aliases: Rc::default(),
        checks: Vec::new(),
        structs: Vec::new(),
        parameters: Default::default(),
        inlining: 0,
        library: owner.is_some_and(|o| o.library)
            || crate::frontend::syntax::types::mentions_library(quote::ToTokens::to_token_stream(item)),
        complex: crate::frontend::arrays::complex::mentions_complex(quote::ToTokens::to_token_stream(item)),
        write_backs: Vec::new(),
        lent: Vec::new(),
        doubts: Doubts::default(),
        option_shapes: OptionShapes::default(),
        elements: BTreeSet::new(),
        projections: BTreeSet::new(),
        functions: Vec::new(),
        asked: BTreeSet::new(),
        unread: Rc::default(),
        whole_options: BTreeSet::new(),
        found_whole: Rc::default(),
    };
    indices.iter().for_each(|(_, ty)| lower.only_index(ty));
    lower
}

#[cfg(test)]
mod named;
#[cfg(test)]
mod tests;
