//! What std's types can do, and arrays of `ndarray`.

pub mod array_methods;
pub mod arrays;
mod consumers;
mod edits;
pub mod floats;
pub mod generated;
mod integers;
mod iterators;
mod options;
pub mod sequences;
