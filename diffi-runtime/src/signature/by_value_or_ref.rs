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

/// A value that is lent, or a reference: `Item(&item).bare()` is `&T` for an item of type `T`, and for one of type `&T`.
#[derive(Clone, Copy)]
pub struct Item<'a, T: ?Sized>(pub &'a T);

/// The reference that an item is. It takes one reference less than [`BareValue`], and so it is found first.
pub trait BareRef<'a, T: ?Sized> {
    /// The reference.
    fn bare(self) -> &'a T;
}

impl<'a, T: ?Sized> BareRef<'a, T> for Item<'a, &'a T> {
    #[inline]
    fn bare(self) -> &'a T {
        self.0
    }
}

/// A reference to an item that is none.
pub trait BareValue<'a, T: ?Sized> {
    /// The reference.
    fn bare(&self) -> &'a T;
}

impl<'a, T: ?Sized> BareValue<'a, T> for Item<'a, T> {
    #[inline]
    fn bare(&self) -> &'a T {
        self.0
    }
}

impl<T: Active> Given<T> for &T {
    #[inline]
    fn given(self) -> T {
        self.duplicate()
    }
}
