//! Packages whose numbers are recorded on a tape of theirs.

use crate::backend::external::{External, Foreign};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::sizes;
use crate::operators::strategy::{Inputs, Outputs, Results};
use crate::overload::lifted::lifted_bytes;
use crate::overload::{Fingerprint, LiftedReturn, Over, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{ReturnValue, result_bytes};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;

/// A package's number that stands on a tape.
pub trait OnTape: Foreign {
    /// The tape.
    type Tape: Default + Send + 'static;
    /// Whether a tape can be run again at another point.
    const REPLAYS: bool;

    /// Nothing is recorded any more.
    fn clear(tape: &mut Self::Tape);
    /// A variable. All of them come before the first operation.
    fn variable(tape: &mut Self::Tape, v: f64) -> Self;
    /// Records what `f` does with the variables.
    fn record<T>(tape: &mut Self::Tape, f: impl FnOnce() -> T) -> T;
    /// These are the outputs.
    fn outputs(tape: &mut Self::Tape, all: &mut dyn Iterator<Item = Self>);
    /// The same number elsewhere.
    fn revalued(self, v: f64) -> Self;
    /// Runs the tape at another point, whose variables have these values. Whether it holds there.
    fn replay(tape: &mut Self::Tape, variables: &[f64]) -> bool;
    /// Whether a tape holds at every point, and has one output.
    fn is_straight(tape: &Self::Tape) -> bool;
    /// Runs the tape at another point, and back from its one output, whose cotangent is 1: the adjoints of all variables.
    fn gradient(tape: &mut Self::Tape, variables: &[f64]) -> Vec<f64>;
    /// An output's value.
    fn output(tape: &Self::Tape, k: usize) -> f64;
    /// The adjoints of all variables from the cotangents of all outputs.
    fn sweep(tape: &Self::Tape, seeds: &[f64], adjoints: &mut Vec<f64>);
}

/// A tape, what it depends on, and the value at the last point.
pub struct Session<N: OnTape, F: Overload<G>, G: OverSignature<Base = f64>> {
    tape: N::Tape,
    held: G::Held<External<N>>,
    result: Option<Over<F::ReturnValue, External<N>>>,
    /// Which of the variables are inputs.
    inputs: Vec<usize>,
    /// The outputs' numbers.
    outputs: Vec<N>,
    variables: Vec<f64>,
    signature: Fingerprint,
    value: Option<F::ReturnValue>,
}

impl<N: OnTape, F: Overload<G>, G: OverSignature<Base = f64>> Default for Session<N, F, G> {
    fn default() -> Self {
        Session {
            tape: Default::default(),
            held: Default::default(),
            result: None,
            inputs: Vec::new(),
            outputs: Vec::new(),
            variables: Vec::new(),
            signature: Fingerprint::default(),
            value: None,
        }
    }
}

impl<N: OnTape, F: Overload<G>, G: OverSignature<Base = f64>> Session<N, F, G> {
    /// The value at a point; writes outputs.
    pub(crate) fn at<R: OverCall<G>>(&mut self, f: &F, mut at: G::At<'_>) -> &F::ReturnValue {
        if N::REPLAYS && self.agrees(&at) && self.run(&at, N::replay) {
            self.update::<R>();
        } else {
            self.record::<R>(f, &mut at);
        }
        self.lower::<R>(at)
    }

    /// Whether the tape needs no more than numbers.
    pub(crate) fn is_straight(&mut self, at: &G::At<'_>) -> bool {
        N::REPLAYS && N::is_straight(&self.tape) && self.agrees(at)
    }

    /// Gives all outputs as the caller wants them, and the value.
    fn lower<R: OverCall<G>>(&mut self, mut at: G::At<'_>) -> &F::ReturnValue {
        R::lower_outputs(&mut self.held, &mut at);
        let result = self.result.as_ref().expect("the function was recorded");
        match &mut self.value {
            Some(value) => F::ReturnValue::lower_into(result, value),
            value => *value = Some(F::ReturnValue::lower(result)),
        }
        self.value.as_ref().expect("it was just put there")
    }

    pub(crate) fn value(&self) -> Option<&F::ReturnValue> {
        self.value.as_ref()
    }

    /// Whether all that the tape depends on beside numbers is as it was.
    fn agrees(&mut self, at: &G::At<'_>) -> bool {
        self.result.is_some() && self.signature.agrees(|signature| G::sign(at, signature))
    }

    fn record<R: OverCall<G>>(&mut self, f: &F, at: &mut G::At<'_>) {
        self.result = None;
        self.inputs.clear();
        if N::REPLAYS {
            self.signature.of(|signature| G::sign(at, signature));
        }
        let Session { tape, held, inputs, outputs, .. } = self;
        N::clear(tape);
        let mut variables = 0;
        R::lift_all(at, held, &mut |v, is_input| {
            if !(is_input || N::REPLAYS) {
                return External(N::constant(v));
            }
            if is_input {
                inputs.push(variables);
            }
            variables += 1;
            External(N::variable(tape, v))
        });
        let result = N::record(tape, || f.over(G::over(held, at)));
        outputs.clear();
        F::ReturnValue::each_over(&result, &mut |s: External<N>| outputs.push(s.0));
        R::each_output_over(held, &mut |s: &mut External<N>| outputs.push(s.0));
        N::outputs(tape, &mut outputs.iter().copied());
        self.result = Some(result);
    }

    /// Does something with the tape at another point.
    fn run<T>(&mut self, at: &G::At<'_>, run: impl FnOnce(&mut N::Tape, &[f64]) -> T) -> T {
        if let Some(variables) = G::floats(at) {
            return run(&mut self.tape, variables);
        }
        self.variables.clear();
        G::each_number(at, &mut |v| self.variables.push(v));
        run(&mut self.tape, &self.variables)
    }

    fn update<R: OverCall<G>>(&mut self) {
        let Session { tape, held, result, .. } = self;
        let mut k = 0;
        let mut update = |s: &mut External<N>| {
            *s = External(s.0.revalued(N::output(tape, k)));
            k += 1;
        };
        result.iter_mut().for_each(|result| F::ReturnValue::each_over_mut(result, &mut update));
        R::each_output_over(held, &mut update);
    }
}

/// Cotangents, and the numbers that go through a sweep.
pub struct Bars<G: OverSignature, A: LinearSpace<G::Base>> {
    bars: G::Stores<A>,
    pool: Pool<A>,
    all: Vec<A>,
    seeds: Vec<f64>,
    adjoints: Vec<f64>,
}

impl<G: OverSignature<Base = f64>, A: Lanes<f64>> Bars<G, A> {
    pub(crate) fn new<R: ArgRoles<G>>(at: &G::At<'_>) -> Self {
        let (all, seeds, adjoints) = Default::default();
        Bars { bars: R::stores(at, false), pool: Pool::new(), all, seeds, adjoints }
    }

    /// A whole pass, where the tape needs no more than numbers: the package's own, if it is for a gradient.
    pub(crate) fn straight<N: OnTape, F: Overload<G>, R: OverCall<G>, V: Flag>(
        &mut self,
        session: &mut Session<N, F, G>,
        at: G::At<'_>,
        mut x_bar: Inputs<'_, G, R, A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        self.seeds::<N, F, R>(session, seed)?;
        match &self.all[..] {
            [one] if one.lane(0) == 1.0 => {
                self.adjoints = session.run(&at, N::gradient);
                self.put::<N, F, R>(session, &mut x_bar, 0);
            }
            _ => {
                session.run(&at, N::replay);
                self.sweep::<N, F, R>(session, &mut x_bar, 0);
            }
        }
        session.update::<R>();
        let value = session.lower::<R>(at);
        Ok(if V::ON { Some(value.clone()) } else { None })
    }

    /// A sweep for every lane of the seeds.
    pub(crate) fn backward<N: OnTape, F: Overload<G>, R: OverCall<G>>(
        &mut self,
        session: &Session<N, F, G>,
        mut x_bar: Inputs<'_, G, R, A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        self.seeds::<N, F, R>(session, seed)?;
        (0..A::LANES).for_each(|lane| self.sweep::<N, F, R>(session, &mut x_bar, lane));
        Ok(())
    }

    /// The cotangents of all outputs.
    fn seeds<N: OnTape, F: Overload<G>, R: OverCall<G>>(
        &mut self,
        session: &Session<N, F, G>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        let Bars { bars, pool, all, .. } = self;
        R::clear(bars);
        let mut y_bar = session.value().expect("there was a forward sweep").zero(pool);
        let seeded = seed(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)));
        all.clear();
        <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| all.push(*a));
        F::ReturnValue::release(y_bar, pool);
        seeded
    }

    /// A sweep for one lane of the seeds.
    fn sweep<N: OnTape, F: Overload<G>, R: OverCall<G>>(
        &mut self,
        session: &Session<N, F, G>,
        x_bar: &mut Inputs<'_, G, R, A>,
        lane: usize,
    ) {
        self.seeds.clear();
        self.seeds.extend(self.all.iter().map(|a| a.lane(lane)));
        N::sweep(&session.tape, &self.seeds, &mut self.adjoints);
        self.put::<N, F, R>(session, x_bar, lane);
    }

    /// Hands the inputs' adjoints to the caller.
    fn put<N: OnTape, F: Overload<G>, R: OverCall<G>>(
        &self,
        session: &Session<N, F, G>,
        x_bar: &mut Inputs<'_, G, R, A>,
        lane: usize,
    ) {
        let (adjoints, n) = (&self.adjoints, session.inputs.len());
        // Inputs are in order: if the last of them is in its place, all are.
        if A::LANES == 1
            && session.inputs.last().is_none_or(|last| last + 1 == n)
            && let Some(out) = <<R as ArgRoles<G>>::In as List>::side_by_side_mut(x_bar).and_then(A::floats_mut)
        {
            return out.copy_from_slice(&adjoints[..n]);
        }
        let mut inputs = session.inputs.iter();
        <<R as ArgRoles<G>>::In as List>::each(<<R as ArgRoles<G>>::In as List>::again(x_bar), &mut |a: &mut A| {
            inputs.next().into_iter().for_each(|variable| a.set_lane(lane, adjoints[*variable]));
        });
    }
}

/// The tape itself belongs to the package, which does not tell its size.
impl<N: OnTape, F: Overload<G>, G: OverSignature<Base = f64>> Recorder for Session<N, F, G> {
    fn kept(&self, note: &mut Note<'_>) {
        let Session { held, result, inputs, outputs, variables, signature, value, .. } = self;
        note(names::ARGUMENTS, G::bytes(held));
        note(
            names::RESULTS,
            result.as_ref().map_or(0, lifted_bytes::<_, F::ReturnValue, _>) + value.as_ref().map_or(0, result_bytes),
        );
        note(
            names::TAPE,
            memory_report::vector(inputs) + memory_report::vector(outputs) + memory_report::vector(variables),
        );
        note(names::SIZES, signature.bytes());
    }
}

impl<G: OverSignature<Base = f64>, A: Lanes<f64>> Recorder for Bars<G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        let Bars { bars, pool, all, seeds, adjoints } = self;
        note(names::COTANGENTS, sizes::shadow::<A>(bars));
        note(names::WORKSPACE, pool.bytes());
        note(names::NUMBERS, memory_report::vector(all) + memory_report::vector(seeds));
        note(names::TAPE, memory_report::vector(adjoints));
    }
}
