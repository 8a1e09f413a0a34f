//! The operators whose calls within annotated functions are differentiated, and types with which rustc is asked whether a name is theirs.

pub use crate::{derivative, gradient, value_and_derivative, value_and_gradient};
use diffi_runtime::signature::{arg_roles::Input, param_kinds::Val};

/// A function of one number.
pub type Function = fn(f64) -> f64;
/// A backend that differentiates it.
pub type Backend = crate::AutoFiniteDiff;
/// Its parameters.
pub type Parameters = (Val<f64>,);
/// What they are for.
pub type Roles = (Input,);
