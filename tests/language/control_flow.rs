//! Control flow: branches, options, jumps, and what they leave behind.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod bound_constants;
mod choices;
mod control;
mod early_lists;
mod errors_taken;
mod jumps;
mod left;
mod linked;
mod options;
mod options_of_structs;
mod struct_exits;
mod whole_options;
