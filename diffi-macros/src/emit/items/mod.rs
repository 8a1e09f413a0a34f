//! The items of derivative code: handles, traits, adjoints, methods.
//!
//! Enters: a function, its activity and its derivative code. Leaves: the items beside the function, or inside its block.
//! Imports: `code` and `any_number`, and the floors below `emit`.

pub mod adjoint;
pub mod alike;
pub mod asked_params;
pub mod call_reads;
pub mod captures;
pub mod closure;
pub mod cost;
pub mod frame;
pub mod function;
pub mod function_args;
pub mod global_sparsity;
pub mod operator_bounds;
pub mod owned;
pub mod owner;
pub mod rule;
pub mod shadow_slots;
pub mod shared_prologue;
pub mod slot;
pub mod traits;
