//! Where a camera sees a point.

#[path = "../gradbench/src/objectives/reprojection.rs"]
pub mod objective;
