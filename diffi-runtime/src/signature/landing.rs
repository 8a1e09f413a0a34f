//! What generated code makes of the values of calls of functions without the attribute.

use crate::number::batch::Float;
use crate::signature::function::ReturnValue;
use crate::value::outcome::Outcome;

/// What a function without the attribute gave: `Landing(value).landed()` is the value as derivative code holds it.
#[derive(Debug)]
pub struct Landing<T>(pub T);

/// Being inherent, this comes before [`Landed`].
impl<T, E> Landing<Result<T, E>> {
    /// A result whose error can be taken.
    #[inline]
    pub fn landed(self) -> Outcome<T, E> {
        Outcome::of(self.0)
    }
}

/// Of everything else: the value itself.
pub trait Landed {
    /// The value.
    type Value;
    /// The value.
    fn landed(self) -> Self::Value;
}

impl<T> Landed for Landing<T> {
    type Value = T;
    #[inline]
    fn landed(self) -> T {
        self.0
    }
}

/// [`ReturnValue::landed`] as a method: rustc says nothing of methods of a value whose type it has refused already.
pub trait LandedAs: Sized {
    /// The value as derivative code holds it.
    #[inline(always)]
    fn __landed<F: Float>(self) -> Self::Landed
    where
        Self: ReturnValue<F>,
    {
        self.landed()
    }
}

impl<T> LandedAs for T {}

/// What a call gave for whose derivative nothing asks: `Answered(value).answered()` is what the user's code sees.
#[derive(Debug)]
pub struct Answered<T>(pub T);

/// Being inherent, this comes before [`OtherAnswer`].
impl<T, E> Answered<Outcome<T, E>> {
    /// The result.
    #[inline]
    pub fn answered(self) -> Result<T, E> {
        self.0.into_result()
    }
}

/// Of everything else: the value itself.
pub trait OtherAnswer {
    /// The value.
    type Value;
    /// The value.
    fn answered(self) -> Self::Value;
}

impl<T> OtherAnswer for Answered<T> {
    type Value = T;
    #[inline]
    fn answered(self) -> T {
        self.0
    }
}
