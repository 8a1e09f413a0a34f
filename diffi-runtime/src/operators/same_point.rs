//! Several products at one point: what does not depend on the seed is done once, at preparation.
//!
//! `AutoReverse` keeps the tape for pullbacks. A backend that goes the other way than the operator finds the whole Jacobian at
//! preparation. Where nothing can be shared, as between tangents, each product is found anew.

use super::columns::Columns;
use super::entries::{Entries, count, size};
use super::hvp::{self, HvpBackend, HvpPrep};
use super::pushforward::{Callers, Made, PushforwardBy, Target};
use super::rows::Rows;
use crate::arguments::Args;
use crate::backend::{Backend, ByPulls, ByPushes, Outputs, Pull, Push};
use crate::base::Base;
use crate::buffers::{self, Buffers, Owned};
use crate::error::Result;
use crate::function::{Func, Number};
use crate::kinds::Sig;
use crate::lanes::{Lanes, One, Width};
use crate::list::{Flat, List};
use crate::roles::Call;
use crate::second_order::NoOutputs;
use crate::seeds::{self, SeedList, Seeds};
use crate::shape::Shape;
use crate::slots::{Off, On};
use crate::tape::Recorder;

type Tuple<L, G> = <L as Flat>::Tuple<<G as Sig>::Base>;

/// Prepares [`PullbackSamePoint::pullback`] with seeds like `dy`.
pub fn prepare_pullback_same_point<F, B, G, R, X, D, W>(
    f: F,
    backend: B,
    mut args: X,
    dy: D,
) -> Result<PullbackSamePoint<F, B, G, R, X, W>>
where
    F: Func<G>,
    G: Sig,
    X: Args<G, R>,
    R: Call<G>,
    B: Backend<Pullback: HeldPullbackBy<B, F, G, R, W>>,
    W: Width,
    D: Seeds<Outputs<F, G, R>, W>,
{
    let _ = dy;
    let (state, value) = B::Pullback::hold(&backend, &f, args.at())?;
    Ok(PullbackSamePoint { function: f, backend, args, state, value })
}

/// Prepares [`PushforwardSamePoint::pushforward`] with seeds like `dx`.
pub fn prepare_pushforward_same_point<F, B, G, R, X, D, W>(
    f: F,
    backend: B,
    mut args: X,
    dx: D,
) -> Result<PushforwardSamePoint<F, B, G, R, X, W>>
where
    F: Func<G>,
    G: Sig,
    X: Args<G, R>,
    R: Call<G>,
    B: Backend<Pushforward: HeldPushforwardBy<B, F, G, R, W>>,
    W: Width,
    D: Seeds<R::In, W>,
{
    let _ = dx;
    let (state, value) = B::Pushforward::hold(&backend, &f, args.at())?;
    Ok(PushforwardSamePoint { function: f, backend, args, state, value })
}

/// Prepares [`HvpSamePoint::hvp`] with seeds like `v`.
pub fn prepare_hvp_same_point<F, B, G, R, X, D, W>(
    f: F,
    backend: B,
    mut args: X,
    v: D,
) -> Result<HvpSamePoint<F, B, G, R, X, W>>
where
    F: Func<G>,
    F::Ret: Number<G::Base>,
    R::In: Flat,
    R::Outs: NoOutputs,
    G: Sig,
    X: Args<G, R>,
    R: Call<G>,
    B: HvpBackend<F, G, R, W>,
    W: Width,
    D: Seeds<R::In, W>,
{
    let _ = v;
    let prep = HvpPrep::new(f, backend, args.at())?;
    Ok(HvpSamePoint { prep, args })
}

/// Pullbacks at one point. Borrows the arguments.
pub struct PullbackSamePoint<
    F: Func<G>,
    B: Backend<Pullback: HeldPullbackBy<B, F, G, R, W>>,
    G: Sig,
    R: Call<G>,
    X,
    W: Width = One,
> {
    function: F,
    backend: B,
    args: X,
    state: <B::Pullback as HeldPullbackBy<B, F, G, R, W>>::State,
    value: F::Ret,
}

impl<F: Func<G>, B: Backend<Pullback: HeldPullbackBy<B, F, G, R, W>>, G: Sig, R: Call<G>, X: Args<G, R>, W: Width>
    PullbackSamePoint<F, B, G, R, X, W>
{
    /// The value at the point.
    pub fn value(&self) -> F::Ret {
        self.value.clone()
    }

    /// The peak number of bytes that this object keeps for reverse sweeps.
    pub fn tape_bytes(&self) -> usize {
        self.state.tape_bytes()
    }

    /// The product of the transposed Jacobian with `dy`.
    pub fn pullback<D: Seeds<Outputs<F, G, R>, W>>(&mut self, dy: D) -> Result<W::Of<Tuple<R::In, G>>>
    where
        R::In: Flat,
    {
        let PullbackSamePoint { function, backend, args, state, value } = self;
        let at = args.at();
        let mut dx = Owned::<R::In, W>(W::make(|| R::zero_inputs(&at)));
        B::Pullback::run_held(backend, function, at, state, value, &dy, &mut dx)?;
        Ok(W::map(dx.0, R::In::flat))
    }

    /// As [`pullback`](Self::pullback), into `result`.
    pub fn pullback_into<Y: Buffers<R::In, W>, D: Seeds<Outputs<F, G, R>, W>>(
        &mut self,
        mut result: Y,
        dy: D,
    ) -> Result<()> {
        let PullbackSamePoint { function, backend, args, state, value } = self;
        let at = args.at();
        buffers::check(&mut result, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        B::Pullback::run_held(backend, function, at, state, value, &dy, &mut result)
    }
}

/// Pushforwards at one point. Borrows the arguments.
pub struct PushforwardSamePoint<
    F: Func<G>,
    B: Backend<Pushforward: HeldPushforwardBy<B, F, G, R, W>>,
    G: Sig,
    R: Call<G>,
    X,
    W: Width = One,
> {
    function: F,
    backend: B,
    args: X,
    state: <B::Pushforward as HeldPushforwardBy<B, F, G, R, W>>::State,
    value: F::Ret,
}

impl<F: Func<G>, B: Backend<Pushforward: HeldPushforwardBy<B, F, G, R, W>>, G: Sig, R: Call<G>, X: Args<G, R>, W: Width>
    PushforwardSamePoint<F, B, G, R, X, W>
{
    /// The value at the point.
    pub fn value(&self) -> F::Ret {
        self.value.clone()
    }

    /// The peak number of bytes that this object keeps for reverse sweeps.
    pub fn tape_bytes(&self) -> usize {
        self.state.tape_bytes()
    }

    /// The product of the Jacobian with `dx`.
    pub fn pushforward<D: Seeds<R::In, W>>(&mut self, dx: D) -> Result<W::Of<Tuple<Outputs<F, G, R>, G>>>
    where
        Outputs<F, G, R>: Flat,
    {
        let PushforwardSamePoint { function, backend, args, state, value } = self;
        let at = args.at();
        let mut dy = Made::new(&at);
        B::Pushforward::run_held(backend, function, at, state, value, &dx, &mut dy)?;
        Ok(dy.tuples())
    }

    /// As [`pushforward`](Self::pushforward), into `result`.
    pub fn pushforward_into<Y: Buffers<Outputs<F, G, R>, W>, D: Seeds<R::In, W>>(
        &mut self,
        mut result: Y,
        dx: D,
    ) -> Result<()> {
        let PushforwardSamePoint { function, backend, args, state, value } = self;
        B::Pushforward::run_held(backend, function, args.at(), state, value, &dx, &mut Callers(&mut result))
    }
}

/// Products with the Hessian at one point. Borrows the arguments.
pub struct HvpSamePoint<F: Func<G>, B: HvpBackend<F, G, R, W>, G: Sig, R: Call<G>, X, W: Width = One> {
    prep: HvpPrep<F, B, G, R, W>,
    args: X,
}

impl<F, B, G, R, X, W: Width> HvpSamePoint<F, B, G, R, X, W>
where
    F: Func<G, Ret: Number<G::Base>>,
    B: HvpBackend<F, G, R, W>,
    G: Sig,
    R: Call<G, In: Flat, Outs: NoOutputs>,
    X: Args<G, R>,
{
    /// The peak number of bytes that this object keeps for reverse sweeps.
    pub fn tape_bytes(&self) -> usize {
        self.prep.tape_bytes()
    }

    /// The product of the Hessian with `v`.
    pub fn hvp<D: Seeds<R::In, W>>(&mut self, v: D) -> Result<W::Of<Tuple<R::In, G>>> {
        hvp::owned::<Off, F, B, G, R, W>(&mut self.prep.parts, self.args.at(), &v).map(|(_, hv)| hv)
    }

    /// As [`hvp`](Self::hvp), into `result`.
    pub fn hvp_into<Y: Buffers<R::In, W>, D: Seeds<R::In, W>>(&mut self, mut result: Y, v: D) -> Result<()> {
        hvp::only(&mut self.prep.parts, self.args.at(), &v, &mut result)
    }
}

/// A strategy for pullbacks at one point.
pub trait HeldPullbackBy<B, F: Func<G>, G: Sig, R: Call<G>, W: Width> {
    /// What does not depend on the seed.
    type State: Recorder;
    /// Finds what does not depend on the seed, and the value.
    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::Ret)>;
    /// Overwrites `dx`, of the right sizes, with the products.
    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        y: &F::Ret,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()>;
}

/// A strategy for pushforwards at one point.
pub trait HeldPushforwardBy<B, F: Func<G>, G: Sig, R: Call<G>, W: Width> {
    /// What does not depend on the seed.
    type State: Recorder;
    /// Finds what does not depend on the seed, and the value.
    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::Ret)>;
    /// Overwrites the target with the products.
    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        y: &F::Ret,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()>;
}

/// The tape, the adjoints of all seeds, and the numbers of one.
pub struct Tape<S, X, F> {
    work: S,
    x_bar: X,
    numbers: Vec<F>,
}

impl<S: Recorder, X, F> Recorder for Tape<S, X, F> {
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Pull<F, G, R>, F: Func<G>, G: Sig, R: Call<G>, W: Width> HeldPullbackBy<B, F, G, R, W> for ByPulls {
    type State = Tape<B::Work<W::Space<G::Base>>, <R::In as List>::Stores<W::Space<G::Base>>, G::Base>;

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::Ret)> {
        let mut tape = Tape { work: b.work(f, &at), x_bar: R::zero_inputs(&at), numbers: Vec::new() };
        let y = b.hold(f, at, &mut tape.work);
        Ok((tape, y))
    }

    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Tape { work, x_bar, numbers }: &mut Self::State,
        y: &F::Ret,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()> {
        b.release::<W::Space<G::Base>>(f, at, y, R::In::muts(x_bar), work, |y_bar| {
            seeds::check(dy, &Shape::of(|dim| <Outputs<F, G, R>>::shape(&y_bar, dim)))?;
            seeds::load(dy, y_bar, numbers);
            Ok(())
        })?;
        buffers::store(R::In::muts(x_bar), dx, numbers);
        Ok(())
    }
}

impl<B: Push<F, G, R>, F: Func<G>, G: Sig, R: Call<G>, W: Width> HeldPullbackBy<B, F, G, R, W> for ByPushes {
    type State = Dense<G::Base>;

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::Ret)> {
        let mut columns = Columns::new(b, f, &at);
        let mut jacobian = Dense::new(columns.n());
        let y = columns.run(b, f, at, true, &mut jacobian)?;
        Ok((jacobian, super::asked(y)))
    }

    fn run_held(
        _: &B,
        _: &F,
        _: G::At<'_>,
        jacobian: &mut Self::State,
        _: &F::Ret,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()> {
        seeds::check(dy, &jacobian.rows)?;
        for k in 0..W::N {
            jacobian.seed.clear();
            dy.get(k).each(&mut |v| jacobian.seed.push(v));
            let mut column = 0;
            R::In::each(dx.get(k), &mut |v: &mut G::Base| {
                *v = jacobian.column_times_seed(column);
                column += 1;
            });
        }
        Ok(())
    }
}

impl<B: Pull<F, G, R>, F: Func<G>, G: Sig, R: Call<G>, W: Width> HeldPushforwardBy<B, F, G, R, W> for ByPulls {
    type State = (Dense<G::Base>, Shape);

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::Ret)> {
        let inputs = Shape::of(|dim| R::input_shape(&at, dim));
        let mut jacobian = Dense::new(size::<G, R>(&at));
        let y = Rows::new(b, f, &at).run::<On>(b, f, at, &mut jacobian)?;
        Ok(((jacobian, inputs), super::asked(y)))
    }

    fn run_held(
        _: &B,
        _: &F,
        _: G::At<'_>,
        (jacobian, inputs): &mut Self::State,
        y: &F::Ret,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()> {
        seeds::check(dx, inputs)?;
        dy.open(y, &jacobian.rows)?;
        for k in 0..W::N {
            jacobian.seed.clear();
            dx.get(k).each(&mut |v| jacobian.seed.push(v));
            let mut row = 0;
            <Outputs<F, G, R>>::each(dy.get(k), &mut |v| {
                *v = jacobian.row_times_seed(row);
                row += 1;
            });
        }
        Ok(())
    }
}

/// The memory of passes, and the arguments as they were.
pub struct Again<S, O> {
    state: S,
    entry: O,
}

impl<S: Recorder, O> Recorder for Again<S, O> {
    fn tape_bytes(&self) -> usize {
        self.state.tape_bytes()
    }
}

impl<B: Push<F, G, R>, F: Func<G>, G: Sig, R: Call<G>, W: Width> HeldPushforwardBy<B, F, G, R, W> for ByPushes {
    type State = Again<<ByPushes as PushforwardBy<B, F, G, R, W>>::State, G::Owns>;

    fn hold(b: &B, f: &F, mut at: G::At<'_>) -> Result<(Self::State, F::Ret)> {
        let mut entry = G::Owns::default();
        R::save_outputs(&at, &mut entry);
        let state = <Self as PushforwardBy<B, F, G, R, W>>::state(b, f, &mut at);
        Ok((Again { state, entry }, f.call(at)))
    }

    fn run_held(
        b: &B,
        f: &F,
        mut at: G::At<'_>,
        Again { state, entry }: &mut Self::State,
        _: &F::Ret,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()> {
        R::restore_outputs(&mut at, entry);
        <Self as PushforwardBy<B, F, G, R, W>>::run::<Off>(b, f, at, state, dx, dy).map(|_| ())
    }
}

/// A whole Jacobian, row by row, and room for one seed.
#[derive(Clone, Debug)]
pub struct Dense<F> {
    rows: Shape,
    columns: usize,
    entries: Vec<F>,
    seed: Vec<F>,
}

/// The Jacobian is all that is left.
impl<F> Recorder for Dense<F> {}

impl<F: Base> Dense<F> {
    fn new(columns: usize) -> Self {
        Dense { rows: Shape::of(|_| ()), columns, entries: Vec::new(), seed: Vec::new() }
    }

    fn row_times_seed(&self, row: usize) -> F {
        let row = &self.entries[row * self.columns..][..self.columns];
        row.iter().zip(&self.seed).map(|(j, v)| *j * *v).sum()
    }

    fn column_times_seed(&self, column: usize) -> F {
        let column = self.entries[column..].iter().step_by(self.columns);
        column.zip(&self.seed).map(|(j, v)| *j * *v).sum()
    }
}

impl<L: List> Entries<L> for Dense<L::Base> {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        self.rows = Shape::of(|dim| L::shape(&outputs, dim));
        self.entries.resize(self.columns * count::<L, A>(outputs), <L::Base as Base>::ZERO);
        Ok(())
    }

    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        self.entries[row * self.columns + column] = value;
    }
}
