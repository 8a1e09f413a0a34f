//! `AutoSymbolic`: expressions for derivatives.

use crate::backend::recording_derivatives::Twice;
use crate::backend::second_order::Retraced;
use crate::backend::tape::{Keeps, Tape, Work};
use crate::backend::{AutoTape, recording_derivatives};
use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::width::One;
use crate::operators::pull::Pull;
use crate::operators::pushforward::Target;
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Inputs, Results};
use crate::overload::recording::derivative::How;
use crate::overload::recording::phases::First;
use crate::overload::recording::simplify::Simplify;
use crate::overload::recording::text::Expressions;
use crate::overload::{OverCall, OverSignature, Overload};
use crate::signature::arguments::Args;
use crate::signature::param_kinds::Signature;
use std::fmt;

/// Expressions: the function is recorded once, its derivative is worked out as a program of its own, without common
/// subexpressions and without what is known to be zero, and that is evaluated. [`symbolic_gradient`] and [`symbolic_jacobian`] show it.
///
/// An expression has no branches: a function that compares active numbers is refused, with [`Error::ActiveBranch`]. `max`, `abs` and
/// the like are functions as others. `0 * x` counts as 0 even where `x` is infinite or NaN.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoSymbolic {
    compiled: bool,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoSymbolic: AutoSymbolic = AutoSymbolic { compiled: false };

impl AutoSymbolic {
    /// Preparation turns the expressions into machine code, in proportion to their number.
    ///
    /// For calls without preparation this is slower than evaluating them.
    ///
    /// # Errors
    ///
    /// Operators give [`Error::NoMachineCode`] where the system does not let programs make code.
    #[cfg(feature = "compiled")]
    pub const fn compiled(self) -> Self {
        AutoSymbolic { compiled: true }
    }

    /// Needs the feature `compiled`; without it a call does not compile:
    ///
    /// ```compile_fail,E0277
    /// let _ = diffi_runtime::backend::AutoSymbolic.compiled();
    /// ```
    #[cfg(not(feature = "compiled"))]
    pub fn compiled(self) -> Self
    where
        for<'a> crate::backend::tape::Machines<'a>: crate::backend::tape::Compiles,
    {
        self
    }

    /// For second derivatives by one number.
    fn tape(self) -> AutoTape {
        AutoTape { keeps: if self.compiled { Keeps::Code } else { Keeps::Program }, ..AutoTape }
    }

    fn how(self) -> How {
        How { simplify: Simplify::Finite, compiled: self.compiled, first: First::Unseeded }
    }
}

impl fmt::Debug for AutoSymbolic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.compiled { "AutoSymbolic.compiled()" } else { "AutoSymbolic" })
    }
}

/// Strategy: expressions for the gradient and its tangent.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic;

type Number<G> = <<G as Signature>::Base as Base>::Number;

/// Whether the function is the same everywhere.
fn unbranched<F: Overload<G>, G: OverSignature>(tape: &Tape<F, G>) -> Result<()> {
    tape.program.has_curvature()?;
    if tape.program.guards.is_empty() { Ok(()) } else { Err(Error::ActiveBranch) }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> Pull<F, G, R> for AutoSymbolic {
    type Work<A: Lanes<G::Base>> = Work<F, G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work::new::<R>(at)
    }

    #[inline(always)]
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        recording_derivatives::pull::<F, G, R, A, V>(f, at, x_bar, work, self.how(), unbranched, seed)
    }

    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue {
        recording_derivatives::forward::<F, G, R>(f, at, &mut work.tape, &mut work.derivative)
            .expect("it is recorded again where it does not hold");
        work.tape.value().cloned().expect("there was a forward sweep")
    }

    fn release<A: Lanes<G::Base>>(
        &self,
        _: &F,
        _: G::At<'_>,
        _: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        unbranched(&work.tape)?;
        recording_derivatives::backward::<F, G, R, A>(x_bar, work, self.how(), seed)
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> SecondBy<AutoSymbolic, F, G, R> for Symbolic {
    type Work<A: Lanes<G::Base>> = Twice<F, G, A>;

    fn work<A: Lanes<G::Base>>(_: &AutoSymbolic, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        Twice::new::<R>(at)
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &AutoSymbolic,
        f: &F,
        at: G::At<'_>,
        first: bool,
        work: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        if first {
            recording_derivatives::forward::<F, G, R>(f, at, &mut work.tape, &mut work.derivative)?;
            unbranched(&work.tape)?;
        }
        recording_derivatives::hvp::<F, G, R, A>(work, b.how(), g, hv)?;
        Ok(if V::ON { work.tape.value().cloned() } else { None })
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> CurvatureBy<AutoSymbolic, F, G, R> for Symbolic {
    type State = <Retraced as CurvatureBy<AutoTape, F, G, R>>::State;

    fn state(b: &AutoSymbolic, f: &F, at: &mut G::At<'_>) -> Self::State {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::state(&b.tape(), f, at)
    }

    fn warm(b: &AutoSymbolic, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::warm(&b.tape(), f, at, state)
    }

    fn run<V: Flag>(
        b: &AutoSymbolic,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::run::<V>(&b.tape(), f, at, state, first, second)
    }
}

/// The gradient as expressions: the partial derivatives of a function whose result is one number, by all inputs.
///
/// # Errors
///
/// [`Error::ActiveBranch`] if the function compares active numbers.
pub fn symbolic_gradient<F, X, G, R>(f: F, args: X) -> Result<Expressions<G::Base>>
where
    F: Overload<G>,
    X: Args<G, R>,
    G: OverSignature,
    R: OverCall<G>,
{
    symbolic_jacobian(f, args)
}

/// The Jacobian as expressions, row by row. Entries that are zero everywhere are seen by [`Expressions::zeros`].
///
/// # Errors
///
/// [`Error::ActiveBranch`] if the function compares active numbers.
pub fn symbolic_jacobian<F, X, G, R>(f: F, mut args: X) -> Result<Expressions<G::Base>>
where
    F: Overload<G>,
    X: Args<G, R>,
    G: OverSignature,
    R: OverCall<G>,
{
    let mut tape = Tape::<F, G>::default();
    tape.at::<R>(&f, args.at(), false)?;
    unbranched(&tape)?;
    let leaves = tape.leaves();
    Ok(Expressions::new(tape.program.rows::<Number<G>>(leaves), leaves.len()))
}
