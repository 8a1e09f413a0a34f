//! Passes over the function before it is differentiated.

pub mod array_rename;
pub mod cse;
pub mod fold_views;
pub mod privatize;
pub mod rename;
