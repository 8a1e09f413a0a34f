//! The product of the Jacobian with tangents.

use super::entries::{Entries, count, size};
use super::rows::Rows;
use super::{AuxOf, HasAux, Value, With, asked, operator, prepare_operator, shown, value, valued, variant, variants};
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
use crate::operators::strategy::{Backend, ByPulls, ByPushes, Outputs, Pass};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, ReturnValue, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::{Buffers, Owned};
use crate::signature::seeds::{SeedList, Seeds};
use crate::signature::{result_buffers, seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;

operator! {
    #[doc = include_str!("docs/pushforward.md")]
    pushforward, pushforward_into, value_and_pushforward, value_and_pushforward_into
        -> W::Of<<Outputs<F, G, R> as Flat>::Tuple<G::Base>>, into [Buffers<Outputs<F, G, R>, W>];
    #[doc = include_str!("docs/pushforward_prepared.md")]
    prepare_pushforward -> PushforwardPrep: PushforwardBackend, Pushforward by PushforwardBy;
    where Outputs<F, G, R>: [Flat];
    seeds dx: [Seeds<R::In, W>] of W;
}

/// A strategy for pushforwards.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find pushforwards [D0702]",
    label = "no pushforwards from `{B}`",
    note = "of `SecondOrder(outer, inner)`, operators of first order take one: `outer`, or `inner`",
    note = "in code that is generic over the backend, bound it: `B: PushforwardBackend<..>`"
)]
pub trait PushforwardBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth = One> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites the target with the products. The value if `V` is on.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// A backend that pushes forward through `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds pushforwards [D0701]",
    label = "no pushforwards from `{Self}`",
    note = "`AutoForward` and `AutoReverse` differentiate annotated functions, `AutoFiniteDiff` all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait PushforwardBackend<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth = One>:
    Backend<Pushforward: PushforwardBy<Self, F, G, R, W>>
{
}
impl<B: Backend<Pushforward: PushforwardBy<B, F, G, R, W>>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth>
    PushforwardBackend<F, G, R, W> for B
{
}

pub(super) type State<B, F, G, R, W> = <<B as Backend>::Pushforward as PushforwardBy<B, F, G, R, W>>::State;

/// Where the outputs' tangents go: memory of sizes that only the value tells.
pub trait Target<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth>: Buffers<Outputs<F, G, R>, W> {
    /// Called before the first use. `y` has the result's sizes, `shape` are those of all outputs.
    fn open(&mut self, y: &F::ReturnValue, shape: &Shape) -> Result<()>;
}

/// The caller's memory.
pub(crate) struct Callers<'b, Y>(pub(crate) &'b mut Y);

impl<L: List, W: BatchWidth, Y: Buffers<L, W>> Buffers<L, W> for Callers<'_, Y> {
    #[inline]
    fn get(&mut self, k: usize) -> L::Muts<'_, L::Base> {
        self.0.get(k)
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth, Y: Buffers<Outputs<F, G, R>, W>> Target<F, G, R, W>
    for Callers<'_, Y>
{
    #[inline]
    fn open(&mut self, _: &F::ReturnValue, shape: &Shape) -> Result<()> {
        result_buffers::check(self.0, shape)
    }
}

/// Made memory, made at the first use.
pub struct Made<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    params: <R::Outs as List>::Stores<G::Base>,
    made: Option<Owned<Outputs<F, G, R>, W>>,
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> Made<F, G, R, W> {
    /// For the outputs of a call.
    pub fn new(at: &G::At<'_>) -> Self {
        Made { params: R::zero_outputs(at), made: None }
    }

    /// What was made, as the user sees it.
    pub(super) fn tuples(self) -> W::Of<<Outputs<F, G, R> as Flat>::Tuple<G::Base>>
    where
        Outputs<F, G, R>: Flat,
    {
        let Owned(stores) = asked(self.made);
        W::map(stores, <Outputs<F, G, R>>::flat)
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder for Made<F, G, R, One> {
    fn kept(&self, note: &mut Note<'_>) {
        let made = self.made.as_ref().map_or(0, |Owned(stores)| sizes::shadow::<G::Base>(stores));
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.params) + made);
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> Buffers<Outputs<F, G, R>, W> for Made<F, G, R, W> {
    #[inline]
    fn get(&mut self, k: usize) -> <Outputs<F, G, R> as List>::Muts<'_, G::Base> {
        self.made.as_mut().expect("a target is opened before it is used").get(k)
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> Target<F, G, R, W> for Made<F, G, R, W> {
    #[inline]
    fn open(&mut self, y: &F::ReturnValue, shape: &Shape) -> Result<()> {
        let fits = self.made.as_mut().is_some_and(|made| result_buffers::check(made, shape).is_ok());
        if !fits {
            let make = || {
                F::ReturnValue::stores::<R::Outs, G::Base>(Pool::of_its_own(|pool| y.zero(pool)), self.params.clone())
            };
            self.made = Some(Owned(W::make(make)));
        }
        Ok(())
    }
}

#[inline]
pub(super) fn owned<
    V: Flag,
    F: Function<G>,
    B: PushforwardBackend<F, G, R, W>,
    G: Signature,
    R: ArgRoles<G>,
    W: BatchWidth,
>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    dx: &impl Seeds<R::In, W>,
) -> Result<(Option<F::ReturnValue>, W::Of<<Outputs<F, G, R> as Flat>::Tuple<G::Base>>)>
where
    Outputs<F, G, R>: Flat,
{
    let mut dy = Made::<F, G, R, W>::new(&at);
    let y = B::Pushforward::run::<V>(b, f, at, state, dx, &mut dy)?;
    Ok((y, dy.tuples()))
}

#[inline]
pub(super) fn into<
    V: Flag,
    F: Function<G>,
    B: PushforwardBackend<F, G, R, W>,
    G: Signature,
    R: ArgRoles<G>,
    W: BatchWidth,
>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    dx: &impl Seeds<R::In, W>,
    result: &mut impl Buffers<Outputs<F, G, R>, W>,
) -> Result<Option<F::ReturnValue>> {
    B::Pushforward::run::<V>(b, f, at, state, dx, &mut Callers(result))
}

/// The memory of one pass, and of one seed's numbers.
pub struct OnePass<S, F> {
    work: S,
    numbers: Vec<F>,
}

impl<S: Recorder, F> Recorder for OnePass<S, F> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> PushforwardBy<B, F, G, R, W>
    for ByPushes
{
    type State = OnePass<B::Work<W::Space<G::Base>>, G::Base>;
    const FOLLOWS_SIZES: bool = B::FOLLOWS_SIZES;

    #[inline]
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        OnePass { work: b.work(f, at), numbers: Vec::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, OnePass { work, numbers }: &mut Self::State) -> Result<()> {
        let n = size::<G, R>(&at);
        let m = b.warm(f, at, work);
        numbers.reserve(n.max(m));
        Ok(())
    }

    #[inline]
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        OnePass { work, numbers }: &mut Self::State,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<Option<F::ReturnValue>> {
        seeds::check(dx, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        seeds::load(dx, b.tangents(&at, work), numbers);
        let pass = Pass { first: true, value: V::ON };
        let (y, ()) = b.push::<W::Space<G::Base>, ()>(f, at, pass, work, |y, y_dot| {
            dy.open(y, &Shape::of(|dim| <Outputs<F, G, R>>::shape(&y_dot, dim)))?;
            result_buffers::store(y_dot, dy, numbers);
            Ok(())
        })?;
        Ok(y)
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> PushforwardBy<B, F, G, R, W>
    for ByPulls
{
    type State = (Rows<B, F, G, R>, Products<G::Base>);

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        (Rows::new(b, f, at), Products::new(W::N))
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, (rows, products): &mut Self::State) -> Result<()> {
        products.dx.reserve(W::N * size::<G, R>(&at));
        products.dy.reserve(W::N * rows.warm(b, f, at)?);
        Ok(())
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        (rows, products): &mut Self::State,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<Option<F::ReturnValue>> {
        seeds::check(dx, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        products.dx.clear();
        (0..W::N).for_each(|k| dx.get(k).each(&mut |v| products.dx.push(v)));
        let y = asked(rows.run::<On>(b, f, at, products)?);
        dy.open(&y, &products.shape)?;
        let mut numbers = products.dy.iter();
        for k in 0..W::N {
            <Outputs<F, G, R>>::each(dy.get(k), &mut |v| numbers.next().into_iter().for_each(|n| *v = *n));
        }
        Ok(Some(y))
    }
}

/// The products of a Jacobian's rows with tangents.
#[derive(Clone, Debug)]
pub struct Products<F> {
    seeds: usize,
    dx: Vec<F>,
    dy: Vec<F>,
    shape: Shape,
}

impl<F> Recorder for Products<F> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, memory_report::vector(&self.dx));
        note(names::RESULTS, memory_report::vector(&self.dy));
        self.shape.kept(note);
    }
}

impl<F> Products<F> {
    fn new(seeds: usize) -> Self {
        Products { seeds, dx: Vec::new(), dy: Vec::new(), shape: Shape::of(|_| ()) }
    }
}

impl<L: List> Entries<L> for Products<L::Base> {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        self.shape = Shape::of(|dim| L::shape(&outputs, dim));
        self.dy.clear();
        self.dy.resize(self.seeds * count::<L, A>(outputs), <L::Base as Base>::ZERO);
        Ok(())
    }

    #[inline]
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        let (m, n) = (self.dy.len() / self.seeds, self.dx.len() / self.seeds);
        for k in 0..self.seeds {
            self.dy[k * m + row] += value * self.dx[k * n + column];
        }
    }
}
