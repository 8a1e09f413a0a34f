//! Programs made of several parts: methods, traits, generic functions, closures, options and results.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod arrays;
mod check;
mod elements;
#[path = "../numbers/mod.rs"]
mod numbers;

mod changing;
mod constants;
mod conversions;
mod copies;
mod fields;
mod handed;
mod helpers;
mod machines;
mod made;
mod methods;
mod options;
mod published;
mod stateful;
mod structs;
mod totals;
mod traits;
mod vectors;
mod walks;
