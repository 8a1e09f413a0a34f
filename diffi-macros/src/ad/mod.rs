//! The transforms: tangents, adjoints, and the code of sparsity tracers.
//!
//! Enters: `ir::Function` with activity. Leaves: blocks of the IR over the symbols of derivative code.
//! Imports: `frontend` (for names alone), `analysis`, `ir`, `support`.

pub mod derivatives;
pub mod forward;
pub mod partials;
pub mod reverse;
pub mod sparsity;
