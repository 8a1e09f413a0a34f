//! Number types that overload arithmetic, one a file.

pub mod dual;

pub use dual::Dual;
