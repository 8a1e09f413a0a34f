//! The tangents of a tape run backwards: the recorded program is run on dual numbers.

use crate::backend::recording_derivatives;
use crate::backend::recording_derivatives::Twice;
use crate::backend::second_order::SecondOrder;
use crate::backend::tape::{AutoTape, Branch, COMPILED, Keeps, Tape};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::real::Real;
use crate::number::scalar::Dual;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::One;
use crate::operators::pushforward::{Made, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Backend, Inputs, Outputs};
use crate::overload::recording::Program;
use crate::overload::recording::derivative::Derivative;
use crate::overload::recording::pull::{Adjoint, Full};
use crate::overload::{OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::ReturnValue;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;

/// Strategy: a tape, run forwards and backwards on dual numbers, or the code that this amounts to.
#[derive(Clone, Copy, Debug)]
pub struct Retraced;

/// A backend that records tapes, or differentiates one that does.
pub(crate) trait Retraces {
    /// What is kept of tapes between calls.
    fn keeps(&self) -> Keeps;
    /// What is done where a tape does not hold.
    fn other(&self) -> Branch;
}

impl Retraces for AutoTape {
    fn keeps(&self) -> Keeps {
        self.keeps
    }
    fn other(&self) -> Branch {
        self.other
    }
}

impl<O: Backend> Retraces for SecondOrder<O, AutoTape> {
    fn keeps(&self) -> Keeps {
        self.1.keeps
    }
    fn other(&self) -> Branch {
        self.1.other
    }
}

/// A tape, the tangents of the inputs, and its derivative as code, or dual numbers for values and adjoints.
pub struct Work<F: Overload<G>, G: OverSignature, A: Lanes<G::Base>> {
    twice: Twice<F, G, A>,
    values: Vec<A::Dual<false>>,
    adjoints: Vec<Full<A::Dual<false>>>,
}

impl<F: Overload<G>, G: OverSignature, A: Lanes<G::Base>> Clone for Work<F, G, A> {
    fn clone(&self) -> Self {
        let Work { twice, values, adjoints } = self;
        Work { twice: twice.clone(), values: values.clone(), adjoints: adjoints.clone() }
    }
}

impl<F: Overload<G>, G: OverSignature, A: Lanes<G::Base>> Recorder for Work<F, G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        self.twice.kept(note);
        note(names::TAPE, memory_report::vector(&self.values) + memory_report::vector(&self.adjoints));
    }
    fn tape_bytes(&self) -> usize {
        self.twice.tape_bytes() + memory_report::vector(&self.values) + memory_report::vector(&self.adjoints)
    }
}

impl<B: Retraces, F: Overload<G>, G: OverSignature, R: OverCall<G>> SecondBy<B, F, G, R> for Retraced {
    type Work<A: Lanes<G::Base>> = Work<F, G, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        Work { twice: Twice::new::<R>(at), values: Vec::new(), adjoints: Vec::new() }
    }

    #[inline]
    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.twice.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        first: bool,
        Work { twice, values, adjoints }: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        twice.tape.other = b.other();
        if b.keeps() == Keeps::Code {
            if first {
                recording_derivatives::forward::<F, G, R>(f, at, &mut twice.tape, &mut twice.derivative)?;
            }
            twice.tape.program.has_curvature()?;
            recording_derivatives::hvp::<F, G, R, A>(twice, COMPILED, g, hv)?;
            return Ok(if V::ON { twice.tape.value().cloned() } else { None });
        }
        let Twice { tape, dots, .. } = twice;
        if first {
            tape.at::<R>(f, at, b.keeps() == Keeps::Program)?;
        }
        tape.program.has_curvature()?;
        let program = &tape.program;
        tape.on(values);
        let mut inputs = program.inputs.iter();
        <<R as ArgRoles<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| {
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
        <<R as ArgRoles<G>>::In as List>::each(g, &mut |g: &mut G::Base| {
            inputs.next().into_iter().for_each(|adjoint| *g = adjoint.value());
        });
        let mut inputs = program.inputs.iter().map(adjoint);
        <<R as ArgRoles<G>>::In as List>::each(hv, &mut |hv: &mut A| {
            inputs.next().into_iter().for_each(|adjoint| *hv = A::tangent::<false>(adjoint));
        });
        Ok(if V::ON { tape.value().cloned() } else { None })
    }
}

/// A number with its first and second derivative by one variable.
type Curved<F> = Dual<Dual<<F as Base>::Number, 1>, 1>;

/// A tape, its values with two derivatives or the code for them, and memory for the results' sizes.
pub struct Curve<F: Overload<G>, G: OverSignature> {
    tape: Tape<F, G>,
    derivative: Derivative<G::Base>,
    values: Vec<Curved<G::Base>>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
}

impl<F: Overload<G>, G: OverSignature> Clone for Curve<F, G> {
    fn clone(&self) -> Self {
        let Curve { tape, derivative, values, dots, pool } = self;
        Curve {
            tape: tape.clone(),
            derivative: derivative.clone(),
            values: values.clone(),
            dots: dots.clone(),
            pool: pool.clone(),
        }
    }
}

impl<F: Overload<G>, G: OverSignature> Recorder for Curve<F, G> {
    fn kept(&self, note: &mut Note<'_>) {
        let Curve { tape, derivative, values, dots, pool } = self;
        tape.kept(note);
        note(names::DERIVATIVE, derivative.bytes());
        note(names::TAPE, memory_report::vector(values));
        note(names::RESULTS, sizes::shadow::<G::Base>(dots));
        note(names::WORKSPACE, pool.bytes());
    }
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + self.derivative.bytes() + memory_report::vector(&self.values)
    }
}

impl<B: Retraces, F: Overload<G>, G: OverSignature, R: OverCall<G>> CurvatureBy<B, F, G, R> for Retraced {
    type State = Curve<F, G>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        let (tape, derivative) = (Tape::default(), Derivative::default());
        Curve { tape, derivative, values: Vec::new(), dots: R::stores(at, true), pool: Pool::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Curve { tape, derivative, values, dots, pool }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        tape.other = b.other();
        let coded = b.keeps() == Keeps::Code;
        if coded {
            recording_derivatives::forward::<F, G, R>(f, at, tape, derivative)?;
            tape.program.has_curvature()?;
            derivative.ensure(tape.recordings, &tape.program, tape.leaves(), COMPILED, Program::curved)?;
        } else {
            tape.at::<R>(f, at, b.keeps() == Keeps::Program)?;
            tape.program.has_curvature()?;
            tape.on(values);
            tape.program.curve(values);
        }
        let y = tape.value().expect("there was a forward sweep");
        let mut y_dot = y.zero(pool);
        let shape =
            Shape::of(|dim| <Outputs<F, G, R>>::shape(&F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), dim));
        F::ReturnValue::release(y_dot, pool);
        let outputs = &tape.program.outputs;
        let slope = |k: usize, order: usize| match (coded, order) {
            (true, _) => derivative.output(order * outputs.len() + k),
            (false, 1) => values[outputs[k] as usize].partial(0).value(),
            (false, _) => values[outputs[k] as usize].partial(0).partial(0).value(),
        };
        second.open(y, &shape)?;
        let mut k = 0..;
        <Outputs<F, G, R>>::each(second.get(0), &mut |d: &mut G::Base| *d = slope(k.next().unwrap_or(0), 2));
        if !V::ON {
            return Ok(None);
        }
        first.open(y, &shape)?;
        let mut k = 0..;
        <Outputs<F, G, R>>::each(first.get(0), &mut |d: &mut G::Base| *d = slope(k.next().unwrap_or(0), 1));
        Ok(Some(y.clone()))
    }
}
