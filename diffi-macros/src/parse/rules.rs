//! The names that the front end knows.

/// Methods and functions of active values that carry no derivative.
pub const QUERIES: &[&str] = &[
    "len", "is_empty", "is_nan", "is_finite", "is_infinite", "is_normal", "is_sign_positive",
    "is_sign_negative", "is_subnormal", "classify", "partial_cmp", "total_cmp", "cmp", "eq", "ne", "lt", "le", "gt",
    "ge", "to_string", "nrows", "ncols", "shape", "dim", "raw_dim", "ndim", "capacity", "contains", "any",
    "all", "count", "position", "rposition", "partition_point", "binary_search_by", "is_some", "is_none",
    "is_some_and", "is_none_or", "is_sorted", "is_sorted_by", "starts_with", "ends_with", "exponent",
    "type_name", "size_of_val",
];

/// Methods and functions that look at the bits of a float.
pub const BITS: &[&str] =
    &["to_bits", "to_be_bytes", "to_le_bytes", "to_ne_bytes", "transmute", "transmute_copy", "to_int_unchecked"];

/// Macros that only check or print.
pub const EFFECTS: &[&str] = &[
    "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "print",
    "println", "eprint", "eprintln", "write", "writeln", "panic", "unreachable", "todo", "unimplemented",
];

/// Methods of floats in the derivative table, with the number of their arguments.
const SCALAR: &[(&str, usize)] = &[
    ("abs", 0), ("acos", 0), ("acosh", 0), ("asin", 0), ("asinh", 0), ("atan", 0), ("atan2", 1), ("atanh", 0),
    ("cbrt", 0), ("ceil", 0), ("clamp", 2), ("copysign", 1), ("cos", 0), ("cosh", 0), ("div_euclid", 1),
    ("exp", 0), ("exp2", 0), ("exp_m1", 0), ("floor", 0), ("fract", 0), ("hypot", 1), ("ln", 0), ("ln_1p", 0),
    ("log", 1), ("log10", 0), ("log2", 0), ("max", 1), ("min", 1), ("mul_add", 2), ("powf", 1), ("powi", 1),
    ("recip", 0), ("rem_euclid", 1), ("round", 0), ("round_ties_even", 0), ("signum", 0), ("sin", 0),
    ("sinh", 0), ("sqrt", 0), ("tan", 0), ("tanh", 0), ("to_degrees", 0), ("to_radians", 0), ("trunc", 0),
    ("abs_sub", 1),
];

/// The table's function of this name, for a method call with so many arguments.
pub fn scalar(name: &str, args: usize) -> Option<&'static str> {
    SCALAR.iter().find(|(n, k)| *n == name && *k == args).map(|(n, _)| *n)
}

/// Methods that copy or borrow what they are called on.
pub const COPIES: &[&str] = &[
    "clone", "to_owned", "copied", "cloned", "borrow", "as_ref", "as_slice", "as_mut_slice", "as_mut", "borrow_mut",
    "as_deref", "by_ref",
];
