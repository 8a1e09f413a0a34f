//! Loops as the compiler transforms them: iterations abreast, borders, columns, nests, recurrences, strides.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod abreast;
mod borders;
mod columns;
mod nests;
mod points;
mod recurrences;
mod short_arrays;
mod short_nests;
mod strides;
