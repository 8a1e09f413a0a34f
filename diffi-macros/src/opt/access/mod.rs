//! Passes over accesses to arrays: bounds checks and scalar replacement.
//!
//! Enters: a body of derivative code. Leaves: the body, with fewer index checks, loads and stores.
//! Imports: `analysis`, `ir`, `support`, `pass` for the context of a pass, and `adjoint` for stencils in gather form.

pub mod bounds_checks;
pub mod hoist_layouts;
pub mod rotating_scalars;
pub mod scalar_replacement;
