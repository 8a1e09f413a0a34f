//! Backends whose numbers carry first derivatives in several directions: chunk after chunk of the inputs goes through the function.

use crate::error::Result;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::real::Real;
use crate::number::scalar::Dual;
use crate::number::scalar::zero_aware_dual::Varying;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::BatchWidth;
use crate::operators::entries::{Entries, count, size};
use crate::operators::gradient::GradientBy;
use crate::operators::jacobian::EntriesBy;
use crate::operators::pullback::{Memory, Products, PullbackBy};
use crate::operators::pushforward::{PushforwardBy, Target};
use crate::operators::strategy::{Backend, BatchSize, Inputs, Mode, Outputs};
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::ReturnValue;
use crate::signature::result_buffers::Buffers;
use crate::signature::seeds;
use crate::signature::seeds::{SeedList, Seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use std::marker::PhantomData;
use std::ops::Range;

/// A number with its derivatives in some directions.
pub trait Directional: Real {
    /// How many directions.
    const DIRECTIONS: usize;
    /// The derivative in the direction `k`.
    fn direction(&self, k: usize) -> Self::Base;
    /// Changes the derivative in the direction `k`.
    fn set_direction(&mut self, k: usize, tangent: Self::Base);
    /// A constant, which has only its value, becomes a variable: it changes at rate 1 in the direction `k`.
    #[inline]
    fn vary(&mut self, k: usize) {
        self.set_direction(k, <Self::Base as Base>::ONE);
    }
    /// The variable of the direction `k` becomes a constant.
    #[inline]
    fn rest(&mut self, k: usize) {
        self.set_direction(k, <Self::Base as Base>::ZERO);
    }
    /// The derivatives in the first directions.
    #[inline]
    fn directions(&self, all: &mut [Self::Base]) {
        all.iter_mut().enumerate().for_each(|(k, d)| *d = self.direction(k));
    }
}

impl<S: Real, const N: usize, const SAFE: bool> Directional for Dual<S, N, SAFE> {
    const DIRECTIONS: usize = N;
    #[inline]
    fn direction(&self, k: usize) -> S::Base {
        self.partial(k).value()
    }
    #[inline]
    fn set_direction(&mut self, k: usize, tangent: S::Base) {
        self.set_partial(k, S::from_base(tangent));
    }
}

impl<S: Real, const N: usize, const SAFE: bool> Directional for Varying<S, N, SAFE> {
    const DIRECTIONS: usize = N;
    #[inline]
    fn direction(&self, k: usize) -> S::Base {
        self.partial(k).value()
    }
    #[inline]
    fn set_direction(&mut self, k: usize, tangent: S::Base) {
        self.set_partial(k, S::from_base(tangent));
    }
    #[inline]
    fn vary(&mut self, k: usize) {
        Varying::vary(self, k);
    }
    #[inline]
    fn rest(&mut self, _: usize) {
        *self = Varying::constant(self.primal());
    }
}

/// A backend with numbers that carry derivatives in 1, 4, 8 and 12 directions.
pub trait Chunked<F>: Backend {
    /// In one direction.
    type One: Directional<Base = F>;
    /// In four directions.
    type Four: Directional<Base = F>;
    /// In eight directions.
    type Eight: Directional<Base = F>;
    /// In twelve directions.
    type Twelve: Directional<Base = F>;
    /// The same, where so many chunks go through the function that most numbers of a pass do not change.
    type Many: Directional<Base = F>;
}

/// How many directions a number carries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ChunkSize(Option<u8>);

impl ChunkSize {
    /// The most that a number can carry.
    pub(crate) const MOST: usize = 12;

    /// As many as a backend finds best.
    pub(crate) const AUTO: Self = ChunkSize(None);

    /// So many, whatever is to be done.
    pub(crate) const fn fixed(size: usize) -> Self {
        assert!(size >= 1 && size <= Self::MOST, "chunks have sizes from 1 to 12");
        ChunkSize(Some(size as u8))
    }

    /// For `n` inputs: all, if they are at most twelve, and otherwise nearly as many in each pass.
    pub(crate) fn of(self, n: usize) -> usize {
        match self.0 {
            Some(size) => size.into(),
            None => n.div_ceil(n.div_ceil(Self::MOST).max(1)).max(1),
        }
    }

    /// For `n` sums of columns, which go through as tangents in batches.
    pub(crate) fn of_groups(self, n: usize) -> usize {
        self.0.map_or_else(|| BatchSize::AUTO.of_groups(n), usize::from)
    }

    /// The backend `name` with this size, as it is written.
    pub(crate) fn show(self, name: &str, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(size) => write!(f, "{name}.chunk_size({size})"),
            None => f.write_str(name),
        }
    }
}

/// Strategy: numbers that carry derivatives go through the function, one chunk of the inputs a pass.
#[derive(Clone, Copy, Debug)]
pub struct ByDirections;

/// The numbers of the arguments, a derivative for each input, and memory for the outputs' shape.
pub struct Numbers<S: Directional<Base = G::Base>, G: OverSignature> {
    pub(crate) held: G::Held<S>,
}

/// Numbers in the least directions that hold a chunk.
pub enum Chunk<B: Chunked<G::Base>, G: OverSignature> {
    /// One direction.
    One(Numbers<B::One, G>),
    /// Up to four.
    Four(Numbers<B::Four, G>),
    /// Up to eight.
    Eight(Numbers<B::Eight, G>),
    /// Up to twelve.
    Twelve(Numbers<B::Twelve, G>),
    /// One of many, with up to twelve.
    Many(Numbers<B::Many, G>),
}

/// How many chunks are many.
const MANY: usize = 2;

/// Runs an expression with the numbers of any chunk.
macro_rules! with {
    ($chunk:expr, $numbers:ident => $do:expr) => {
        match $chunk {
            Chunk::One($numbers) => $do,
            Chunk::Four($numbers) => $do,
            Chunk::Eight($numbers) => $do,
            Chunk::Twelve($numbers) => $do,
            Chunk::Many($numbers) => $do,
        }
    };
}

impl<B: Chunked<G::Base>, G: OverSignature> Chunk<B, G> {
    fn of(size: usize, inputs: usize) -> Self {
        match size {
            0 | 1 => Chunk::One(Numbers::new()),
            2..=4 => Chunk::Four(Numbers::new()),
            5..=8 => Chunk::Eight(Numbers::new()),
            _ if inputs < MANY * size => Chunk::Twelve(Numbers::new()),
            _ => Chunk::Many(Numbers::new()),
        }
    }
}

impl<S: Directional<Base = G::Base>, G: OverSignature> Numbers<S, G> {
    pub(crate) fn new() -> Self {
        Numbers { held: Default::default() }
    }

    /// Whether every pass has one direction.
    fn is_of_one(&self) -> bool {
        S::DIRECTIONS == 1
    }

    /// All arguments as constants.
    #[inline]
    pub(crate) fn lift<R: OverCall<G>>(&mut self, at: &G::At<'_>) {
        R::lift(at, &mut self.held, &mut S::from_base);
    }

    /// The inputs `on` vary, each in a direction of its own; those that varied before are constants again.
    #[inline]
    pub(crate) fn seed<R: OverCall<G>>(&mut self, before: Range<usize>, on: Range<usize>) {
        if let Some(all) = R::inputs_side_by_side(&mut self.held) {
            if S::DIRECTIONS == 1 {
                all[before].first_mut().into_iter().for_each(|s| s.rest(0));
                all[on].first_mut().into_iter().for_each(|s| s.vary(0));
                return;
            }
            all[before].iter_mut().enumerate().for_each(|(k, s)| s.rest(k));
            all[on].iter_mut().enumerate().for_each(|(k, s)| s.vary(k));
            return;
        }
        let mut i = 0usize;
        R::each_input_over(&mut self.held, &mut |s: &mut S| {
            let (was, is) = (i.wrapping_sub(before.start), i.wrapping_sub(on.start));
            if was < before.len() {
                s.rest(was);
            }
            if is < on.len() {
                s.vary(is);
            }
            i += 1;
        });
    }

    /// Evaluates the function. `take` receives the result; every output's number comes after it.
    #[inline]
    pub(crate) fn evaluate<F: Overload<G>>(
        &mut self,
        f: &F,
        at: &mut G::At<'_>,
    ) -> <F::ReturnValue as LiftedReturn<G::Base>>::Over<S> {
        f.over(G::over(&mut self.held, at))
    }

    /// Passes on the outputs' numbers.
    #[inline]
    pub(crate) fn each_output<F: Overload<G>, R: OverCall<G>>(
        &mut self,
        y: &<F::ReturnValue as LiftedReturn<G::Base>>::Over<S>,
        f: &mut impl FnMut(S),
    ) {
        F::ReturnValue::each_over(y, f);
        R::each_output_over(&mut self.held, &mut |s: &mut S| f(*s));
    }

    /// Chunk after chunk. `take` receives the columns, and after every pass the numbers of all outputs.
    fn passes<F: Overload<G>, R: OverCall<G>>(
        &mut self,
        f: &F,
        mut at: G::At<'_>,
        size: usize,
        mut take: impl FnMut(&mut Self, &<F::ReturnValue as LiftedReturn<G::Base>>::Over<S>, Range<usize>) -> Result<()>,
    ) -> Result<<F::ReturnValue as LiftedReturn<G::Base>>::Over<S>> {
        let n = crate::operators::entries::size::<G, R>(&at);
        let (mut before, mut start) = (0..0, 0);
        self.lift::<R>(&at);
        loop {
            let on = start..n.min(start + size);
            if R::IN_OUT && start > 0 {
                self.lift::<R>(&at);
                before = 0..0;
            }
            self.seed::<R>(before, on.clone());
            let y = self.evaluate(f, &mut at);
            take(self, &y, on.clone())?;
            (before, start) = (on, start + size);
            if start >= n {
                R::lower_outputs(&mut self.held, &mut at);
                return Ok(y);
            }
        }
    }
}

/// The chunk of a backend's size, and numbers.
pub struct State<B: Chunked<G::Base>, G: OverSignature> {
    chunk: Chunk<B, G>,
    size: usize,
    numbers: Vec<G::Base>,
}

impl<B: Chunked<G::Base>, G: OverSignature> State<B, G> {
    fn new<R: ArgRoles<G>>(b: &B, at: &G::At<'_>) -> Self {
        let inputs = size::<G, R>(at);
        let size = b.batch_size_of(inputs);
        State { chunk: Chunk::of(size, inputs), size, numbers: Vec::with_capacity(inputs) }
    }
}

impl<B: Chunked<G::Base>, G: OverSignature> Recorder for State<B, G> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::ARGUMENTS, with!(&self.chunk, own => G::bytes(&own.held)));
        note(names::RESULTS, memory_report::vector(&self.numbers));
    }
}

impl<B, F, G, R> GradientBy<B, F, G, R> for ByDirections
where
    B: Chunked<G::Base>,
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
{
    type State = State<B, G>;

    fn state(b: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        State::new::<R>(b, at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let mut g = R::zero_inputs(&at);
        <Self as GradientBy<B, F, G, R>>::run::<On>(b, f, at, state, R::In::muts(&mut g)).map(|_| ())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        State { chunk, size, numbers }: &mut Self::State,
        mut g: Inputs<'_, G, R, G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        // Numbers that stand side by side are written where the caller wants them.
        let (direct, inputs) = (R::In::side_by_side_mut(&mut g), crate::operators::entries::size::<G, R>(&at));
        let is_direct = direct.is_some();
        let all = direct.unwrap_or_else(|| {
            numbers.resize(inputs, G::Base::ZERO);
            numbers
        });
        let value = with!(chunk, own => {
            let y = own.passes::<F, R>(f, at, *size, |own, y, on| {
                let (is_of_one, mut first) = (own.is_of_one(), true);
                own.each_output::<F, R>(y, &mut |s| {
                    match std::mem::take(&mut first) {
                        true if is_of_one && on.len() == 1 => all[on.start] = s.direction(0),
                        true => s.directions(&mut all[on.clone()]),
                        false => {}
                    }
                });
                Ok(())
            })?;
            V::ON.then(|| F::ReturnValue::lower(&y))
        });
        if !is_direct {
            let mut next = numbers.iter();
            R::In::each(g, &mut |g: &mut G::Base| next.next().into_iter().for_each(|v| *g = *v));
        }
        Ok(value)
    }
}

/// The same with memory for the tangents of the outputs.
pub struct JacobianState<B: Chunked<G::Base>, G: OverSignature> {
    state: State<B, G>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
}

impl<B: Chunked<G::Base>, G: OverSignature> Recorder for JacobianState<B, G> {
    fn kept(&self, note: &mut Note<'_>) {
        self.state.kept(note);
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.dots));
        note(names::WORKSPACE, self.pool.bytes());
    }
}

impl<B, F, G, R> EntriesBy<B, F, G, R> for ByDirections
where
    B: Chunked<G::Base>,
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
{
    type State = JacobianState<B, G>;

    fn state(b: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        JacobianState { state: State::new::<R>(b, at), dots: R::stores(at, false), pool: Pool::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let mut nothing = Nothing;
        <Self as EntriesBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut nothing).map(|_| ())
    }

    fn mode(_: &Self::State) -> Mode {
        Mode::Forward
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        JacobianState { state: State { chunk, size, .. }, dots, pool }: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        with!(chunk, own => {
            let y = own.passes::<F, R>(f, at, *size, |own, y, on| {
                if on.start == 0 {
                    let value = F::ReturnValue::lower(y);
                    let mut y_dot = value.zero::<G::Base>(pool);
                    let opened = entries.open(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
                    F::ReturnValue::release(y_dot, pool);
                    opened?;
                }
                let mut row = 0;
                own.each_output::<F, R>(y, &mut |s| {
                    on.clone().for_each(|column| entries.set(row, column, s.direction(column - on.start)));
                    row += 1;
                });
                Ok(())
            })?;
            Ok(V::ON.then(|| F::ReturnValue::lower(&y)))
        })
    }
}

/// Entries that nobody looks at.
struct Nothing;

impl<L: List> Entries<L> for Nothing {
    fn open<A: crate::number::batch::Lanes<L::Base>>(&mut self, _: L::Muts<'_, A>) -> Result<()> {
        Ok(())
    }
    fn set(&mut self, _: usize, _: usize, _: L::Base) {}
}

/// Numbers that carry one derivative, seeds, and memory for the outputs' shape.
pub struct OneDirection<B: Chunked<G::Base>, G: OverSignature> {
    own: Numbers<B::One, G>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
    numbers: Vec<G::Base>,
}

impl<B: Chunked<G::Base>, G: OverSignature> Recorder for OneDirection<B, G> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::ARGUMENTS, G::bytes(&self.own.held));
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.dots));
        note(names::WORKSPACE, self.pool.bytes());
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
}

/// One pass for every seed.
impl<B, F, G, R, W> PushforwardBy<B, F, G, R, W> for ByDirections
where
    B: Chunked<G::Base>,
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
    W: BatchWidth,
{
    type State = OneDirection<B, G>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        OneDirection { own: Numbers::new(), dots: R::stores(at, false), pool: Pool::new(), numbers: Vec::new() }
    }

    fn warm(_: &B, f: &F, mut at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        state.own.lift::<R>(&at);
        let y = F::ReturnValue::lower(&state.own.evaluate(f, &mut at));
        let mut y_dot = y.zero::<G::Base>(&mut state.pool);
        let m = count::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(&mut y_dot, R::outputs(&mut state.dots)));
        F::ReturnValue::release(y_dot, &mut state.pool);
        state.numbers.reserve(m.max(size::<G, R>(&at)));
        Ok(())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        OneDirection { own, dots, pool, numbers }: &mut Self::State,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<Option<F::ReturnValue>> {
        seeds::check(dx, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        let mut value = None;
        for k in 0..W::N {
            numbers.clear();
            dx.get(k).each(&mut |v| numbers.push(v));
            own.lift::<R>(&at);
            let mut next = numbers.iter();
            R::each_input_over(&mut own.held, &mut |s: &mut B::One| {
                next.next().into_iter().for_each(|v| s.set_direction(0, *v));
            });
            let y = own.evaluate(f, &mut at);
            if k == 0 {
                let y = value.insert(F::ReturnValue::lower(&y));
                let mut y_dot = y.zero::<G::Base>(pool);
                let shape = Shape::of(|dim| {
                    <Outputs<F, G, R>>::shape(&F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), dim)
                });
                F::ReturnValue::release(y_dot, pool);
                dy.open(y, &shape)?;
            }
            numbers.clear();
            own.each_output::<F, R>(&y, &mut |s| numbers.push(s.direction(0)));
            let mut next = numbers.iter();
            <Outputs<F, G, R>>::each(dy.get(k), &mut |d| next.next().into_iter().for_each(|v| *d = *v));
        }
        R::lower_outputs(&mut own.held, &mut at);
        Ok(value)
    }
}

impl<B, F, G, R, W> PullbackBy<B, F, G, R, W> for ByDirections
where
    B: Chunked<G::Base>,
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
    W: BatchWidth,
{
    type State = (<Self as EntriesBy<B, F, G, R>>::State, Memory<G::Base>);

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        (<Self as EntriesBy<B, F, G, R>>::state(b, f, at), Memory { dx: Vec::new(), dy: Vec::new() })
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, (columns, memory): &mut Self::State) -> Result<()> {
        memory.dx.reserve(W::N * size::<G, R>(&at));
        <Self as EntriesBy<B, F, G, R>>::warm(b, f, at, columns)
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        (columns, memory): &mut Self::State,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<Option<F::ReturnValue>> {
        memory.dx.clear();
        memory.dx.resize(W::N * size::<G, R>(&at), <G::Base as Base>::ZERO);
        let mut products = Products { seeds: dy, memory, width: PhantomData::<W> };
        let y = <Self as EntriesBy<B, F, G, R>>::run::<V>(b, f, at, columns, &mut products)?;
        let mut numbers = memory.dx.iter();
        for k in 0..W::N {
            R::In::each(dx.get(k), &mut |v: &mut G::Base| numbers.next().into_iter().for_each(|n| *v = *n));
        }
        Ok(y)
    }
}
