//! Functions of `ndarray`'s arrays: reverse and forward mode against central differences, and second order against differences
//! of gradients.

#![allow(clippy::needless_range_loop)]

mod check;

mod arithmetic;
mod construction;
mod cotangents;
mod edits;
#[cfg(feature = "nalgebra")]
mod factors;
mod loops;
mod products;
mod reductions;
#[cfg(feature = "nalgebra")]
mod systems;
mod values;
mod views;
