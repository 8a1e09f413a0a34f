//! How a run ends early.

use crate::tests::interpreter::value::Value;

/// Why the code behind an expression does not run.
#[derive(Debug)]
pub enum Stop {
    /// `break`, to a label, with a value.
    Break(Option<String>, Value),
    /// `continue`, to a label.
    Continue(Option<String>),
    /// `return`.
    Return(Value),
    /// A panic, or what Rust would not compile.
    Panic(String),
    /// The interpreter does not know this.
    Unknown(String),
}

/// What a step of a run gives.
pub type Run<T> = Result<T, Stop>;

impl Stop {
    /// A panic.
    pub fn panic(message: impl Into<String>) -> Stop {
        Stop::Panic(message.into())
    }

    /// What the interpreter does not know.
    pub fn unknown(what: impl Into<String>) -> Stop {
        Stop::Unknown(what.into())
    }
}
