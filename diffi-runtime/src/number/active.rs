//! Which types carry derivatives, and what their tangents are.
//!
//! A *shadow* is the tangent or the adjoint of a value: the same shape, with every float replaced by an element of a linear space `A`.
//! [`Active`] maps an owned type to its shadow, [`Place`] does the same for what may stand behind a reference.

use crate::number::tangent::Tangent;

use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::stack::lasting::{Give, Question, Take};
use crate::stack::workspace::Pool;
use std::fmt::Debug;

/// What is done with vectors of vectors, and of arrays, of elements that are not known to be floats.
macro_rules! nested_defaults {
    () => {
        /// [`zero_vec`](Active::zero_vec) for rows of such values.
        #[doc(hidden)]
        #[inline]
        fn zero_rows<A: LinearSpace<Self::Base>>(rows: &[Vec<Self>], pool: &mut Pool<A>) -> Vec<Vec<Self::Tangent<A>>> {
            let mut zeros = pool.shelf.take(rows.len());
            zeros.extend(rows.iter().map(|row| Self::zero_vec(row, pool)));
            zeros
        }
        /// [`release_vec`](Active::release_vec) for rows.
        #[doc(hidden)]
        #[inline]
        fn release_rows<A: LinearSpace<Self::Base>>(mut rows: Vec<Vec<Self::Tangent<A>>>, pool: &mut Pool<A>) {
            rows.drain(..).rev().for_each(|row| Self::release_vec(row, pool));
            pool.shelf.give(rows);
        }
        /// [`recycle_all`](Active::recycle_all) for rows.
        #[doc(hidden)]
        #[inline]
        fn recycle_rows(rows: Vec<Vec<Self>>, pool: &mut Pool<Self::Base>) {
            rows.into_iter().for_each(|row| Self::recycle_all(row, pool));
        }
        /// [`copy_all`](Active::copy_all) for rows.
        #[doc(hidden)]
        #[inline]
        fn copy_rows(rows: &[Vec<Self>], pool: &mut Pool<Self::Base>) -> Vec<Vec<Self>> {
            rows.iter().map(|row| Self::copy_all(row, pool)).collect()
        }
        /// [`zero_vec`](Active::zero_vec) for arrays.
        #[doc(hidden)]
        #[inline]
        fn zero_arrays<A: LinearSpace<Self::Base>, const N: usize>(
            arrays: &[[Self; N]],
            pool: &mut Pool<A>,
        ) -> Vec<[Self::Tangent<A>; N]> {
            let mut zeros = pool.shelf.take(arrays.len());
            zeros.extend(arrays.iter().map(|array| array.zeros(pool)));
            zeros
        }
        /// [`release_vec`](Active::release_vec) for arrays.
        #[doc(hidden)]
        #[inline]
        fn release_arrays<A: LinearSpace<Self::Base>, const N: usize>(
            mut arrays: Vec<[Self::Tangent<A>; N]>,
            pool: &mut Pool<A>,
        ) {
            arrays.drain(..).rev().flatten().for_each(|t| Self::release(t, pool));
            pool.shelf.give(arrays);
        }
        /// [`recycle_all`](Active::recycle_all) for arrays.
        #[doc(hidden)]
        #[inline]
        fn recycle_arrays<const N: usize>(arrays: Vec<[Self; N]>, pool: &mut Pool<Self::Base>) {
            arrays.into_iter().flatten().for_each(|value| value.recycle(pool));
        }
    };
}

/// The same for floats: the memory comes from the pool.
macro_rules! nested_floats {
    ($F:ident) => {
        #[inline]
        fn zero_rows<A: LinearSpace<$F>>(rows: &[Vec<$F>], pool: &mut Pool<A>) -> Vec<Vec<A>> {
            pool.rows(rows.len(), |pool, k| pool.take(rows[k].len(), A::ZERO))
        }
        #[inline]
        fn release_rows<A: LinearSpace<$F>>(rows: Vec<Vec<A>>, pool: &mut Pool<A>) {
            pool.give_rows(rows);
        }
        #[inline]
        fn recycle_rows(rows: Vec<Vec<$F>>, pool: &mut Pool<$F>) {
            pool.give_rows(rows);
        }
        #[inline]
        fn copy_rows(rows: &[Vec<$F>], pool: &mut Pool<$F>) -> Vec<Vec<$F>> {
            pool.rows(rows.len(), |pool, k| pool.take_copy(&rows[k]))
        }
        #[inline]
        fn zero_arrays<A: LinearSpace<$F>, const N: usize>(arrays: &[[$F; N]], pool: &mut Pool<A>) -> Vec<[A; N]> {
            let mut zeros = pool.shelf.take(arrays.len());
            zeros.resize(arrays.len(), [A::ZERO; N]);
            zeros
        }
        #[inline]
        fn release_arrays<A: LinearSpace<$F>, const N: usize>(arrays: Vec<[A; N]>, pool: &mut Pool<A>) {
            pool.shelf.give(arrays);
        }
        #[inline]
        fn recycle_arrays<const N: usize>(arrays: Vec<[$F; N]>, pool: &mut Pool<$F>) {
            pool.shelf.give(arrays);
        }
    };
}
/// An owned type that carries derivatives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot carry a derivative [D0808]",
    label = "no tangent is known for `{Self}`",
    note = "put `#[derive(Differentiable)]` on `{Self}`, or mark the parameter, the variable or the field constant",
    note = "numbers, arrays, slices, `Vec`s and `ndarray`'s arrays carry derivatives by themselves"
)]
pub trait Active: Sized + 'static {
    /// The float that the type is made of.
    type Base: Float;
    /// The same shape over another linear space.
    type Tangent<A: LinearSpace<Self::Base>>: Tangent<A> + Clone + Debug + Send;
    /// Whether the type alone fixes the shape.
    const FIXED: bool;
    /// The most numbers that a value can have, as far as the type tells.
    const MOST: usize = usize::MAX;

    /// A shadow of this value's shape, all [`LinearSpace::ZERO`].
    fn zeros<A: LinearSpace<Self::Base>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A>;
    /// The smallest shadow, made without allocation; of the right shape where that is [`FIXED`](Active::FIXED).
    fn empty<A: LinearSpace<Self::Base>>() -> Self::Tangent<A>;
    /// Gives the buffers of a shadow back.
    fn release<A: LinearSpace<Self::Base>>(t: Self::Tangent<A>, pool: &mut Pool<A>);
    /// A copy, with buffers of the pool: users' types need no `Clone`.
    #[doc(hidden)]
    fn copied(&self, pool: &mut Pool<Self::Base>) -> Self;
    /// A copy, with buffers of its own.
    #[doc(hidden)]
    #[inline]
    fn duplicate(&self) -> Self {
        Pool::of_its_own(|pool| self.copied(pool))
    }
    /// Whether another value has the same constants beside its numbers, where `otherwise` is said of those that cannot be compared.
    #[doc(hidden)]
    fn has_constants_of(&self, _other: &Self, _otherwise: bool) -> bool {
        true
    }
    /// `own = self`, in the storage that `own` has.
    #[doc(hidden)]
    #[inline]
    fn copy_into(&self, own: &mut Self) {
        *own = self.duplicate();
    }
    /// The same of several values.
    #[doc(hidden)]
    #[inline]
    fn copy_all(several: &[Self], pool: &mut Pool<Self::Base>) -> Vec<Self> {
        let mut copies = Self::room(several.len(), pool);
        copies.extend(several.iter().map(|value| value.copied(pool)));
        copies
    }
    /// Gives the buffers of an array of values back.
    #[doc(hidden)]
    #[inline]
    fn recycle(self, _: &mut Pool<Self::Base>) {}
    /// The same of several values.
    #[doc(hidden)]
    #[inline]
    fn recycle_all(mut several: Vec<Self>, pool: &mut Pool<Self::Base>) {
        several.drain(..).rev().for_each(|value| value.recycle(pool));
        Self::vacate(several, pool);
    }
    /// Whether vectors of such values may wait in the pool.
    #[doc(hidden)]
    #[inline]
    fn ask<Q: Question<Self>>(question: Q) -> Q::Answer {
        question.passing()
    }
    /// An empty vector with room for several values: from the pool, if that may hold vectors of this type.
    #[doc(hidden)]
    #[inline]
    fn room<F>(n: usize, pool: &mut Pool<F>) -> Vec<Self> {
        Self::ask(Take { n, shelf: &mut pool.shelf })
    }
    /// Gives an empty vector back.
    #[doc(hidden)]
    #[inline]
    fn vacate<F>(vector: Vec<Self>, pool: &mut Pool<F>) {
        Self::ask(Give { vector, shelf: &mut pool.shelf });
    }
    /// A shadow that stands for zeros, and is not read before it is replaced or [initialised](Active::initialise).
    #[doc(hidden)]
    #[inline]
    fn fresh<A: LinearSpace<Self::Base>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A> {
        self.zeros(pool)
    }
    /// The same in a place that lasts as long as a loop: it may hold what the iteration before left there.
    #[doc(hidden)]
    #[inline]
    fn fresh_in<'k, A: LinearSpace<Self::Base>>(
        &self,
        place: &'k mut Option<Self::Tangent<A>>,
        pool: &mut Pool<A>,
    ) -> &'k mut Self::Tangent<A> {
        if let Some(last) = place.take() {
            last.recycle(pool);
        }
        place.insert(self.fresh(pool))
    }
    /// The same in the memory of another shadow: it may hold what that held.
    #[doc(hidden)]
    #[inline]
    fn fresh_of<A: LinearSpace<Self::Base>>(&self, last: Self::Tangent<A>, pool: &mut Pool<A>) -> Self::Tangent<A> {
        last.recycle(pool);
        self.fresh(pool)
    }
    /// Makes zeros of what [`fresh`](Active::fresh) made, or of a shadow of the right shape that holds anything.
    #[doc(hidden)]
    #[inline]
    fn initialise<A: LinearSpace<Self::Base>>(&self, fresh: &mut Self::Tangent<A>, _: &mut Pool<A>) {
        fresh.clear();
    }

    /// Passes on the lengths of all containers, outermost first.
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// Passes on every number of the value itself.
    fn each(&self, f: &mut impl FnMut(Self::Base));
    /// Passes on every number of the value itself, to be changed.
    fn each_mut(&mut self, f: &mut impl FnMut(&mut Self::Base));

    /// All numbers in flattened order, where they stand side by side in memory.
    #[doc(hidden)]
    #[inline]
    fn floats(&self) -> Option<&[Self::Base]> {
        None
    }
    /// The same of several values.
    #[doc(hidden)]
    #[inline]
    fn all_floats(_: &[Self]) -> Option<&[Self::Base]> {
        None
    }
    /// Whether there is no value: `None`, or an `Err`. Where a function returns one, operators have no derivative to give.
    #[doc(hidden)]
    #[inline]
    fn is_absent(&self) -> bool {
        false
    }

    /// [`zeros`](Active::zeros) for a vector of such values.
    #[doc(hidden)]
    #[inline]
    fn zero_vec<A: LinearSpace<Self::Base>>(values: &[Self], pool: &mut Pool<A>) -> Vec<Self::Tangent<A>> {
        let mut zeros = pool.shelf.take(values.len());
        zeros.extend(values.iter().map(|v| v.zeros(pool)));
        zeros
    }
    /// [`release`](Active::release) for a vector of shadows.
    #[doc(hidden)]
    #[inline]
    fn release_vec<A: LinearSpace<Self::Base>>(mut t: Vec<Self::Tangent<A>>, pool: &mut Pool<A>) {
        t.drain(..).rev().for_each(|t| Self::release(t, pool));
        pool.shelf.give(t);
    }
    nested_defaults!();
}

/// A value that nothing reads any more: `Spent::new(value).recycle(&mut pool)` gives its buffers back, if it has any over the float `F`.
pub struct Spent<T, F>(T, std::marker::PhantomData<F>);

impl<T, F> Spent<T, F> {
    /// The value.
    #[inline(always)]
    pub fn new(value: T) -> Self {
        Spent(value, std::marker::PhantomData)
    }
}

impl<F: Float, T: Active<Base = F>> Spent<T, F> {
    /// Gives the buffers back.
    #[inline(always)]
    pub fn recycle(self, pool: &mut Pool<F>) {
        self.0.recycle(pool);
    }
}

/// Of all other values; the method above is found before.
pub trait Dropped: Sized {
    /// There is nothing to give back.
    #[inline(always)]
    fn recycle<P>(self, _: P) {}
}

impl<T, F> Dropped for Spent<T, F> {}

/// What may stand behind a reference and carry derivatives: every [`Active`] type, slices of them, and views.
pub trait Place {
    /// The float that the place is made of.
    type Base: Float;
    /// What a reference to the shadow points to.
    type Shadow<A: LinearSpace<Self::Base>>: ?Sized + Tangent<A>;

    /// [`Active::initialise`].
    #[doc(hidden)]
    #[inline]
    fn initialise<A: LinearSpace<Self::Base>>(&self, fresh: &mut Self::Shadow<A>, _: &mut Pool<A>) {
        fresh.clear();
    }
}

/// A place whose values and shadows can be owned: an input or an output of an operator.
pub trait Member: Place + 'static {
    /// Owns a shadow: what operators return.
    type Store<A: LinearSpace<Self::Base>>: Tangent<A> + Clone + Debug + Send;
    /// Owns a value.
    type Own: Active<Base = Self::Base>;
    /// Whether a function that may write to it can change how many numbers it has.
    const RESIZES: bool;
    /// The most numbers that it can have, as far as the type tells.
    const MOST: usize = usize::MAX;

    /// A shadow of this place's shape, all zero.
    fn zero<A: LinearSpace<Self::Base>>(&self) -> Self::Store<A>;
    /// The smallest shadow, made without allocation.
    fn empty<A: LinearSpace<Self::Base>>() -> Self::Store<A>;
    /// The shadow that is owned.
    fn shadow<A: LinearSpace<Self::Base>>(store: &mut Self::Store<A>) -> &mut Self::Shadow<A>;
    /// Passes on the lengths of all containers, outermost first.
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// A copy of the value.
    fn own(&self) -> Self::Own;
    /// `own = self`, in the storage that `own` has.
    fn copy_to(&self, own: &mut Self::Own);
    /// The value that is owned.
    fn lend(own: &mut Self::Own) -> &mut Self;
    /// Passes on every number.
    fn each(&self, f: &mut impl FnMut(Self::Base));
    /// Passes on every number, to be changed.
    fn each_mut(&mut self, f: &mut impl FnMut(&mut Self::Base));
    /// `self = other`, of the same shape.
    fn set(&mut self, other: &Self);
    /// All numbers in flattened order, where they stand side by side in memory.
    #[doc(hidden)]
    #[inline]
    fn floats(&self) -> Option<&[Self::Base]> {
        None
    }
}

impl<T: Active> Place for T {
    type Base = T::Base;
    type Shadow<A: LinearSpace<T::Base>> = T::Tangent<A>;

    #[inline]
    fn initialise<A: LinearSpace<T::Base>>(&self, fresh: &mut T::Tangent<A>, pool: &mut Pool<A>) {
        Active::initialise(self, fresh, pool);
    }
}

impl<T: Active> Member for T {
    type Store<A: LinearSpace<T::Base>> = T::Tangent<A>;
    type Own = T;
    const RESIZES: bool = !T::FIXED;
    const MOST: usize = T::MOST;

    #[inline]
    fn zero<A: LinearSpace<T::Base>>(&self) -> T::Tangent<A> {
        Pool::of_its_own(|pool| Active::zeros(self, pool))
    }
    #[inline]
    fn empty<A: LinearSpace<T::Base>>() -> T::Tangent<A> {
        <T as Active>::empty()
    }
    #[inline]
    fn shadow<A: LinearSpace<T::Base>>(store: &mut T::Tangent<A>) -> &mut T::Tangent<A> {
        store
    }
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Active::shape(self, dim);
    }
    #[inline]
    fn own(&self) -> T {
        self.duplicate()
    }
    #[inline]
    fn copy_to(&self, own: &mut T) {
        self.copy_into(own);
    }
    #[inline]
    fn lend(own: &mut T) -> &mut T {
        own
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(T::Base)) {
        Active::each(self, f);
    }
    #[inline]
    fn each_mut(&mut self, f: &mut impl FnMut(&mut T::Base)) {
        Active::each_mut(self, f);
    }
    #[inline]
    fn floats(&self) -> Option<&[T::Base]> {
        Active::floats(self)
    }
    #[inline]
    fn set(&mut self, other: &T) {
        other.copy_into(self);
    }
}

macro_rules! float {
    ($($F:ident)+) => { $(
        impl Active for $F {
            type Base = $F;
            type Tangent<A: LinearSpace<$F>> = A;
            const FIXED: bool = true;
            const MOST: usize = 1;

            #[inline]
            fn ask<Q: Question<$F>>(question: Q) -> Q::Answer {
                question.lasting()
            }

            #[inline]
            fn floats(&self) -> Option<&[$F]> {
                Some(std::slice::from_ref(self))
            }
            #[inline]
            fn all_floats(several: &[$F]) -> Option<&[$F]> {
                Some(several)
            }

            #[inline]
            fn zeros<A: LinearSpace<$F>>(&self, _: &mut Pool<A>) -> A {
                A::ZERO
            }
            #[inline]
            fn empty<A: LinearSpace<$F>>() -> A {
                A::ZERO
            }
            #[inline]
            fn release<A: LinearSpace<$F>>(_: A, _: &mut Pool<A>) {}
            #[inline]
            fn copied(&self, _: &mut Pool<$F>) -> $F {
                *self
            }
            #[inline]
            fn duplicate(&self) -> $F {
                *self
            }
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                f(*self);
            }
            #[inline]
            fn each_mut(&mut self, f: &mut impl FnMut(&mut $F)) {
                f(self);
            }
            #[inline]
            fn zero_vec<A: LinearSpace<$F>>(values: &[$F], pool: &mut Pool<A>) -> Vec<A> {
                pool.take(values.len(), A::ZERO)
            }
            #[inline]
            fn release_vec<A: LinearSpace<$F>>(t: Vec<A>, pool: &mut Pool<A>) {
                pool.give(t);
            }
            #[inline]
            fn copy_all(several: &[$F], pool: &mut Pool<$F>) -> Vec<$F> {
                pool.take_copy(several)
            }
            #[inline]
            fn recycle_all(several: Vec<$F>, pool: &mut Pool<$F>) {
                pool.give(several);
            }
            nested_floats!($F);
        }
    )+ };
}
float!(f32 f64);
