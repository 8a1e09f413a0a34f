//! Passes over scalar arithmetic in derivative code.
//!
//! Enters: a body of derivative code. Leaves: the body, with fewer operations or statements.
//! Imports: `ad` (for the type of a tangent), `ir`, `support`.

pub mod dead_code;
pub mod forward_substitute;
pub mod preaccumulate;
pub mod sink_negation;
