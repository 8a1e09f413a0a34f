//! Lists of places: the active inputs of a call, or its outputs.

use crate::number::active::{Active, Member};
use crate::number::batch::Float;
use crate::number::linear_space::LinearSpace;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use std::fmt::Debug;
use std::marker::PhantomData;

/// A list of [`Member`]s, as nested pairs, with what is done to all of them in flattened order.
pub trait List: 'static {
    /// The float that all members are made of.
    type Base: Float;
    /// References to shadows, `(&mut first, rest)`.
    type Muts<'a, A: LinearSpace<Self::Base>>;
    /// Owned shadows, `(first, rest)`.
    type Stores<A: LinearSpace<Self::Base>>: Tangent<A> + Clone + Debug + Send;
    /// Owned values, `(first, rest)`.
    type Owns;
    /// The most numbers that there can be, as far as the types tell.
    const MOST: usize;

    /// References to what is owned.
    fn muts<A: LinearSpace<Self::Base>>(stores: &mut Self::Stores<A>) -> Self::Muts<'_, A>;
    /// The same references for a shorter time.
    fn again<'s, A: LinearSpace<Self::Base>>(muts: &'s mut Self::Muts<'_, A>) -> Self::Muts<'s, A>;
    /// Owned values once more.
    fn duplicate(owns: &Self::Owns) -> Self::Owns;
    /// How many bytes the numbers of owned values take.
    fn bytes(owns: &Self::Owns) -> usize;
    /// Passes on the lengths of all containers.
    fn shape<A: LinearSpace<Self::Base>>(muts: &Self::Muts<'_, A>, dim: &mut dyn FnMut(usize));
    /// Passes on every number, to be read or changed.
    fn each<A: LinearSpace<Self::Base>>(muts: Self::Muts<'_, A>, f: &mut impl FnMut(&mut A));
    /// Passes on all numbers in flattened order, those that stand side by side in memory together.
    fn pieces<A: LinearSpace<Self::Base>>(muts: Self::Muts<'_, A>, f: &mut impl FnMut(&[A]));
    /// All numbers, where they stand side by side in memory.
    fn side_by_side<'s, A: LinearSpace<Self::Base>>(muts: &'s Self::Muts<'_, A>) -> Option<&'s [A]>;
    /// The same, to be changed.
    fn side_by_side_mut<'s, A: LinearSpace<Self::Base>>(muts: &'s mut Self::Muts<'_, A>) -> Option<&'s mut [A]>;
    /// `into = from`, of the same shape.
    fn set<A: LinearSpace<Self::Base>>(into: Self::Muts<'_, A>, from: Self::Muts<'_, A>);
}

/// A list that begins with `P`.
#[derive(Debug)]
pub struct Cons<P: ?Sized, L>(PhantomData<fn() -> L>, PhantomData<P>);

/// The end of a list of places made of `F`.
#[derive(Debug)]
pub struct Nil<F>(PhantomData<F>);

impl<F: Float> List for Nil<F> {
    type Base = F;
    type Muts<'a, A: LinearSpace<F>> = ();
    type Stores<A: LinearSpace<F>> = ();
    type Owns = ();
    const MOST: usize = 0;

    #[inline]
    fn muts<A: LinearSpace<F>>((): &mut ()) {}
    #[inline]
    fn again<A: LinearSpace<F>>((): &mut ()) {}
    fn duplicate((): &()) {}
    fn bytes((): &()) -> usize {
        0
    }
    #[inline]
    fn shape<A: LinearSpace<F>>((): &(), _: &mut dyn FnMut(usize)) {}
    #[inline]
    fn each<A: LinearSpace<F>>((): (), _: &mut impl FnMut(&mut A)) {}
    #[inline]
    fn pieces<A: LinearSpace<F>>((): (), _: &mut impl FnMut(&[A])) {}
    #[inline]
    fn side_by_side<A: LinearSpace<F>>((): &()) -> Option<&[A]> {
        Some(&[])
    }
    #[inline]
    fn side_by_side_mut<A: LinearSpace<F>>((): &mut ()) -> Option<&mut [A]> {
        Some(&mut [])
    }
    #[inline]
    fn set<A: LinearSpace<F>>((): (), (): ()) {}
}

impl<P: Member + ?Sized, L: List<Base = P::Base>> List for Cons<P, L> {
    type Base = P::Base;
    type Muts<'a, A: LinearSpace<P::Base>> = (&'a mut P::Shadow<A>, L::Muts<'a, A>);
    type Stores<A: LinearSpace<P::Base>> = (P::Store<A>, L::Stores<A>);
    type Owns = (P::Own, L::Owns);
    const MOST: usize = P::MOST.saturating_add(L::MOST);

    #[inline]
    fn muts<A: LinearSpace<P::Base>>((first, rest): &mut Self::Stores<A>) -> Self::Muts<'_, A> {
        (P::shadow(first), L::muts(rest))
    }
    #[inline]
    fn again<'s, A: LinearSpace<P::Base>>((first, rest): &'s mut Self::Muts<'_, A>) -> Self::Muts<'s, A> {
        (first, L::again(rest))
    }
    fn duplicate((first, rest): &Self::Owns) -> Self::Owns {
        (Active::duplicate(first), L::duplicate(rest))
    }
    fn bytes((first, rest): &Self::Owns) -> usize {
        sizes::value(first) + L::bytes(rest)
    }
    #[inline]
    fn shape<A: LinearSpace<P::Base>>((first, rest): &Self::Muts<'_, A>, dim: &mut dyn FnMut(usize)) {
        first.shape(dim);
        Shape::next(dim);
        L::shape(rest, dim);
    }
    #[inline]
    fn each<A: LinearSpace<P::Base>>((first, rest): Self::Muts<'_, A>, f: &mut impl FnMut(&mut A)) {
        first.each_mut(f);
        L::each(rest, f);
    }
    #[inline]
    fn pieces<A: LinearSpace<P::Base>>((first, rest): Self::Muts<'_, A>, f: &mut impl FnMut(&[A])) {
        match first.side_by_side() {
            Some(all) => f(all),
            None => first.each(&mut |a| f(std::slice::from_ref(&a))),
        }
        L::pieces(rest, f);
    }
    #[inline]
    fn side_by_side<'s, A: LinearSpace<P::Base>>((first, rest): &'s Self::Muts<'_, A>) -> Option<&'s [A]> {
        match (first.side_by_side(), L::side_by_side::<A>(rest)) {
            (only, Some([])) | (Some([]), only) => only,
            _ => None,
        }
    }
    #[inline]
    fn side_by_side_mut<'s, A: LinearSpace<P::Base>>((first, rest): &'s mut Self::Muts<'_, A>) -> Option<&'s mut [A]> {
        match (first.side_by_side_mut(), L::side_by_side_mut::<A>(rest)) {
            (only, Some([])) | (Some([]), only) => only,
            _ => None,
        }
    }
    #[inline]
    fn set<A: LinearSpace<P::Base>>((first, rest): Self::Muts<'_, A>, (from, others): Self::Muts<'_, A>) {
        first.set(from);
        L::set(rest, others);
    }
}

/// A list as users see it: its only member bare, several as a tuple.
#[diagnostic::on_unimplemented(
    message = "nothing is differentiated here: no argument is active [D0607]",
    label = "at least one argument has to stand outside of `Constant(..)`, `Cache(..)` and `&mut ..`"
)]
pub trait Flat: List {
    /// The members' shadows, bare or as a tuple.
    type Tuple<A: LinearSpace<Self::Base>>;
    /// The members' values, bare or as a tuple.
    type Values;
    /// One `T` for each member, bare or as a tuple.
    type Blocks<T>;
    /// How many members there are.
    const MEMBERS: usize;
    /// The members' shadows, bare or as a tuple.
    fn flat<A: LinearSpace<Self::Base>>(stores: Self::Stores<A>) -> Self::Tuple<A>;
    /// The opposite of [`flat`](Flat::flat).
    fn stores<A: LinearSpace<Self::Base>>(tuple: Self::Tuple<A>) -> Self::Stores<A>;
    /// The members' values, bare or as a tuple.
    fn values(owns: Self::Owns) -> Self::Values;
    /// One `T` for each member, bare or as a tuple.
    fn blocks<T>(next: impl FnMut() -> T) -> Self::Blocks<T>;
    /// The opposite of [`blocks`](Flat::blocks).
    fn each_block<T>(blocks: Self::Blocks<T>, each: impl FnMut(T));
}

/// `cons!(X0 X1)` is `Cons<X0, Cons<X1, Nil<F>>>`, as a type; `pairs!(x0 x1)` is `(x0, (x1, ()))`, as a pattern.
macro_rules! cons {
    ($F:ident;) => { $crate::number::hlist::Nil<$F> };
    ($F:ident; $P:ident $($rest:ident)*) => { $crate::number::hlist::Cons<$P, $crate::number::hlist::cons!($F; $($rest)*)> };
}
macro_rules! pairs {
    () => { () };
    ($p:tt $($rest:tt)*) => { ($p, $crate::number::hlist::pairs!($($rest)*)) };
}
pub(crate) use {cons, pairs};

impl<P: Member + ?Sized> Flat for Cons<P, Nil<P::Base>> {
    type Tuple<A: LinearSpace<P::Base>> = P::Store<A>;
    type Values = P::Own;
    type Blocks<T> = T;
    const MEMBERS: usize = 1;
    #[inline]
    fn flat<A: LinearSpace<P::Base>>((only, ()): Self::Stores<A>) -> P::Store<A> {
        only
    }
    fn stores<A: LinearSpace<P::Base>>(only: P::Store<A>) -> Self::Stores<A> {
        (only, ())
    }
    fn values((only, ()): Self::Owns) -> P::Own {
        only
    }
    fn blocks<T>(mut next: impl FnMut() -> T) -> T {
        next()
    }
    fn each_block<T>(block: T, mut each: impl FnMut(T)) {
        each(block);
    }
}

macro_rules! flat {
    ($n:literal $($P:ident $p:ident)+) => {
        impl<F: Float, $($P: Member<Base = F> + ?Sized),+> Flat for cons!(F; $($P)+) {
            type Tuple<A: LinearSpace<F>> = ($($P::Store<A>,)+);
            type Values = ($($P::Own,)+);
            type Blocks<T> = ($(flat!(@one T $P),)+);
            const MEMBERS: usize = $n;
            #[inline]
            fn flat<A: LinearSpace<F>>(pairs!($($p)+): Self::Stores<A>) -> Self::Tuple<A> {
                ($($p,)+)
            }
            fn stores<A: LinearSpace<F>>(($($p,)+): Self::Tuple<A>) -> Self::Stores<A> {
                pairs!($($p)+)
            }
            fn values(pairs!($($p)+): Self::Owns) -> Self::Values {
                ($($p,)+)
            }
            fn blocks<T>(mut next: impl FnMut() -> T) -> Self::Blocks<T> {
                $(let $p = next();)+
                ($($p,)+)
            }
            fn each_block<T>(($($p,)+): Self::Blocks<T>, mut each: impl FnMut(T)) {
                $(each($p);)+
            }
        }
    };
    (@one $T:ident $P:ident) => { $T };
}
flat!(2 P0 p0 P1 p1);
flat!(3 P0 p0 P1 p1 P2 p2);
flat!(4 P0 p0 P1 p1 P2 p2 P3 p3);
flat!(5 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4);
flat!(6 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5);
flat!(7 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6);
flat!(8 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6 P7 p7);
flat!(9 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6 P7 p7 P8 p8);
flat!(10 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6 P7 p7 P8 p8 P9 p9);
flat!(11 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6 P7 p7 P8 p8 P9 p9 P10 p10);
flat!(12 P0 p0 P1 p1 P2 p2 P3 p3 P4 p4 P5 p5 P6 p6 P7 p7 P8 p8 P9 p9 P10 p10 P11 p11);
