//! Fields of types of which only rustc knows whether they carry derivatives: `kind: Kind`.
//!
//! A type without tangent whose size is below that of any float holds none, nor a reference to one: an enum of names, or a struct without fields.

use crate::number::active::Active;
use crate::number::batch::Float;
use crate::stack::aggregates::Whole;
use crate::stack::frame::{FrameReader, FrameWriter, Width};
use crate::stack::tape::Kin;
use crate::stack::workspace::Pool;
use crate::value::copies::checked_copy;
use crate::value::nothing::Nothing;
use std::any::Any;
use std::marker::PhantomData;

/// A field's type.
#[derive(Debug)]
pub struct Asked<T>(PhantomData<T>);

impl<T: Active> Asked<T> {
    /// It carries derivatives. An enum of names may have the derive and be a field of a type of another float: it holds none.
    pub const ACTIVE: bool = size_of::<T>() >= size_of::<f32>();
    /// It is known what it carries.
    pub const KNOWN: bool = true;
}

/// The answer for all other types.
pub trait NotAsked {
    /// They carry none.
    const ACTIVE: bool;
    /// Whether they are known to hold no float.
    const KNOWN: bool;
}

impl<T> NotAsked for Asked<T> {
    const ACTIVE: bool = false;
    const KNOWN: bool = size_of::<T>() < size_of::<f32>();
}

/// The answer, as a type.
#[derive(Debug)]
pub struct Answer<const ACTIVE: bool>;

/// The type that was asked about. Where the question is an error, rustc says nothing more of this type.
pub trait TypeOf<T> {
    /// The type.
    type Type;
}

impl<T, const ACTIVE: bool> TypeOf<T> for Answer<ACTIVE> {
    type Type = T;
}

/// What derivative code sees of a field of type `T`: the value, or nothing.
pub trait PartOf<T, F: Float> {
    /// What is seen.
    type Seen: Active<Base = F>;
    /// Looks at the field.
    fn seen(field: &T) -> &Self::Seen;
    /// The same, to change it.
    fn seen_mut(field: &mut T) -> &mut Self::Seen;
}

impl<T: Active> PartOf<T, T::Base> for Answer<true> {
    type Seen = T;
    #[inline]
    fn seen(field: &T) -> &T {
        field
    }
    #[inline]
    fn seen_mut(field: &mut T) -> &mut T {
        field
    }
}

impl<T, F: Float> PartOf<T, F> for Answer<false> {
    type Seen = Nothing<F>;
    #[inline]
    fn seen(_: &T) -> &Nothing<F> {
        const { &Nothing::NEW }
    }
    #[inline]
    fn seen_mut(_: &mut T) -> &mut Nothing<F> {
        Box::leak(Box::new(Nothing::NEW)) // of no size: nothing is allocated
    }
}

/// A copy of a field of which only rustc knows what it carries: `(&&&Kin::<T>::new()).copy_part(..)`.
pub trait CopyPart<T, F: Float> {
    /// The copy.
    fn copy_part(self, field: &T, pool: &mut Pool<F>) -> T;
}

impl<T: Active, F: Float> CopyPart<T, F> for &&&Kin<T> {
    #[inline]
    fn copy_part(self, field: &T, pool: &mut Pool<F>) -> T {
        let own = (pool as &mut dyn Any).downcast_mut::<Pool<T::Base>>();
        own.map_or_else(|| field.duplicate(), |pool| field.copied(pool))
    }
}

impl<T: Clone + PartialEq, F: Float> CopyPart<T, F> for &&Kin<T> {
    #[inline]
    fn copy_part(self, field: &T, _: &mut Pool<F>) -> T {
        checked_copy(field.clone(), field)
    }
}

impl<T: Clone, F: Float> CopyPart<T, F> for &Kin<T> {
    #[inline]
    fn copy_part(self, field: &T, _: &mut Pool<F>) -> T {
        field.clone()
    }
}

/// The float of a type that has no other field to tell it.
pub trait FloatOf<T> {
    /// The float.
    type Base: Float;
}

impl<T: Active> FloatOf<T> for Answer<true> {
    type Base = T::Base;
}

impl<T> FloatOf<T> for Answer<false> {
    type Base = f64;
}

/// Some value in place of one that is not read again: see [`Whole::unread`].
pub trait UnreadPart<T, F> {
    /// The value, if there is one.
    fn unread_part(self, float: PhantomData<F>) -> Option<T>;
}

impl<T: Whole<F>, F> UnreadPart<T, F> for &&Kin<T> {
    #[inline]
    fn unread_part(self, _: PhantomData<F>) -> Option<T> {
        T::unread()
    }
}

impl<T, F> UnreadPart<T, F> for &Kin<T> {
    #[inline]
    fn unread_part(self, _: PhantomData<F>) -> Option<T> {
        None
    }
}

/// The width of a field's values: see [`Whole::WIDTH`].
#[derive(Debug)]
pub struct WidthOf<T, F>(PhantomData<(T, F)>);

impl<T: Whole<F>, F> WidthOf<T, F> {
    /// The width.
    pub const WIDTH: Option<Width> = T::WIDTH;
}

/// The answer for all other types.
pub trait NoWidth {
    /// They have none.
    const WIDTH: Option<Width> = None;
}

impl<T, F> NoWidth for WidthOf<T, F> {}

/// A field in a frame: `(&&Kin::<T>::new()).write_part(..)`.
pub trait RecordPart<T, F> {
    /// Writes it.
    fn write_part(self, field: &T, frame: &mut FrameWriter<'_, F>);
    /// Reads it.
    fn read_part(self, frame: &mut FrameReader<'_, F>) -> T;
}

impl<T: Whole<F>, F> RecordPart<T, F> for &&Kin<T> {
    #[inline]
    fn write_part(self, field: &T, frame: &mut FrameWriter<'_, F>) {
        field.write(frame);
    }
    #[inline]
    fn read_part(self, frame: &mut FrameReader<'_, F>) -> T {
        T::read(frame)
    }
}

impl<T, F> RecordPart<T, F> for &Kin<T> {
    fn write_part(self, _: &T, _: &mut FrameWriter<'_, F>) {
        unreachable!("the width is not fixed")
    }
    fn read_part(self, _: &mut FrameReader<'_, F>) -> T {
        unreachable!("the width is not fixed")
    }
}
