//! Lowering of edits in place: `Vec`s, deques, swaps and sorts.
//!
//! Enters: a method call that edits a container. Leaves: assignments, pushes, pops and swaps of the IR.
//! Imports: `lower`, `iterators`, `syntax`, and the floors below `frontend`.

mod cut_slices;
pub mod deque_edits;
pub mod deques;
mod map_entries;
pub mod maps;
pub mod pop_push;
pub mod sorting;
pub mod swaps;
pub mod vec_edits;
mod views;
pub mod written_out;
