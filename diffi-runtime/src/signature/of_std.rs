//! What methods and operators are applied to that make a number, behind a call that may have kept an active value.
//!
//! A type of the user's may have a `sum`, a `+` or an index that gives what the earlier call kept. Types of std have no such state.

use std::cell::{Ref, RefMut};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};
use std::rc::Rc;
use std::sync::Arc;

/// A type whose methods and operators give nothing that another call kept.
#[diagnostic::on_unimplemented(
    message = "`{Self}` may give what another call was told of active values, and the derivative would be lost [D0117]",
    label = "a number is made of it by code that diffi does not see",
    note = "if it gives a constant, write `constant!(..)` around the expression, or make the number before that call"
)]
pub trait OfStd {}

/// What a number is made of.
pub struct MadeOf<'a, T: ?Sized>(pub &'a T);

impl<T: ?Sized> MadeOf<'_, T> {
    /// Compiles where the type is one of std's.
    #[inline]
    pub fn of_std(&self)
    where
        T: OfStd,
    {
    }
}

/// `OfStd` for types, one a row: generics, the type.
macro_rules! of_std {
    ($([$($generics:tt)*] $type:ty;)+) => { $(impl<$($generics)*> OfStd for $type {})+ };
}

of_std! {
    [] f32; [] f64; [] bool; [] char; [] str; [] String; [] ();
    [] u8; [] u16; [] u32; [] u64; [] u128; [] usize; [] i8; [] i16; [] i32; [] i64; [] i128; [] isize;
    [T: OfStd + ?Sized] &T; [T: OfStd + ?Sized] &mut T; [T: OfStd + ?Sized] Box<T>; [T: OfStd + ?Sized] Rc<T>;
    [T: OfStd + ?Sized] Arc<T>; [T: OfStd + ?Sized] Ref<'_, T>; [T: OfStd + ?Sized] RefMut<'_, T>;
    [T] [T]; [T, const N: usize] [T; N]; [T] Vec<T>; [T] VecDeque<T>; [T] LinkedList<T>; [T] BinaryHeap<T>;
    [K, V, S] HashMap<K, V, S>; [K, V] BTreeMap<K, V>; [K, S] HashSet<K, S>; [K] BTreeSet<K>;
    [T] Option<T>; [T, E] Result<T, E>; [T] Range<T>; [T] RangeInclusive<T>; [T] RangeFrom<T>; [T] RangeTo<T>;
    [A, B] (A, B); [A, B, C] (A, B, C); [A, B, C, D] (A, B, C, D);
    [] std::time::Duration; [] std::time::Instant; [] std::cmp::Ordering;
    [T] std::slice::Iter<'_, T>; [T] std::vec::IntoIter<T>;
    [I: OfStd] std::iter::Copied<I>; [I: OfStd] std::iter::Cloned<I>; [I: OfStd] std::iter::Rev<I>;
    [I: OfStd] std::iter::Skip<I>; [I: OfStd] std::iter::Take<I>; [I: OfStd] std::iter::Enumerate<I>;
    [I: OfStd] std::iter::StepBy<I>; [I: OfStd, F] std::iter::Map<I, F>; [I: OfStd, F] std::iter::Filter<I, F>;
    [I: OfStd, J: OfStd] std::iter::Zip<I, J>; [I: OfStd, J: OfStd] std::iter::Chain<I, J>;
}

#[cfg(feature = "num-complex")]
of_std! { [T] num_complex::Complex<T>; }

#[cfg(feature = "nalgebra")]
#[diagnostic::do_not_recommend]
impl<T, R, C, S> OfStd for nalgebra::Matrix<T, R, C, S> {}

#[diagnostic::do_not_recommend]
impl<S: ndarray::RawData, D> OfStd for ndarray::ArrayBase<S, D> {}
