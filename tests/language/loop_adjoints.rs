//! Adjoints of loops: checkpoints, states that are carried, values that are kept or computed again, convolutions, slopes.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod additions;
mod begun;
mod carried;
mod checkpoints;
mod convolutions;
mod gathered;
mod multiples;
mod scattered;
mod settled;
mod slopes;
mod versions;
