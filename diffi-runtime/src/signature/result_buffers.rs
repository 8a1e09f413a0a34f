//! Result buffers: what users pass to be overwritten, one or several at once.

use crate::error::{Error, Result};
use crate::number::active::{Active, Member, Place};
use crate::number::arities::arities;
use crate::number::batch::{Float, Lanes};
use crate::number::hlist::{Cons, List, Nil, cons, pairs};
use crate::number::shape::Shape;
use crate::number::width::{BatchWidth, Many, One};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::param_kinds::Signature;
use ndarray::{Array, Dimension};

/// A buffer for what looks like the place `P`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold what looks like `{P}` [D0604]",
    label = "cannot hold what looks like `{P}`",
    note = "gradients look like the active arguments, pushforwards and derivatives like the result"
)]
pub trait Buffer<P: Place + ?Sized> {
    /// The memory.
    fn shadow(&mut self) -> &mut P::Shadow<P::Base>;
}

impl<P: Place + ?Sized, X: Buffer<P> + ?Sized> Buffer<P> for &mut X {
    #[inline]
    fn shadow(&mut self) -> &mut P::Shadow<P::Base> {
        X::shadow(self)
    }
}

/// What may stand in a buffer for derivatives by elements `T`, or of them: a trait of its own, so that rustc says which elements do not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold derivatives of `{T}` [D0604]",
    label = "made of `{Self}`",
    note = "all numbers are of the function's own float type, and a struct `Point` has tangents `PointTangent`"
)]
pub trait Slot<T: Active>: Sized {
    /// The same elements.
    fn slice(all: &mut [Self]) -> &mut [T::Tangent<T::Base>];
    /// The same elements.
    fn vec(all: &mut Vec<Self>) -> &mut Vec<T::Tangent<T::Base>>;
}

/// Both methods of [`Slot`].
macro_rules! slot {
    () => {
        #[inline]
        fn slice(all: &mut [Self]) -> &mut [Self] {
            all
        }
        #[inline]
        fn vec(all: &mut Vec<Self>) -> &mut Vec<Self> {
            all
        }
    };
}
#[cfg(any(feature = "num-complex", feature = "nalgebra"))]
pub(crate) use slot;

/// One line per place: its buffer, which is its plain shadow.
macro_rules! buffer {
    ($([$($generics:tt)*] $P:ty: $X:ty;)+) => { $(
        impl<$($generics)*> Buffer<$P> for $X {
            #[inline]
            fn shadow(&mut self) -> &mut Self {
                self
            }
        }

        impl<$($generics)*> Slot<$P> for $X {
            slot!();
        }
    )+ };
}
buffer! {
    [] f32: f32;
    [] f64: f64;
    [T: Active] Option<T>: Option<T::Tangent<T::Base>>;
    [T: Active] Box<T>: Box<T::Tangent<T::Base>>;
    [T: Active, D: Dimension + 'static] Array<T, D>: Array<T::Tangent<T::Base>, D>;
}

/// One line per place with elements: a container of what these can be written to.
macro_rules! elements {
    ($([$($generics:tt)*] $P:ty: $X:ty, |$x:ident| $shadow:expr;)+) => { $(
        impl<T: Active, X: Slot<T>, $($generics)*> Buffer<$P> for $X {
            #[inline]
            fn shadow(&mut self) -> &mut <$P as Place>::Shadow<T::Base> {
                let $x = self;
                $shadow
            }
        }
    )+ };
}
elements! {
    [] [T]: [X], |x| X::slice(x);
    [] [T]: Vec<X>, |x| X::slice(x);
    [const N: usize] [T]: [X; N], |x| X::slice(x);
    [] Vec<T>: Vec<X>, |x| X::vec(x);
    [const N: usize] [T; N]: [X; N], |x| X::slice(x).try_into().expect("as many elements");
}

impl<T: Active> Slot<Vec<T>> for Vec<T::Tangent<T::Base>> {
    slot!();
}

impl<T: Active, const N: usize> Slot<[T; N]> for [T::Tangent<T::Base>; N] {
    slot!();
}

macro_rules! tuple {
    ($($T:ident)+) => {
        impl<F: Float, $($T: Active<Base = F>),+> Buffer<($($T,)+)> for ($(<$T as Active>::Tangent<F>,)+) {
            #[inline]
            fn shadow(&mut self) -> &mut Self {
                self
            }
        }

        impl<F: Float, $($T: Active<Base = F>),+> Slot<($($T,)+)> for ($(<$T as Active>::Tangent<F>,)+) {
            slot!();
        }
    };
}
tuple!(T0);
tuple!(T0 T1);
tuple!(T0 T1 T2);
tuple!(T0 T1 T2 T3);
tuple!(T0 T1 T2 T3 T4);
tuple!(T0 T1 T2 T3 T4 T5);
tuple!(T0 T1 T2 T3 T4 T5 T6);
tuple!(T0 T1 T2 T3 T4 T5 T6 T7);

/// Buffers for all members of a list: bare or as a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the result [D0604]",
    label = "does not look like `{L}`",
    note = "gradients look like the active arguments, pushforwards and derivatives like the result; several members stand in a tuple"
)]
pub trait BufferList<L: List> {
    /// The memory.
    fn shadows(&mut self) -> L::Muts<'_, L::Base>;
}

impl<P: Member + ?Sized, X: Buffer<P> + ?Sized> BufferList<Cons<P, Nil<P::Base>>> for X {
    #[inline]
    fn shadows(&mut self) -> (&mut P::Shadow<P::Base>, ()) {
        (self.shadow(), ())
    }
}

macro_rules! list {
    ([$K:ident $P:ident $X:ident $x:ident $i:tt]) => {};
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($P: Member<Base = F> + ?Sized, $X: Buffer<$P>),+> BufferList<cons!(F; $($P)+)> for ($($X,)+) {
            #[inline]
            fn shadows(&mut self) -> <cons!(F; $($P)+) as List>::Muts<'_, F> {
                pairs!($((self.$i.shadow()))+)
            }
        }

        impl<F: Float, $($P: Member<Base = F> + ?Sized, $X: Buffer<$P> + ?Sized),+> Buffers<cons!(F; $($P)+), One> for ($(&mut $X,)+) {
            #[inline]
            fn get(&mut self, _: usize) -> <cons!(F; $($P)+) as List>::Muts<'_, F> {
                pairs!($((self.$i.shadow()))+)
            }
        }
    };
}
arities!(list);

/// The buffers of an operator: `W` is [`One`] or [`Many`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the result [D0604]",
    label = "does not look like `{L}`",
    note = "pass `&mut result`, several members as `&mut (a, b)` or `(&mut a, &mut b)`",
    note = "gradients look like the active arguments, pushforwards and derivatives like the result"
)]
pub trait Buffers<L: List, W: BatchWidth> {
    /// The memory for the seed `k`.
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base>;
}

impl<L: List, X: BufferList<L> + ?Sized> Buffers<L, One> for &mut X {
    #[inline]
    fn get(&mut self, _: usize) -> L::Muts<'_, L::Base> {
        self.shadows()
    }
}

impl<L: List, X: BufferList<L>, const N: usize> Buffers<L, Many<N>> for &mut [X; N] {
    #[inline]
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        self[k].shadows()
    }
}

impl<L: List, X: BufferList<L> + ?Sized, const N: usize> Buffers<L, Many<N>> for [&mut X; N] {
    #[inline]
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        self[k].shadows()
    }
}

/// Results that the operator returns.
pub(crate) struct Owned<L: List, W: BatchWidth>(pub(crate) W::Of<L::Stores<L::Base>>);

impl<L: List, W: BatchWidth> Buffers<L, W> for Owned<L, W> {
    #[inline]
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        L::muts(W::get(&mut self.0, k))
    }
}

/// Whether all buffers have the shape `expected`.
#[inline(always)]
pub(crate) fn check<L: List, W: BatchWidth>(buffers: &mut impl Buffers<L, W>, expected: &Shape) -> Result<()> {
    for k in 0..W::N {
        let buffer = buffers.get(k);
        if !expected.matches(|dim| L::shape(&buffer, dim)) {
            let [expected, found] = expected.clone().beside(Shape::of(|dim| L::shape(&buffer, dim)));
            return Err(Error::BufferMismatch { expected, found });
        }
    }
    Ok(())
}

/// Refuses a buffer that does not look like the active arguments. As [`unfit`](crate::operators::preparation::unfit), out of line and by value.
#[cold]
#[inline(never)]
pub(crate) fn unlike<G: Signature, R: ArgRoles<G>, T>(
    at: G::At<'_>,
    buffer: <R::In as List>::Muts<'_, G::Base>,
) -> Result<T> {
    let found = Shape::of(|dim| R::In::shape::<G::Base>(&buffer, dim));
    let [expected, found] = Shape::of(|dim| R::input_shape(&at, dim)).beside(found);
    Err(Error::BufferMismatch { expected, found })
}

/// Copies the shadow of all seeds into the buffers, which must be of the right shape.
#[inline]
pub(crate) fn store<L: List, W: BatchWidth>(
    shadows: L::Muts<'_, W::Space<L::Base>>,
    buffers: &mut impl Buffers<L, W>,
    numbers: &mut Vec<L::Base>,
) {
    let mut shadows = match W::spread::<L>(shadows) {
        Ok(plain) => return L::set(buffers.get(0), plain),
        Err(shadows) => shadows,
    };
    for k in 0..W::N {
        numbers.clear();
        L::each(L::again(&mut shadows), &mut |a| numbers.push(a.lane(k)));
        let mut numbers = numbers.iter();
        L::each(buffers.get(k), &mut |v| numbers.next().into_iter().for_each(|n| *v = *n));
    }
}
