//! Optimising passes, and the pipeline that runs them around the transforms.
//!
//! Enters: a function of the IR. Leaves: its derivative code, with fewer operations, allocations and branches.
//! Imports: `ad` (the transforms), `analysis`, `ir`, `support`; `frontend` in tests alone.
//!
//! The pass table is [`passes`]. It is the order, the switches, the names to dump after, and the table in `ARCHITECTURE.md`.

pub mod access;
pub mod adjoint;
pub mod differentiate;
pub mod dump;
pub mod loops;
pub mod memory;
pub mod normalize;
pub mod pass;
pub mod passes;
pub mod scalar;
pub mod verify;
