//! Programs with what may hold a value: options, results, variants, maps, conversions, iterators and machines of one's own.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod chained_conditions;
mod conversions;
mod errors;
mod imported_variants;
mod listed_methods;
mod machines;
mod maps;
mod moved_lists;
mod optional;
mod options;
mod own_collections;
mod own_iterators;
mod stateful;
mod totals;
mod variants;
mod zipped;
