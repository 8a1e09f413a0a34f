//! Functions that generated code calls.
//!
//! Enters: values and shadows of one operation. Leaves: its result, tangent or cotangent. Users meet none of these by name.
//! May import: `number`, `signature`, `stack`, `value`.

pub mod argmax;
pub mod deque;
pub mod filled;
pub mod inclusive_range;
pub mod init_cotangent;
pub mod items;
pub mod layouts;
#[allow(clippy::type_complexity, reason = "the signatures of generated code: everything twice, perhaps missing")]
pub mod library;
pub mod parts;
pub mod route;
pub mod spans;
pub mod split_slices;
pub mod split_sums;
#[cfg(feature = "vector-math")]
pub mod vector_math;
