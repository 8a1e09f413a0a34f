//! Lowering of `Option` and `Result`: their methods, and functions that return them.

pub mod option_methods;
pub mod option_result;
