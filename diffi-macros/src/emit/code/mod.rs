//! Statements, calls and tape accesses as Rust code.
//!
//! Enters: blocks of the IR. Leaves: text with holes for the user's tokens.
//! Imports: the floors below `emit`, and from `items` the frame of a signature and the slots of shadows.

pub mod call;
pub mod call_tbr;
pub mod copies;
pub mod names;
pub mod shadows;
pub mod slices;
pub mod special;
pub mod statement;
pub mod tape;
pub mod text;
pub mod together;
pub mod vectors;
pub mod wholes;
pub mod writer;
