//! Arguments of such functions with their shadows: as operators pass them, and as generated code does.

use super::ReadableSig;
use crate::number::active::Member;
use crate::number::arities::arities;
use crate::number::batch::Float;
use crate::number::flag::Flag;
use crate::number::linear_space::LinearSpace;
use crate::signature::arg_roles::ActivityMask;
use crate::signature::arguments::Value;
use crate::signature::param_kinds::{ParamKind, Signature};
use crate::signature::shadow_slots::{BarSlot, DotSlot};
use std::marker::PhantomData;

/// Arguments.
pub trait Paired<G: Signature> {
    /// What the function receives.
    fn at(&mut self) -> G::At<'_>;
}

/// Arguments with tangents.
pub trait Dotted<G: Signature, A: LinearSpace<G::Base>>: Paired<G> {
    /// Appends the numbers of all tangents; zeros for those that are switched off.
    fn read(&mut self, row: &mut Vec<A>);
}

/// Arguments with cotangents.
pub trait Barred<G: Signature, A: LinearSpace<G::Base>>: Paired<G> {
    /// Adds the numbers of a row to all cotangents, and takes them off.
    fn add(&mut self, row: &mut &[A]);
}

/// Arguments with tangents, cotangents, and the tangents of these.
pub trait Curved<G: Signature, A: LinearSpace<G::Base>>: Dotted<G, A> {
    /// Adds the numbers of two rows to all cotangents and their tangents, and takes them off.
    fn add_both(&mut self, row: &mut &[G::Base], dots: &mut &[A]);
}

/// What an operator passes.
pub struct Passed<'x, 'd, 'b, 't, G: Signature, A: LinearSpace<G::Base>, M> {
    /// The values.
    pub at: G::At<'x>,
    /// The tangents.
    pub dots: Option<G::Dots<'d, A>>,
    /// The cotangents, where they have tangents of their own.
    pub base: Option<G::Bars<'b, G::Base>>,
    /// The cotangents, or their tangents.
    pub bars: Option<G::Bars<'t, A>>,
    /// Which of them are there.
    pub mask: PhantomData<M>,
}

impl<'x, G: Signature, A: LinearSpace<G::Base>, M> Passed<'x, '_, '_, '_, G, A, M> {
    /// Values alone.
    pub fn new(at: G::At<'x>) -> Self {
        Passed { at, dots: None, base: None, bars: None, mask: PhantomData }
    }
}

impl<G: Signature, A: LinearSpace<G::Base>, M> Paired<G> for Passed<'_, '_, '_, '_, G, A, M> {
    fn at(&mut self) -> G::At<'_> {
        G::again(&mut self.at)
    }
}

impl<G: ReadableSig, A: LinearSpace<G::Base>, M: ActivityMask> Dotted<G, A> for Passed<'_, '_, '_, '_, G, A, M> {
    fn read(&mut self, row: &mut Vec<A>) {
        self.dots.iter().for_each(|dots| G::read::<A, M>(&self.at, dots, row));
    }
}

impl<G: ReadableSig, A: LinearSpace<G::Base>, M: ActivityMask> Barred<G, A> for Passed<'_, '_, '_, '_, G, A, M> {
    fn add(&mut self, row: &mut &[A]) {
        self.bars.iter_mut().for_each(|bars| G::add::<A, M>(&self.at, bars, row));
    }
}

impl<G: ReadableSig, A: LinearSpace<G::Base>, M: ActivityMask> Curved<G, A> for Passed<'_, '_, '_, '_, G, A, M> {
    fn add_both(&mut self, row: &mut &[G::Base], dots: &mut &[A]) {
        self.base.iter_mut().for_each(|base| G::add::<G::Base, M>(&self.at, base, row));
        self.add(dots);
    }
}

/// An argument in generated code for a parameter of kind `K`, with its slots behind it.
pub trait PairedArg<K: ParamKind> {
    /// What the function receives.
    fn at(&mut self) -> K::At<'_>;
}

/// The same with a tangent.
pub trait DottedArg<K: ParamKind, A: LinearSpace<K::Base>>: PairedArg<K> {
    /// Appends the tangent's numbers.
    fn read(&mut self, row: &mut Vec<A>);
}

/// The same with a cotangent.
pub trait BarredArg<K: ParamKind, A: LinearSpace<K::Base>>: PairedArg<K> {
    /// Adds numbers of the row to the cotangent.
    fn add(&mut self, row: &mut &[A]);
}

/// The same with a tangent, a cotangent, and that one's tangent.
pub trait CurvedArg<K: ParamKind, A: LinearSpace<K::Base>>: DottedArg<K, A> {
    /// Adds numbers of both rows.
    fn add_both(&mut self, row: &mut &[K::Base], dots: &mut &[A]);
}

impl<K: ParamKind, X: Value<K>, P> PairedArg<K> for (X, P) {
    fn at(&mut self) -> K::At<'_> {
        self.0.at()
    }
}

impl<K: ParamKind, X: Value<K>, P, Q, T> PairedArg<K> for (X, P, Q, T) {
    fn at(&mut self) -> K::At<'_> {
        self.0.at()
    }
}

impl<K: ParamKind, A: LinearSpace<K::Base>, X: Value<K>, P: DotSlot<K::Place, A>> DottedArg<K, A> for (X, P) {
    fn read(&mut self, row: &mut Vec<A>) {
        read_slot::<K::Place, A, P>(&self.1, K::count(&self.0.at()), row);
    }
}

impl<K: ParamKind, A: LinearSpace<K::Base>, X: Value<K>, P: DotSlot<K::Place, A>, Q, T> DottedArg<K, A>
    for (X, P, Q, T)
{
    fn read(&mut self, row: &mut Vec<A>) {
        read_slot::<K::Place, A, P>(&self.1, K::count(&self.0.at()), row);
    }
}

impl<K: ParamKind, A: LinearSpace<K::Base>, X: Value<K>, P: BarSlot<K::Place, A>> BarredArg<K, A> for (X, P) {
    fn add(&mut self, row: &mut &[A]) {
        add_slot::<K::Place, A, P>(&mut self.1, K::count(&self.0.at()), row);
    }
}

impl<K: ParamKind, A: LinearSpace<K::Base>, X: Value<K>, P, Q, T> CurvedArg<K, A> for (X, P, Q, T)
where
    P: DotSlot<K::Place, A>,
    Q: BarSlot<K::Place, K::Base>,
    T: BarSlot<K::Place, A>,
{
    fn add_both(&mut self, row: &mut &[K::Base], dots: &mut &[A]) {
        let count = K::count(&self.0.at());
        add_slot::<K::Place, K::Base, Q>(&mut self.2, count, row);
        add_slot::<K::Place, A, T>(&mut self.3, count, dots);
    }
}

macro_rules! all {
    ($([$K:ident $P:ident $X:ident $x:ident $i:tt])+) => {
        impl<F: Float, $($K: ParamKind<Base = F>, $X: PairedArg<$K>),+> Paired<($($K,)+)> for ($($X,)+) {
            fn at(&mut self) -> ($($K::At<'_>,)+) {
                ($(self.$i.at(),)+)
            }
        }

        impl<F: Float, A: LinearSpace<F>, $($K: ParamKind<Base = F>, $X: DottedArg<$K, A>),+> Dotted<($($K,)+), A> for ($($X,)+) {
            fn read(&mut self, row: &mut Vec<A>) {
                $(self.$i.read(row);)+
            }
        }

        impl<F: Float, A: LinearSpace<F>, $($K: ParamKind<Base = F>, $X: BarredArg<$K, A>),+> Barred<($($K,)+), A> for ($($X,)+) {
            fn add(&mut self, row: &mut &[A]) {
                $(self.$i.add(row);)+
            }
        }

        impl<F: Float, A: LinearSpace<F>, $($K: ParamKind<Base = F>, $X: CurvedArg<$K, A>),+> Curved<($($K,)+), A> for ($($X,)+) {
            fn add_both(&mut self, row: &mut &[F], dots: &mut &[A]) {
                $(self.$i.add_both(row, dots);)+
            }
        }
    };
}
arities!(all);

fn read_slot<P: Member + ?Sized, A: LinearSpace<P::Base>, S: DotSlot<P, A>>(slot: &S, count: usize, row: &mut Vec<A>) {
    let mut off = P::empty::<A>();
    match S::On::ON {
        true => crate::number::tangent::Tangent::each(slot.get(P::shadow(&mut off)), &mut |v| row.push(v)),
        false => row.extend(std::iter::repeat_n(A::ZERO, count)),
    }
}

fn add_slot<P: Member + ?Sized, A: LinearSpace<P::Base>, S: BarSlot<P, A>>(slot: &mut S, count: usize, row: &mut &[A]) {
    let mut off = P::empty::<A>();
    match S::On::ON {
        true => super::add(slot.get(P::shadow(&mut off)), S::FRESH, row),
        false => *row = &row[count..],
    }
}
