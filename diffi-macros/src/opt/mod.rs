//! Optimising passes, by subject.
//!
//! Enters: functions, or blocks of derivative code. Leaves: the same with fewer operations, allocations or branches.
//! Imports: `ad` (the shapes of adjoints), `analysis`, `ir`, `support`.

pub mod access;
pub mod adjoint;
pub mod loops;
pub mod memory;
pub mod normalize;
pub mod scalar;
