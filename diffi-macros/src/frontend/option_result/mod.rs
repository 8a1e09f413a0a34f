//! Lowering of `Option` and `Result`: their methods, and functions that return them.
//!
//! Enters: an expression of such a type. Leaves: a passive flag and a content, as variables of the IR.
//! Imports: `lower`, `syntax`, and the floors below `frontend`.

mod at_places;
pub mod fallible;
pub mod option_methods;
pub mod rarer_methods;
