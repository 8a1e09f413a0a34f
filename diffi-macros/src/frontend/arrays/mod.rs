//! Lowering of libraries' arrays, complex numbers and elements of users' types: calls of rules that rustc finds.

pub mod complex;
pub mod differentiate_with;
pub mod library;
pub mod user_elements;
