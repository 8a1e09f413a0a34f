//! The grid of operators: each in its four variants, unprepared, prepared and at one point, with one and several seeds, on
//! functions that return and that write, of numbers, vectors and matrices, in both precisions, on every backend.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

#[path = "../numbers/mod.rs"]
mod numbers;

mod check;
mod functions;

mod auxiliary;
mod backends;
mod batches;
mod calls;
mod evaluations;
mod preparation;
mod served;
