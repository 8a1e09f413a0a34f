//! Where rustc finds methods of std, among those of the same name.

use crate::frontend::iterators::methods::is_search;

/// The last place before std's method where rustc looks for one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Methods that take the receiver itself: std's takes `&self`.
    Value,
    /// Methods that take a reference: std's takes `&mut self`.
    Shared,
    /// Methods that take an exclusive one: std's is of the type that the receiver derefs to.
    Exclusive,
    /// Methods of slices that take a shared reference: std's is one of slices, and takes `&mut self`.
    OfSlices,
    /// There is none: std's takes the receiver itself.
    Nothing,
}

/// Methods that std has for `Vec` itself, or for all types, and takes by `&self`.
const BY_REFERENCE: &[&str] = &["len", "is_empty", "as_slice", "clone", "to_owned", "as_ref", "borrow", "contains_key"];

/// Those that change a `Vec`, and that slices do not have.
const CHANGING: &[&str] = &[
    "push",
    "pop",
    "clear",
    "truncate",
    "insert",
    "remove",
    "swap_remove",
    "append",
    "extend",
    "extend_from_slice",
    "drain",
    "retain",
    "resize",
    "resize_with",
    "dedup",
    "split_off",
    "splice",
    "extract_if",
    "try_reserve",
    "try_reserve_exact",
    "as_mut_slice",
    "as_mut",
    "borrow_mut",
];

/// Those that change a slice.
const OF_SLICES: &[&str] = &[
    "fill",
    "swap",
    "reverse",
    "rotate_left",
    "rotate_right",
    "copy_from_slice",
    "clone_from_slice",
    "swap_with_slice",
    "copy_within",
    "iter_mut",
    "first_mut",
    "last_mut",
    "get_mut",
    "split_at_mut",
    "split_first_mut",
    "split_last_mut",
    "chunks_mut",
    "chunks_exact_mut",
];

/// Those that take a `Vec` or an array itself.
const BY_VALUE: &[&str] = &["into_iter", "into_boxed_slice", "into_flattened"];

/// Where a method stands that may be one of a `Vec` or an array.
pub fn before_sequences(name: &str, array: bool) -> Before {
    match name {
        "map" if array => Before::Nothing,
        "each_ref" if array => Before::Value,
        "each_mut" if array => Before::Shared,
        "len" | "is_empty" if array => Before::Exclusive,
        _ if BY_VALUE.contains(&name) => Before::Nothing,
        _ if BY_REFERENCE.contains(&name) => Before::Value,
        _ if CHANGING.contains(&name) => Before::Shared,
        _ if OF_SLICES.contains(&name) || name.starts_with("sort") || name.starts_with("select") => Before::OfSlices,
        _ => Before::Exclusive,
    }
}

/// Methods of options and results that std takes by `&self`.
const OF_OPTIONS_BY_REFERENCE: &[&str] =
    &["is_some", "is_none", "is_ok", "is_err", "as_ref", "as_deref", "iter", "as_slice", "clone"];

/// Those that change an option or a result, or lend it to be changed.
const CHANGING_OPTIONS: &[&str] = &[
    "take",
    "take_if",
    "replace",
    "insert",
    "get_or_insert",
    "get_or_insert_with",
    "get_or_insert_default",
    "as_mut",
    "as_deref_mut",
    "as_mut_slice",
    "iter_mut",
];

/// Where a method stands that may be one of an `Option` or a `Result`.
pub fn before_options(name: &str) -> Before {
    match name {
        _ if OF_OPTIONS_BY_REFERENCE.contains(&name) => Before::Value,
        _ if CHANGING_OPTIONS.contains(&name) => Before::Shared,
        _ => Before::Nothing,
    }
}

/// Methods of iterators that std takes by `&mut self`, beside those that run a part of one.
const CHANGING_ITERATORS: &[&str] = &["by_ref", "peek_mut"];

/// Where a method stands that may be one of an iterator.
pub fn before_iterators(name: &str) -> Before {
    match name {
        "clone" | "len" | "size_hint" => Before::Value,
        _ if is_search(name) || CHANGING_ITERATORS.contains(&name) => Before::Shared,
        _ => Before::Nothing,
    }
}

/// Where a method stands that may be one of a `VecDeque`.
pub fn before_queues(name: &str) -> Before {
    const LOOKING: &[&str] =
        &["len", "is_empty", "get", "front", "back", "iter", "range", "contains", "clone", "as_slices"];
    match name {
        _ if BY_VALUE.contains(&name) => Before::Nothing,
        _ if LOOKING.contains(&name) => Before::Value,
        _ => Before::Shared,
    }
}
