//! Values of special functions, as `f64`: where each line of the table's special functions has its value.
//!
//! Below everything: only `libm` is used. `book/src/special.md` shows the error of each.

#![allow(clippy::excessive_precision, reason = "coefficients as they were published")]
#![allow(clippy::neg_cmp_op_on_partial_ord, reason = "NaN takes the way out of a domain")]

mod bessel;
mod erf;
mod gamma;
mod incomplete_beta;
mod incomplete_gamma;
mod lambert;
mod logistic;
mod owen;
mod series;
mod zeta;

pub use bessel::*;
pub use erf::*;
pub use gamma::*;
pub use incomplete_beta::*;
pub use incomplete_gamma::*;
pub use lambert::*;
pub use logistic::*;
pub use owen::*;
pub use zeta::*;
