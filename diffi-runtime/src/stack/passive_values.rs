//! How passive values are kept on the tape, as rustc finds by their types: by their numbers, as copies, or moved there.
//!
//! Methods are found by the number of references in front of a [`Kin`]: what takes the most comes first.

use crate::stack::aggregates::{Keep, Parts, Whole};
use crate::stack::tape::Kin;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::Arc;

/// Values that may be moved to the tape: nothing reads them any more before the reverse sweep.
pub trait KeepPassive<T, F> {
    /// What comes back.
    type Back;
    /// Pushes the value.
    fn keep_passive(self, value: T, parts: &mut Parts<'_, F>);
    /// Pops it.
    fn restore_passive(self, parts: &mut Parts<'_, F>) -> Self::Back;
}

/// Values that are still read, and parts of others.
pub trait KeepPart<T, F> {
    /// Pushes the value.
    fn keep_part(self, value: &T, parts: &mut Parts<'_, F>);
    /// Pops it.
    fn restore_part(self, parts: &mut Parts<'_, F>) -> T;
}

/// Some value: see [`Whole::blank`].
pub trait BlankPart<T, F> {
    /// The value.
    fn blank_part(self, float: PhantomData<F>) -> T;
}

impl<T: Whole<F>, F: Copy> KeepPart<T, F> for &&&&&Kin<T> {
    #[inline]
    fn keep_part(self, value: &T, parts: &mut Parts<'_, F>) {
        value.save(parts);
    }
    #[inline]
    fn restore_part(self, parts: &mut Parts<'_, F>) -> T {
        T::restore(parts)
    }
}

/// A user's `Clone` may give anything, and so the copy is compared.
impl<T: Clone + PartialEq + Send + Sync + 'static, F: Copy> KeepPart<T, F> for &&&&Kin<T> {
    #[inline]
    fn keep_part(self, value: &T, parts: &mut Parts<'_, F>) {
        parts.others.push(value);
        parts.others.check_copy_of(value);
    }
    #[inline]
    fn restore_part(self, parts: &mut Parts<'_, F>) -> T {
        parts.others.pop()
    }
}

impl<T: Clone + Send + Sync + 'static, F: Copy> KeepPart<T, F> for &&&Kin<T> {
    #[inline]
    fn keep_part(self, value: &T, parts: &mut Parts<'_, F>) {
        parts.others.push(value);
    }
    #[inline]
    fn restore_part(self, parts: &mut Parts<'_, F>) -> T {
        parts.others.pop()
    }
}

impl<T: Whole<F>, F: Copy> KeepPassive<T, F> for &&&&&Kin<T> {
    type Back = T;
    #[inline]
    fn keep_passive(self, value: T, parts: &mut Parts<'_, F>) {
        value.spend(parts);
    }
    #[inline]
    fn restore_passive(self, parts: &mut Parts<'_, F>) -> T {
        self.restore_part(parts)
    }
}

impl<T: Clone + PartialEq + Send + Sync + 'static, F: Copy> KeepPassive<T, F> for &&&&Kin<T> {
    type Back = T;
    #[inline]
    fn keep_passive(self, value: T, parts: &mut Parts<'_, F>) {
        self.keep_part(&value, parts);
    }
    #[inline]
    fn restore_passive(self, parts: &mut Parts<'_, F>) -> T {
        self.restore_part(parts)
    }
}

impl<T: Clone + Send + Sync + 'static, F: Copy> KeepPassive<T, F> for &&&Kin<T> {
    type Back = T;
    #[inline]
    fn keep_passive(self, value: T, parts: &mut Parts<'_, F>) {
        self.keep_part(&value, parts);
    }
    #[inline]
    fn restore_passive(self, parts: &mut Parts<'_, F>) -> T {
        self.restore_part(parts)
    }
}

macro_rules! moved_to_the_tape {
    ({$($n:tt)*} $Kin:ty, $T:ty => $Back:ty) => {
        impl<T: Send + Sync + 'static, F: Copy, $($n)*> KeepPassive<$T, F> for $Kin {
            type Back = Shared<$Back>;
            #[inline]
            fn keep_passive(self, value: $T, parts: &mut Parts<'_, F>) {
                parts.others.push(&Shared::<$Back>(Arc::new(value)));
            }
            #[inline]
            fn restore_passive(self, parts: &mut Parts<'_, F>) -> Shared<$Back> {
                parts.others.pop()
            }
        }
    };
}
// A reference to what comes back may be given where one to a slice is wanted, as one to an array may.
moved_to_the_tape!({const N: usize} &&Kin<[T; N]>, [T; N] => [T]);
moved_to_the_tape!({} &Kin<T>, T => T);

impl<T: Whole<F>, F> BlankPart<T, F> for &&Kin<T> {
    #[inline]
    fn blank_part(self, _: PhantomData<F>) -> T {
        T::blank()
    }
}

impl<T: Default, F> BlankPart<T, F> for &Kin<T> {
    #[inline]
    fn blank_part(self, _: PhantomData<F>) -> T {
        T::default()
    }
}

/// What is found last says what is missing.
impl<T> Kin<T> {
    /// Says of which type the value is, so that rustc can choose.
    #[inline(always)]
    pub fn of(self, _: &T) {}

    /// For a value that cannot be kept.
    #[inline]
    pub fn keep_passive<F>(self, value: T, parts: &mut Parts<'_, F>)
    where
        T: Keep<F>,
    {
        value.keep(parts);
    }

    /// Likewise.
    #[inline]
    pub fn keep_part<F>(self, value: &T, parts: &mut Parts<'_, F>)
    where
        T: Keep<F>,
    {
        value.keep(parts);
    }

    /// Likewise.
    #[inline]
    pub fn restore_passive<F>(self, _: &mut Parts<'_, F>) -> T {
        unreachable!("nothing was kept")
    }

    /// Likewise.
    #[inline]
    pub fn restore_part<F>(self, _: &mut Parts<'_, F>) -> T {
        unreachable!("nothing was kept")
    }

    /// For a field that cannot be copied: [`keep_part`](Kin::keep_part) says so.
    #[inline]
    pub fn copy_part<P>(self, _: &T, _: &mut P) -> T {
        unreachable!("no such value is kept")
    }

    /// For a constant field without a `Default`.
    #[inline]
    pub fn blank_part<F>(self, _: PhantomData<F>) -> T {
        const { panic!("a struct that a `return` within a loop gives needs a `Default` for its constant fields") }
    }
}

/// What a value on the tape is seen through: as the value itself by methods, indices, fields and loops over a reference to it.
#[derive(Debug)]
pub struct Shared<T: ?Sized>(Arc<T>);

impl<T: ?Sized> Clone for Shared<T> {
    #[inline]
    fn clone(&self) -> Self {
        Shared(Arc::clone(&self.0))
    }
}

impl<T: ?Sized> Deref for Shared<T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'a, T: ?Sized> IntoIterator for &'a Shared<T>
where
    &'a T: IntoIterator,
{
    type Item = <&'a T as IntoIterator>::Item;
    type IntoIter = <&'a T as IntoIterator>::IntoIter;
    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        (&*self.0).into_iter()
    }
}
