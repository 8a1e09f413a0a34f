//! Passes over cotangents and the tape.

pub mod dead_reset;
pub mod dead_tape;
pub mod distribute_linear;
pub mod first_touch;
pub mod init_by_rule;
pub mod rematerialize;
pub mod skip_zero;
pub mod stencil_gather;
