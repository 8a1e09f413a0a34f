//! Analyses of the IR: facts that passes and transforms ask for.
//!
//! Enters: a function or a block. Leaves: facts, as values; nothing is changed but by `definite_assignment`, which moves declarations.
//! Imports: `ir`, `support`.

pub mod activity;
pub mod additions;
pub mod array_reads;
pub mod borders;
pub mod call_tbr;
pub mod cost_model;
pub mod definite_assignment;
pub mod disjoint;
pub mod element_accesses;
pub mod fills;
pub mod influence;
pub mod liveness;
pub mod loops;
pub mod out_params;
pub mod reductions;
pub mod signs;
pub mod slice;
pub mod split_borrows;
pub mod tbr;
pub mod tbr_elements;
pub mod unbounded;
