//! Facts that rounds of lowering find out: activity, usefulness, numeric types, passive fields, mutability.
//!
//! Enters: the state of a round of lowering. Leaves: facts that the next round assumes.
//! Imports: `lower`, `syntax`, and the floors below `frontend`.

pub mod activity;
pub mod empty_lists;
pub mod numeric_types;
pub mod passive_fields;
pub mod usefulness;
