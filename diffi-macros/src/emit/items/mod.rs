//! The items of derivative code: handles, traits, adjoints, methods.

pub mod adjoint;
pub mod captures;
pub mod cost;
pub mod frame;
pub mod function;
pub mod function_args;
pub mod global_sparsity;
pub mod owner;
pub mod rule;
pub mod shadow_slots;
pub mod shared_prologue;
pub mod slot;
pub mod traits;
