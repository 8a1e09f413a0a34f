//! Numbers: floats, linear spaces over them, batches, and number types that overload arithmetic.
//!
//! Enters: `f32`, `f64` and their batches. Leaves: the traits `Base`, `Float`, `Lin` and `Real`, and the number types behind the backends.
//! May import: `stack` and `value`. Today the number types also name `signature`, `overload` and `sparse`.

pub mod batch;
pub mod float;
pub mod linear_space;
pub mod real;
pub mod scalar;
