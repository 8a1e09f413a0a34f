//! What std's types can do.

mod consumers;
mod edits;
pub mod floats;
pub mod generated;
mod integers;
mod iterators;
mod options;
pub mod sequences;
