//! Second derivatives: derivatives of gradients.

mod differences;
mod forward_over_reverse;
mod forward_over_tape;
mod nested;
mod taylor;

pub use differences::Differenced;
pub(crate) use differences::noise;
pub use forward_over_reverse::Generated;
pub use forward_over_tape::Retraced;
pub use nested::{Duals, Family, HyperDuals, Nested};
pub use taylor::Truncated;

use crate::backend::{AutoDual, AutoFiniteDiff, AutoForward, AutoReverse, AutoTape, Backend, Inputs};
use crate::error::Result;
use crate::number::batch::{Lanes, One};
use crate::operators::columns::Vectors;
use crate::operators::entries::Products;
use crate::operators::hessian;
use crate::operators::pushforward::Target;
use crate::signature::arg_roles::Call;
use crate::signature::function::Func;
use crate::signature::param_kinds::Sig;
use crate::signature::shadow_slots::Flag;
use crate::stack::tape::Recorder;
use crate::value::hlist::List;

/// Differentiates by `outer` the derivatives that `inner` finds.
///
/// Operators of first order do not take it: which of the two is meant must be said, by [`Backend::inner`] or [`Backend::outer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SecondOrder<O, I>(pub O, pub I);

/// A backend that can differentiate the derivatives found by `I`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot differentiate the derivatives that `{I}` finds",
    label = "no such second order",
    note = "`AutoReverse`, `SecondOrder(AutoForward, AutoReverse)` and `SecondOrder(AutoFiniteDiff, any)` find second derivatives"
)]
pub trait Outer<I>: Backend {
    /// How second derivatives are found.
    type Strategy;
}

macro_rules! generated {
    ($($Outer:ident over $Inner:ident;)+) => { $(
        impl Outer<$Inner> for $Outer {
            type Strategy = Generated;
        }
    )+ };
}
generated! {
    AutoForward over AutoReverse;
    AutoForward over AutoForward;
    AutoReverse over AutoReverse;
    AutoReverse over AutoForward;
}

macro_rules! retraced {
    ($($Outer:ident)+) => { $(
        impl Outer<AutoTape> for $Outer {
            type Strategy = Retraced;
        }
    )+ };
}
retraced!(AutoForward AutoDual AutoTape);

impl<const SAFE: bool> Outer<AutoDual<SAFE>> for AutoDual<SAFE> {
    type Strategy = Nested<Duals<SAFE>>;
}

/// Dual numbers through adjoint code are its tangents.
impl Outer<AutoReverse> for AutoDual {
    type Strategy = Generated;
}

impl<I: Backend> Outer<I> for AutoFiniteDiff {
    type Strategy = Differenced;
}

/// Strategy: none, because the operator is of first order and the backend of second.
#[derive(Clone, Copy, Debug)]
pub struct NoFirstOrder;

/// Strategy: none, because the backend is of first order and the operator of second.
#[derive(Clone, Copy, Debug)]
pub struct NoSecondOrder;

/// A strategy for the products of Hessians with tangents.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot find second derivatives of `{F}`",
    label = "no second derivatives of `{F}`",
    note = "in code that is generic over the backend, bound it: `B: HessianBackend<..>`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find second derivatives of annotated functions, `AutoFiniteDiff` of all"
)]
pub trait SecondBy<B, F: Func<G>, G: Sig, R: Call<G>> {
    /// The memory of passes with tangents in `A`.
    type Work<A: Lanes<G::Base>>: Recorder;
    /// Whether a pass leaves the tangents of inputs as they were put there, unless those are outputs, too.
    const KEEPS_TANGENTS: bool = false;
    /// Memory for arguments of these sizes.
    fn work<A: Lanes<G::Base>>(b: &B, f: &F, at: &mut G::At<'_>) -> Self::Work<A>;
    /// Where the tangents of the inputs are to be put before a pass.
    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A>;
    /// One pass: overwrites `g` with the gradient of the result, a number, and `hv` with its tangent. If `V` is off, neither the
    /// value nor the gradient is wanted, and `g` may be left as it is. The `first` pass at a point writes the outputs among the
    /// parameters; others find them as the one before left them.
    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        first: bool,
        work: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::Ret>>;
    /// All passes that vectors need. The gradient and the value only if `V` is on.
    #[allow(clippy::too_many_arguments, reason = "those of a pass, and the vectors")]
    fn passes<V: Flag, A: Lanes<G::Base>>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        vectors: Vectors<'_, G>,
        work: &mut Self::Work<A>,
        mut g: Inputs<'_, G, R, G::Base>,
        hv: &mut <R::In as List>::Stores<A>,
        products: &mut impl Products<G::Base>,
    ) -> Result<Option<F::Ret>>
    where
        B: Backend,
    {
        let g = R::In::again(&mut g);
        hessian::passes::<V, A, Self, B, F, G, R>(b, f, at, vectors, (work, g, hv), products)
    }
}

/// A strategy for second derivatives by one number.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot find second derivatives of `{F}`",
    label = "no second derivatives of `{F}`",
    note = "in code that is generic over the backend, bound it: `B: HessianBackend<..>`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find second derivatives of annotated functions, `AutoFiniteDiff` of all"
)]
pub trait CurvatureBy<B, F: Func<G>, G: Sig, R: Call<G>> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes. May call the function once.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites `first` and `second` with the derivatives; the first only if `V` is on, and then gives the value, too.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::Ret>>;
}
