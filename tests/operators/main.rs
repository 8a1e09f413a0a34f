//! The grid of operators: each in its four variants, unprepared, prepared and at one point, with one and several seeds, on
//! functions that return and that write, of numbers, vectors and matrices, in both precisions, on every backend.

#[path = "../numbers/mod.rs"]
mod numbers;

mod check;
mod functions;

mod backends;
mod calls;
mod evaluations;
