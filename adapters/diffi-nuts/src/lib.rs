//! Gradients by diffi for the sampler `nuts-rs`.
//!
//! A [`Density`] is the logarithm of a density over unconstrained parameters, as a function with a gradient. `nuts-rs` climbs, so that the
//! function is the log density itself, not its negative. A constraint is a transform inside of the function, whose log Jacobian is added.
//!
#![doc = include_str!("../example.md")]
#![forbid(unsafe_code)]

mod density;
pub mod diagnostics;
mod posterior;

pub use density::{Density, Draw, NoDensity};
pub use posterior::{Draws, Posterior, draws, watched_draws};
