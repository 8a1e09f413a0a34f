//! The stack of a forward sweep, and the memory that is kept between calls.
//!
//! Enters: values that the reverse sweep reads. Leaves: the same values, in the opposite order; buffers for local arrays.
//! May import: `number` and `value`.

pub mod aggregates;
pub mod boxed_values;
pub mod passive_values;
pub mod replayed;
pub mod revolve;
pub mod tape;
pub mod workspace;
