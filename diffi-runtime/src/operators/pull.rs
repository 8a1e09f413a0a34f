//! The second primitive of backends: pullbacks.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::hlist::{Flat, List};
use crate::operators::entries::Entries;
use crate::operators::gradient::{Owned, anew};
use crate::operators::rows;
use crate::operators::strategy::{Backend, ByPulls, Inputs, Outputs, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::stack::tape::Recorder;

/// A backend that carries cotangents through a function, backwards.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot pull cotangents through `{F}` [D0702]",
    label = "cannot pull cotangents through `{F}`",
    note = "`AutoReverse` pulls cotangents; other backends find pullbacks by themselves, without a wrapper"
)]
pub trait Pull<F: Function<G>, G: Signature, R: ArgRoles<G>>: Backend {
    /// The memory of passes with cotangents in `A`.
    type Work<A: Lanes<G::Base>>: Recorder;
    /// Whether passes are right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;

    /// Memory for arguments of these sizes.
    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A>;
    /// One pass. `x_bar` is overwritten. `seed` receives zeros of the result's shape, to put the cotangents there.
    /// Gives the value if `V` is on.
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>>;

    /// The first half of a pass, whose second half may be run again and again.
    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue;
    /// The second half of a pass, `y` being what the first one gave.
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()>;
    /// The gradient, where nothing was prepared. The value if `V` is on.
    #[inline]
    fn gradient<V: Flag, X: Args<G, R>>(&self, f: &F, args: X) -> Result<Owned<F::ReturnValue, G, R>>
    where
        R::In: Flat,
    {
        anew::<ByPulls, V, Self, F, G, R, X>(self, f, args)
    }
    /// All passes that vectors need. Gives the value if `V` is on.
    fn pulls<V: Flag, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        vectors: rows::Vectors<'_, G>,
        (x_bar, work): (&mut <R::In as List>::Stores<A>, &mut Self::Work<A>),
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        rows::passes::<V, A, Self, F, G, R>(self, f, at, vectors, (x_bar, work), entries).map(|(y, _)| y)
    }
}
