//! Slices, arrays, vectors, options, boxes and tuples.

use crate::number::active::{Active, Member, Place};
use crate::number::arities::arities;
use crate::number::linear_space::LinearSpace;
use crate::number::shape;
use crate::number::tangent::Tangent;
use crate::stack::lasting::{OfElements, Question};
use crate::stack::workspace::Pool;

/// A container that is walked through by `iter()`: the shadow's walks, which are those of its elements.
macro_rules! walk_shadow {
    ($this:ident: $len:expr) => {
        #[inline]
        fn shape(&self, dim: &mut dyn FnMut(usize)) {
            let $this = self;
            dim($len);
            shape::told(T::FIXED, self.iter()).for_each(|t| t.shape(dim));
        }
        #[inline]
        fn each(&self, f: &mut impl FnMut(A)) {
            self.iter().for_each(|t| t.each(f));
        }
        #[inline]
        fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
            self.iter_mut().for_each(|t| t.each_mut(f));
        }
        #[inline]
        fn clear(&mut self) {
            self.iter_mut().for_each(Tangent::<A>::clear);
        }
    };
}

/// The same walks for the value.
macro_rules! walk_value {
    ($this:ident: $len:expr) => {
        #[inline]
        fn shape(&self, dim: &mut dyn FnMut(usize)) {
            let $this = self;
            dim($len);
            shape::told(T::FIXED, self.iter()).for_each(|v| v.shape(dim));
        }
        #[inline]
        fn each(&self, f: &mut impl FnMut(T::Base)) {
            self.iter().for_each(|v| v.each(f));
        }
        #[inline]
        fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
            self.iter_mut().for_each(|v| v.each_mut(f));
        }
    };
}

impl<A, T: Tangent<A>> Tangent<A> for [T] {
    const FIXED: bool = false;
    walk_shadow!(this: this.len());
    #[inline]
    fn side_by_side(&self) -> Option<&[A]> {
        T::all_side_by_side(self)
    }
    #[inline]
    fn side_by_side_mut(&mut self) -> Option<&mut [A]> {
        T::all_side_by_side_mut(self)
    }
    #[inline]
    fn acc(&mut self, other: &Self) {
        assert_eq!(self.len(), other.len(), "a shadow has the shape of its value");
        self.iter_mut().zip(other).for_each(|(a, b)| a.acc(b));
    }
    #[inline]
    fn set(&mut self, other: &Self) {
        assert_eq!(self.len(), other.len(), "a shadow has the shape of its value");
        self.iter_mut().zip(other).for_each(|(a, b)| a.set(b));
    }
}

impl<T: Active> Place for [T] {
    type Base = T::Base;
    type Shadow<A: LinearSpace<T::Base>> = [T::Tangent<A>];
}

impl<T: Active> Member for [T] {
    type Store<A: LinearSpace<T::Base>> = Vec<T::Tangent<A>>;
    type Own = Vec<T>;
    const RESIZES: bool = !T::FIXED;

    #[inline]
    fn zero<A: LinearSpace<T::Base>>(&self) -> Vec<T::Tangent<A>> {
        Pool::of_its_own(|pool| T::zero_vec(self, pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Vec<T::Tangent<A>> {
        Vec::new()
    }
    #[inline]
    fn shadow<A: LinearSpace<T::Base>>(store: &mut Vec<T::Tangent<A>>) -> &mut [T::Tangent<A>] {
        store
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        dim(self.len());
        shape::told(T::FIXED, self.iter()).for_each(|v| Active::shape(v, dim));
    }
    #[inline]
    fn own(&self) -> Vec<T> {
        Pool::of_its_own(|pool| T::copy_all(self, pool))
    }
    #[inline]
    fn copy_to(&self, own: &mut Vec<T>) {
        copy_elements(self, own);
    }
    #[inline]
    fn lend(own: &mut Vec<T>) -> &mut [T] {
        own
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        self.iter().for_each(|v| Active::each(v, f));
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        self.iter_mut().for_each(|v| Active::each_mut(v, f));
    }
    #[inline]
    fn set(&mut self, other: &[T]) {
        assert_eq!(self.len(), other.len(), "the place has the shape of its value");
        self.iter_mut().zip(other).for_each(|(own, value)| value.copy_into(own));
    }
    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        T::all_floats(self)
    }
}

impl<A, T: Tangent<A> + Clone> Tangent<A> for Vec<T> {
    const FIXED: bool = false;
    walk_shadow!(this: this.len());
    #[inline]
    fn side_by_side(&self) -> Option<&[A]> {
        T::all_side_by_side(self)
    }
    #[inline]
    fn side_by_side_mut(&mut self) -> Option<&mut [A]> {
        T::all_side_by_side_mut(self)
    }
    #[inline]
    fn acc(&mut self, other: &Self) {
        self.as_mut_slice().acc(other);
    }
    /// Takes the other's length too: that of an argument may change in the function.
    #[inline]
    fn set(&mut self, other: &Self) {
        match self.len() == other.len() {
            true => self.as_mut_slice().set(other),
            false => self.clone_from(other),
        }
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<A>) {
        T::recycle_all(self, pool);
    }
    #[inline]
    fn recycle_all(several: Vec<Self>, pool: &mut Pool<A>) {
        T::recycle_rows(several, pool);
    }
}

impl<T: Active> Active for Vec<T> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Vec<T::Tangent<A>>;
    const FIXED: bool = false;
    walk_value!(this: this.len());

    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        T::all_floats(self)
    }

    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Vec<T::Tangent<A>> {
        T::zero_vec(self, pool)
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Vec<T::Tangent<A>> {
        Vec::new()
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Vec<T::Tangent<A>>, pool: &mut Pool<A>) {
        T::release_vec(t, pool);
    }
    #[inline]
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        self.iter().zip(other).all(|(a, b)| a.has_constants_of(b, otherwise))
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        T::copy_all(self, pool)
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        copy_elements(self, own);
    }
    #[inline]
    fn copy_all(several: &[Self], pool: &mut Pool<T::Base>) -> Vec<Self> {
        T::copy_rows(several, pool)
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        T::recycle_all(self, pool);
    }
    #[inline]
    fn recycle_all(several: Vec<Self>, pool: &mut Pool<T::Base>) {
        T::recycle_rows(several, pool);
    }
    #[inline]
    fn zero_vec<A: LinearSpace<T::Base>>(values: &[Self], pool: &mut Pool<A>) -> Vec<Vec<T::Tangent<A>>> {
        T::zero_rows(values, pool)
    }
    #[inline]
    fn release_vec<A: LinearSpace<T::Base>>(t: Vec<Vec<T::Tangent<A>>>, pool: &mut Pool<A>) {
        T::release_rows(t, pool);
    }
    #[inline]
    fn fresh<A: LinearSpace<T::Base>>(&self, _: &mut Pool<A>) -> Vec<T::Tangent<A>> {
        Vec::new()
    }
    #[inline]
    fn initialise<A: LinearSpace<T::Base>>(&self, fresh: &mut Vec<T::Tangent<A>>, pool: &mut Pool<A>) {
        match self.len() == fresh.len() {
            true => fresh.clear(),
            false => *fresh = self.zeros(pool),
        }
    }
}

/// `own = values`, in the storage that it has.
#[inline]
fn copy_elements<T: Active>(values: &[T], own: &mut Vec<T>) {
    own.truncate(values.len());
    let (first, rest) = values.split_at(own.len());
    own.iter_mut().zip(first).for_each(|(own, value)| value.copy_into(own));
    own.extend(rest.iter().map(Active::duplicate));
}

impl<A, T: Tangent<A>, const N: usize> Tangent<A> for [T; N] {
    const FIXED: bool = T::FIXED;
    walk_shadow!(this: this.len());
    #[inline]
    fn side_by_side(&self) -> Option<&[A]> {
        T::all_side_by_side(self)
    }
    #[inline]
    fn side_by_side_mut(&mut self) -> Option<&mut [A]> {
        T::all_side_by_side_mut(self)
    }
    #[inline]
    fn all_side_by_side(several: &[Self]) -> Option<&[A]> {
        T::all_side_by_side(several.as_flattened())
    }
    #[inline]
    fn all_side_by_side_mut(several: &mut [Self]) -> Option<&mut [A]> {
        T::all_side_by_side_mut(several.as_flattened_mut())
    }
    #[inline]
    fn acc(&mut self, other: &Self) {
        self.as_mut_slice().acc(other);
    }
    #[inline]
    fn set(&mut self, other: &Self) {
        self.as_mut_slice().set(other);
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<A>) {
        self.into_iter().for_each(|shadow| shadow.recycle(pool));
    }
    #[inline]
    fn recycle_all(several: Vec<Self>, pool: &mut Pool<A>) {
        T::recycle_arrays(several, pool);
    }
}

impl<T: Active, const N: usize> Active for [T; N] {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = [T::Tangent<A>; N];
    const FIXED: bool = T::FIXED;
    const MOST: usize = T::MOST.saturating_mul(N);
    walk_value!(this: this.len());

    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        T::all_floats(self)
    }
    #[inline]
    fn all_floats(several: &[Self]) -> Option<&[T::Base]> {
        T::all_floats(several.as_flattened())
    }

    #[inline]
    fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
        T::ask(OfElements::<N, Q>(question))
    }
    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> [T::Tangent<A>; N] {
        std::array::from_fn(|i| self[i].zeros(pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> [T::Tangent<A>; N] {
        std::array::from_fn(|_| T::empty())
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: [T::Tangent<A>; N], pool: &mut Pool<A>) {
        t.into_iter().for_each(|t| T::release(t, pool));
    }
    #[inline]
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        self.iter().zip(other).all(|(a, b)| a.has_constants_of(b, otherwise))
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        std::array::from_fn(|i| self[i].copied(pool))
    }
    #[inline]
    fn duplicate(&self) -> Self {
        std::array::from_fn(|i| self[i].duplicate())
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        own.iter_mut().zip(self).for_each(|(own, value)| value.copy_into(own));
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        self.into_iter().for_each(|value| value.recycle(pool));
    }
    #[inline]
    fn recycle_all(several: Vec<Self>, pool: &mut Pool<T::Base>) {
        T::recycle_arrays(several, pool);
    }
    #[inline]
    fn zero_vec<A: LinearSpace<T::Base>>(values: &[Self], pool: &mut Pool<A>) -> Vec<[T::Tangent<A>; N]> {
        T::zero_arrays(values, pool)
    }
    #[inline]
    fn release_vec<A: LinearSpace<T::Base>>(t: Vec<[T::Tangent<A>; N]>, pool: &mut Pool<A>) {
        T::release_arrays(t, pool);
    }
}

impl<A, T: Tangent<A>> Tangent<A> for Option<T> {
    const FIXED: bool = false;
    walk_shadow!(this: usize::from(this.is_some()));
    #[inline]
    fn acc(&mut self, other: &Self) {
        if let (Some(a), Some(b)) = (self, other) {
            a.acc(b);
        }
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<A>) {
        self.into_iter().for_each(|shadow| shadow.recycle(pool));
    }
}

impl<T: Active> Active for Option<T> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Option<T::Tangent<A>>;
    const FIXED: bool = false;
    walk_value!(this: usize::from(this.is_some()));

    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Option<T::Tangent<A>> {
        self.as_ref().map(|v| v.zeros(pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Option<T::Tangent<A>> {
        T::FIXED.then(T::empty)
    }
    #[inline]
    fn is_absent(&self) -> bool {
        self.is_none()
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Option<T::Tangent<A>>, pool: &mut Pool<A>) {
        t.into_iter().for_each(|t| T::release(t, pool));
    }
    #[inline]
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        self.iter().zip(other).all(|(a, b)| a.has_constants_of(b, otherwise))
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        self.as_ref().map(|value| value.copied(pool))
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        match (self, own) {
            (Some(value), Some(own)) => value.copy_into(own),
            (value, own) => *own = value.as_ref().map(Active::duplicate),
        }
    }
    #[inline]
    fn recycle(self, pool: &mut Pool<T::Base>) {
        self.into_iter().for_each(|value| value.recycle(pool));
    }
}

impl<A, T: Tangent<A>> Tangent<A> for Box<T> {
    const FIXED: bool = false;

    #[inline]
    fn acc(&mut self, other: &Self) {
        (**self).acc(other);
    }
    #[inline]
    fn clear(&mut self) {
        Tangent::<A>::clear(&mut **self);
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Tangent::<A>::shape(&**self, dim);
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(A)) {
        (**self).each(f);
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
        (**self).each_mut(f);
    }
}

/// The shadow of a box has no cheap empty form when the type behind it is recursive: an enum supplies its own.
impl<T: Active> Active for Box<T> {
    type Base = T::Base;
    type Tangent<A: LinearSpace<T::Base>> = Box<T::Tangent<A>>;
    const FIXED: bool = false;

    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        (**self).shape(dim);
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        (**self).each(f);
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        (**self).each_mut(f);
    }
    #[inline]
    fn zeros<A: LinearSpace<T::Base>>(&self, pool: &mut Pool<A>) -> Box<T::Tangent<A>> {
        Box::new((**self).zeros(pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> Box<T::Tangent<A>> {
        Box::new(T::empty())
    }
    #[inline]
    fn release<A: LinearSpace<T::Base>>(t: Box<T::Tangent<A>>, pool: &mut Pool<A>) {
        T::release(*t, pool);
    }
    #[inline]
    fn has_constants_of(&self, other: &Self, otherwise: bool) -> bool {
        (**self).has_constants_of(other, otherwise)
    }
    #[inline]
    fn copied(&self, pool: &mut Pool<T::Base>) -> Self {
        Box::new((**self).copied(pool))
    }
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        (**self).copy_into(own);
    }
}

/// Shadows of as many members as a function may have parameters.
macro_rules! shadows {
    ($([$K:ident $P:ident $T:ident $x:ident $i:tt])+) => {
        impl<A, $($T: Tangent<A>),+> Tangent<A> for ($($T,)+) {
            const FIXED: bool = $(<$T as Tangent<A>>::FIXED)&&+;

            #[inline]
            fn acc(&mut self, other: &Self) {
                $(self.$i.acc(&other.$i);)+
            }
            #[inline]
            fn clear(&mut self) {
                $(Tangent::<A>::clear(&mut self.$i);)+
            }
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                $(Tangent::<A>::shape(&self.$i, dim);)+
            }
            #[inline]
            fn recycle(self, pool: &mut Pool<A>) {
                $(Tangent::<A>::recycle(self.$i, pool);)+
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(A)) {
                $(self.$i.each(f);)+
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut A)) {
                $(self.$i.each_mut(f);)+
            }
            #[inline]
            fn set(&mut self, other: &Self) {
                $(self.$i.set(&other.$i);)+
            }
        }
    };
}
arities!(shadows);

/// The shadow of what carries nothing.
impl<A> Tangent<A> for () {
    const FIXED: bool = true;

    #[inline]
    fn acc(&mut self, (): &Self) {}
    #[inline]
    fn clear(&mut self) {}
    #[inline]
    fn shape(&self, _: &mut dyn FnMut(usize)) {}
    #[inline]
    fn each(&self, _: &mut impl FnMut(A)) {}
    #[inline]
    fn each_mut(&mut self, _: &mut impl FnMut(&mut A)) {}
}
