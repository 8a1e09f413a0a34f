//! The grid of operators: each in its four variants, unprepared, prepared and at one point, with one and several seeds, on
//! functions that return and that write, of numbers, vectors and matrices, in both precisions, on every backend.
//! `of_numbers.rs` has the rows whose argument is a number, and what else operators do.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

#[path = "../numbers/mod.rs"]
mod numbers;

mod check;
#[allow(dead_code, reason = "a part of the grid")]
mod functions;

mod backends;
mod calls;
mod served;
