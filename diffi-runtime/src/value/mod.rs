//! Values: containers, arrays, options and complex numbers as values that carry derivatives, and their tangents.
//!
//! Enters: a linear space. Leaves: the tangent type of every value that can be differentiated, its zeros, and its flat list of numbers.
//! May import: `error`, `number` and `stack`.

pub mod asked;
mod boxed_slices;
#[cfg(any(feature = "num-complex", feature = "nalgebra"))]
mod complex;
mod containers;
pub mod copies;
pub mod default_value;
pub mod flat;
#[cfg(feature = "nalgebra")]
pub mod geometry;
pub mod integer;
pub mod lent_integers;
pub mod lent_options;
#[cfg(feature = "nalgebra")]
pub(crate) mod nalgebra;
mod ndarray;
pub mod nothing;
pub mod option_result;
pub mod outcome;
pub mod shape_only;
mod tuples;
