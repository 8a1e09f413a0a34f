//! Sugar: one sugar, one file.

pub mod carriers;
pub mod closures;
pub mod containers;
pub mod exchanges;
pub mod iterators;
pub mod jumps;
pub mod left;
pub mod macros;
pub mod matches;
pub mod maybe;
pub mod moving;
pub mod operands;
pub mod patterns;
pub mod queues;
pub mod removal;
pub mod sorting;
