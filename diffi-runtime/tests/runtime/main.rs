//! The runtime without the compiler: operators on hand-expanded functions and on closures.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

#[path = "../../../tests/counting/mod.rs"]
mod counting;

mod allocations;
mod finite_differences;
mod first_order;
mod hand;
mod panics;
mod preparation;
mod same_point;
mod second_order;
mod tape;
