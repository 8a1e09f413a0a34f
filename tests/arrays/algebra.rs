//! Functions of arrays: products, reductions, views, factorisations, and the cotangents that their rules initialise, in both modes
//! and in second order. `main.rs` has the others.

#![allow(clippy::needless_range_loop)]

mod check;

mod cotangents;
#[cfg(feature = "nalgebra")]
mod factors;
mod products;
mod reductions;
#[cfg(feature = "nalgebra")]
mod systems;
mod values;
mod views;
