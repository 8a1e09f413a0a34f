//! The items on which the attribute may stand, and `#[derive(Differentiable)]`.
//!
//! Enters: tokens of an item. Leaves: the item with its derivative code beside it.
//! Imports: every floor below.

pub mod conversions;
pub mod derive;
pub mod impls;
pub mod index_impls;
mod object_methods;
pub mod objects;
pub mod operator_impls;
mod operator_twins;
pub mod projections;
pub mod sum_impls;
