//! Emission: the IR as Rust code. Templates only, no question about derivatives.
//!
//! Enters: a function and its derivative code. Leaves: tokens.
//! Imports: `opt` (for the code of closures), `ad`, `analysis`, `frontend` (syntax), `ir`, `support`.

pub mod any_number;
pub mod code;
pub mod items;
