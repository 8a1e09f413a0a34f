//! Statements, calls and tape accesses as Rust code.

pub mod call;
pub mod names;
pub mod statement;
pub mod tape;
pub mod text;
pub mod writer;
