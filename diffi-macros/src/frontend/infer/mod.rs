//! Facts that rounds of lowering find out: activity, numeric types, passive fields, mutability.

pub mod activity;
pub mod mutability;
pub mod numeric_types;
pub mod passive_fields;
