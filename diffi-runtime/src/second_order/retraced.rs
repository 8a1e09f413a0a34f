//! The tangents of a tape run backwards: the recorded program is run on dual numbers.

use super::{CurvatureBy, SecondBy, SecondOrder};
use crate::backend::tape::{AutoTape, Tape};
use crate::backend::{Backend, Inputs, Outputs};
use crate::base::Base;
use crate::error::Result;
use crate::function::Ret;
use crate::lanes::{Lanes, One};
use crate::list::List;
use crate::operators::pushforward::{Made, Target};
use crate::overload::{OverCall, OverSig, Overload};
use crate::program::pull::{Adjoint, Full};
use crate::real::Real;
use crate::roles::Call;
use crate::scalar::Dual;
use crate::shape::Shape;
use crate::slots::{Flag, On};
use crate::tape::Recorder;
use crate::workspace::Pool;

/// Strategy: a tape, run forwards and backwards on dual numbers.
#[derive(Clone, Copy, Debug)]
pub struct Retraced;

/// A backend that records tapes, or differentiates one that does.
pub trait Retraces {
    /// Whether tapes are kept between calls.
    fn replays(&self) -> bool;
}

impl Retraces for AutoTape {
    fn replays(&self) -> bool {
        self.replay
    }
}

impl<O: Backend> Retraces for SecondOrder<O, AutoTape> {
    fn replays(&self) -> bool {
        self.1.replay
    }
}

/// A tape, the tangents of the inputs, and dual numbers for values and adjoints.
pub struct Work<F: Overload<G>, G: OverSig, A: Lanes<G::Base>> {
    tape: Tape<F, G>,
    dots: G::Stores<A>,
    values: Vec<A::Dual<false>>,
    adjoints: Vec<Full<A::Dual<false>>>,
}

impl<F: Overload<G>, G: OverSig, A: Lanes<G::Base>> Clone for Work<F, G, A> {
    fn clone(&self) -> Self {
        let Work { tape, dots, values, adjoints } = self;
        Work { tape: tape.clone(), dots: dots.clone(), values: values.clone(), adjoints: adjoints.clone() }
    }
}

impl<F: Overload<G>, G: OverSig, A: Lanes<G::Base>> Recorder for Work<F, G, A> {
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + size_of_val(&self.values[..]) + size_of_val(&self.adjoints[..])
    }
}

impl<B: Retraces, F: Overload<G>, G: OverSig, R: OverCall<G>> SecondBy<B, F, G, R> for Retraced {
    type Work<A: Lanes<G::Base>> = Work<F, G, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        Work { tape: Tape::default(), dots: R::stores(at, true), values: Vec::new(), adjoints: Vec::new() }
    }

    #[inline]
    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        first: bool,
        Work { tape, dots, values, adjoints }: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::Ret>> {
        if first {
            tape.at::<R>(f, at, b.replays());
        }
        let program = &tape.program;
        tape.on(values);
        let mut inputs = program.inputs.iter();
        <<R as Call<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| {
            let node = *inputs.next().expect("a node for every input") as usize;
            values[node] = A::dual::<false>(values[node].value(), *a);
        });
        program.run(values);
        adjoints.clear();
        adjoints.resize(values.len(), Full::ZERO);
        adjoints[program.outputs[0] as usize] = Full(Some(<A::Dual<false>>::lit(1.0)));
        program.pull(values, adjoints);
        let adjoint = |node: &u32| adjoints[*node as usize].0.unwrap_or(<A::Dual<false>>::lit(0.0));
        let mut inputs = program.inputs.iter().map(adjoint);
        <<R as Call<G>>::In as List>::each(g, &mut |g: &mut G::Base| {
            inputs.next().into_iter().for_each(|adjoint| *g = adjoint.value());
        });
        let mut inputs = program.inputs.iter().map(adjoint);
        <<R as Call<G>>::In as List>::each(hv, &mut |hv: &mut A| {
            inputs.next().into_iter().for_each(|adjoint| *hv = A::tangent::<false>(adjoint));
        });
        Ok(if V::ON { tape.value().cloned() } else { None })
    }
}

/// A number with its first and second derivative by one variable.
type Twice<F> = Dual<Dual<<F as Base>::Number, 1>, 1>;

/// A tape, its values with two derivatives, and memory for the results' sizes.
pub struct Curve<F: Overload<G>, G: OverSig> {
    tape: Tape<F, G>,
    values: Vec<Twice<G::Base>>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
}

impl<F: Overload<G>, G: OverSig> Clone for Curve<F, G> {
    fn clone(&self) -> Self {
        let Curve { tape, values, dots, pool } = self;
        Curve { tape: tape.clone(), values: values.clone(), dots: dots.clone(), pool: pool.clone() }
    }
}

impl<F: Overload<G>, G: OverSig> Recorder for Curve<F, G> {
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + size_of_val(&self.values[..])
    }
}

impl<B: Retraces, F: Overload<G>, G: OverSig, R: OverCall<G>> CurvatureBy<B, F, G, R> for Retraced {
    type State = Curve<F, G>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        Curve { tape: Tape::default(), values: Vec::new(), dots: R::stores(at, true), pool: Pool::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Curve { tape, values, dots, pool }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::Ret>> {
        let y = tape.at::<R>(f, at, b.replays()).clone();
        tape.on(values);
        let one = Dual::constant(Real::lit(1.0));
        for node in &tape.program.inputs {
            let value = values[*node as usize].primal().primal();
            values[*node as usize] = Dual::new(Dual::variable(value, 0), [one]);
        }
        tape.program.run(values);
        let mut y_dot = y.zero(pool);
        let shape = Shape::of(|dim| <Outputs<F, G, R>>::shape(&F::Ret::muts(&mut y_dot, R::outputs(dots)), dim));
        F::Ret::release(y_dot, pool);
        let outputs = || tape.program.outputs.iter().map(|node| values[*node as usize].partial(0));
        second.open(&y, &shape)?;
        let mut of = outputs();
        <Outputs<F, G, R>>::each(second.get(0), &mut |d: &mut G::Base| {
            of.next().into_iter().for_each(|slope| *d = slope.partial(0).value());
        });
        if !V::ON {
            return Ok(None);
        }
        first.open(&y, &shape)?;
        let mut of = outputs();
        <Outputs<F, G, R>>::each(first.get(0), &mut |d: &mut G::Base| {
            of.next().into_iter().for_each(|slope| *d = slope.value());
        });
        Ok(Some(y))
    }
}
