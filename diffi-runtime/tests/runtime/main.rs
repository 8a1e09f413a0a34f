//! The runtime without the compiler: operators on hand-expanded functions and on closures.

mod allocations;
mod finite_differences;
mod first_order;
mod hand;
mod same_point;
mod second_order;
