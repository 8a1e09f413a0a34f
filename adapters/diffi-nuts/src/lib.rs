//! Gradients by diffi for the sampler `nuts-rs`.
//!
//! A [`Density`] is the logarithm of a density over unconstrained parameters, as a function with a gradient. `nuts-rs` climbs, so that the
//! function is the log density itself, not its negative. A constraint is a transform inside of the function, whose log Jacobian is added.
//!
//! ```
//! use diffi::prelude::*;
//! use diffi_adapter::ScalarFunction;
//! use diffi_nuts::{Density, Posterior, draws};
//! use nuts_rs::DiagNutsSettings;
//!
//! /// By the mean and the logarithm of the spread.
//! #[differentiable(constant(data))]
//! fn log_density(x: &[f64], data: &[f64]) -> f64 {
//!     let spread = x[1].exp();
//!     // spread ~ exponential(1), and the logarithm of d spread / d x[1]
//!     let prior = -spread + x[1];
//!     data.iter().map(|y| -0.5 * ((y - x[0]) / spread).powi(2) - x[1]).sum::<f64>() + prior
//! }
//!
//! # fn main() -> anyhow::Result<()> {
//! let posterior = Posterior::new(|| {
//!     let data = vec![1.2, 0.7, 3.1, 2.2, 1.9, 0.3, 2.5];
//!     let function = ScalarFunction::with_data(log_density::D, AutoReverse, &[0.0; 2], data)?;
//!     Ok(Density::new(function).deriving([("mean", 1), ("spread", 1)], |x| vec![x[0], x[1].exp()]))
//! });
//! let settings = DiagNutsSettings { num_tune: 300, num_draws: 500, num_chains: 2, seed: 1, ..Default::default() };
//! let chains = draws(posterior, settings)?;
//! let means = &chains["mean"][0];
//! assert!((means.iter().sum::<f64>() / 500.0 - 1.7).abs() < 0.2);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod density;
pub mod diagnostics;
mod posterior;

pub use density::{Density, Draw, NoDensity};
pub use posterior::{Draws, Posterior, draws};
