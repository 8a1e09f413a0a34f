//! What the examples report: pictures, as SVG, times, and the overhead of adapters.
#![forbid(unsafe_code)]

mod axis;
mod plot;
mod time;

pub use axis::Axis;
pub use plot::Plot;
pub use time::{fastest, overhead};
