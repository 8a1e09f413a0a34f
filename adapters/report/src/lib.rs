//! What the examples report: pictures, as SVG, progress, times, and the overhead of adapters.
#![forbid(unsafe_code)]

mod axis;
mod plot;
mod progress;
mod time;

pub use axis::Axis;
pub use plot::Plot;
pub use progress::Progress;
pub use time::{compare, fastest, overhead};
