//! The matrix of all second derivatives.

use super::entries::{Chunk, Eight, Four, basis, size};
use super::{asked, preparation, variant, variants};
use crate::arguments::Args;
use crate::backend::{Backend, Inputs};
use crate::base::Base;
use crate::buffers::{self, Buffers};
use crate::error::Result;
use crate::function::{Func, Number};
use crate::kinds::Sig;
use crate::lanes::{Lanes, One};
use crate::list::{Flat, List};
use crate::matrices::{self, Matrix};
use crate::preparation::{Prepared, check, prepared};
use crate::roles::Call;
use crate::second_order::SecondBy;
use crate::shape::Shape;
use crate::slots::{Flag, Off, On};
use crate::tape::Recorder;
use ndarray::{Array2, ArrayViewMut2};

variants! {
    {
        /// Hessians at other points of the same size.
        prepare_hessian -> HessianPrep: HessianBackend, Second by HessianBy;
        where F::Ret: [Number<G::Base, R::Outs>], R::In: [Flat];
    }

    /// The matrix of all second derivatives by the numbers of all active arguments, flattened together.
    fn hessian() -> Array2<G::Base> = |parts, at| owned::<Off, F, B, G, R>(parts, at).map(|(_, _, h)| h);

    /// As [`hessian`], into `result`.
    fn hessian_into(result: Y [Matrix<G::Base>]) -> () = |parts, at| only::<F, B, G, R>(parts, at, &mut result);

    /// The value, the gradient, and what [`hessian`] gives.
    fn value_gradient_and_hessian() -> (F::Ret, <R::In as Flat>::Tuple<G::Base>, Array2<G::Base>) =
        |parts, at| owned::<On, F, B, G, R>(parts, at).map(|(y, g, h)| (asked(y), g, h));

    /// The value, the gradient, into `gradient`, and what [`hessian`] gives, into `result`.
    fn value_gradient_and_hessian_into(gradient: Z [Buffers<R::In, One>], result: Y [Matrix<G::Base>]) -> F::Ret =
        |parts, at| both::<F, B, G, R>(parts, at, &mut gradient, &mut result);
}

/// A strategy for Hessians, made from one for passes.
pub trait HessianBy<B, F: Func<G>, G: Sig, R: Call<G>> {
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites `h` with the Hessian, and `g` with the gradient. If `V` is off, that and the value are not wanted.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: ArrayViewMut2<'_, G::Base>,
    ) -> Result<Option<F::Ret>>;
}

/// A backend that finds Hessians of `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds second derivatives",
    label = "no second derivatives from `{Self}`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find those of annotated functions, `AutoFiniteDiff` of all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait HessianBackend<F: Func<G>, G: Sig, R: Call<G>>: Backend<Second: HessianBy<Self, F, G, R>> {}
impl<B: Backend<Second: HessianBy<B, F, G, R>>, F: Func<G>, G: Sig, R: Call<G>> HessianBackend<F, G, R> for B {}

type State<B, F, G, R> = <<B as Backend>::Second as HessianBy<B, F, G, R>>::State;

type All<F, G, R> =
    (Option<<F as Func<G>>::Ret>, <<R as Call<G>>::In as Flat>::Tuple<<G as Sig>::Base>, Array2<<G as Sig>::Base>);

fn owned<V: Flag, F: Func<G>, B: HessianBackend<F, G, R>, G: Sig, R: Call<G, In: Flat>>(
    Prepared { function: f, backend: b, state, .. }: &mut Prepared<F, B, State<B, F, G, R>>,
    at: G::At<'_>,
) -> Result<All<F, G, R>> {
    let mut g = R::zero_inputs(&at);
    let n = size::<G, R>(&at);
    let mut h = Array2::from_elem((n, n), <G::Base as Base>::ZERO);
    let y = B::Second::run::<V>(b, f, at, state, Some(R::In::muts(&mut g)), h.view_mut())?;
    Ok((y, R::In::flat(g), h))
}

fn only<F: Func<G>, B: HessianBackend<F, G, R>, G: Sig, R: Call<G>>(
    Prepared { function: f, backend: b, state, .. }: &mut Prepared<F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    result: &mut impl Matrix<G::Base>,
) -> Result<()> {
    B::Second::run::<Off>(b, f, at, state, None, result.view()).map(|_| ())
}

fn both<F: Func<G>, B: HessianBackend<F, G, R>, G: Sig, R: Call<G>>(
    Prepared { function: f, backend: b, state, .. }: &mut Prepared<F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    gradient: &mut impl Buffers<R::In, One>,
    result: &mut impl Matrix<G::Base>,
) -> Result<F::Ret> {
    buffers::check(gradient, &Shape::of(|dim| R::input_shape(&at, dim)))?;
    B::Second::run::<On>(b, f, at, state, Some(gradient.get(0)), result.view()).map(asked)
}

/// The memory of passes with tangents in `A`: of the pass, of the gradient and of the products.
pub struct Passes<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B, F: Func<G>, G: Sig, R: Call<G>> {
    work: S::Work<A>,
    g: <R::In as List>::Stores<G::Base>,
    hv: <R::In as List>::Stores<A>,
}

type Float<G> = <G as Sig>::Base;

/// The memory of passes with tangents.
pub struct Columns<S: SecondBy<B, F, G, R>, B, F: Func<G>, G: Sig, R: Call<G>>(
    Chunk<
        Passes<Float<G>, S, B, F, G, R>,
        Passes<Four<Float<G>>, S, B, F, G, R>,
        Passes<Eight<Float<G>>, S, B, F, G, R>,
    >,
);

impl<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B, F: Func<G>, G: Sig, R: Call<G>> Recorder
    for Passes<A, S, B, F, G, R>
{
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<S: SecondBy<B, F, G, R>, B, F: Func<G>, G: Sig, R: Call<G>> Recorder for Columns<S, B, F, G, R> {
    fn tape_bytes(&self) -> usize {
        self.0.tape_bytes()
    }
}

impl<S: SecondBy<B, F, G, R>, B: Backend, F: Func<G>, G: Sig, R: Call<G>> HessianBy<B, F, G, R> for S {
    type State = Columns<S, B, F, G, R>;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        let batch = b.batch_size_of(size::<G, R>(at));
        Columns(Chunk::pick(
            batch,
            at,
            |at| Passes::new(b, f, at),
            |at| Passes::new(b, f, at),
            |at| Passes::new(b, f, at),
        ))
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, Columns(passes): &mut Self::State) -> Result<()> {
        match passes {
            Chunk::One(passes) => passes.warm(b, f, at),
            Chunk::Four(passes) => passes.warm(b, f, at),
            Chunk::Eight(passes) => passes.warm(b, f, at),
        }
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Columns(passes): &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: ArrayViewMut2<'_, G::Base>,
    ) -> Result<Option<F::Ret>> {
        let n = size::<G, R>(&at);
        matrices::check(&h, n, n)?;
        match passes {
            Chunk::One(passes) => passes.run::<V>(b, f, at, n, g, h),
            Chunk::Four(passes) => passes.run::<V>(b, f, at, n, g, h),
            Chunk::Eight(passes) => passes.run::<V>(b, f, at, n, g, h),
        }
    }
}

impl<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B: Backend, F: Func<G>, G: Sig, R: Call<G>> Passes<A, S, B, F, G, R> {
    fn new(b: &B, f: &F, at: &mut G::At<'_>) -> Self {
        Passes { work: S::work(b, f, at), g: R::zero_inputs(at), hv: R::zero_inputs(at) }
    }

    fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<()> {
        S::hvp::<A, On>(b, f, at, true, &mut self.work, R::In::muts(&mut self.g), R::In::muts(&mut self.hv)).map(|_| ())
    }

    /// Each pass finds some columns. Differences are not symmetric by themselves: the part below the diagonal is taken.
    fn run<V: Flag>(
        &mut self,
        b: &B,
        f: &F,
        mut at: G::At<'_>,
        n: usize,
        mut g: Option<Inputs<'_, G, R, G::Base>>,
        mut h: ArrayViewMut2<'_, G::Base>,
    ) -> Result<Option<F::Ret>> {
        let Passes { work, g: own, hv } = self;
        let mut g = match &mut g {
            Some(g) => R::In::again(g),
            None => R::In::muts(own),
        };
        let mut y = None;
        let batch = b.batch_size_of(n).min(A::LANES);
        for start in (0..n.max(1)).step_by(batch) {
            let columns = start..n.min(start + batch);
            basis::<R::In, A>(S::tangents(work), columns.clone());
            let (at, g) = (G::again(&mut at), R::In::again(&mut g));
            let value = match start {
                0 => S::hvp::<A, V>(b, f, at, true, work, g, R::In::muts(hv))?,
                _ => S::hvp::<A, Off>(b, f, at, false, work, g, R::In::muts(hv))?,
            };
            y = y.or(value);
            let mut row = 0;
            R::In::each(R::In::muts(hv), &mut |a: &mut A| {
                columns.clone().for_each(|column| h[[row, column]] = a.lane(column - start));
                row += 1;
            });
        }
        if b.outer().inexact() {
            matrices::mirror(&mut h);
        }
        Ok(y)
    }
}
