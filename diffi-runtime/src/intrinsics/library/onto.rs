//! Where the cotangents of operands go.

use crate::stack::workspace::shaped;
use ndarray::{Array, ArrayViewMut, Dimension};

/// The cotangent of an operand.
pub enum Onto<'a, A, D: Dimension> {
    /// It is added to.
    There(ArrayViewMut<'a, A, D>),
    /// It has no value yet: it is replaced.
    Fresh(&'a mut Array<A, D>),
}

/// The array, which leaves one without elements if it has axes: without, it has one element, which is copied.
pub fn taken<A: Clone, D: Dimension>(from: &mut Array<A, D>) -> Array<A, D> {
    match from.ndim() {
        0 => from.clone(),
        n => std::mem::replace(from, shaped(Vec::new(), D::zeros(n))),
    }
}
