//! Signatures: the kinds and roles of parameters, the arguments that users pass, seeds and buffers.
//!
//! Enters: the arguments of one call. Leaves: lists of active inputs and outputs, their shadows, and the call of the generated code.
//! May import: `error`, `number`, `stack`, `value`.

pub mod arg_roles;
pub mod arguments;
pub mod asked_params;
pub mod by_value_or_ref;
pub mod callbacks;
#[cfg(any(feature = "num-complex", feature = "nalgebra"))]
mod complex;
pub mod confirm;
pub mod copies;
pub mod exclusive;
pub mod function;
#[cfg(feature = "nalgebra")]
mod geometry;
pub mod implicit;
pub mod landing;
pub mod matrices;
#[cfg(feature = "nalgebra")]
mod nalgebra;
pub mod no_derivative;
pub mod objects;
pub mod of_std;
pub mod param_kinds;
pub mod result_buffers;
pub mod rule;
pub mod seeds;
pub mod shadow_slots;
pub mod std_methods;
pub mod sweeps;
#[cfg(feature = "rayon")]
pub mod thread_args;
pub mod unannotated;
pub mod unchanging;
pub mod zero_shadow;
