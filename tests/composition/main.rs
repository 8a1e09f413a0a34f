//! Programs made of several parts: methods, traits, structs and constants. `abstractions.rs` has functions that are handed
//! functions, and types with operators of their own; `containers.rs` has options, results, maps, conversions, iterators and machines.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod arrays;
mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod changing;
mod colours;
mod constants;
mod copies;
mod fields;
mod helpers;
mod made;
mod methods;
mod read;
mod structs;
mod traits;
mod unread_results;
