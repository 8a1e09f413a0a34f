//! What functions take that walk over an iterator, in derivative code: a list of its elements.

use super::generic::{Constants, Same};
use crate::number::real::Real;
use std::borrow::Borrow;

/// Something whose elements, or references to them, become a list of `T`s: `M` says how, and rustc finds it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no iterator over `{T}` or references to it [D0703]",
    label = "not an iterator over these items"
)]
pub trait Listed<T, M> {
    /// The elements in their order.
    fn list(self) -> Vec<T>;
}

impl<T: Clone, I: IntoIterator<Item: Borrow<T>>> Listed<T, Same> for I {
    #[inline]
    fn list(self) -> Vec<T> {
        self.into_iter().map(|item| item.borrow().clone()).collect()
    }
}

impl<S: Real, I: IntoIterator<Item: Borrow<S::Base>>> Listed<S, Constants> for I {
    fn list(self) -> Vec<S> {
        self.into_iter().map(|item| S::from_base(*item.borrow())).collect()
    }
}
