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

/// A reference to a value, be it one already: `(&item).bare()` is `&T` for an item of type `T`, and for one of type `&T`.
pub trait Bare<'a, T: ?Sized> {
    /// The reference.
    fn bare(self) -> &'a T;
}

impl<'a, T: ?Sized> Bare<'a, T> for &'a &'a T {
    #[inline]
    fn bare(self) -> &'a T {
        self
    }
}

impl<T: Active> Given<T> for &T {
    #[inline]
    fn given(self) -> T {
        self.duplicate()
    }
}
