//! Lowering of edits in place: `Vec`s, deques, swaps and sorts.

pub mod deques;
pub mod pop_push;
pub mod sorting;
pub mod swaps;
pub mod vec_edits;
