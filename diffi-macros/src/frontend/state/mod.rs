//! The state of lowering: names in scope, values, jumps, and the facts of earlier rounds.
//!
//! Imports: `ir`, `support`, and the parts of `syntax` that need no state.

pub mod changes;
pub mod context;
pub mod doubts;
pub mod jumps;
pub mod option_shapes;
pub mod passive_parts;
pub mod shown_options;
pub mod site;
pub mod value;
pub mod write_back;
