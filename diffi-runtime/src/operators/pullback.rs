//! The product of the transposed Jacobian with cotangents.

use super::columns::Columns;
use super::entries::{Entries, count, size};
use super::{AuxOf, HasAux, Value, With, operator, prepare_operator, shown, value, valued, variant, variants};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List};
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::{BatchWidth, One};
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::strategy::{Backend, ByPulls, ByPushes, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::{Buffers, Owned};
use crate::signature::seeds::{SeedList, Seeds};
use crate::signature::{result_buffers, seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::marker::PhantomData;

operator! {
    #[doc = include_str!("docs/pullback.md")]
    pullback, pullback_into, value_and_pullback, value_and_pullback_into
        -> W::Of<<R::In as Flat>::Tuple<G::Base>>, into [Buffers<R::In, W>];
    #[doc = include_str!("docs/pullback_prepared.md")]
    prepare_pullback -> PullbackPrep: PullbackBackend, Pullback by PullbackBy;
    where R::In: [Flat];
    seeds dy: [Seeds<Outputs<F, G, R>, W>] of W;
}

/// A strategy for pullbacks.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find pullbacks [D0702]",
    label = "no pullbacks from `{B}`",
    note = "of `SecondOrder(outer, inner)`, operators of first order take one: `outer`, or `inner`",
    note = "in code that is generic over the backend, bound it: `B: PullbackBackend<..>`"
)]
pub trait PullbackBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites `dx`, of the right sizes, with the products. The value if `V` is on.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// A backend that pulls back through `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds pullbacks [D0701]",
    label = "no pullbacks from `{Self}`",
    note = "`AutoForward` and `AutoReverse` differentiate annotated functions, `AutoFiniteDiff` all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait PullbackBackend<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth = One>:
    Backend<Pullback: PullbackBy<Self, F, G, R, W>>
{
}
impl<B: Backend<Pullback: PullbackBy<B, F, G, R, W>>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth>
    PullbackBackend<F, G, R, W> for B
{
}

type State<B, F, G, R, W> = <<B as Backend>::Pullback as PullbackBy<B, F, G, R, W>>::State;

#[inline]
fn owned<
    V: Flag,
    F: Function<G>,
    B: PullbackBackend<F, G, R, W>,
    G: Signature,
    R: ArgRoles<G, In: Flat>,
    W: BatchWidth,
>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    dy: &impl Seeds<Outputs<F, G, R>, W>,
) -> Result<(Option<F::ReturnValue>, W::Of<<R::In as Flat>::Tuple<G::Base>>)> {
    let mut dx = Owned::<R::In, W>(W::make(|| R::zero_inputs(&at)));
    let y = B::Pullback::run::<V>(b, f, at, state, dy, &mut dx)?;
    Ok((y, W::map(dx.0, R::In::flat)))
}

#[inline]
fn into<V: Flag, F: Function<G>, B: PullbackBackend<F, G, R, W>, G: Signature, R: ArgRoles<G>, W: BatchWidth>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    dy: &impl Seeds<Outputs<F, G, R>, W>,
    result: &mut impl Buffers<R::In, W>,
) -> Result<Option<F::ReturnValue>> {
    result_buffers::check(result, &Shape::of(|dim| R::input_shape(&at, dim)))?;
    B::Pullback::run::<V>(b, f, at, state, dy, result)
}

/// The memory of one pass, of one seed's numbers, and of the adjoints of several seeds.
pub struct OnePass<S, L: List, W: BatchWidth> {
    work: S,
    x_bar: Option<L::Stores<W::Space<L::Base>>>,
    numbers: Vec<L::Base>,
}

impl<S: Recorder, L: List, W: BatchWidth> Recorder for OnePass<S, L, W> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, self.x_bar.as_ref().map_or(0, sizes::shadow::<W::Space<L::Base>>));
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> PullbackBy<B, F, G, R, W>
    for ByPulls
{
    type State = OnePass<B::Work<W::Space<G::Base>>, R::In, W>;
    const FOLLOWS_SIZES: bool = B::FOLLOWS_SIZES;

    #[inline]
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        OnePass { work: b.work(f, at), x_bar: None, numbers: Vec::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let OnePass { work, x_bar, numbers } = state;
        let n = size::<G, R>(&at);
        let x_bar = x_bar.insert(R::zero_inputs(&at));
        b.pull::<W::Space<G::Base>, On>(f, at, R::In::muts(x_bar), work, |y_bar| {
            numbers.reserve(n.max(count::<Outputs<F, G, R>, W::Space<G::Base>>(y_bar)));
            Ok(())
        })?;
        Ok(())
    }

    #[inline]
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        OnePass { work, x_bar, numbers }: &mut Self::State,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<Option<F::ReturnValue>> {
        let seed = |y_bar: <Outputs<F, G, R> as List>::Muts<'_, W::Space<G::Base>>| {
            seeds::check(dy, &Shape::of(|dim| <Outputs<F, G, R>>::shape(&y_bar, dim)))?;
            seeds::load(dy, y_bar, &mut *numbers);
            Ok(())
        };
        if W::N == 1
            && let Some(x_bar) = W::gather::<R::In>(dx.get(0))
        {
            return b.pull::<W::Space<G::Base>, V>(f, at, x_bar, work, seed);
        }
        let x_bar = x_bar.get_or_insert_with(|| R::zero_inputs(&at));
        let y = b.pull::<W::Space<G::Base>, V>(f, at, R::In::muts(x_bar), work, seed)?;
        result_buffers::store(R::In::muts(x_bar), dx, numbers);
        Ok(y)
    }
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> PullbackBy<B, F, G, R, W>
    for ByPushes
{
    type State = (Columns<B, F, G, R>, Memory<G::Base>);

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        (Columns::new(b, f, at), Memory { dx: Vec::new(), dy: Vec::new() })
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, (columns, memory): &mut Self::State) -> Result<()> {
        memory.dx.reserve(W::N * columns.n());
        memory.dy.reserve(W::N * columns.warm(b, f, at)?);
        Ok(())
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
        memory.dx.resize(W::N * columns.n(), <G::Base as Base>::ZERO);
        let y = columns.run::<V>(b, f, at, &mut Products { seeds: dy, memory, width: PhantomData::<W> })?;
        let mut numbers = memory.dx.iter();
        for k in 0..W::N {
            R::In::each(dx.get(k), &mut |v: &mut G::Base| numbers.next().into_iter().for_each(|n| *v = *n));
        }
        Ok(y)
    }
}

/// The numbers of cotangents, and of their products.
#[derive(Clone, Debug)]
pub struct Memory<F> {
    pub(crate) dx: Vec<F>,
    pub(crate) dy: Vec<F>,
}

impl<F> Recorder for Memory<F> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, memory_report::vector(&self.dy));
        note(names::RESULTS, memory_report::vector(&self.dx));
    }
}

/// The products of a Jacobian's columns with cotangents.
pub(crate) struct Products<'a, F, D, W> {
    pub(crate) seeds: &'a D,
    pub(crate) memory: &'a mut Memory<F>,
    pub(crate) width: PhantomData<W>,
}

impl<L: List, W: BatchWidth, D: Seeds<L, W>> Entries<L> for Products<'_, L::Base, D, W> {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        seeds::check(self.seeds, &Shape::of(|dim| L::shape(&outputs, dim)))?;
        self.memory.dy.clear();
        self.memory.dy.reserve(W::N * count::<L, A>(outputs));
        (0..W::N).for_each(|k| self.seeds.get(k).each(&mut |v| self.memory.dy.push(v)));
        Ok(())
    }

    #[inline]
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        let Memory { dx, dy } = &mut *self.memory;
        let (m, n) = (dy.len() / W::N, dx.len() / W::N);
        for k in 0..W::N {
            dx[k * n + column] += value * dy[k * m + row];
        }
    }
}
