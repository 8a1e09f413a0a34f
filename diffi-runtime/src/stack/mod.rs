//! The stack of a forward sweep, and the memory that is kept between calls.
//!
//! Enters: values that the reverse sweep reads. Leaves: the same values, in the opposite order; buffers for local arrays; how many bytes
//! are kept. May import no other folder.

pub mod aggregates;
pub mod boxed_values;
pub mod call_reads;
pub mod frame;
pub mod lasting;
pub mod memory_report;
pub mod nested;
pub mod passive_values;
pub mod pooled_copies;
pub mod replayed;
pub mod revolve;
pub mod room;
pub mod row_by_row;
pub(crate) mod shelf;
pub mod tape;
pub mod workspace;
