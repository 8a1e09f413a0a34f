//! What can go wrong at run time: sizes that do not fit, rules that are wrong, patterns and colors that are none.

use std::fmt::{self, Display};

/// The result of an operator.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Sizes, rules, patterns or colors that do not fit. Everything else that could be wrong about a call is a compile error.
///
/// Sizes are shown as `3` for three numbers in a row, `2x5` for a matrix, `(3, 2x5)` for two arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A prepared object was called with arguments of other sizes than those that it was prepared for.
    PreparationMismatch {
        /// Which argument is the first to differ: 1 for the function's first.
        argument: usize,
        /// The parameter's name, where it is known: of annotated functions.
        name: Option<&'static str>,
        /// The sizes at preparation.
        prepared: String,
        /// The sizes at the call.
        received: String,
    },
    /// The function changed how many numbers a `&mut` argument has, which only `AutoForward` and `AutoReverse` follow, and they where
    /// the operator is one pass of theirs.
    Resized {
        /// The argument's number, from 1.
        argument: usize,
        /// The parameter's name, if the function has names.
        name: Option<&'static str>,
        /// The sizes of all arguments before.
        before: String,
        /// And after.
        after: String,
    },
    /// A seed does not look like what it stands beside.
    SeedMismatch {
        /// The sizes of the arguments (for tangents) or of the result (for cotangents).
        expected: String,
        /// The sizes of the seed.
        found: String,
    },
    /// A rule that was written by hand gives something else than differences do, or its halves disagree: the distances that
    /// [`RuleCheck`](crate::backend::check_rule::RuleCheck) explains.
    RuleMismatch {
        /// Between the pushforward and differences.
        pushforward: String,
        /// Between the pullback and differences.
        pullback: String,
        /// Between the pushforward and the pullback.
        halves: String,
    },
    /// A derivative that was made elsewhere is not what a difference gives.
    WrongDerivative {
        /// In one direction.
        found: String,
        /// By a difference.
        expected: String,
    },
    /// The function returned `None` or an `Err`: where it has no value it has no derivative. The function itself says which.
    NoValue,
    /// A buffer cannot hold the result.
    BufferMismatch {
        /// The sizes of the result.
        expected: String,
        /// The sizes of the buffer.
        found: String,
    },
    /// A comparison of active numbers decides what is computed, where one expression has to hold everywhere.
    ActiveBranch,
    /// A tape that is run again would have gone another way, and was told to say so: see
    /// [`Branch::Error`](crate::backend::Branch::Error).
    OtherBranch {
        /// What was decided while the tape was recorded.
        recorded: String,
        /// What is found now.
        found: String,
    },
    /// Second derivatives, or an expression, of what is known by its first derivatives at one point alone.
    OnlyLinear,
    /// A derivative of an order that no series of ours is long enough for.
    OrderTooHigh {
        /// The order.
        order: usize,
        /// The highest that there is.
        most: usize,
    },
    /// A program could not be turned into machine code.
    NoMachineCode {
        /// Why.
        reason: String,
    },
    /// What should describe a sparsity pattern describes none.
    InvalidPattern {
        /// What it says.
        reason: String,
    },
    /// A matrix does not have the shape or the entries of the pattern that was prepared.
    PatternMismatch {
        /// What the pattern says.
        expected: String,
        /// What the matrix has.
        found: String,
    },
    /// A symmetric coloring was asked for, of a pattern that is not symmetric.
    NotSymmetric {
        /// Where it is not.
        reason: String,
    },
    /// Colors do not tell a matrix's entries apart.
    InvalidColoring {
        /// Which they do not.
        reason: String,
    },
    /// What an algorithm cannot do, or not within its limits.
    UnsupportedColoring {
        /// What to ask for instead.
        reason: String,
    },
    /// A derivative has an entry outside of the sparsity pattern that was prepared.
    PatternDrift {
        /// The row or the column where it has.
        line: String,
    },
    /// A tracer for patterns that hold everywhere met a question that only the arguments' values answer.
    ValueNeeded,
}

impl Error {
    pub(crate) fn pattern_shapes(expected: (usize, usize), found: (usize, usize)) -> Error {
        let shape = |(rows, columns)| format!("{rows}x{columns}");
        Error::PatternMismatch { expected: shape(expected), found: shape(found) }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::PreparationMismatch { argument, name, prepared, received } => {
                let name = name.map_or(String::new(), |name| format!(", `{name}`,"));
                write!(
                    f,
                    "prepared for arguments of size {prepared}, called with size {received}: argument {argument}{name} differs; \
                     prepare again, or call `resize` first"
                )
            }
            Error::Resized { argument, name, before, after } => {
                let name = name.map_or(String::new(), |name| format!(", `{name}`"));
                write!(
                    f,
                    "the function changed the size of argument {argument}{name}: from {before} to {after}; pass it with the size \
                     that the function leaves, or return the values"
                )
            }
            Error::SeedMismatch { expected, found } => write!(f, "expected a seed of size {expected}, found {found}"),
            Error::RuleMismatch { pushforward, pullback, halves } => write!(
                f,
                "the rule does not fit its function: the pushforward is {pushforward} away from differences, the pullback \
                 {pullback}, one from the other {halves}"
            ),
            Error::WrongDerivative { found, expected } => write!(
                f,
                "the derivative in some direction is {found}, where a difference gives {expected}: for `std::autodiff`, build with the \
                 component `enzyme`, `-Zautodiff=Enable` and `lto = \"fat\"`"
            ),
            Error::NoValue => write!(f, "the function returned `None` or `Err`, which has no derivative"),
            Error::BufferMismatch { expected, found } => {
                write!(f, "expected a result buffer of size {expected}, found {found}")
            }
            Error::ActiveBranch => write!(
                f,
                "a comparison, an index or a conversion of active numbers decides what is computed, and an expression has no \
                 branches: use `max`, `min`, `abs` or `clamp` in place of the branch, or `AutoTape.replayed()`, or `AutoReverse`"
            ),
            Error::OtherBranch { recorded, found } => write!(
                f,
                "the tape was recorded with {recorded}, and finds {found}: prepare again at this point, or leave out \
                 `on_other_branch(Branch::Error)`, and it is recorded again"
            ),
            Error::OnlyLinear => write!(
                f,
                "a rule by hand, or a function that `differentiate_with` gives to another backend, is known by its first \
                 derivatives at one point: for second derivatives use `SecondOrder(AutoFiniteDiff, ..)`, for expressions leave out \
                 the rule"
            ),
            Error::OrderTooHigh { order, most } => {
                write!(f, "a derivative of order {order} was asked for; the highest is {most}")
            }
            Error::NoMachineCode { reason } => {
                write!(f, "{reason}; `AutoTape.replayed()` runs the same program without")
            }
            Error::InvalidPattern { reason } => write!(f, "this is no sparsity pattern: {reason}"),
            Error::PatternMismatch { expected, found } => {
                write!(f, "the sparsity pattern expects {expected}, and the matrix has {found}")
            }
            Error::NotSymmetric { reason } => write!(f, "the sparsity pattern is not symmetric: {reason}"),
            Error::InvalidColoring { reason } => write!(f, "the coloring is not valid: {reason}"),
            Error::UnsupportedColoring { reason } => write!(f, "{reason}"),
            Error::PatternDrift { line } => write!(
                f,
                "the derivative has an entry outside of the prepared sparsity pattern, in {line}: prepare again at this point, \
                 or with a detector whose patterns hold everywhere"
            ),
            Error::ValueNeeded => write!(
                f,
                "a condition, an index or a conversion asks for the value of an active number, which a sparsity pattern that holds \
                 everywhere does not depend on: use `TracerLocalSparsityDetector`, or `max`, `min`, `abs`, `clamp` in place of the branch; \
                 derivative code of functions of slices follows both sides where the attribute says `everywhere`"
            ),
        }
    }
}

impl std::error::Error for Error {}
