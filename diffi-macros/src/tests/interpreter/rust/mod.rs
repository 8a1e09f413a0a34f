//! Rust as users write it: expressions, statements and patterns.

mod calls;
mod control;
pub mod expressions;
mod macros;
pub mod operators;
mod patterns;
mod places;
mod statements;
