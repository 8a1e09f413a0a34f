//! Values: the types that carry derivatives, their tangents, shapes and parts.
//!
//! Enters: a linear space. Leaves: the tangent type of every value that can be differentiated, its zeros, and its shape.
//! May import: `number` and `stack`. Today it also names `signature` and `overload`.

pub mod active;
pub mod default_value;
pub mod hlist;
pub mod integer;
pub mod memory_report;
pub mod option_result;
pub mod optional_shadow;
pub mod shape;
pub mod shape_only;
pub mod zero_shadow;
