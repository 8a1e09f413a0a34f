//! Passes over allocations and moves.

pub mod hoist_allocation;
pub mod last_use_moves;
pub mod reuse_buffers;
