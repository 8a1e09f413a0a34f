//! A mutant: one small mistake at one place.

use std::ops::Range;

/// A mistake that could be made at a place.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The file, from the root of the project on.
    pub file: String,
    /// The line, from one on.
    pub line: usize,
    /// The function.
    pub function: String,
    /// What is wrong, in a few words.
    pub kind: &'static str,
    /// The bytes of the file that it replaces; for an insertion none.
    pub range: Range<usize>,
    /// The mistake.
    pub change: Change,
}

/// How the switch of a mutant is written.
#[derive(Clone, Debug)]
pub enum Change {
    /// Another expression in place of the range.
    Expression(String),
    /// The statement of the range is left out.
    NoStatement,
    /// A return of this value, before everything else; `()` has none.
    Return(String),
    /// The arm whose pattern ends here is passed over.
    NoArm,
}
