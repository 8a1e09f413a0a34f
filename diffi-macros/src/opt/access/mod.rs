//! Passes over accesses to arrays: bounds checks and scalar replacement.

pub mod bounds_checks;
pub mod carried_scalars;
pub mod rotating_scalars;
pub mod scalar_promotion;
