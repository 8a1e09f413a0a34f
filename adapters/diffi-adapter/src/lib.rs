//! What the adapters of diffi to solvers share.
//!
//! A solver sees a function of a slice. Each kind of function has a trait, through which adapters call it, and a type, which makes it of a
//! handle, a backend, a first point and, if the function takes any, data behind one reference:
//!
//! | trait | type | function |
//! |---|---|---|
//! | [`Objective`] | [`ScalarFunction`] | `fn(&[f64]) -> f64`, with a gradient |
//! | [`SecondOrderObjective`] | [`SecondOrderFunction`] | the same, with Hessians |
//! | [`SampleMean`] | [`SampleFunction`] | `fn(&[f64], &T) -> f64` of many samples, with gradients of means over some of them |
//! | [`Residuals`] | [`VectorFunction`] | `fn(&[f64]) -> Vec<f64>`, with a Jacobian |
//! | [`System`] | [`SystemFunction`] | `fn(x: &[f64], p: &[f64], t: f64, y: &mut [f64])`, with products of both Jacobians |
//! | [`SparseSystem`] | [`SparseSystemFunction`] | the same, with a sparse Jacobian by the state |
//! | [`Layer`] | [`LayerFunction`] | `fn(x: &[f64], w: &[f64]) -> Vec<f64>` of rows, with products of the transposed Jacobian |
//!
//! ```
//! use diffi::prelude::*;
//! use diffi_adapter::{Objective, ScalarFunction};
//!
//! #[differentiable(constant(data))]
//! fn misfit(x: &[f64], data: &[f64]) -> f64 {
//!     data.iter().zip(x).map(|(d, x)| (d - x).powi(2)).sum()
//! }
//!
//! # fn main() -> diffi::Result<()> {
//! let mut objective = ScalarFunction::with_data(misfit::D, AutoReverse, &[0.0, 0.0], vec![1.0, 2.0])?;
//! let mut gradient = [0.0; 2];
//! assert_eq!(objective.value_and_gradient(&[1.0, 3.0], &mut gradient)?, 1.0);
//! assert_eq!(gradient, [0.0, 2.0]);
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod arguments;
mod layer;
mod scalar;
mod second_order;
mod sparse_system;
mod sum;
mod system;
mod vector;

pub use arguments::{Data, NoData, WithData};
pub use layer::{Layer, LayerBackend, LayerData, LayerFunction};
pub use scalar::{Objective, ScalarFunction};
pub use second_order::{SecondOrderBackend, SecondOrderFunction, SecondOrderObjective};
pub use sparse_system::{SparseJacobianBackend, SparseSystem, SparseSystemFunction};
pub use sum::{SampleFunction, SampleMean};
pub use system::{Point, System, SystemBackend, SystemData, SystemFunction};
pub use vector::{Residuals, VectorFunction};
