//! Values: the types that carry derivatives, their tangents, shapes and parts.

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
