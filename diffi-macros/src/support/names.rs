//! The names that the front end knows.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Methods and functions of active values that carry no derivative.
pub const QUERIES: &[&str] = &[
    "len",
    "is_empty",
    "is_nan",
    "is_finite",
    "is_infinite",
    "is_normal",
    "is_sign_positive",
    "is_sign_negative",
    "is_subnormal",
    "classify",
    "partial_cmp",
    "total_cmp",
    "cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "to_string",
    "nrows",
    "ncols",
    "shape",
    "dim",
    "raw_dim",
    "len_of",
    "ndim",
    "contains",
    "any",
    "all",
    "count",
    "position",
    "rposition",
    "partition_point",
    "binary_search_by",
    "is_some",
    "is_none",
    "is_ok",
    "is_err",
    "is_some_and",
    "is_none_or",
    "is_sorted",
    "is_sorted_by",
    "is_sorted_by_key",
    "is_partitioned",
    "size_hint",
    "binary_search_by_key",
    "is_ok_and",
    "is_err_and",
    "starts_with",
    "ends_with",
    "exponent",
    "to_isize",
    "to_i8",
    "to_i16",
    "to_i32",
    "to_i64",
    "to_i128",
    "to_usize",
    "to_u8",
    "to_u16",
    "to_u32",
    "to_u64",
    "to_u128",
    "type_name",
    "size_of_val",
];

/// Whether a method of this name asks something, as far as names tell.
pub fn is_question(name: &str) -> bool {
    QUERIES.contains(&name)
}

/// In front of the name of a method that leads to a part that may be missing, as the front end writes it.
pub const MAYBE: &str = "__maybe_";

/// The same, of one that leads there by `&mut`.
pub const MAYBE_MUT: &str = "__maybe_mut_";

/// The method's own name, of one that leads to a part that may be missing.
pub fn without_maybe(method: &Ident) -> Option<Ident> {
    let name = method.to_string();
    let own = name.strip_prefix(MAYBE_MUT).or_else(|| name.strip_prefix(MAYBE))?;
    Some(Ident::new(own, method.span()))
}

/// Methods and functions that look at the bits of a float.
pub const BITS: &[&str] =
    &["to_bits", "to_be_bytes", "to_le_bytes", "to_ne_bytes", "transmute", "transmute_copy", "to_int_unchecked"];

/// Macros of std that only check or print.
const EFFECTS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "print",
    "println",
    "eprint",
    "eprintln",
    "write",
    "writeln",
    "panic",
    "unreachable",
    "todo",
    "unimplemented",
];

/// Macros that only check, of the crate `approx`.
const APPROXIMATE: &[&str] = &[
    "assert_abs_diff_eq",
    "assert_abs_diff_ne",
    "assert_relative_eq",
    "assert_relative_ne",
    "assert_ulps_eq",
    "assert_ulps_ne",
];

/// Macros of the crates `log` and `tracing`, as statements.
const LOGGING: &[&str] = &["trace", "debug", "info", "warn", "error", "event", "log"];

/// Whether a macro writes to a log, by its name and, where its path has one, by its crate's.
pub fn is_logging(mac: &syn::Macro) -> bool {
    let mut names = mac.path.segments.iter().map(|s| s.ident.to_string());
    let of_crate = mac.path.segments.len() == 1 || names.next().is_some_and(|name| name == "log" || name == "tracing");
    of_crate && names.next_back().is_some_and(|name| LOGGING.contains(&name.as_str()))
}

/// Macros that make an error, as `anyhow` and `eyre` have them.
const ERRORS: &[&str] = &["anyhow", "format_err", "eyre"];

/// Macros that return one.
const FAILING: &[&str] = &["bail", "ensure"];

/// Whether the value of a macro of this name is an error.
pub fn is_error(name: &str) -> bool {
    ERRORS.contains(&name)
}

/// Whether a macro of this name makes an error, or returns one.
pub fn makes_an_error(name: &str) -> bool {
    is_error(name) || FAILING.contains(&name)
}

/// Macros whose answer is a truth value, by which numbers are compared (those of the crate `approx`).
pub const COMPARISONS: &[&str] = &["abs_diff_eq", "abs_diff_ne", "relative_eq", "relative_ne", "ulps_eq", "ulps_ne"];

/// Macros of std whose values are those of their arguments, or are made of them.
const VALUES: &[&str] = &["vec", "dbg", "format", "format_args", "matches", "stringify"];

/// Macros of ndarray.
const OF_ARRAYS: &[&str] = &["s", "array", "azip", "stack", "concatenate"];

/// Whether a macro of this name only checks or prints.
pub fn is_effect(name: &str) -> bool {
    EFFECTS.contains(&name) || APPROXIMATE.contains(&name)
}

/// Whether a macro of std, or of ours, is known by this name.
pub fn is_macro_of_std(name: &str) -> bool {
    EFFECTS.contains(&name) || VALUES.contains(&name) || name == "constant"
}

/// The type of a comparison or check of the crate `approx`, by its name.
pub fn answer_of_approx(name: &str) -> Option<TokenStream> {
    match (COMPARISONS.contains(&name), APPROXIMATE.contains(&name)) {
        (true, _) => Some(quote!(bool)),
        (_, true) => Some(quote!(())),
        _ => None,
    }
}

/// Whether a macro of this name looks at its arguments by reference.
pub fn is_observer(name: &str) -> bool {
    is_effect(name) || is_format(name)
}

/// Whether a macro of this name makes a value of what it looks at.
pub fn is_format(name: &str) -> bool {
    COMPARISONS.contains(&name) || ["format", "format_args"].contains(&name)
}

/// Whether a macro has the name of one that is known.
pub fn is_known_macro(mac: &syn::Macro) -> bool {
    let known = |name: &str| is_effect(name) || [COMPARISONS, VALUES, OF_ARRAYS].iter().any(|all| all.contains(&name));
    mac.path.segments.last().is_some_and(|segment| known(&segment.ident.to_string()))
}

/// Operators of the table, which are no functions of floats unless a trait is in scope.
const OPERATORS: &[&str] = &["add", "sub", "mul", "div", "rem", "neg"];

/// Whether this is the method of an operator's trait.
pub fn is_operator(name: &str) -> bool {
    OPERATORS.contains(&name)
}

/// The table's function of this name, for a method call with so many arguments. (Special functions are no methods of floats.)
pub fn scalar(name: &str, args: usize) -> Option<&'static str> {
    let takes = |r: &diffi_rules::Rule| r.args.len() + usize::from(r.passive.is_some()) == args + 1;
    let rule = diffi_rules::RULES.iter().find(|r| r.name == name && !r.special && takes(r))?;
    (!OPERATORS.contains(&name)).then_some(rule.name)
}

/// Whether a method of this name may be one of a float, and in the table.
pub fn is_scalar(name: &str, args: usize) -> bool {
    scalar(name, args).is_some() || OPERATORS.contains(&name) || name == "sin_cos"
}

/// Methods that copy or borrow what they are called on.
pub const COPIES: &[&str] = &[
    "clone",
    "to_owned",
    "copied",
    "cloned",
    "borrow",
    "as_ref",
    "as_slice",
    "as_mut_slice",
    "as_mut",
    "borrow_mut",
    "as_deref",
    "by_ref",
];

/// How the names of the operators that find derivatives end.
pub const DERIVATIVES: &[&str] =
    &["pushforward", "pullback", "derivative", "gradient", "jacobian", "hvp", "hessian", "taylor_coefficients"];

/// Methods of `Option`s that nothing else has.
pub const OF_OPTIONS: &[&str] =
    &["unwrap", "expect", "unwrap_or", "unwrap_or_else", "unwrap_or_default", "map_or", "map_or_else"];

/// Methods of `Option`s and of others.
pub const OF_EITHER: &[&str] = &["map", "and_then", "filter", "or"];

/// Methods that give an `Option` of a reference, or of what that refers to.
pub const OF_REFERENCES: &[&str] = &["as_ref", "as_mut", "as_deref", "copied", "cloned"];

/// Names that generated code uses itself.
pub const RESERVED: &[&str] = &[
    "ws",
    "rec",
    "words",
    "dots",
    "rec_block",
    "words_block",
    "dots_block",
    "rec_all",
    "rec_before",
    "rec_before_block",
    "dots_all",
    "dots_before",
    "dots_before_block",
    "front",
    "count",
    "value",
    "reverse",
    "y_bar_in",
    "y_bar_dot_in",
    "Space",
    "Valued",
    "Sweep",
    "Number",
];

/// What names that generated code makes of other names begin and end with.
pub const MADE: (&[&str], &[&str]) =
    (&["kin_", "tbr_", "word_", "spare_", "slot_", "given_", "held_", "apart_", "__"], &["_off", "_fresh"]);

/// Whether generated code may have a variable of this name, whatever the user's are called.
pub fn is_of_generated_code(name: &str) -> bool {
    let begins = || MADE.0.iter().any(|start| name.starts_with(start)) && !name.starts_with("__");
    RESERVED.contains(&name) || begins() || MADE.1.iter().any(|end| name.ends_with(end))
}

/// What to ask for instead of a vector's capacity.
pub const CAPACITY: &str = "ask for `len()`: the vectors of derivative code have other capacities";
