//! Sparsity patterns, and the sparse matrices of derivatives.

#![allow(clippy::needless_range_loop, reason = "the functions are written as people write them")]

#[path = "../counting/mod.rs"]
mod counting;

mod bad_input;
mod branches;
mod conformance;
mod constant;
mod detectors;
mod everywhere;
mod functions;
mod hessians;
mod jacobians;
mod memory;
mod models;
mod stretches;
mod types;
