//! The first argument of an associated function, by value or by reference.
//!
//! Callers do not see whether the first argument of `Type::name(a, ..)` is a receiver, which derivative code takes by reference.

use crate::number::active::Active;

/// A value of type `T`, or a reference to one.
pub trait Given<T> {
    /// The value.
    fn given(self) -> T;
}

impl<T> Given<T> for T {
    #[inline]
    fn given(self) -> T {
        self
    }
}

impl<T: Active> Given<T> for &T {
    #[inline]
    fn given(self) -> T {
        self.duplicate()
    }
}
