//! Functions that generated code calls.

pub mod argmax;
pub mod deque;
pub mod filled;
pub mod inclusive_range;
pub mod init_cotangent;
#[allow(clippy::type_complexity, reason = "the signatures of generated code: everything twice, perhaps missing")]
pub mod library;
pub mod split_slices;
pub mod split_sums;
#[cfg(feature = "vector-math")]
pub mod vector_math;
