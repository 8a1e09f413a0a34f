//! Functions: calls, closures, inner functions, methods of one's own, what is lent and what is returned.
//!
//! Every function is checked at every point and for every choice of active arguments: see `check.rs`.
#![allow(clippy::all, unused_assignments)] // the functions are written as all kinds of people write them

mod check;
#[path = "../numbers/mod.rs"]
mod numbers;

mod aliases;
mod calls;
mod capital_names;
mod closures;
mod companions;
mod followed;
mod functions;
mod inner_constants;
mod inner_functions;
mod lent;
mod made_by_functions;
mod namesakes;
mod own_macros;
mod own_methods;
mod returns;
mod without_numbers;
