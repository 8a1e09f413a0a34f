//! Seeds: the tangents and cotangents that users pass to operators, one or several at once.

use crate::error::{Error, Result};
use crate::number::active::{Active, Member, Place};
use crate::number::arities::arities;
use crate::number::batch::{Float, Lanes};
use crate::number::hlist::{Cons, List, Nil, cons, pairs};
use crate::number::shape::{self, Shape};
use crate::number::tangent::Tangent;
use crate::number::width::{BatchWidth, Many, One};
use ndarray::{Array, ArrayView, Dimension};

/// A seed for the place `P`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a seed for `{P}` [D0603]",
    label = "not a seed for `{P}`",
    note = "tangents look like the active arguments, cotangents like the result; several members stand in a tuple",
    note = "all numbers are of the function's own float type, and a struct `Point` has tangents `PointTangent`"
)]
pub trait Seed<P: Place + ?Sized> {
    /// Passes on the lengths of all containers.
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// Copies the seed, which must be of the same shape.
    fn copy_to(&self, shadow: &mut P::Shadow<P::Base>);
    /// Passes on every number.
    fn each(&self, f: &mut impl FnMut(P::Base));
    /// All numbers, if they stand side by side.
    #[inline]
    fn numbers(&self) -> Option<&[P::Base]> {
        None
    }
    /// The numbers of several seeds, if each is one.
    #[inline]
    fn numbers_of(_: &[Self]) -> Option<&[P::Base]>
    where
        Self: Sized,
    {
        None
    }
}

impl<P: Place + ?Sized, X: Seed<P> + ?Sized> Seed<P> for &X {
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        X::shape(self, dim);
    }
    #[inline]
    fn copy_to(&self, shadow: &mut P::Shadow<P::Base>) {
        X::copy_to(self, shadow);
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(P::Base)) {
        X::each(self, f);
    }
    #[inline]
    fn numbers(&self) -> Option<&[P::Base]> {
        X::numbers(self)
    }
}

/// Floats are their own seeds.
macro_rules! float {
    ($($F:ident)+) => { $(
        impl Seed<$F> for $F {
            #[inline]
            fn shape(&self, _: &mut dyn FnMut(usize)) {}
            #[inline]
            fn copy_to(&self, shadow: &mut $F) {
                *shadow = *self;
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut($F)) {
                f(*self);
            }
            #[inline]
            fn numbers(&self) -> Option<&[$F]> {
                Some(std::slice::from_ref(self))
            }
            #[inline]
            fn numbers_of(several: &[$F]) -> Option<&[$F]> {
                Some(several)
            }
        }
    )+ };
}
float!(f32 f64);

/// One line per place: its seed, which is its plain shadow.
macro_rules! seed {
    ($([$($generics:tt)*] $P:ty: $X:ty;)+) => { $(
        impl<$($generics)*> Seed<$P> for $X {
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                Tangent::<<$P as Place>::Base>::shape(self, dim);
            }
            #[inline]
            fn copy_to(&self, shadow: &mut <$P as Place>::Shadow<<$P as Place>::Base>) {
                Tangent::<<$P as Place>::Base>::set(shadow, self);
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(<$P as Place>::Base)) {
                Tangent::<<$P as Place>::Base>::each(self, f);
            }
        }
    )+ };
}
seed! {
    [T: Active] Option<T>: Option<T::Tangent<T::Base>>;
    [T: Active] Box<T>: Box<T::Tangent<T::Base>>;
}

/// One line per place with elements: a container of seeds for these, so that rustc says which element's seed is none.
macro_rules! elements {
    ($([$($generics:tt)*] $P:ty: $X:ty, |$x:ident, $dim:ident| $shape:expr, $slice:expr;)+) => { $(
        impl<T: Active, X: Seed<T>, $($generics)*> Seed<$P> for $X {
            #[inline]
            fn shape(&self, $dim: &mut dyn FnMut(usize)) {
                let $x = self;
                $shape;
                shape::told(T::FIXED, self.iter()).for_each(|v| v.shape($dim));
            }
            #[inline]
            fn copy_to(&self, shadow: &mut <$P as Place>::Shadow<T::Base>) {
                shadow.iter_mut().zip(self.iter()).for_each(|(to, from)| from.copy_to(to));
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(T::Base)) {
                self.iter().for_each(|v| v.each(f));
            }
            #[inline]
            fn numbers(&self) -> Option<&[T::Base]> {
                let $x = self;
                X::numbers_of($slice?)
            }
        }
    )+ };
}
elements! {
    [] [T]: [X], |x, dim| dim(x.len()), Some(x);
    [] [T]: Vec<X>, |x, dim| dim(x.len()), Some(&x[..]);
    [const N: usize] [T]: [X; N], |x, dim| dim(x.len()), Some(&x[..]);
    [] Vec<T>: Vec<X>, |x, dim| dim(x.len()), Some(&x[..]);
    [] Vec<T>: [X], |x, dim| dim(x.len()), Some(x);
    [const N: usize] Vec<T>: [X; N], |x, dim| dim(x.len()), Some(&x[..]);
    [const N: usize] [T; N]: [X; N], |x, dim| dim(x.len()), Some(&x[..]);
    [D: Dimension + 'static] Array<T, D>: Array<X, D>, |x, dim| x.raw_dim().slice().iter().for_each(|n| dim(*n)), x.as_slice();
    [D: Dimension + 'static] Array<T, D>: ArrayView<'_, X, D>, |x, dim| x.raw_dim().slice().iter().for_each(|n| dim(*n)), x.as_slice();
}

macro_rules! tuple {
    ($($T:ident $X:ident $x:ident $t:ident),+) => {
        impl<F: Float, $($T: Active<Base = F>, $X: Seed<$T>),+> Seed<($($T,)+)> for ($($X,)+) {
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                let ($($x,)+) = self;
                $($x.shape(dim);)+
            }
            #[inline]
            fn copy_to(&self, ($($t,)+): &mut ($(<$T as Active>::Tangent<F>,)+)) {
                let ($($x,)+) = self;
                $($x.copy_to($t);)+
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(F)) {
                let ($($x,)+) = self;
                $($x.each(f);)+
            }
        }
    };
}
tuple!(T0 X0 x0 t0);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2, T3 X3 x3 t3);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2, T3 X3 x3 t3, T4 X4 x4 t4);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2, T3 X3 x3 t3, T4 X4 x4 t4, T5 X5 x5 t5);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2, T3 X3 x3 t3, T4 X4 x4 t4, T5 X5 x5 t5, T6 X6 x6 t6);
tuple!(T0 X0 x0 t0, T1 X1 x1 t1, T2 X2 x2 t2, T3 X3 x3 t3, T4 X4 x4 t4, T5 X5 x5 t5, T6 X6 x6 t6, T7 X7 x7 t7);

/// Seeds for all members of a list: bare or as a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a seed here [D0603]",
    label = "does not look like `{L}`",
    note = "tangents look like the active arguments, cotangents like the result; several members stand in a tuple"
)]
pub trait SeedList<L: List> {
    /// Passes on the lengths of all containers.
    fn shape(&self, dim: &mut dyn FnMut(usize));
    /// Copies the seeds, which must be of the same shape.
    fn copy_to(&self, shadows: L::Muts<'_, L::Base>);
    /// Passes on every number.
    fn each(&self, f: &mut impl FnMut(L::Base));
    /// All numbers, if they stand side by side.
    #[inline]
    fn numbers(&self) -> Option<&[L::Base]> {
        None
    }
}

impl<P: Member + ?Sized, X: Seed<P>> SeedList<Cons<P, Nil<P::Base>>> for X {
    #[inline]
    fn shape(&self, dim: &mut dyn FnMut(usize)) {
        Seed::shape(self, dim);
        Shape::next(dim);
    }
    #[inline]
    fn copy_to(&self, (shadow, ()): (&mut P::Shadow<P::Base>, ())) {
        Seed::copy_to(self, shadow);
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(P::Base)) {
        Seed::each(self, f);
    }
    #[inline]
    fn numbers(&self) -> Option<&[P::Base]> {
        Seed::numbers(self)
    }
}

macro_rules! list {
    ([$K:ident $P:ident $X:ident $x:ident $i:tt]) => {};
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        list!(@ ($($X,)+), $($P $X $x $i),+);
        list!(@ &($($X,)+), $($P $X $x $i),+);
    };
    (@ $Tuple:ty, $($P:ident $X:ident $x:ident $i:tt),+) => {
        impl<F: Float, $($P: Member<Base = F> + ?Sized, $X: Seed<$P>),+> SeedList<cons!(F; $($P)+)> for $Tuple {
            #[inline]
            fn shape(&self, dim: &mut dyn FnMut(usize)) {
                $(
                    self.$i.shape(dim);
                    Shape::next(dim);
                )+
            }
            #[inline]
            fn copy_to(&self, pairs!($($x)+): <cons!(F; $($P)+) as List>::Muts<'_, F>) {
                $(self.$i.copy_to($x);)+
            }
            #[inline]
            fn each(&self, f: &mut impl FnMut(F)) {
                $(self.$i.each(f);)+
            }
        }
    };
}
arities!(list);

/// The seeds of an operator: `W` is [`One`] or [`Many`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a seed here [D0603]",
    label = "does not look like `{L}`",
    note = "tangents look like the active arguments, cotangents like the result; several members stand in a tuple",
    note = "several seeds stand in an array, `[&dx1, &dx2]`, and are of one type",
    note = "all numbers are of the function's own float type, and a struct `Point` has tangents `PointTangent`"
)]
pub trait Seeds<L: List, W: BatchWidth> {
    /// One of them.
    type One: SeedList<L>;
    /// One of them.
    fn get(&self, k: usize) -> &Self::One;
}

impl<L: List, X: SeedList<L>> Seeds<L, One> for X {
    type One = X;
    #[inline]
    fn get(&self, _: usize) -> &X {
        self
    }
}

impl<L: List, X: SeedList<L>, const N: usize> Seeds<L, Many<N>> for [X; N] {
    type One = X;
    #[inline]
    fn get(&self, k: usize) -> &X {
        &self[k]
    }
}

/// Whether all seeds have the shape `expected`.
#[inline(always)]
pub(crate) fn check<L: List, W: BatchWidth>(seeds: &impl Seeds<L, W>, expected: &Shape) -> Result<()> {
    for k in 0..W::N {
        let seed = seeds.get(k);
        if !expected.matches(|dim| seed.shape(dim)) {
            let [expected, found] = expected.clone().beside(Shape::of(|dim| seed.shape(dim)));
            return Err(Error::SeedMismatch { expected, found });
        }
    }
    Ok(())
}

/// Copies all seeds, which must be of the right shape, into one shadow.
#[inline]
pub(crate) fn load<L: List, W: BatchWidth>(
    seeds: &impl Seeds<L, W>,
    shadows: L::Muts<'_, W::Space<L::Base>>,
    numbers: &mut Vec<L::Base>,
) {
    let mut shadows = match W::spread::<L>(shadows) {
        Ok(plain) => return seeds.get(0).copy_to(plain),
        Err(shadows) => shadows,
    };
    // Numbers that stand side by side are written as they are read.
    if let Some(all) = L::side_by_side_mut(&mut shadows) {
        if (0..W::N).all(|k| seeds.get(k).numbers().is_some_and(|numbers| numbers.len() == all.len())) {
            return interleave::<L, W>(seeds, all);
        }
        for k in 0..W::N {
            let mut all = all.iter_mut();
            seeds.get(k).each(&mut |v| all.next().into_iter().for_each(|a| a.set_lane(k, v)));
        }
        return;
    }
    for k in 0..W::N {
        numbers.clear();
        seeds.get(k).each(&mut |v| numbers.push(v));
        let mut numbers = numbers.iter();
        L::each(L::again(&mut shadows), &mut |a| {
            numbers.next().into_iter().for_each(|v| a.set_lane(k, *v));
        });
    }
}

/// How many numbers of a seed are copied in a row: so few that what they are copied to stays in the nearest cache for the other seeds.
const AT_ONCE: usize = 64;

/// Copies seeds that are slices of numbers.
fn interleave<L: List, W: BatchWidth>(seeds: &impl Seeds<L, W>, all: &mut [W::Space<L::Base>]) {
    for (block, several) in all.chunks_mut(AT_ONCE).enumerate() {
        let at = block * AT_ONCE..block * AT_ONCE + several.len();
        for k in 0..W::N {
            let numbers = seeds.get(k).numbers().and_then(|numbers| numbers.get(at.clone())).unwrap_or_default();
            several.iter_mut().zip(numbers).for_each(|(to, v)| to.set_lane(k, *v));
        }
    }
}
