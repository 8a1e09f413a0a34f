//! Strategies of second order.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::hlist::List;
use crate::number::width::One;
use crate::operators::columns::Vectors;
use crate::operators::entries::Products;
use crate::operators::hessian;
use crate::operators::pushforward::Target;
use crate::operators::strategy::{Backend, Inputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::stack::tape::Recorder;

/// A strategy for the products of Hessians with tangents.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot find second derivatives of `{F}` [D0706]",
    label = "no second derivatives of `{F}`",
    note = "in code that is generic over the backend, bound it: `B: HessianBackend<..>`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find second derivatives of annotated functions, `AutoFiniteDiff` of all"
)]
pub trait SecondBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
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
    ) -> Result<Option<F::ReturnValue>>;
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
    ) -> Result<Option<F::ReturnValue>>
    where
        B: Backend,
    {
        let g = R::In::again(&mut g);
        hessian::passes::<V, A, Self, B, F, G, R>(b, f, at, vectors, (work, g, hv), products)
    }
}

/// A strategy for second derivatives by one number.
#[diagnostic::on_unimplemented(
    message = "`{B}` cannot find second derivatives of `{F}` [D0706]",
    label = "no second derivatives of `{F}`",
    note = "in code that is generic over the backend, bound it: `B: HessianBackend<..>`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find second derivatives of annotated functions, `AutoFiniteDiff` of all"
)]
pub trait CurvatureBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
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
    ) -> Result<Option<F::ReturnValue>>;
}
