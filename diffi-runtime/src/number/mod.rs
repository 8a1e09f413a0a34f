//! Numbers: floats, linear spaces over them, batches, and number types that overload arithmetic.

pub mod batch;
pub mod float;
pub mod linear_space;
pub mod real;
pub mod scalar;
