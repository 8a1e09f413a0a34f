//! What random programs found, made small: calls and loops that change values in place. `main.rs` has the others.
#![allow(clippy::all, unused_assignments, unused_variables)] // programs as they were found

#[path = "../language/check.rs"]
mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod iterations;
mod lent;
mod lent_options;
mod options;
mod overwritten;
mod scratch;
mod sequences;
