//! Iteration: loops over ranges and elements, iterators and cursors.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod counters;
mod cursors;
mod iterators;
mod loops;
mod scans;
mod walks;
