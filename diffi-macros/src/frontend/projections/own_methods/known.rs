//! The names of methods that the front end takes for those of std, of a library of arrays, or of floats.

use crate::frontend::arrays::complex;
use crate::frontend::infer::usefulness;
use crate::frontend::iterators::methods;
use crate::frontend::option_result::fallible;
use crate::frontend::projections::definitions::OF_STD;
use crate::frontend::syntax::writes::{is_mutating, lends_mut};
use crate::support::names::{self, is_question, is_scalar};

/// Names that only some places know.
const OTHERS: &[&str] = &[
    "then",
    "next_up",
    "next_down",
    "mul_assign",
    "split_at",
    "split_at_checked",
    "first_chunk",
    "last_chunk",
    "split_first_chunk",
    "split_last_chunk",
    "replace",
    "is_none",
    "inspect",
    "reduce",
    "norm",
    "norm_squared",
    "cross",
    "inverse",
    "determinant",
    "t",
    "diag",
    "mapv",
    "trace",
    "reversed_axes",
    "normalize",
    "capacity",
    "reserve",
    "entry",
    "join",
    "send",
    "set",
    "store",
    "update",
];

/// Whether a method of this name may be another one than a user's.
pub fn is_known(name: &str) -> bool {
    let lists = [OTHERS, OF_STD, names::COPIES, names::OF_OPTIONS, names::OF_EITHER, names::BITS];
    lists.iter().any(|list| list.contains(&name))
        || is_question(name)
        || usefulness::is_known_name(name)
        || methods::METHODS.iter().any(|method| method.name == name)
        || fallible::is_method(name)
        || complex::is_method(name)
        || (0..3).any(|args| is_scalar(name, args))
        || is_mutating(name)
        || lends_mut(name)
}
