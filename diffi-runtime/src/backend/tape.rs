//! `AutoTape`: recorded programs, run forwards and backwards.

use super::{BatchSize, Inputs, Outputs, Pull, Results};
use crate::base::Base;
use crate::error::Result;
use crate::function::Ret;
use crate::kinds::Sig;
use crate::lanes::Lanes;
use crate::linear::Lin;
use crate::list::List;
use crate::overload::{LiftedRet, Over, OverCall, OverSig, Overload, Signature};
use crate::program::Program;
use crate::program::pull::Plain;
use crate::program::record::record;
use crate::real::Real;
use crate::roles::Call;
use crate::scalar::Recorded;
use crate::slots::Flag;
use crate::tape::Recorder;
use crate::workspace::Pool;
use std::fmt;

/// A tape of operations: the function is evaluated on numbers that record what is done with them, and the record is run backwards.
///
/// Every call records anew, unless [`replayed`](AutoTape::replayed) says otherwise.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoTape {
    pub(super) batch: BatchSize,
    pub(crate) replay: bool,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoTape: AutoTape = AutoTape { batch: BatchSize::AUTO, replay: false };

impl AutoTape {
    /// How many cotangents go through a tape at once, from 1 to 8. By default all, if they are at most eight, and otherwise nearly
    /// as many in each pass.
    ///
    /// # Panics
    ///
    /// If the size is 0 or more than 8.
    pub const fn batch_size(self, size: usize) -> Self {
        AutoTape { batch: BatchSize::fixed(size), ..self }
    }

    /// Prepared objects keep the tape and run it again, without the function.
    ///
    /// The answer is that of a new tape: if a comparison comes out in another way than it did, or if a number that an index or
    /// a cast depended on is another, the function is recorded again. So it is at every call if it takes a passive argument that
    /// cannot be compared with the one before: anything but a number, a `bool` or a `char`. What the function prints it prints
    /// only while it is recorded.
    pub const fn replayed(self) -> Self {
        AutoTape { replay: true, ..self }
    }
}

impl fmt::Debug for AutoTape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.batch.show("AutoTape", f)?;
        if self.replay { f.write_str(".replayed()") } else { Ok(()) }
    }
}

type Number<G> = <<G as Sig>::Base as Base>::Number;
type Tracked<G> = Recorded<Number<G>>;

/// A recorded function: its program, what that depends on, and the values at the last point.
pub(crate) struct Tape<F: Overload<G>, G: OverSig> {
    pub(crate) program: Program<G::Base>,
    pub(crate) values: Vec<Number<G>>,
    held: G::Held<Tracked<G>>,
    result: Option<Over<F::Ret, Tracked<G>>>,
    signature: Signature,
    next: Signature,
    value: Option<F::Ret>,
    /// How often the function was recorded.
    pub(crate) recordings: usize,
}

impl<F: Overload<G>, G: OverSig> Default for Tape<F, G> {
    fn default() -> Self {
        Tape {
            program: Program::default(),
            values: Vec::new(),
            held: Default::default(),
            result: None,
            signature: Signature::default(),
            next: Signature::default(),
            value: None,
            recordings: 0,
        }
    }
}

impl<F: Overload<G>, G: OverSig> Clone for Tape<F, G> {
    fn clone(&self) -> Self {
        Tape {
            program: self.program.clone(),
            values: self.values.clone(),
            held: self.held.clone(),
            result: self.result.clone(),
            signature: self.signature.clone(),
            next: self.next.clone(),
            value: self.value.clone(),
            recordings: self.recordings,
        }
    }
}

impl<F: Overload<G>, G: OverSig> Tape<F, G> {
    /// How many bytes program and values take.
    pub(crate) fn bytes(&self) -> usize {
        self.program.bytes() + size_of_val(&self.values[..])
    }

    /// The value at the last point.
    pub(crate) fn value(&self) -> Option<&F::Ret> {
        self.value.as_ref()
    }

    /// Other numbers for all nodes: those of leaves and constants.
    pub(crate) fn on<S: Real<Base = G::Base>>(&self, values: &mut Vec<S>) {
        self.program.start(values);
        for (leaf, value) in values.iter_mut().zip(&self.values[..self.program.leaves]) {
            *leaf = S::from_base(value.value());
        }
    }

    /// Makes program and values those at a point, by a replay where that may be and can be. Gives the value, and writes outputs.
    pub(crate) fn at<R: OverCall<G>>(&mut self, f: &F, mut at: G::At<'_>, replay: bool) -> &F::Ret {
        self.next.clear();
        G::sign(&at, &mut self.next);
        if !(replay && self.result.is_some() && self.signature.agrees(&self.next) && self.replay::<R>(&at)) {
            self.record::<R>(f, &mut at);
        }
        R::lower_outputs(&mut self.held, &mut at);
        let result = self.result.as_ref().expect("the function was recorded");
        match &mut self.value {
            Some(value) => F::Ret::lower_into(result, value),
            value => *value = Some(F::Ret::lower(result)),
        }
        self.value.as_ref().expect("it was just put there")
    }

    fn record<R: OverCall<G>>(&mut self, f: &F, at: &mut G::At<'_>) {
        self.result = None;
        self.recordings += 1;
        let held = &mut self.held;
        let (program, (leaves, result)) = record::<Number<G>, _>(|| {
            let (mut inputs, mut leaves) = (Vec::new(), Vec::new());
            R::lift_all(at, held, &mut |v, is_input| {
                let number = Recorded::leaf(Number::<G>::from_base(v));
                leaves.push(Number::<G>::from_base(v));
                if is_input {
                    inputs.push(number.node());
                }
                number
            });
            let result = f.over(G::over(held, at));
            let mut outputs = Vec::new();
            F::Ret::each_over(&result, &mut |s: Tracked<G>| outputs.push(s.node()));
            R::each_output_over(held, &mut |s: &mut Tracked<G>| outputs.push(s.node()));
            (inputs, outputs, (leaves, result))
        });
        (self.program, self.result) = (program, Some(result));
        std::mem::swap(&mut self.signature, &mut self.next);
        self.program.start(&mut self.values);
        self.values[..leaves.len()].copy_from_slice(&leaves);
        self.program.run(&mut self.values);
    }

    /// The values of all leaves.
    fn fill<R: OverCall<G>>(&mut self, at: &G::At<'_>) {
        let mut leaves = self.values[..self.program.leaves].iter_mut();
        R::lift_all(at, &mut self.held, &mut |v, _| {
            let number = Number::<G>::from_base(v);
            leaves.next().into_iter().for_each(|leaf| *leaf = number);
            Recorded::from_base(v)
        });
    }

    /// Whether the program holds at this point.
    fn replay<R: OverCall<G>>(&mut self, at: &G::At<'_>) -> bool {
        self.fill::<R>(at);
        self.program.run(&mut self.values);
        if !self.program.holds(&self.values) {
            return false;
        }
        let Tape { program, values, held, result, .. } = self;
        let mut outputs = program.outputs.iter();
        let mut update = |s: &mut Tracked<G>| {
            outputs.next().into_iter().for_each(|node| *s = s.revalued(values[*node as usize]));
        };
        result.iter_mut().for_each(|result| F::Ret::each_over_mut(result, &mut update));
        R::each_output_over(held, &mut update);
        true
    }
}

/// A tape, the adjoints of its nodes, and cotangents.
pub struct Work<F: Overload<G>, G: OverSig, A: Lin<G::Base>> {
    tape: Tape<F, G>,
    adjoints: Vec<Plain<A>>,
    bars: G::Stores<A>,
    pool: Pool<A>,
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Clone for Work<F, G, A> {
    fn clone(&self) -> Self {
        let Work { tape, adjoints, bars, pool } = self;
        Work { tape: tape.clone(), adjoints: adjoints.clone(), bars: bars.clone(), pool: pool.clone() }
    }
}

impl<F: Overload<G>, G: OverSig, A: Lin<G::Base>> Recorder for Work<F, G, A> {
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + size_of_val(&self.adjoints[..])
    }
}

impl<F: Overload<G>, G: OverSig, R: OverCall<G>> Pull<F, G, R> for AutoTape {
    type Work<A: Lanes<G::Base>> = Work<F, G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work { tape: Tape::default(), adjoints: Vec::new(), bars: R::stores(at, false), pool: Pool::new() }
    }

    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::Ret>> {
        work.tape.at::<R>(f, at, self.replay);
        backward::<F, G, R, A>(x_bar, work, seed)?;
        Ok(if V::ON { work.tape.value.clone() } else { None })
    }

    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::Ret {
        work.tape.at::<R>(f, at, self.replay).clone()
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
        backward::<F, G, R, A>(x_bar, work, seed)
    }
}

/// The reverse sweep at the last point.
fn backward<F: Overload<G>, G: OverSig, R: OverCall<G>, A: Lanes<G::Base>>(
    x_bar: Inputs<'_, G, R, A>,
    Work { tape, adjoints, bars, pool }: &mut Work<F, G, A>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    R::clear(bars);
    let mut y_bar = tape.value.as_ref().expect("there was a forward sweep").zero(pool);
    let seeded = seed(F::Ret::muts(&mut y_bar, R::outputs(bars)));
    adjoints.clear();
    adjoints.resize(tape.values.len(), Plain(A::ZERO));
    let mut outputs = tape.program.outputs.iter();
    <Outputs<F, G, R>>::each(F::Ret::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| {
        outputs.next().into_iter().for_each(|node| adjoints[*node as usize].0 += *a);
    });
    F::Ret::release(y_bar, pool);
    seeded?;
    tape.program.pull(&tape.values, adjoints);
    let mut inputs = tape.program.inputs.iter();
    <<R as Call<G>>::In as List>::each(x_bar, &mut |a: &mut A| {
        inputs.next().into_iter().for_each(|node| *a = adjoints[*node as usize].0);
    });
    Ok(())
}
