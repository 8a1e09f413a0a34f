//! Random programs over the language that `#[differentiable]` accepts, and an independent check of all their derivatives.

pub mod batch;
pub mod check;
pub mod generate;
pub mod number;
pub mod partners;
pub mod print;
pub mod program;
pub mod report;
pub mod shrink;
