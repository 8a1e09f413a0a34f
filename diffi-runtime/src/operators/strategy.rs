//! The traits by which operators see backends, and the strategies that every backend may name.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::operators::columns::{self, Vectors};
use crate::operators::entries::Entries;
use crate::operators::gradient::{Owned, anew};
use crate::operators::rows;
use crate::signature::arg_roles::Call;
use crate::signature::arguments::Args;
use crate::signature::function::{Func, Ret};
use crate::signature::param_kinds::Sig;
use crate::signature::shadow_slots::Flag;
use crate::stack::tape::Recorder;
use crate::value::hlist::{Flat, List};
use std::fmt::{self, Debug};

/// The direction in which a backend goes through a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// From the inputs to the outputs, with tangents.
    Forward,
    /// From the outputs to the inputs, with cotangents.
    Reverse,
    /// One or the other, as the operator has it.
    ForwardAndReverse,
}

/// A way to differentiate, with a strategy for every operator: see [`TABLE`](crate::registry::TABLE).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend",
    label = "not a backend",
    note = "backends are `AutoForward`, `AutoReverse`, `AutoFiniteDiff`, `MixedMode(..)` and others; for second derivatives also `SecondOrder(..)`",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait Backend: Clone + Debug + Send + 'static {
    /// How to multiply the Jacobian with tangents.
    type Pushforward;
    /// How to multiply the transposed Jacobian with cotangents.
    type Pullback;
    /// How to find gradients.
    type Gradient;
    /// How to find Jacobians.
    type Jacobian;
    /// How to find second derivatives.
    type Second;
    /// See [`Backend::outer`].
    type Outer: Backend;
    /// See [`Backend::inner`].
    type Inner: Backend;

    /// The direction; for second order that of the outer backend.
    fn mode(&self) -> Mode;
    /// What differentiates the derivative; for first order the backend itself.
    fn outer(&self) -> &Self::Outer;
    /// What differentiates the function; for first order the backend itself.
    fn inner(&self) -> &Self::Inner;
    /// Whether derivatives are approximations, and not exact up to rounding.
    fn inexact(&self) -> bool {
        false
    }
    /// How many of `n` tangents or cotangents go through the function at once: all, if they are at most eight, and otherwise
    /// nearly as many in each pass.
    fn batch_size_of(&self, n: usize) -> usize {
        BatchSize::default().of(n)
    }
    /// The same for sums of columns or rows, of which a matrix has few: passes have room for four or eight, and three of four take
    /// less time and memory than two of eight, when a quarter of these would be idle.
    fn batch_size_of_groups(&self, n: usize) -> usize {
        BatchSize::default().of_groups(n)
    }
    /// How many passes it takes for `n` tangents or cotangents.
    fn passes(&self, n: usize) -> usize {
        n.div_ceil(self.batch_size_of(n))
    }
}

/// How many tangents or cotangents a backend takes at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BatchSize(Option<u8>);

impl BatchSize {
    /// The most that a pass can take.
    pub(crate) const MOST: usize = 8;

    /// As many as a backend finds best.
    pub(crate) const AUTO: Self = BatchSize(None);

    /// So many, whatever is to be done.
    pub(crate) const fn fixed(size: usize) -> Self {
        assert!(size >= 1 && size <= Self::MOST, "batches have sizes from 1 to 8");
        BatchSize(Some(size as u8))
    }

    /// The backend `name` with this size, as it is written.
    pub(crate) fn show(self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(size) => write!(f, "{name}.batch_size({size})"),
            None => f.write_str(name),
        }
    }

    /// For `n` in all.
    #[inline]
    pub(crate) fn of(self, n: usize) -> usize {
        match self.0 {
            Some(size) => size.into(),
            None if n <= Self::MOST => n.max(1),
            None => n.div_ceil(n.div_ceil(Self::MOST).max(1)).max(1),
        }
    }

    /// For `n` groups in all.
    pub(crate) fn of_groups(self, n: usize) -> usize {
        const HALF: usize = BatchSize::MOST / 2;
        let (halves, wholes) = (n.div_ceil(HALF), n.div_ceil(Self::MOST));
        match self.0 {
            None if halves * HALF * 4 <= wholes * Self::MOST * 3 => n.div_ceil(halves.max(1)).max(1),
            _ => self.of(n),
        }
    }
}

/// Strategy: pass after pass with tangents, by [`Push`].
#[derive(Clone, Copy, Debug)]
pub struct ByPushes;

/// Strategy: pass after pass with cotangents, by [`Pull`].
#[derive(Clone, Copy, Debug)]
pub struct ByPulls;

/// References to the shadows of the inputs.
pub type Inputs<'a, G, R, A> = <<R as Call<G>>::In as List>::Muts<'a, A>;

/// The list of all outputs: the result, then the outputs among the parameters.
pub type Outputs<F, G, R> = <<F as Func<G>>::Ret as Ret<<G as Sig>::Base>>::Onto<<R as Call<G>>::Outs>;

/// References to the shadows of all outputs.
pub type Results<'a, F, G, R, A> = <Outputs<F, G, R> as List>::Muts<'a, A>;

/// A backend that carries tangents through a function.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot push tangents through `{F}`",
    label = "cannot push tangents through `{F}`",
    note = "`AutoForward` and `AutoFiniteDiff` push tangents; other backends find pushforwards by themselves, without a wrapper"
)]
pub trait Push<F: Func<G>, G: Sig, R: Call<G>>: Backend {
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
        take: impl FnOnce(&F::Ret, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::Ret>, T)>;
    /// All passes that vectors need. Gives the value if `V` is on, or if it costs nothing.
    fn pushes<V: Flag, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        vectors: Vectors<'_, G>,
        work: &mut Self::Work<A>,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::Ret>> {
        columns::passes::<V, A, Self, F, G, R>(self, f, at, vectors, work, entries)
    }
}

/// `[generics] Backend as Other, |b| the other one`: pushes tangents as another backend does.
macro_rules! push_as {
    ([$($generics:tt)*] $Backend:ty as $Other:ty, |$b:ident| $other:expr) => {
        impl<$($generics)*> $crate::operators::strategy::Push<F, G, R> for $Backend
        where
            Self: $crate::operators::strategy::Backend,
        {
            type Work<A: $crate::number::batch::Lanes<G::Base>> = <$Other as $crate::operators::strategy::Push<F, G, R>>::Work<A>;
            const KEEPS_TANGENTS: bool = <$Other as $crate::operators::strategy::Push<F, G, R>>::KEEPS_TANGENTS;
            const FOLLOWS_SIZES: bool = <$Other as $crate::operators::strategy::Push<F, G, R>>::FOLLOWS_SIZES;

            #[inline]
            fn work<A: $crate::number::batch::Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
                let $b = self;
                $crate::operators::strategy::Push::<F, G, R>::work(&$other, f, at)
            }
            #[inline]
            fn warm<A: $crate::number::batch::Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
                let $b = self;
                $crate::operators::strategy::Push::<F, G, R>::warm(&$other, f, at, work)
            }
            #[inline]
            fn tangents<'w, A: $crate::number::batch::Lanes<G::Base>>(
                &self,
                at: &G::At<'_>,
                work: &'w mut Self::Work<A>,
            ) -> $crate::operators::strategy::Inputs<'w, G, R, A> {
                let $b = self;
                $crate::operators::strategy::Push::<F, G, R>::tangents(&$other, at, work)
            }
            #[inline]
            fn push<A: $crate::number::batch::Lanes<G::Base>, T>(
                &self,
                f: &F,
                at: G::At<'_>,
                pass: $crate::operators::strategy::Pass,
                work: &mut Self::Work<A>,
                take: impl FnOnce(&F::Ret, $crate::operators::strategy::Results<'_, F, G, R, A>) -> $crate::error::Result<T>,
            ) -> $crate::error::Result<(Option<F::Ret>, T)> {
                let $b = self;
                $crate::operators::strategy::Push::<F, G, R>::push(&$other, f, at, pass, work, take)
            }
        }
    };
}

pub(crate) use push_as;

/// Which pass at a point it is.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// The first one at this point.
    pub first: bool,
    /// The value is wanted.
    pub value: bool,
}

/// A backend that carries cotangents through a function, backwards.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot pull cotangents through `{F}`",
    label = "cannot pull cotangents through `{F}`",
    note = "`AutoReverse` pulls cotangents; other backends find pullbacks by themselves, without a wrapper"
)]
pub trait Pull<F: Func<G>, G: Sig, R: Call<G>>: Backend {
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
    ) -> Result<Option<F::Ret>>;

    /// The first half of a pass, whose second half may be run again and again.
    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::Ret;
    /// The second half of a pass, `y` being what the first one gave.
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::Ret,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()>;
    /// The gradient, where nothing was prepared. The value if `V` is on.
    #[inline]
    fn gradient<V: Flag, X: Args<G, R>>(&self, f: &F, args: X) -> Result<Owned<F::Ret, G, R>>
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
    ) -> Result<Option<F::Ret>> {
        rows::passes::<V, A, Self, F, G, R>(self, f, at, vectors, (x_bar, work), entries).map(|(y, _)| y)
    }
}
