//! What the examples report: pictures, as SVG, and the overhead of adapters.
#![forbid(unsafe_code)]

mod axis;
mod overhead;
mod plot;

pub use axis::Axis;
pub use overhead::overhead;
pub use plot::Plot;
