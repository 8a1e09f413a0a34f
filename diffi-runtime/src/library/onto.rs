//! Where the cotangents of operands go.

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
        n => {
            let none = Array::from_shape_vec(D::zeros(n), Vec::new()).expect("no elements");
            std::mem::replace(from, none)
        }
    }
}
