//! Functions that calculate with complex numbers: both modes, second order and sparsity, against the same written out in reals,
//! against differences, and in closed form.
#![cfg(feature = "num-complex")]
#![allow(clippy::assign_op_pattern, reason = "operators are written in every way")]

mod check;

mod kinks;
mod members;
mod methods;
mod operators;
mod patterns;
mod programs;
