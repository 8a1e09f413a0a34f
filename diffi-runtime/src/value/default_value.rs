//! The first value of a variable that a jump may leave without one: no one reads it, but rustc cannot see that.
//!
//! A type's own `Default` comes first. What has none and can be kept on the tape is made of its parts.

use crate::stack::aggregates::Whole;
use std::marker::PhantomData;

/// A type's own `Default`, where the type is that of another value.
#[inline]
pub fn default_like<T: Default>(_: &T) -> T {
    T::default()
}

/// Some value of a type over the float `F`: `Blank::<T, F>::NEW.value()`.
#[derive(Clone, Copy, Debug)]
pub struct Blank<T, F>(PhantomData<fn() -> (T, F)>);

impl<T, F> Blank<T, F> {
    /// Where a value is asked for.
    pub const NEW: Self = Blank(PhantomData);
}

/// By `Default`. It takes one reference less than [`ByParts`], and so it is found first.
pub trait ByDefault {
    /// The type.
    type Value;
    /// The value.
    fn value(self) -> Self::Value;
}

impl<T: Default, F> ByDefault for Blank<T, F> {
    type Value = T;
    #[inline]
    fn value(self) -> T {
        T::default()
    }
}

/// Of the type's parts.
pub trait ByParts {
    /// The type.
    type Value;
    /// The value.
    fn value(&self) -> Self::Value;
}

impl<T: Whole<F>, F> ByParts for Blank<T, F> {
    type Value = T;
    #[inline]
    fn value(&self) -> T {
        T::blank()
    }
}
