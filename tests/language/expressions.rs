//! Expressions: scalars, operators, operands, questions, halves of a place, and corners of the language.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod const_lengths;
mod corners;
mod depth;
mod halves;
mod held_references;
mod integer_fields;
mod marker_params;
mod operands;
mod own_variants;
mod questions;
mod rare_forms;
mod read_only_elements;
mod repeated_constants;
mod scalars;
mod state_structs;
mod taken_apart;
mod tuple_fields;
