//! Backends that overload numbers or take differences, row by row of what each must be able to do: against closed forms and the
//! generated code.
#![allow(clippy::needless_range_loop)] // the functions are written as people write them

#[cfg(feature = "compiled")]
mod compiled;
mod complex_step;
#[cfg(feature = "rayon")]
mod crew;
mod dual;
#[cfg(feature = "external")]
mod external;
mod finite_diff;
mod finite_differences;
mod functions;
mod symbolic;
mod tape;
mod tape_arrays;
mod taylor;
#[cfg(feature = "rayon")]
mod threads;
