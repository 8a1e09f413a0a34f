//! Linear spaces, operators, backends and preparation of `diffi`. Use it through the crate `diffi`.
#![forbid(unsafe_code)]
// The longest lines of the derivative table, token by token.
#![recursion_limit = "256"]

pub mod backend;
pub mod error;
pub mod intrinsics;
pub mod number;
pub mod operators;
pub mod overload;
pub mod registry;
pub mod signature;
pub mod sparse;
pub mod special;
pub mod stack;
pub mod value;
