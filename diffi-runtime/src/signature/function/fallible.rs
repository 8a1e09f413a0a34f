//! Results that are `Result`s: their shadows are those of options, for an error has none.

use super::ReturnValue;
use crate::number::active::Active;
use crate::number::batch::Float;
use crate::number::hlist::{Cons, List};
use crate::number::linear_space::LinearSpace;
use crate::stack::workspace::Pool;
use crate::value::outcome::Outcome;

impl<F: Float, T: Active<Base = F>, E: 'static> ReturnValue<F> for Result<T, E> {
    type Tangent<A: LinearSpace<F>> = Option<T::Tangent<A>>;
    type Onto<L: List<Base = F>> = Cons<Option<T>, L>;
    type Landed = Outcome<T, E>;
    const FIXED: bool = false;

    #[inline]
    fn landed(self) -> Outcome<T, E> {
        Outcome::of(self)
    }
    #[inline]
    fn zero<A: LinearSpace<F>>(&self, pool: &mut Pool<A>) -> Self::Tangent<A> {
        self.as_ref().ok().map(|v| v.zeros(pool))
    }
    #[inline]
    fn empty<A: LinearSpace<F>>() -> Self::Tangent<A> {
        <Option<T> as Active>::empty()
    }
    #[inline]
    fn release<A: LinearSpace<F>>(t: Self::Tangent<A>, pool: &mut Pool<A>) {
        <Option<T> as Active>::release(t, pool);
    }
    #[inline]
    fn muts<'a, L: List<Base = F>, A: LinearSpace<F>>(
        t: &'a mut Self::Tangent<A>,
        rest: L::Muts<'a, A>,
    ) -> <Self::Onto<L> as List>::Muts<'a, A> {
        (t, rest)
    }
    #[inline]
    fn stores<L: List<Base = F>, A: LinearSpace<F>>(
        t: Self::Tangent<A>,
        rest: L::Stores<A>,
    ) -> <Self::Onto<L> as List>::Stores<A> {
        (t, rest)
    }
    #[inline]
    fn owns<L: List<Base = F>>(&self, rest: L::Owns) -> <Self::Onto<L> as List>::Owns {
        (self.as_ref().ok().map(Active::duplicate), rest)
    }
    #[inline]
    fn each(&self, f: &mut impl FnMut(F)) {
        self.iter().for_each(|v| v.each(f));
    }
    #[inline]
    fn is_absent(&self) -> bool {
        self.is_err()
    }
}
