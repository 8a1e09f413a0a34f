//! Programs made of several parts: methods, traits, generic functions, closures, options and results. `abstractions.rs` has functions
//! that are handed functions, and types with operators of their own.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod arrays;
mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod changing;
mod constants;
mod conversions;
mod copies;
mod errors;
mod fields;
mod helpers;
mod machines;
mod made;
mod maps;
mod methods;
mod optional;
mod options;
mod own_iterators;
mod stateful;
mod structs;
mod totals;
mod traits;
mod variants;
mod zipped;
