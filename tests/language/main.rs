//! The language that `#[differentiable]` accepts: small functions in every combination of its constructs.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod abreast;
mod begun;
mod calls;
mod carried;
mod checkpoints;
mod choices;
mod closures;
mod columns;
mod control;
mod convolutions;
mod corners;
mod counters;
mod cursors;
mod gathered;
mod halves;
mod iterators;
mod jumps;
mod left;
mod loops;
mod moving;
mod multiples;
mod nests;
mod operands;
mod options;
mod queues;
mod recurrences;
mod removal;
mod returns;
mod scalars;
mod scans;
mod settled;
mod slices;
mod slopes;
mod sorting;
mod strides;
mod swaps;
mod walks;
mod writes;
