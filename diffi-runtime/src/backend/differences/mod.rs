//! Finite differences of functions of one number: stencils of any order with exact weights, steps that fit, extrapolation.

mod fraction;
mod richardson;
mod stencil;

pub use fraction::Fraction;
pub use richardson::richardson;
pub use stencil::{Estimate, Stencil};
