//! Passes over allocations and moves.
//!
//! Enters: a body of derivative code. Leaves: the body, with fewer allocations and copies of arrays.
//! Imports: `analysis`, `ir`, `support`.

pub mod hoist_allocation;
pub mod propagate_copies;
pub mod reuse_buffers;
