//! What a value carries of active values.

use proc_macro2::Span;

/// What a value carries of active values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried {
    /// It is one, or made of one.
    pub number: bool,
    /// It is text of one, or made of that; where the text was written.
    pub text: Option<Span>,
}

impl Carried {
    /// Text that was written there.
    pub fn text(at: Span) -> Self {
        Carried { number: false, text: Some(at) }
    }

    /// Whether it carries anything.
    pub fn any(self) -> bool {
        self.number || self.text.is_some()
    }

    /// What is made of both.
    pub fn with(self, other: Carried) -> Self {
        Carried { number: self.number || other.number, text: self.text.or(other.text) }
    }

    /// What is left where numbers are only looked at.
    pub fn only_text(self) -> Self {
        Carried { number: false, ..self }
    }
}
