//! Linear spaces, operators, backends and preparation of `diffi`. Use it through the crate `diffi`.
#![forbid(unsafe_code)]

// Values and what they differ by.
pub mod active;
pub mod base;
pub mod lanes;
pub mod linear;
pub mod real;
pub mod scalar;

// Functions, and what generated code is made of.
pub mod blank;
pub mod carrier;
pub mod checkpoint;
pub mod extreme;
pub mod filled;
pub mod fresh;
pub mod function;
pub mod given;
pub mod handed;
pub mod implicit;
pub mod inert;
pub mod integer;
pub mod keeping;
pub mod kept;
pub mod kinds;
#[allow(clippy::type_complexity, reason = "the signatures of generated code: everything twice, perhaps missing")]
pub mod library;
pub mod member;
pub mod mold;
pub mod others;
pub mod overload;
pub mod pairs;
pub mod program;
pub mod query;
pub mod queue;
pub mod rule;
#[cfg(feature = "rayon")]
pub mod shared;
pub mod slots;
pub mod sweeps;
pub mod tape;
pub mod through;
#[cfg(feature = "vector-math")]
pub mod vector_math;
pub mod whole;
pub mod workspace;

// Calls.
pub mod arguments;
pub mod buffers;
pub mod error;
pub mod list;
pub mod matrices;
pub mod roles;
pub mod seeds;
pub mod shape;

// Differentiation.
pub mod backend;
pub mod differences;
pub mod differentiate_with;
pub mod operators;
pub mod parts;
pub mod preparation;
#[cfg(debug_assertions)]
#[doc(hidden)]
pub mod ready;
pub mod second_order;
pub mod sparse;

// Tests and measurements of all this.
pub mod scenario;
