//! Where a camera sees a point.

pub mod objective;
