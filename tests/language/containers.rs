//! Containers: slices, `Vec`s and queues, read, written, sorted, swapped and made shorter.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod constant_fields;
mod constant_lists;
mod crates;
mod empty_lists;
mod enums_without_floats;
mod lists_in_constant_fields;
mod lists_of_tuples;
mod moving;
mod queues;
mod removal;
mod slices;
mod sorting;
mod stretches_of_lists;
mod swaps;
mod text_params;
mod unseen;
mod writes;
