//! Methods that return a reference into `self`: `*m.at(i, j) += x`, `m.row(i)[j]`, `m.scale(2.0).shift(x)`.
//!
//! References do not exist in the IR, and such a call is a place in it: the receiver, and where in it the reference leads. The attribute on
//! the block that defines the method emits a function that finds this, `at__where`, and the way to the place by its answer, for the type and for
//! its tangent alike ([`item::projections`](crate::item::projections)). In the IR, the answer is an index. A call is written out as `m[__place::..::at(i, j)]` before the function is
//! lowered, and `m.first_item()`, which gives an `Option`, as `m.__maybe_first_item()`. A method that returns its receiver is called
//! for what it changes, and its value is the receiver.
//!
//! Which methods are of this kind is read from the source files around ([`definitions`]); rustc confirms it, as no other method has such a
//! function.

pub mod accesses;
mod asked;
pub mod boxed_options;
pub mod clones;
pub mod collections;
mod copying_clones;
mod defined;
pub mod definitions;
pub mod field_types;
pub mod float_suffixes;
pub mod function_tables;
pub mod function_types;
pub mod hidden_methods;
pub mod kinds;
mod lowered;
pub mod marker_params;
pub mod number_traits;
pub mod option_fields;
pub mod own_methods;
pub mod passing;
pub mod qualified_numbers;
pub mod receivers;
pub mod refused_types;
pub mod value_types;
pub mod variants;
mod written_out;

pub use asked::{Asked, where_function};
pub use written_out::{Called, called, written_out};
