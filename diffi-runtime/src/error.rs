//! What can go wrong at run time: sizes that do not fit, rules that are wrong.

use std::fmt::{self, Display};

/// The result of an operator.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Sizes or rules that do not fit. Everything else that could be wrong about a call is a compile error.
///
/// Sizes are shown as `3` for three numbers in a row, `2x5` for a matrix, `(3, 2x5)` for two arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A prepared object was called with arguments of other sizes than those that it was prepared for.
    PreparationMismatch {
        /// Which argument is the first to differ: 1 for the function's first.
        argument: usize,
        /// The sizes at preparation.
        prepared: String,
        /// The sizes at the call.
        received: String,
    },
    /// A seed does not look like what it stands beside.
    SeedMismatch {
        /// The sizes of the arguments (for tangents) or of the result (for cotangents).
        expected: String,
        /// The sizes of the seed.
        found: String,
    },
    /// A rule that was written by hand gives something else than differences do, or its halves disagree: the distances that
    /// [`RuleCheck`](crate::operators::check_rule::RuleCheck) explains.
    RuleMismatch {
        /// Between the pushforward and differences.
        pushforward: String,
        /// Between the pullback and differences.
        pullback: String,
        /// Between the pushforward and the pullback.
        halves: String,
    },
    /// A buffer cannot hold the result.
    BufferMismatch {
        /// The sizes of the result.
        expected: String,
        /// The sizes of the buffer.
        found: String,
    },
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::PreparationMismatch { argument, prepared, received } => write!(
                f,
                "prepared for arguments of size {prepared}, called with size {received}: argument {argument} differs; \
                 prepare again, or call `resize` first"
            ),
            Error::SeedMismatch { expected, found } => write!(f, "expected a seed of size {expected}, found {found}"),
            Error::RuleMismatch { pushforward, pullback, halves } => write!(
                f,
                "the rule does not fit its function: the pushforward is {pushforward} away from differences, the pullback \
                 {pullback}, one from the other {halves}"
            ),
            Error::BufferMismatch { expected, found } => {
                write!(f, "expected a result buffer of size {expected}, found {found}")
            }
        }
    }
}

impl std::error::Error for Error {}
