//! Copies of values in derivative code: a type needs no `Clone` to carry derivatives.

use crate::number::active::Active;
use crate::number::float::Base;
use crate::stack::workspace::Pool;
use std::sync::atomic::{AtomicBool, Ordering};

/// A value of which a copy is asked for: `Original(&value).copy()`.
#[derive(Clone, Copy, Debug)]
pub struct Original<'v, T: ?Sized>(pub &'v T);

/// Part by part, of a type that carries derivatives: a user's `Clone` may give anything. Being inherent, this comes before [`CopyByClone`].
impl<T: Active> Original<'_, T> {
    /// The copy.
    #[inline(always)]
    pub fn copy(self) -> T {
        self.0.duplicate()
    }
    /// The copy, whose lists have memory of the pool.
    #[inline(always)]
    pub fn copy_in(self, pool: &mut Pool<T::Base>) -> T {
        self.0.copied(pool)
    }
}

/// By the type's own `Clone`, if it has one.
pub trait CopyByClone {
    /// The type.
    type Of;
    /// The copy.
    fn copy(self) -> Self::Of;
    /// The same: it has memory of its own.
    fn copy_in<P>(self, _: P) -> Self::Of;
}

impl<T: Clone> CopyByClone for Original<'_, T> {
    type Of = T;
    #[inline(always)]
    fn copy_in<P>(self, _: P) -> T {
        self.0.clone()
    }
    #[inline(always)]
    fn copy(self) -> T {
        self.0.clone()
    }
}

/// Values side by side, of which copies are asked for: `Originals(&values[..]).copies(pool)`.
#[derive(Clone, Copy, Debug)]
pub struct Originals<'v, T>(pub &'v [T]);

/// Part by part.
impl<T: Active> Originals<'_, T> {
    /// The copies, in memory of the pool.
    #[inline]
    pub fn copies<F>(self, pool: &mut Pool<F>) -> Vec<T> {
        let mut list = T::room(self.0.len(), pool);
        list.extend(self.0.iter().map(Active::duplicate));
        list
    }
}

/// By the `Clone` of the values.
pub trait CopiesByClone {
    /// The type.
    type Of;
    /// The copies.
    fn copies<P>(self, _: P) -> Vec<Self::Of>;
}

impl<T: Clone> CopiesByClone for Originals<'_, T> {
    type Of = T;
    #[inline]
    fn copies<P>(self, _: P) -> Vec<T> {
        self.0.to_vec()
    }
}

/// A value that is repeated: `Repeated(value).times(len, pool)`.
#[derive(Clone, Copy, Debug)]
pub struct Repeated<T>(pub T);

/// Part by part.
impl<T: Active> Repeated<T> {
    /// The vector, in memory of the pool.
    #[inline]
    pub fn times<F>(self, len: usize, pool: &mut Pool<F>) -> Vec<T> {
        let mut list = T::room(len, pool);
        list.extend((0..len).map(|_| self.0.duplicate()));
        list
    }
}

/// By the `Clone` of the value.
pub trait RepeatedByClone {
    /// The type.
    type Of;
    /// The vector.
    fn times<P>(self, len: usize, _: P) -> Vec<Self::Of>;
}

impl<T: Clone> RepeatedByClone for Repeated<T> {
    type Of = T;
    #[inline]
    fn times<P>(self, len: usize, _: P) -> Vec<T> {
        vec![self.0; len]
    }
}

/// Values that become a vector: `Listed([a, b]).list(pool)`.
#[derive(Clone, Copy, Debug)]
pub struct Listed<T, const N: usize>(pub [T; N]);

/// Of values that carry derivatives.
impl<T: Active, const N: usize> Listed<T, N> {
    /// The vector, in memory of the pool.
    #[inline]
    pub fn list<F>(self, pool: &mut Pool<F>) -> Vec<T> {
        let mut list = T::room(N, pool);
        list.extend(self.0);
        list
    }
}

/// Of any values.
pub trait ListedAlone {
    /// The type.
    type Of;
    /// The vector.
    fn list<P>(self, _: P) -> Vec<Self::Of>;
}

impl<T, const N: usize> ListedAlone for Listed<T, N> {
    type Of = T;
    #[inline]
    fn list<P>(self, _: P) -> Vec<T> {
        self.0.into()
    }
}

/// A value whose `Clone` has to be a copy: derivative code copies part by part.
#[derive(Clone, Copy, Debug)]
pub struct Clones<'v, T: ?Sized>(pub &'v T);

/// A user's `Clone` is tried: on each value that is copied, or only until one has a number besides 0 and 1.
pub trait TriedIfCloned {
    /// # Panics
    ///
    /// If the clone is another value.
    fn is_copy(&self, tried: Option<&AtomicBool>);
}

impl<T: Active + Clone> TriedIfCloned for &Clones<'_, T> {
    #[inline]
    fn is_copy(&self, tried: Option<&AtomicBool>) {
        if !tried.is_some_and(|tried| tried.load(Ordering::Relaxed)) {
            try_clone(self.0, tried);
        }
    }
}

/// The last choice: the type has no `Clone`.
pub trait Untried {
    /// Nothing.
    fn is_copy(&self, tried: Option<&AtomicBool>);
}

impl<T: ?Sized> Untried for Clones<'_, T> {
    #[inline(always)]
    fn is_copy(&self, _: Option<&AtomicBool>) {}
}

/// Tries the `Clone` of a generic type, which a user wrote.
///
/// # Panics
///
/// If the clone is another value.
#[inline]
pub fn clone_is_copy<T: Active + ClonedForAll>(value: &T) {
    let mut copy = value.another();
    assert!(is_same(value, &copy, false), "{}", not_copied::<T>());
    value.another_onto(&mut copy);
    assert!(is_same(value, &copy, false), "{}", not_copied::<T>());
}

/// A generic type whose `Clone` holds for all of its parameters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a `Clone` of its own that not all types of its parameters have [D0505]",
    label = "diffi takes clones for copies, and cannot try this one",
    note = "derive `Clone`, or write it with the bounds that the type itself has"
)]
pub trait ClonedForAll: Sized {
    /// A clone.
    fn another(&self) -> Self;
    /// A clone, by `clone_from`.
    fn another_onto(&self, to: &mut Self);
}

#[diagnostic::do_not_recommend]
impl<T: Clone> ClonedForAll for T {
    #[inline]
    fn another(&self) -> T {
        self.clone()
    }
    #[inline]
    fn another_onto(&self, to: &mut T) {
        to.clone_from(self);
    }
}

fn not_copied<T>() -> String {
    format!(
        "`{}::clone` gives another value than its own, or one whose constants cannot be compared, and diffi takes clones for copies; \
         derive `Clone`, and give what this `clone` computes another name [D0505]",
        std::any::type_name::<T>()
    )
}

/// Only a value that is told apart from its square, or from one without numbers, says that its type's clones are copies.
#[cold]
fn try_clone<T: Active + Clone>(value: &T, tried: Option<&AtomicBool>) {
    let mut copy = value.clone();
    assert!(is_same(value, &copy, tried.is_some()), "{}", not_copied::<T>());
    copy.clone_from(value);
    assert!(is_same(value, &copy, tried.is_some()), "{}", not_copied::<T>());
    let telling = |v: &u64| ![0.0_f64, 1.0].map(f64::to_bits).contains(v);
    if let Some(tried) = tried {
        tried.store(numbers(value).iter().any(telling), Ordering::Relaxed);
    }
}

fn is_same<T: Active>(a: &T, b: &T, otherwise: bool) -> bool {
    numbers(a) == numbers(b) && dimensions(a) == dimensions(b) && a.has_constants_of(b, otherwise)
}

fn numbers<T: Active>(value: &T) -> Vec<u64> {
    let mut all = Vec::new();
    value.each(&mut |v| all.push(v.as_f64().to_bits()));
    all
}

fn dimensions<T: Active>(value: &T) -> Vec<usize> {
    let mut all = Vec::new();
    value.shape(&mut |n| all.push(n));
    all
}

/// Two constants, of which is asked whether they are equal: `(&&&Compared(&a, &b)).are_same(otherwise)`, where `otherwise` is said of those
/// that cannot be compared.
#[derive(Debug)]
pub struct Compared<'v, T: ?Sized>(pub &'v T, pub &'v T);

/// By their `PartialEq`. What does not equal itself, as NaN, is not told apart.
pub trait ComparedByEq {
    /// Whether they are.
    fn are_same(&self, otherwise: bool) -> bool;
}

impl<T: PartialEq + ?Sized> ComparedByEq for &&Compared<'_, T> {
    #[inline]
    #[allow(clippy::eq_op)]
    fn are_same(&self, _: bool) -> bool {
        self.0 == self.1 || self.1 != self.1
    }
}

/// Part by part.
pub trait ComparedByParts {
    /// Whether they are.
    fn are_same(&self, otherwise: bool) -> bool;
}

impl<T: Active> ComparedByParts for &Compared<'_, T> {
    #[inline]
    fn are_same(&self, otherwise: bool) -> bool {
        is_same(self.0, self.1, otherwise)
    }
}

/// Not at all.
pub trait NotCompared {
    /// Whether they are.
    fn are_same(&self, otherwise: bool) -> bool;
}

impl<T: ?Sized> NotCompared for Compared<'_, T> {
    #[inline]
    fn are_same(&self, otherwise: bool) -> bool {
        otherwise
    }
}

/// The copy of a value, if it is equal.
///
/// # Panics
///
/// If it is not, while the value equals itself.
#[inline]
pub fn checked_copy<T: PartialEq>(copy: T, of: &T) -> T {
    let same = (&&&Compared(&copy, of)).are_same(true);
    copy_of_constant(copy, same)
}

/// The copy of a constant, if it is one.
///
/// # Panics
///
/// If it is none.
#[inline]
pub fn copy_of_constant<T>(copy: T, is_same: bool) -> T {
    assert!(
        is_same,
        "`{}::clone` gives another value than its own, or one that cannot be compared, and derivative code copies constants; derive \
         `Clone` or `PartialEq` [D0505]",
        std::any::type_name::<T>()
    );
    copy
}

/// What is found last says what is missing.
pub trait CopyRefused<T> {
    /// For a value that cannot be copied.
    fn copy(&self) -> T
    where
        T: Copyable;
    /// The same.
    fn copy_in<P>(&self, _: P) -> T
    where
        T: Copyable;
}

impl<T> CopyRefused<T> for Original<'_, T> {
    fn copy(&self) -> T
    where
        T: Copyable,
    {
        unreachable!("no type is meant")
    }
    fn copy_in<P>(&self, _: P) -> T
    where
        T: Copyable,
    {
        unreachable!("no type is meant")
    }
}

/// A type with copies.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` cannot be copied for derivative code [D0809]",
    label = "has no `Clone`",
    note = "put `#[derive(Clone)]` on `{Self}`; types that derive `Differentiable` need none"
)]
pub trait Copyable {}

/// A value that the tape keeps, and that is not found a second time.
#[inline(always)]
pub fn held<T>(value: T) -> T {
    value
}

/// A number, or a reference to one, as what the tape keeps.
pub trait HeldNumber {
    /// The number.
    type Number;
    /// The number.
    fn held_number(self) -> Self::Number;
}

impl<T: HeldNumber + Copy> HeldNumber for &T {
    type Number = T::Number;
    #[inline(always)]
    fn held_number(self) -> T::Number {
        (*self).held_number()
    }
}

macro_rules! numbers {
    ($($Number:ty)+) => { $(
        impl HeldNumber for $Number {
            type Number = $Number;
            #[inline(always)]
            fn held_number(self) -> $Number {
                self
            }
        }
    )+ };
}
numbers! { f64 f32 usize isize u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 bool }
