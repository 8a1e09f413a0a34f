//! Programs made of several parts: functions that are handed functions and iterators, users' types with indices and operators, and
//! functions of published crates. `main.rs` has the others.
#![allow(clippy::all)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod counted;
mod elements;
mod generics;
mod handed;
mod named;
mod number_traits;
mod objects;
mod open_operators;
mod open_types;
mod own_numbers;
mod plain_traits;
mod published;
mod vectors;
mod walks;
