//! The grid of operators: the rows whose argument is a number, and what operators do beside their results. `main.rs` has the others.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

#[path = "../numbers/mod.rs"]
mod numbers;

mod check;
#[allow(dead_code, reason = "a part of the grid")]
mod functions;

mod auxiliary;
mod batches;
mod calls_of_numbers;
mod evaluations;
mod preparation;
mod scratch;
