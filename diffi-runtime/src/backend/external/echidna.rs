//! The crate `echidna`.

use crate::backend::external::on_tape::{Bars, OnTape, Session};
use crate::backend::external::{Foreign, by_float, by_operator, unary};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::operators::pull::Pull;
use crate::operators::strategy::{BatchSize, Inputs, Results};
use crate::overload::{OverCall, OverSignature, Overload};
use crate::stack::memory_report::Note;
use crate::stack::tape::Recorder;
use echidna::bytecode_tape::{BtapeGuard, CONSTANT, with_active_btape};
use echidna::tape::{Tape, TapeGuard};
use echidna::{BReverse, BytecodeTape, Reverse};
use num_traits::ToPrimitive;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::fmt;

/// The reverse mode of the crate `echidna`: a tape of partial derivatives, recorded at every call.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoEchidna {
    replay: bool,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoEchidna: AutoEchidna = AutoEchidna { replay: false };

impl AutoEchidna {
    /// Prepared objects keep a tape of operations, and run it again.
    ///
    /// The package itself does not notice where a comparison comes out in another way; this backend does, and records again, as
    /// [`AutoTape.replayed()`](crate::backend::AutoTape::replayed).
    pub const fn replayed(self) -> Self {
        AutoEchidna { replay: true }
    }

    pub(crate) const fn chunk() -> BatchSize {
        BatchSize::AUTO
    }
}

impl fmt::Debug for AutoEchidna {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.replay { "AutoEchidna.replayed()" } else { "AutoEchidna" })
    }
}

/// Either tape, and cotangents.
pub struct Work<F: Overload<G>, G: OverSignature<Base = f64>, A: Lanes<f64>> {
    anew: Session<Reverse<f64>, F, G>,
    kept: Session<BReverse<f64>, F, G>,
    bars: Bars<G, A>,
}

impl<F: Overload<G>, G: OverSignature<Base = f64>, A: Lanes<f64>> Recorder for Work<F, G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        self.anew.kept(note);
        self.kept.kept(note);
        self.bars.kept(note);
    }
}

impl<F: Overload<G>, G: OverSignature<Base = f64>, R: OverCall<G>> Pull<F, G, R> for AutoEchidna {
    type Work<A: Lanes<f64>> = Work<F, G, A>;

    fn work<A: Lanes<f64>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work { anew: Session::default(), kept: Session::default(), bars: Bars::new::<R>(at) }
    }

    fn pull<A: Lanes<f64>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        if self.replay && A::LANES == 1 && work.kept.is_straight(&at) {
            return work.bars.straight::<BReverse<f64>, F, R, V>(&mut work.kept, at, x_bar, seed);
        }
        let value = <Self as Pull<F, G, R>>::hold(self, f, at, work);
        self.backward::<F, G, R, A>(x_bar, work, seed)?;
        Ok(if V::ON { Some(value) } else { None })
    }

    fn hold<A: Lanes<f64>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue {
        match self.replay {
            true => work.kept.at::<R>(f, at).clone(),
            false => work.anew.at::<R>(f, at).clone(),
        }
    }

    fn release<A: Lanes<f64>>(
        &self,
        _: &F,
        _: G::At<'_>,
        _: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        self.backward::<F, G, R, A>(x_bar, work, seed)
    }
}

impl AutoEchidna {
    fn backward<F: Overload<G>, G: OverSignature<Base = f64>, R: OverCall<G>, A: Lanes<f64>>(
        &self,
        x_bar: Inputs<'_, G, R, A>,
        Work { anew, kept, bars }: &mut Work<F, G, A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        match self.replay {
            true => bars.backward::<BReverse<f64>, F, R>(kept, x_bar, seed),
            false => bars.backward::<Reverse<f64>, F, R>(anew, x_bar, seed),
        }
    }
}

macro_rules! foreign {
    ($T:ty { $($more:tt)* }) => {
        impl Foreign for $T {
            #[inline]
            fn constant(v: f64) -> Self {
                <$T>::constant(v)
            }
            #[inline]
            fn re(&self) -> f64 {
                self.to_f64().unwrap_or(f64::NAN)
            }
            #[inline]
            fn is_zero(&self) -> bool {
                self.index() == CONSTANT && self.re() == 0.0
            }
            by_operator!(scaled * shifted +);
            unary!(by_float);
            $($more)*
        }
    };
}
foreign! { Reverse<f64> {} }
foreign! {
    BReverse<f64> {
        #[inline]
        fn compared(&self, other: &Self, order: Option<Ordering>) {
            decide(*self, *other, |a, b| Decision::Order(a, b, order));
        }
        #[inline]
        fn observed(&self) {
            decide(*self, *self, |a, _| Decision::Bits(a, self.re().to_bits()));
        }
    }
}

/// A tape of partial derivatives, and where the outputs stand.
#[derive(Default)]
pub struct Partials {
    tape: Tape<f64>,
    outputs: Vec<u32>,
}

impl OnTape for Reverse<f64> {
    type Tape = Partials;
    const REPLAYS: bool = false;

    fn clear(Partials { tape, .. }: &mut Partials) {
        tape.clear();
    }
    #[inline]
    fn variable(Partials { tape, .. }: &mut Partials, v: f64) -> Self {
        let (index, value) = tape.new_variable(v);
        Reverse::from_tape(value, index)
    }
    #[inline]
    fn record<T>(Partials { tape, .. }: &mut Partials, f: impl FnOnce() -> T) -> T {
        let _guard = TapeGuard::new(tape);
        f()
    }
    fn outputs(Partials { outputs, .. }: &mut Partials, all: &mut dyn Iterator<Item = Self>) {
        outputs.clear();
        outputs.extend(all.map(|output| output.index()));
    }
    fn revalued(self, v: f64) -> Self {
        Reverse::from_tape(v, self.index())
    }
    fn replay(_: &mut Partials, _: &[f64]) -> bool {
        false
    }
    fn is_straight(_: &Partials) -> bool {
        false
    }
    fn gradient(_: &mut Partials, _: &[f64]) -> Vec<f64> {
        unreachable!("these tapes are not run again")
    }
    fn output(_: &Partials, _: usize) -> f64 {
        f64::NAN
    }
    fn sweep(Partials { tape, outputs }: &Partials, seeds: &[f64], adjoints: &mut Vec<f64>) {
        let on_tape = outputs.iter().zip(seeds).filter(|(index, _)| **index != CONSTANT);
        let mut seeds = on_tape.map(|(index, seed)| (*index, *seed));
        *adjoints = match (outputs.len(), seeds.next()) {
            (1, Some(one)) => tape.reverse_seeded(&[one]),
            (_, first) => tape.reverse_seeded(&first.into_iter().chain(seeds).collect::<Vec<_>>()),
        };
    }
}

/// What was decided while a tape was recorded, about nodes.
#[derive(Clone, Copy)]
enum Decision {
    Order(u32, u32, Option<Ordering>),
    Bits(u32, u64),
}

thread_local! {
    static DECISIONS: RefCell<Vec<Decision>> = const { RefCell::new(Vec::new()) };
}

/// Notes a decision, if it is about a variable. Constants become nodes.
fn decide(a: BReverse<f64>, b: BReverse<f64>, decision: impl FnOnce(u32, u32) -> Decision) {
    if a.index() != CONSTANT || b.index() != CONSTANT {
        let [a, b] = [a, b].map(|v| with_active_btape(|tape| node(tape, v)));
        DECISIONS.with_borrow_mut(|all| all.push(decision(a, b)));
    }
}

fn node(tape: &mut BytecodeTape<f64>, v: BReverse<f64>) -> u32 {
    match v.index() {
        CONSTANT => tape.push_const(v.re()),
        index => index,
    }
}

/// A tape of operations, and what was decided.
#[derive(Default)]
pub struct Operations {
    tape: BytecodeTape<f64>,
    decisions: Vec<Decision>,
    /// Memory for the adjoints of all nodes.
    adjoints: Vec<f64>,
}

impl OnTape for BReverse<f64> {
    type Tape = Operations;
    const REPLAYS: bool = true;

    fn clear(Operations { tape, .. }: &mut Operations) {
        *tape = BytecodeTape::new();
    }
    #[inline]
    fn variable(Operations { tape, .. }: &mut Operations, v: f64) -> Self {
        BReverse::from_tape(v, tape.new_input(v))
    }
    fn record<T>(Operations { tape, decisions, .. }: &mut Operations, f: impl FnOnce() -> T) -> T {
        let before = DECISIONS.take();
        let guard = BtapeGuard::new(tape);
        let result = f();
        drop(guard);
        *decisions = DECISIONS.replace(before);
        result
    }
    fn outputs(Operations { tape, .. }: &mut Operations, all: &mut dyn Iterator<Item = Self>) {
        let nodes: Vec<u32> = all.map(|output| node(tape, output)).collect();
        tape.set_outputs(&nodes);
    }
    fn revalued(self, v: f64) -> Self {
        BReverse::from_tape(v, self.index())
    }
    fn replay(Operations { tape, decisions, .. }: &mut Operations, variables: &[f64]) -> bool {
        tape.forward(variables);
        let values = tape.values_slice();
        let value = |node: u32| values[node as usize];
        decisions.iter().all(|decision| match *decision {
            Decision::Order(a, b, order) => value(a).partial_cmp(&value(b)) == order,
            Decision::Bits(a, bits) => value(a).to_bits() == bits,
        })
    }
    fn is_straight(Operations { tape, decisions, .. }: &Operations) -> bool {
        decisions.is_empty() && tape.all_output_indices().len() == 1
    }
    /// Compiled where it is called, as calls without this interface are.
    #[inline]
    fn gradient(Operations { tape, adjoints, .. }: &mut Operations, variables: &[f64]) -> Vec<f64> {
        tape.gradient_with_buf(variables, adjoints)
    }
    fn output(Operations { tape, .. }: &Operations, k: usize) -> f64 {
        tape.values_slice()[tape.all_output_indices()[k] as usize]
    }
    fn sweep(Operations { tape, .. }: &Operations, seeds: &[f64], adjoints: &mut Vec<f64>) {
        *adjoints = match seeds.is_empty() {
            true => vec![0.0; tape.num_inputs()],
            false => tape.reverse_seeded(seeds),
        };
    }
}
