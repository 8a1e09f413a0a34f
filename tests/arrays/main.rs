//! Functions of `ndarray`'s arrays: reverse and forward mode against central differences, and second order against differences
//! of gradients. `algebra.rs` has products, reductions, views and factorisations.

#![allow(clippy::needless_range_loop)]

mod check;

mod arithmetic;
mod construction;
mod edits;
mod lines;
mod loops;
mod nested;
mod rows;
