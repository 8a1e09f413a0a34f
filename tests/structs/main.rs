//! Structs and enums that derive `Differentiable`.

#![allow(clippy::needless_range_loop, reason = "loops by index are what is tested")]
#![allow(
    clippy::op_ref,
    clippy::clone_on_copy,
    clippy::assign_op_pattern,
    clippy::useless_vec,
    reason = "operators in all their forms, and lists, are what is tested"
)]

mod boxed_slices;
mod boxes;
mod check;
mod constructors;
mod fields;
mod given_twice;
mod grids;
mod inlined;
mod inlined_beside_macros;
mod inlined_deeply;
mod lifetimes;
mod locals;
mod operators_in_lists;
mod operators_of_references;
mod passive_operands;
mod prepared;
mod state_machines;
mod states;
mod unclonable;
mod variants;
