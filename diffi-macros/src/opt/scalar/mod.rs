//! Passes over scalar arithmetic.

pub mod forward_substitute;
pub mod preaccumulate;
pub mod sink_negation;
