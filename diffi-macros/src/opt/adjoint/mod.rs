//! Passes over cotangents and the tape.
//!
//! Enters: the sweeps of an adjoint, or their tangents. Leaves: the same sweeps, with fewer zeros, resets and values on the tape.
//! Imports: `analysis`, `ir`, `support`.

pub mod coalesce_copies;
pub mod combine_additions;
pub mod distribute_linear;
pub mod distribute_reductions;
pub mod distribute_rows;
pub mod distribute_scatter;
pub mod expand_sums;
pub mod first_touch;
pub mod init_by_rule;
pub mod rematerialize;
pub mod skip_zero;
pub mod stencil_gather;
