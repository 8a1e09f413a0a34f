//! Lowering of libraries' arrays, complex numbers and elements of users' types: calls of rules that rustc finds.
//!
//! Enters: an operation on such a value. Leaves: a call of the IR, of a rule in the runtime's `intrinsics`.
//! Imports: `lower`, `iterators`, `syntax`, `infer`, and the floors below `frontend`.

pub mod complex;
pub mod differentiate_with;
pub mod inner_operators;
pub mod library;
pub mod listed_indices;
pub mod nalgebra;
pub mod of_float;
pub mod user_elements;
