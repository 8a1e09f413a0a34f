//! `AutoForwardFromPrimitive` and `AutoReverseFromPrimitive`: one direction of another backend, and nothing else of it.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::operators::pull::Pull;
use crate::operators::push::{Push, push_as};
use crate::operators::strategy::{Backend, Inputs, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;

/// Pushes tangents as `B` does, and finds everything else from that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoForwardFromPrimitive<B>(pub B);

/// Pulls cotangents as `B` does, and finds everything else from that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoReverseFromPrimitive<B>(pub B);

push_as! { [B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>] AutoForwardFromPrimitive<B> as B, |b| b.0 }

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> Pull<F, G, R> for AutoReverseFromPrimitive<B>
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
    ) -> Result<Option<F::ReturnValue>> {
        self.0.pull::<A, V>(f, at, x_bar, work, seed)
    }
    #[inline]
    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue {
        self.0.hold(f, at, work)
    }
    #[inline]
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        self.0.release(f, at, y, x_bar, work, seed)
    }
}
