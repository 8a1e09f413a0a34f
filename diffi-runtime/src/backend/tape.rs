//! `AutoTape`: recorded programs, run forwards and backwards.

use crate::backend::recording_derivatives;
use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::real::Real;
use crate::number::sizes;
use crate::operators::pull::Pull;
use crate::operators::strategy::{BatchSize, Inputs, Outputs, Results};
use crate::overload::lifted::lifted_bytes;
use crate::overload::recorded::Recorded;
use crate::overload::recording::Program;
use crate::overload::recording::derivative::{Derivative, How};
use crate::overload::recording::phases::First;
use crate::overload::recording::pull::Plain;
use crate::overload::recording::record::record;
use crate::overload::recording::simplify::Simplify;
use crate::overload::{Fingerprint, LiftedReturn, Over, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{ReturnValue, result_bytes};
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use std::fmt;

/// A tape of operations: the function is evaluated on numbers that record what is done with them, and the record is run backwards.
///
/// Every call records anew, unless [`replayed`](AutoTape::replayed) or [`compiled`](AutoTape::compiled) says otherwise.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoTape {
    pub(crate) batch: BatchSize,
    pub(crate) keeps: Keeps,
    pub(crate) other: Branch,
}

/// What a tape does that is run again, where the function would go another way than it went when the tape was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Branch {
    /// It is recorded again.
    #[default]
    Record,
    /// The operator gives [`Error::OtherBranch`], and the function is not called.
    Error,
}

/// What prepared objects keep of a tape.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) enum Keeps {
    /// Nothing.
    #[default]
    Nothing,
    /// The program.
    Program,
    /// The program, and its derivative as machine code.
    Code,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoTape: AutoTape = AutoTape { batch: BatchSize::AUTO, keeps: Keeps::Nothing, other: Branch::Record };

/// How the derivatives of tapes are compiled: to the last bit what a new tape gives, as far as the function's value goes.
pub(crate) const COMPILED: How = How { simplify: Simplify::Exactly, compiled: true, first: First::Unseeded };

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
    /// cannot be compared with the one before: anything but a number, a `bool`, a `char`, or a reference to
    /// one of these, to a slice of them or to a string. What the function prints it prints only while it is recorded.
    pub const fn replayed(self) -> Self {
        AutoTape { keeps: Keeps::Program, ..self }
    }

    /// What prepared objects do where a tape that is kept does not hold: by default it is recorded again.
    ///
    /// ```
    /// # use diffi_runtime::backend::{AutoTape, Branch};
    /// let backend = AutoTape.replayed().on_other_branch(Branch::Error);
    /// assert_eq!(format!("{backend:?}"), "AutoTape.replayed().on_other_branch(Branch::Error)");
    /// ```
    ///
    /// For programs that must not be slow now and then, and for functions that may have no branches: who wants to know asks here.
    pub const fn on_other_branch(self, other: Branch) -> Self {
        AutoTape { other, ..self }
    }

    /// Prepared objects keep the tape's value and its derivative as machine code, which is run instead of the function.
    ///
    /// Preparation compiles: about a millisecond for a hundred operations that come once, and a hundredth of that where the recording
    /// repeats itself, which becomes a loop again. Values are those of the function to the last bit. As with [`replayed`](AutoTape::replayed), what comes out in another way than it did is noticed: then the function is
    /// recorded and compiled again.
    ///
    /// For calls without preparation this is the slowest backend.
    ///
    /// # Errors
    ///
    /// Operators give [`Error::NoMachineCode`](crate::error::Error::NoMachineCode) where the system does not let programs make code.
    #[cfg(feature = "compiled")]
    pub const fn compiled(self) -> Self {
        AutoTape { keeps: Keeps::Code, ..self }
    }

    /// Needs the feature `compiled`; without it a call does not compile:
    ///
    /// ```compile_fail,E0277
    /// let _ = diffi_runtime::backend::AutoTape.compiled();
    /// ```
    #[cfg(not(feature = "compiled"))]
    pub fn compiled(self) -> Self
    where
        for<'a> Machines<'a>: Compiles,
    {
        self
    }
}

/// Machine code, which is there with the feature `compiled`.
#[cfg(not(feature = "compiled"))]
#[doc(hidden)]
#[derive(Debug)]
pub struct Machines<'a>(std::marker::PhantomData<&'a ()>);

/// What makes machine code.
#[cfg(not(feature = "compiled"))]
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`compiled()` needs the cargo feature `compiled` of `diffi` [D0709]",
    label = "no machine code without the feature `compiled`",
    note = "in Cargo.toml: `diffi = {{ .., features = [\"compiled\"] }}`"
)]
pub trait Compiles {}

impl fmt::Debug for AutoTape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.batch.show("AutoTape", f)?;
        f.write_str(match self.keeps {
            Keeps::Nothing => "",
            Keeps::Program => ".replayed()",
            Keeps::Code => ".compiled()",
        })?;
        f.write_str(if self.other == Branch::Error { ".on_other_branch(Branch::Error)" } else { "" })
    }
}

type Number<G> = <<G as Signature>::Base as Base>::Number;
type Tracked<G> = Recorded<Number<G>>;

/// A recorded function: its program, what that depends on, and the values at the last point.
pub(crate) struct Tape<F: Overload<G>, G: OverSignature> {
    pub(crate) program: Program<G::Base>,
    pub(crate) values: Vec<Number<G>>,
    held: G::Held<Tracked<G>>,
    result: Option<Over<F::ReturnValue, Tracked<G>>>,
    signature: Fingerprint,
    value: Option<F::ReturnValue>,
    /// Whether the result holds all outputs.
    pub(crate) alone: bool,
    /// How often the function was recorded.
    pub(crate) recordings: usize,
    /// What is done where it does not hold.
    pub(crate) other: Branch,
}

impl<F: Overload<G>, G: OverSignature> Default for Tape<F, G> {
    fn default() -> Self {
        Tape {
            program: Program::default(),
            values: Vec::new(),
            held: Default::default(),
            result: None,
            signature: Fingerprint::default(),
            value: None,
            alone: false,
            recordings: 0,
            other: Branch::Record,
        }
    }
}

impl<F: Overload<G>, G: OverSignature> Clone for Tape<F, G> {
    fn clone(&self) -> Self {
        Tape {
            program: self.program.clone(),
            values: self.values.clone(),
            held: self.held.clone(),
            result: self.result.clone(),
            signature: self.signature.clone(),
            value: self.value.clone(),
            alone: self.alone,
            recordings: self.recordings,
            other: self.other,
        }
    }
}

impl<F: Overload<G>, G: OverSignature> Tape<F, G> {
    /// How many bytes program and values take.
    pub(crate) fn bytes(&self) -> usize {
        self.program.bytes() + memory_report::vector(&self.values)
    }

    /// All that is kept.
    pub(crate) fn kept(&self, note: &mut Note<'_>) {
        let Tape { held, result, signature, value, .. } = self;
        note(names::TAPE, self.bytes());
        note(names::ARGUMENTS, G::bytes(held));
        note(
            names::RESULTS,
            result.as_ref().map_or(0, lifted_bytes::<_, F::ReturnValue, _>) + value.as_ref().map_or(0, result_bytes),
        );
        note(names::SIZES, signature.bytes());
    }

    /// The value at the last point.
    pub(crate) fn value(&self) -> Option<&F::ReturnValue> {
        self.value.as_ref()
    }

    /// Other numbers for all nodes: those of leaves and constants.
    pub(crate) fn on<S: Real<Base = G::Base>>(&self, values: &mut Vec<S>) {
        self.program.start(values);
        for (leaf, value) in values.iter_mut().zip(&self.values[..self.program.leaves]) {
            *leaf = S::from_base(value.value());
        }
    }

    /// The values of the numbers among the arguments.
    pub(crate) fn leaves(&self) -> &[Number<G>] {
        &self.values[..self.program.leaves]
    }

    /// Makes program and values those at a point, by a replay where that may be and can be. Gives the value, and writes outputs.
    pub(crate) fn at<R: OverCall<G>>(&mut self, f: &F, at: G::At<'_>, replay: bool) -> Result<&F::ReturnValue> {
        let recordings = self.recordings;
        self.at_by::<R>(f, at, |tape| {
            replay && {
                tape.program.run(&mut tape.values);
                tape.program.holds(&tape.values)
            }
        })?;
        // What goes another way again and again is not worth it every time.
        if replay && self.recordings != recordings && self.recordings.is_power_of_two() {
            self.pack();
        }
        Ok(self.value.as_ref().expect("it was just put there"))
    }

    /// Takes operations of loops together as operations on arrays: for a program that is run again.
    fn pack(&mut self) {
        let (program, values) = (std::mem::take(&mut self.program), std::mem::take(&mut self.values));
        (self.program, self.values) = program.packed(values);
    }

    /// The same with another way to replay: from the values of leaves those of outputs. It says whether the program holds there.
    pub(crate) fn at_by<R: OverCall<G>>(
        &mut self,
        f: &F,
        mut at: G::At<'_>,
        replay: impl FnOnce(&mut Self) -> bool,
    ) -> Result<&F::ReturnValue> {
        if self.goes_on::<R>(f, &mut at, replay)? {
            self.update::<R>();
        }
        self.lower::<R>(&mut at);
        Ok(self.value.as_ref().expect("it was just put there"))
    }

    /// Whether the program holds at another point, where `replay` says it does; if not it is recorded anew, and the values are there.
    pub(crate) fn goes_on<R: OverCall<G>>(
        &mut self,
        f: &F,
        at: &mut G::At<'_>,
        replay: impl FnOnce(&mut Self) -> bool,
    ) -> Result<bool> {
        let agrees = self.agrees(at);
        let goes_on = agrees && self.holds(at, replay);
        if !goes_on {
            if self.other == Branch::Error && self.result.is_some() {
                return Err(self.broken(agrees));
            }
            self.record::<R>(f, at);
        }
        Ok(goes_on)
    }

    /// What comes out in another way than it did.
    #[cold]
    fn broken(&self, agrees: bool) -> Error {
        let decision = if agrees { self.program.broken(&self.values) } else { None };
        let (recorded, found) = decision.unwrap_or_else(|| {
            (
                "sizes and arguments without derivatives as they were".into(),
                "others, or some that cannot be compared".into(),
            )
        });
        Error::OtherBranch { recorded, found }
    }

    /// Whether all that the program depends on beside numbers is as it was.
    pub(crate) fn agrees(&mut self, at: &G::At<'_>) -> bool {
        self.result.is_some() && self.signature.agrees(|signature| G::sign(at, signature))
    }

    /// Gives all outputs as the caller wants them.
    pub(crate) fn lower<R: OverCall<G>>(&mut self, at: &mut G::At<'_>) {
        R::lower_outputs(&mut self.held, at);
        let result = self.result.as_ref().expect("the function was recorded");
        match &mut self.value {
            Some(value) => F::ReturnValue::lower_into(result, value),
            value => *value = Some(F::ReturnValue::lower(result)),
        }
    }

    fn record<R: OverCall<G>>(&mut self, f: &F, at: &mut G::At<'_>) {
        self.result = None;
        self.recordings += 1;
        self.signature.of(|signature| G::sign(at, signature));
        let (held, mut alone) = (&mut self.held, false);
        let (program, values, result) = record::<Number<G>, _>(|| {
            let mut inputs = Vec::new();
            R::lift_all(at, held, &mut |v, is_input| {
                let number = Recorded::leaf(Number::<G>::from_base(v));
                if is_input {
                    inputs.push(number.node());
                }
                number
            });
            let result = f.over(G::over(held, at));
            let mut outputs = Vec::new();
            F::ReturnValue::each_over(&result, &mut |s: Tracked<G>| outputs.push(s.node()));
            let returned = outputs.len();
            R::each_output_over(held, &mut |s: &mut Tracked<G>| outputs.push(s.node()));
            alone = outputs.len() == returned;
            (inputs, outputs, result)
        });
        (self.program, self.result, self.alone) = (program, Some(result), alone);
        self.values = values.into_iter().map(Number::<G>::from_base).collect();
    }

    /// Whether the program holds at this point.
    fn holds(&mut self, at: &G::At<'_>, replay: impl FnOnce(&mut Self) -> bool) -> bool {
        self.move_to(at);
        replay(self)
    }

    /// Takes the leaves of another point.
    pub(crate) fn move_to(&mut self, at: &G::At<'_>) {
        let mut leaves = self.values[..self.program.leaves].iter_mut();
        G::each_number(at, &mut |v| {
            leaves.next().into_iter().for_each(|leaf| *leaf = Number::<G>::from_base(v));
        });
    }

    /// The values of outputs.
    pub(crate) fn update<R: OverCall<G>>(&mut self) {
        let Tape { program, values, held, result, .. } = self;
        let mut outputs = program.outputs.iter();
        let mut update = |s: &mut Tracked<G>| {
            outputs.next().into_iter().for_each(|node| *s = s.revalued(values[*node as usize]));
        };
        result.iter_mut().for_each(|result| F::ReturnValue::each_over_mut(result, &mut update));
        R::each_output_over(held, &mut update);
    }
}

/// No recording.
pub(crate) const NEVER: usize = usize::MAX;

/// A tape, the adjoints of its nodes or its derivatives as code, and cotangents.
pub struct Work<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> {
    pub(crate) tape: Tape<F, G>,
    adjoints: Vec<Plain<A>>,
    pub(crate) derivative: Derivative<G::Base>,
    /// The derivative where nobody asks for the value.
    pub(crate) slopes: Derivative<G::Base>,
    /// Whether it is good for seeds of 1 only.
    pub(crate) ones: bool,
    /// Of which recording it is, if it is code that holds at every point.
    pub(crate) ready: usize,
    pub(crate) bars: G::Stores<A>,
    pub(crate) seeds: Vec<A>,
    pub(crate) pool: Pool<A>,
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Work<F, G, A> {
    pub(crate) fn new<R: ArgRoles<G>>(at: &G::At<'_>) -> Self {
        Work {
            tape: Tape::default(),
            adjoints: Vec::new(),
            derivative: Derivative::default(),
            slopes: Derivative::default(),
            ones: false,
            ready: NEVER,
            bars: R::stores(at, false),
            seeds: Vec::new(),
            pool: Pool::new(),
        }
    }
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Clone for Work<F, G, A> {
    fn clone(&self) -> Self {
        let Work { tape, adjoints, derivative, slopes, ones, ready, bars, seeds, pool } = self;
        Work {
            tape: tape.clone(),
            adjoints: adjoints.clone(),
            derivative: derivative.clone(),
            slopes: slopes.clone(),
            ones: *ones,
            ready: *ready,
            bars: bars.clone(),
            seeds: seeds.clone(),
            pool: pool.clone(),
        }
    }
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Recorder for Work<F, G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        let Work { tape, adjoints, derivative, slopes, ones: _, ready: _, bars, seeds, pool } = self;
        tape.kept(note);
        note(names::TAPE, memory_report::vector(adjoints));
        note(names::DERIVATIVE, derivative.bytes() + slopes.bytes());
        note(names::COTANGENTS, sizes::shadow::<A>(bars));
        note(names::NUMBERS, memory_report::vector(seeds));
        note(names::WORKSPACE, pool.bytes());
    }
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + memory_report::vector(&self.adjoints) + self.derivative.bytes() + self.slopes.bytes()
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> Pull<F, G, R> for AutoTape {
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
        work.tape.other = self.other;
        if self.keeps == Keeps::Code {
            return recording_derivatives::pull::<F, G, R, A, V>(f, at, x_bar, work, COMPILED, |_| Ok(()), seed);
        }
        self.pull_by_steps::<F, G, R, A, V>(f, at, x_bar, work, seed)
    }

    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> F::ReturnValue {
        self.forward::<F, G, R, A>(f, at, work).expect("a tape holds where it was recorded");
        work.tape.value.clone().expect("there was a forward sweep")
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
        self.backward::<F, G, R, A>(x_bar, work, seed)
    }
}

impl AutoTape {
    #[inline(never)]
    fn pull_by_steps<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Work<F, G, A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        self.forward::<F, G, R, A>(f, at, work)?;
        self.backward::<F, G, R, A>(x_bar, work, seed)?;
        Ok(if V::ON { work.tape.value.clone() } else { None })
    }

    fn forward<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        work: &mut Work<F, G, A>,
    ) -> Result<()> {
        match self.keeps {
            Keeps::Code => recording_derivatives::forward::<F, G, R>(f, at, &mut work.tape, &mut work.derivative),
            keeps => work.tape.at::<R>(f, at, keeps == Keeps::Program).map(|_| ()),
        }
    }

    fn backward<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
        &self,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Work<F, G, A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        match self.keeps {
            Keeps::Code => recording_derivatives::backward::<F, G, R, A>(x_bar, work, COMPILED, seed),
            _ => backward::<F, G, R, A>(x_bar, work, seed),
        }
    }
}

/// The reverse sweep at the last point.
fn backward<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    x_bar: Inputs<'_, G, R, A>,
    Work { tape, adjoints, bars, pool, .. }: &mut Work<F, G, A>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    R::clear(bars);
    let mut y_bar = tape.value.as_ref().expect("there was a forward sweep").zero(pool);
    let seeded = seed(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)));
    adjoints.clear();
    adjoints.resize(tape.values.len(), Plain(A::ZERO));
    let mut outputs = tape.program.outputs.iter();
    <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| {
        outputs.next().into_iter().for_each(|node| adjoints[*node as usize].0 += *a);
    });
    F::ReturnValue::release(y_bar, pool);
    seeded?;
    tape.program.pull(&tape.values, adjoints);
    let mut inputs = tape.program.inputs.iter();
    <<R as ArgRoles<G>>::In as List>::each(x_bar, &mut |a: &mut A| {
        inputs.next().into_iter().for_each(|node| *a = adjoints[*node as usize].0);
    });
    Ok(())
}
