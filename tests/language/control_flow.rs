//! Control flow: calls, closures, branches, options, jumps, and what functions return.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod calls;
mod choices;
mod closures;
mod control;
mod functions;
mod inner_functions;
mod jumps;
mod left;
mod lent;
mod options;
mod returns;
