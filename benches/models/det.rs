//! A determinant by minors.

#[path = "../gradbench/src/objectives/det.rs"]
pub mod objective;
