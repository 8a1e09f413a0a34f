//! Number types that overload arithmetic, one a file.

pub mod complex;
pub mod dual;
pub mod hyper_dual;
pub mod recorded;
pub mod taylor;
pub mod tracer;

pub use complex::Complex;
pub use dual::Dual;
pub use hyper_dual::HyperDual;
pub use recorded::Recorded;
pub use taylor::Taylor;
