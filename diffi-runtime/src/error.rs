//! What can go wrong at run time: sizes that do not fit.

use std::fmt::{self, Display};

/// The result of an operator.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Sizes that do not fit. Everything else that could be wrong about a call is a compile error.
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
            Error::BufferMismatch { expected, found } => {
                write!(f, "expected a result buffer of size {expected}, found {found}")
            }
        }
    }
}

impl std::error::Error for Error {}
