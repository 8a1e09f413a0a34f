//! `AutoForwardFromPrimitive` and `AutoReverseFromPrimitive`: one direction of another backend, and nothing else of it.

use super::{Inputs, Pass, Pull, Push, Results};
use crate::backend::Backend;
use crate::error::Result;
use crate::function::Func;
use crate::kinds::Sig;
use crate::lanes::Lanes;
use crate::roles::Call;
use crate::slots::Flag;

/// Pushes tangents as `B` does, and finds everything else from that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoForwardFromPrimitive<B>(pub B);

/// Pulls cotangents as `B` does, and finds everything else from that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoReverseFromPrimitive<B>(pub B);

impl<B: Push<F, G, R>, F: Func<G>, G: Sig, R: Call<G>> Push<F, G, R> for AutoForwardFromPrimitive<B>
where
    Self: Backend,
{
    type Work<A: Lanes<G::Base>> = B::Work<A>;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
        self.0.work(f, at)
    }
    #[inline]
    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        self.0.warm(f, at, work)
    }
    #[inline]
    fn tangents<'w, A: Lanes<G::Base>>(&self, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        self.0.tangents(work)
    }
    #[inline]
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::Ret, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::Ret>, T)> {
        self.0.push(f, at, pass, work, take)
    }
}

impl<B: Pull<F, G, R>, F: Func<G>, G: Sig, R: Call<G>> Pull<F, G, R> for AutoReverseFromPrimitive<B>
where
    Self: Backend,
{
    type Work<A: Lanes<G::Base>> = B::Work<A>;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
        self.0.work(f, at)
    }
    #[inline]
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::Ret>> {
        self.0.pull::<A, V>(f, at, x_bar, work, seed)
    }
    #[inline]
    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::Ret {
        self.0.hold(f, at, work)
    }
    #[inline]
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::Ret,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        self.0.release(f, at, y, x_bar, work, seed)
    }
}
