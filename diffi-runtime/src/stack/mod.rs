//! The stack of a forward sweep, and the memory that is kept between calls.

pub mod aggregates;
pub mod boxed_values;
pub mod passive_values;
pub mod replayed;
pub mod revolve;
pub mod tape;
pub mod workspace;
