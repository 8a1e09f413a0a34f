//! The first primitive of backends: pushforwards.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::operators::columns;
use crate::operators::columns::Vectors;
use crate::operators::entries::Entries;
use crate::operators::strategy::{Backend, Inputs, Outputs, Pass, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::stack::tape::Recorder;

/// A backend that carries tangents through a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot push tangents through `{F}` [D0702]",
    label = "cannot push tangents through `{F}`",
    note = "`AutoForward` and `AutoFiniteDiff` push tangents; other backends find pushforwards by themselves, without a wrapper"
)]
pub trait Push<F: Function<G>, G: Signature, R: ArgRoles<G>>: Backend {
    /// The memory of passes with tangents in `A`.
    type Work<A: Lanes<G::Base>>: Recorder;
    /// Whether a pass leaves the tangents of inputs as they were put there, unless those are outputs, too.
    const KEEPS_TANGENTS: bool = false;
    /// Whether passes are right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;

    /// Memory for arguments of these sizes.
    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A>;
    /// Calls the function once, so that later passes need no more memory. Gives the number of outputs.
    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize;
    /// Where the tangents of the inputs are to be put before a pass.
    fn tangents<'w, A: Lanes<G::Base>>(&self, at: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A>;
    /// One pass. `take` receives the value and the tangents of all outputs. Gives the value if the pass is the `first` at this
    /// point and the value is `wanted`, or if it costs nothing.
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::ReturnValue>, T)>;
    /// All passes that vectors need. Gives the value if `V` is on, or if it costs nothing.
    fn pushes<V: Flag, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        vectors: Vectors<'_, G>,
        work: &mut Self::Work<A>,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        columns::passes::<V, A, Self, F, G, R>(self, f, at, vectors, work, entries)
    }
}

/// `[generics] Backend as Other, |b| the other one`: pushes tangents as another backend does.
macro_rules! push_as {
    ([$($generics:tt)*] $Backend:ty as $Other:ty, |$b:ident| $other:expr) => {
        impl<$($generics)*> $crate::operators::push::Push<F, G, R> for $Backend
        where
            Self: $crate::operators::strategy::Backend,
        {
            type Work<A: $crate::number::batch::Lanes<G::Base>> = <$Other as $crate::operators::push::Push<F, G, R>>::Work<A>;
            const KEEPS_TANGENTS: bool = <$Other as $crate::operators::push::Push<F, G, R>>::KEEPS_TANGENTS;
            const FOLLOWS_SIZES: bool = <$Other as $crate::operators::push::Push<F, G, R>>::FOLLOWS_SIZES;

            #[inline]
            fn work<A: $crate::number::batch::Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
                let $b = self;
                $crate::operators::push::Push::<F, G, R>::work(&$other, f, at)
            }
            #[inline]
            fn warm<A: $crate::number::batch::Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
                let $b = self;
                $crate::operators::push::Push::<F, G, R>::warm(&$other, f, at, work)
            }
            #[inline]
            fn tangents<'w, A: $crate::number::batch::Lanes<G::Base>>(
                &self,
                at: &G::At<'_>,
                work: &'w mut Self::Work<A>,
            ) -> $crate::operators::strategy::Inputs<'w, G, R, A> {
                let $b = self;
                $crate::operators::push::Push::<F, G, R>::tangents(&$other, at, work)
            }
            #[inline]
            fn push<A: $crate::number::batch::Lanes<G::Base>, T>(
                &self,
                f: &F,
                at: G::At<'_>,
                pass: $crate::operators::strategy::Pass,
                work: &mut Self::Work<A>,
                take: impl FnOnce(&F::ReturnValue, $crate::operators::strategy::Results<'_, F, G, R, A>) -> $crate::error::Result<T>,
            ) -> $crate::error::Result<(Option<F::ReturnValue>, T)> {
                let $b = self;
                $crate::operators::push::Push::<F, G, R>::push(&$other, f, at, pass, work, take)
            }
        }
    };
}

pub(crate) use push_as;
