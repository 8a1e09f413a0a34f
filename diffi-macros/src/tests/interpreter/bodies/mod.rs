//! Bodies of derivative code, as the IR has them.

mod derived;
mod expressions;
pub mod frame;
mod loops;
mod places;
mod rules;
mod slices;
mod statements;
pub mod sweeps;
pub mod tape;
