//! Passes over the function before it is differentiated.
//!
//! Enters: a lowered function. Leaves: the same function, with a name for every value that the reverse sweep may need.
//! Imports: `analysis`, `ir`, `support`.

pub mod array_rename;
pub mod array_versions;
pub mod cse;
pub mod exchange;
pub mod fold_views;
pub mod forward_slices;
pub mod full_unroll;
pub mod rename;
pub mod sink;
pub mod split_aggregates;
pub mod split_index_sets;
pub mod substitute_indices;
