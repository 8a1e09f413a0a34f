//! Parts of arrays that are written back.

use crate::ir::*;
use proc_macro2::Span;

/// A copy of a part of an array, to be written back.
#[derive(Clone)]
pub struct WriteBack {
    /// The array.
    pub array: Place,
    /// The operation that read the part.
    pub part: PassiveCode,
    /// The copy.
    pub copy: Var,
    pub span: Span,
}
