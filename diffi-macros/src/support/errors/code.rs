//! The number of each kind of message, under which the book's page on errors explains it.

use proc_macro2::Span;
use std::fmt;

/// Declares the codes, and the list of all.
macro_rules! codes {
    ($($name:ident = $number:literal,)+) => {
        /// A kind of message: 1xx are expressions, 2xx places, 3xx iterators and functions as values, 4xx the annotated function, 5xx types,
        /// 8xx functions and values that rustc alone knows. The runtime has codes of its own: 6xx are arguments, 7xx backends.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ErrorCode {
            $(#[doc = concat!("`D0", $number, "`.")] $name = $number,)+
        }

        impl ErrorCode {
            /// All of them.
            #[cfg(test)]
            pub const ALL: &[ErrorCode] = &[$(ErrorCode::$name,)+];
        }
    };
}

codes! {
    NoRule = 101,
    UnknownMethod = 102,
    UnknownMacro = 103,
    Operator = 104,
    FloatCast = 105,
    OtherFloat = 106,
    ActiveInteger = 107,
    RawMemory = 108,
    NumberOfText = 109,
    Pattern = 110,
    OutsideOption = 111,
    ConditionInAMacro = 112,
    TwoOfAName = 113,
    EvaluationOrder = 114,
    UnsafeCode = 115,
    ItemOfABlock = 116,
    FoundAgain = 117,
    TwoMethods = 118,
    PassiveTarget = 201,
    StoredInACell = 202,
    UnknownChange = 203,
    PointedElsewhere = 204,
    ExclusiveKept = 205,
    UnknownReference = 206,
    UnknownAdaptor = 301,
    UnknownIterator = 302,
    HalfRun = 303,
    UnknownFunction = 304,
    ClosureArgument = 305,
    Arity = 306,
    ChangingClosure = 307,
    Signature = 401,
    MethodAlone = 402,
    NoParameters = 403,
    NotExclusive = 404,
    PassiveResult = 405,
    MisplacedCheckpoint = 406,
    Unrepeatable = 407,
    NoParameter = 408,
    NotAFunction = 409,
    UnknownOption = 410,
    VectorMathIsOff = 411,
    RuleAndEquation = 412,
    OptionOfAFunction = 413,
    NamesWanted = 414,
    NamedTwice = 415,
    UnknownCheckpoint = 416,
    SecondCheckpoint = 417,
    ConditionsAreLeft = 418,
    OwnRule = 419,
    FirstOrderOnly = 420,
    RuleOfFirstOrder = 421,
    HidingHandle = 422,
    OptionForm = 423,
    Equation = 424,
    BorrowedData = 501,
    TotalOfAType = 502,
    Union = 503,
    UnknownField = 504,
    OwnClone = 505,
    MixedTuple = 506,
    UnknownFieldOption = 507,
    OperatorTwice = 508,
    Unannotated = 802,
    ForeignImplementation = 814,
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "D{:04}", *self as u16)
    }
}

/// An error, with the code behind its words.
pub fn coded(code: ErrorCode, span: Span, message: impl fmt::Display) -> syn::Error {
    syn::Error::new(span, format!("{message} [{code}]"))
}
