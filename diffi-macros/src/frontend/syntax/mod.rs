//! Questions about syntax, without state: types, signatures, effects, the order of evaluation, passive code.
//!
//! Enters: syntax. Leaves: answers, as values.
//! Imports: `ir`, `support`; where an answer depends on names in scope, `lower` and `infer`.

pub mod aliases;
pub mod alternatives;
pub mod bases;
pub mod bits;
pub mod capital_names;
pub mod chained_conditions;
pub mod chosen_references;
pub mod configured;
pub mod constant_patterns;
pub mod copied_params;
pub mod copied_slices;
pub mod counters;
pub mod cuts;
pub mod effects;
pub mod enum_types;
pub mod evaluation_order;
pub mod file_names;
pub mod floats;
pub mod free_lifetimes;
pub mod heads;
pub mod hygiene;
pub mod ill_typed;
pub mod inner_constants;
pub mod inner_functions;
pub mod inner_items;
pub mod inner_names;
pub mod iterator_params;
pub mod iterator_results;
pub mod lent_only;
pub mod literals;
pub mod named_ranges;
pub mod named_types;
pub mod ndarray_types;
pub mod objects;
pub mod own_scratch;
pub mod passive_code;
pub mod pattern_names;
pub mod signature;
pub mod text_params;
pub mod token_paths;
pub mod types;
pub mod unit_tails;
pub mod unread;
pub mod unused;
pub mod variant_paths;
pub mod writes;
