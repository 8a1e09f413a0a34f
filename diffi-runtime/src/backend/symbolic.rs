//! `AutoSymbolic`: expressions for derivatives.

use super::tape::Tape;
use super::{AutoTape, Inputs, Outputs, Pull, Results};
use crate::arguments::Args;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::function::Ret;
use crate::kinds::Sig;
use crate::lanes::{Lanes, One};
use crate::linear::Lin;
use crate::list::List;
use crate::operators::pushforward::Target;
use crate::overload::{OverCall, OverSig, Overload};
use crate::program::Program;
use crate::program::text::Expressions;
use crate::real::Real;
use crate::roles::Call;
use crate::second_order::{CurvatureBy, Retraced, SecondBy};
use crate::slots::Flag;
use crate::tape::Recorder;
use crate::workspace::Pool;

/// Expressions: the function is recorded once, its derivative is worked out as a program of its own, without common
/// subexpressions and without what is known to be zero, and that is evaluated. [`symbolic_gradient`] and [`symbolic_jacobian`] show it.
///
/// An expression has no branches: a function that compares active numbers is refused, with [`Error::ActiveBranch`]. `max`, `abs` and
/// the like are functions as others. `0 * x` counts as 0 even where `x` is infinite or NaN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoSymbolic;

/// Strategy: expressions for the gradient and its tangent.
#[derive(Clone, Copy, Debug)]
pub struct Symbolic;

type Number<G> = <<G as Sig>::Base as Base>::Number;

/// Makes the derivative of a program; decisions are taken as at a point.
type Derive<G> = fn(&Program<<G as Sig>::Base>, &[Number<G>]) -> Program<<G as Sig>::Base>;

/// A derivative of a recorded program, and its values.
struct Derivative<G: OverSig> {
    program: Program<G::Base>,
    values: Vec<Number<G>>,
    /// Of which recording it is the derivative.
    of: usize,
}

impl<G: OverSig> Default for Derivative<G> {
    fn default() -> Self {
        Derivative { program: Program::default(), values: Vec::new(), of: 0 }
    }
}

impl<G: OverSig> Clone for Derivative<G> {
    fn clone(&self) -> Self {
        Derivative { program: self.program.clone(), values: self.values.clone(), of: self.of }
    }
}

impl<G: OverSig> Derivative<G> {
    /// Evaluates the derivative that `derive` makes of the tape's program, with `seeds` in the leaves after those of the tape.
    fn evaluate<F: Overload<G>>(&mut self, tape: &Tape<F, G>, seeds: impl Iterator<Item = G::Base>, derive: Derive<G>) {
        let leaves = &tape.values[..tape.program.leaves];
        let known = self.of == tape.recordings;
        if !known {
            self.program = derive(&tape.program, leaves);
            self.program.start(&mut self.values);
        }
        self.values[..leaves.len()].copy_from_slice(leaves);
        let places = self.values[leaves.len()..self.program.leaves].iter_mut();
        places.zip(seeds).for_each(|(place, seed)| *place = Number::<G>::from_base(seed));
        self.program.run(&mut self.values);
        self.of = tape.recordings;
        // Kinks have another slope on the other side.
        if known && !self.program.holds(&self.values) {
            let seeds: Vec<Number<G>> = self.values[leaves.len()..self.program.leaves].to_vec();
            self.program = derive(&tape.program, leaves);
            self.program.start(&mut self.values);
            self.values[..leaves.len()].copy_from_slice(leaves);
            self.values[leaves.len()..self.program.leaves].copy_from_slice(&seeds);
            self.program.run(&mut self.values);
        }
    }

    /// An output's value.
    fn output(&self, k: usize) -> G::Base {
        self.values[self.program.outputs[k] as usize].value()
    }
}

/// The function's own tape at a point, if it is the same everywhere.
fn trace<F: Overload<G>, G: OverSig, R: OverCall<G>>(tape: &mut Tape<F, G>, f: &F, at: G::At<'_>) -> Result<()> {
    tape.at::<R>(f, at, true);
    if tape.program.guards.is_empty() { Ok(()) } else { Err(Error::ActiveBranch) }
}

/// A tape, its derivative, and cotangents.
pub struct Work<F: Overload<G>, G: OverSig, A: Lin<G::Base>> {
    tape: Tape<F, G>,
    derivative: Derivative<G>,
    bars: G::Stores<A>,
    seeds: Vec<A>,
    pool: Pool<A>,
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Clone for Work<F, G, A> {
    fn clone(&self) -> Self {
        let Work { tape, derivative, bars, seeds, pool } = self;
        Work {
            tape: tape.clone(),
            derivative: derivative.clone(),
            bars: bars.clone(),
            seeds: seeds.clone(),
            pool: pool.clone(),
        }
    }
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Recorder for Work<F, G, A> {
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + self.derivative.program.bytes() + size_of_val(&self.derivative.values[..])
    }
}

impl<F: Overload<G>, G: OverSig, R: OverCall<G>> Pull<F, G, R> for AutoSymbolic {
    type Work<A: Lanes<G::Base>> = Work<F, G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work {
            tape: Tape::default(),
            derivative: Derivative::default(),
            bars: R::stores(at, false),
            seeds: Vec::new(),
            pool: Pool::new(),
        }
    }

    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::Ret>> {
        trace::<F, G, R>(&mut work.tape, f, at)?;
        backward::<F, G, R, A>(x_bar, work, seed)?;
        Ok(if V::ON { work.tape.value().cloned() } else { None })
    }

    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::Ret {
        work.tape.at::<R>(f, at, true).clone()
    }

    fn release<A: Lanes<G::Base>>(
        &self,
        _: &F,
        _: G::At<'_>,
        _: &F::Ret,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        if !work.tape.program.guards.is_empty() {
            return Err(Error::ActiveBranch);
        }
        backward::<F, G, R, A>(x_bar, work, seed)
    }
}

/// The derivative's values for every lane of the seeds.
fn backward<F: Overload<G>, G: OverSig, R: OverCall<G>, A: Lanes<G::Base>>(
    mut x_bar: Inputs<'_, G, R, A>,
    Work { tape, derivative, bars, seeds, pool }: &mut Work<F, G, A>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    R::clear(bars);
    let mut y_bar = tape.value().expect("there was a forward sweep").zero(pool);
    let seeded = seed(F::Ret::muts(&mut y_bar, R::outputs(bars)));
    seeds.clear();
    <Outputs<F, G, R>>::each(F::Ret::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| seeds.push(*a));
    F::Ret::release(y_bar, pool);
    seeded?;
    for lane in 0..A::LANES {
        derivative.evaluate(tape, seeds.iter().map(|a| a.lane(lane)), Program::derived);
        let mut k = seeds.len();
        <<R as Call<G>>::In as List>::each(<<R as Call<G>>::In as List>::again(&mut x_bar), &mut |a: &mut A| {
            a.set_lane(lane, derivative.output(k));
            k += 1;
        });
    }
    Ok(())
}

/// A tape, the derivative of its derivative, and the tangents of the inputs.
pub struct Twice<F: Overload<G>, G: OverSig, A: Lin<G::Base>> {
    tape: Tape<F, G>,
    derivative: Derivative<G>,
    dots: G::Stores<A>,
    tangents: Vec<A>,
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Clone for Twice<F, G, A> {
    fn clone(&self) -> Self {
        let Twice { tape, derivative, dots, tangents } = self;
        Twice { tape: tape.clone(), derivative: derivative.clone(), dots: dots.clone(), tangents: tangents.clone() }
    }
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Recorder for Twice<F, G, A> {
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + self.derivative.program.bytes() + size_of_val(&self.derivative.values[..])
    }
}

impl<B, F: Overload<G>, G: OverSig, R: OverCall<G>> SecondBy<B, F, G, R> for Symbolic {
    type Work<A: Lanes<G::Base>> = Twice<F, G, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        let (tape, derivative) = (Tape::default(), Derivative::default());
        Twice { tape, derivative, dots: R::stores(at, true), tangents: Vec::new() }
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        first: bool,
        Twice { tape, derivative, dots, tangents }: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        mut hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::Ret>> {
        if first {
            trace::<F, G, R>(tape, f, at)?;
        }
        tangents.clear();
        <<R as Call<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| tangents.push(*a));
        for lane in 0..A::LANES {
            derivative.evaluate(tape, tangents.iter().map(|a| a.lane(lane)), Program::derived_twice);
            let mut k = tangents.len();
            <<R as Call<G>>::In as List>::each(<<R as Call<G>>::In as List>::again(&mut hv), &mut |a: &mut A| {
                a.set_lane(lane, derivative.output(k));
                k += 1;
            });
        }
        let mut k = 0;
        <<R as Call<G>>::In as List>::each(g, &mut |g: &mut G::Base| {
            *g = derivative.output(k);
            k += 1;
        });
        Ok(if V::ON { tape.value().cloned() } else { None })
    }
}

impl<B, F: Overload<G>, G: OverSig, R: OverCall<G>> CurvatureBy<B, F, G, R> for Symbolic {
    type State = <Retraced as CurvatureBy<AutoTape, F, G, R>>::State;

    fn state(_: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::state(&AutoTape.replayed(), f, at)
    }

    fn warm(_: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::warm(&AutoTape.replayed(), f, at, state)
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::Ret>> {
        <Retraced as CurvatureBy<AutoTape, F, G, R>>::run::<V>(&AutoTape.replayed(), f, at, state, first, second)
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
    G: OverSig,
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
    G: OverSig,
    R: OverCall<G>,
{
    let mut tape = Tape::<F, G>::default();
    trace::<F, G, R>(&mut tape, &f, args.at())?;
    let leaves = &tape.values[..tape.program.leaves];
    Ok(Expressions::new(tape.program.rows::<Number<G>>(leaves), leaves.len()))
}
