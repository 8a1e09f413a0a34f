//! What a value carries of active values.

use crate::ir::Var;
use proc_macro2::Span;

/// What a value carries of active values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried {
    /// It is one, or made of one.
    pub number: bool,
    /// It is text of one, or made of that; where the text was written.
    pub text: Option<Span>,
    /// It is the error of a `Result` that holds one, or made of that; where it was taken.
    pub error: Option<Span>,
    /// A call gave it that was handed this variable, which another call may have stored an active value in.
    pub kept: Option<Var>,
    /// A call gave it of which it was found that nothing asks for its derivative, by its number.
    pub looked_at: Option<usize>,
    /// A call of another function that is not known gave it, by its number.
    pub given: Option<usize>,
}

impl Carried {
    /// Text that was written there.
    pub fn text(at: Span) -> Self {
        Carried { text: Some(at), ..Carried::default() }
    }

    /// Whether it carries a number or its text.
    pub fn any(self) -> bool {
        self.number || self.text.is_some() || self.error.is_some()
    }

    /// What is made of both.
    pub fn with(self, other: Carried) -> Self {
        Carried {
            number: self.number || other.number,
            text: self.text.or(other.text),
            error: self.error.or(other.error),
            kept: self.kept.or(other.kept),
            looked_at: self.looked_at.or(other.looked_at),
            given: self.given.or(other.given),
        }
    }

    /// What is left where numbers are only looked at.
    pub fn only_text(self) -> Self {
        Carried { text: self.text, error: self.error, ..Carried::default() }
    }

    /// Whether a passive variable may have something of it.
    pub fn is_hidden(self) -> bool {
        let call = self.looked_at.is_some() || self.given.is_some();
        self.text.is_some() || self.error.is_some() || self.kept.is_some() || call
    }

    /// What a passive variable has of it.
    pub fn hidden(self) -> Self {
        Carried { number: false, ..self }
    }
}
