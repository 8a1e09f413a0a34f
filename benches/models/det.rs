//! A determinant by minors.

pub mod objective;
