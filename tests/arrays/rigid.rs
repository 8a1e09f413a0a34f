//! Rigid motions by `nalgebra`, in both modes and in second order. `main.rs` has arrays.
#![cfg(feature = "nalgebra")]

mod check;

mod geometry;
