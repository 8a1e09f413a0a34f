//! The matrix of all second derivatives.

use super::columns::Vectors;
use super::entries::{Chunk, Eight, Four, Products, Seeding, Two, chunk, pick, size};
use super::{AuxOf, Dense, HasAux, Value, With, prepare_operator, value, variant, variants, with};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, Off, On};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List};
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::One;
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::second_order::SecondBy;
use crate::operators::strategy::{Backend, Inputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Number, Shown};
use crate::signature::matrices::{Form, Matrix};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::signature::{matrices, result_buffers};
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use ndarray::{Array2, ArrayViewMut2, Axis, Slice};
use std::ops::Range;

variants! {
    {
        #[doc = include_str!("docs/hessian_prepared.md")]
        prepare_hessian -> HessianPrep: HessianBackend, Second by HessianBy;
        where F::ReturnValue: [Number<G::Base, R::Outs>], R::In: [Flat];
    }

    #[doc = include_str!("docs/hessian.md")]
    fn hessian() -> With<MatrixOf<B, F, G, R>, F, G> =
        |parts, at| alone::<F, B, G, R>(parts, at).map(|(y, h)| with(y, h));

    /// [`hessian`] into a matrix of the caller: `hessian_into(f, backend, &mut result, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`hessian`], and [`BufferMismatch`](crate::error::Error::BufferMismatch) or
    /// [`PatternMismatch`](crate::error::Error::PatternMismatch) if the matrix has another size or pattern.
    fn hessian_into(result: Y [Matrix<MatrixOf<B, F, G, R>>]) -> AuxOf<F, G> =
        |parts, at| only::<F, B, G, R>(parts, at, &mut result).map(F::ReturnValue::aux);

    /// The value, the gradient and the [`hessian`]: `value_gradient_and_hessian(f, backend, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`hessian`].
    fn value_gradient_and_hessian() -> (Value<F, G>, <R::In as Flat>::Tuple<G::Base>, MatrixOf<B, F, G, R>) =
        |parts, at| owned::<F, B, G, R>(parts, at).map(|(y, g, h)| (value(y), g, h));

    /// The value; the gradient and the [`hessian`] into memory of the caller:
    /// `value_gradient_and_hessian_into(f, backend, &mut gradient, &mut result, args)`.
    ///
    /// # Errors
    ///
    /// Those of [`hessian_into`].
    fn value_gradient_and_hessian_into(gradient: Z [Buffers<R::In, One>], result: Y [Matrix<MatrixOf<B, F, G, R>>]) -> Value<F, G> =
        |parts, at| both::<F, B, G, R>(parts, at, &mut gradient, &mut result);
}

/// A strategy for Hessians, made from one for passes.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find Hessians of `{F}` [D0702]",
    label = "no Hessians from `{B}`",
    note = "`AutoSparse` traces the function over another number type, which functions of structs or libraries' arrays cannot be: of these `.detector(TracerSparsityDetector.derivative_code())` finds the pattern",
    note = "in code that is generic over the backend, bound it: `B: HessianBackend<..>`"
)]
pub trait HessianBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// What a Hessian is given as.
    type Matrix: Form<Base = G::Base>;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// A matrix that can hold the Hessian.
    fn blank(b: &B, f: &F, at: &mut G::At<'_>, state: &mut Self::State) -> Result<Self::Matrix>;
    /// Overwrites `h` with the Hessian, and `g` with the gradient. If `V` is off, that and the value are not wanted.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: <Self::Matrix as Form>::View<'_>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// A backend that finds Hessians of `F`: the bound for code that is generic over the backend. What they are given as is its
/// [`MatrixOf`]; a [`DenseHessianBackend`] gives `Array2`s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds second derivatives [D0701]",
    label = "no second derivatives from `{Self}`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find those of annotated functions, `AutoFiniteDiff` of all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait HessianBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Second: HessianBy<Self, F, G, R>>
{
}
impl<B: Backend<Second: HessianBy<B, F, G, R>>, F: Function<G>, G: Signature, R: ArgRoles<G>> HessianBackend<F, G, R>
    for B
{
}

/// A [`HessianBackend`] whose Hessians are `Array2`s.
pub trait DenseHessianBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Second: HessianBy<Self, F, G, R, Matrix = Array2<G::Base>>>
{
}
impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> DenseHessianBackend<F, G, R> for B where
    B: Backend<Second: HessianBy<B, F, G, R, Matrix = Array2<G::Base>>>
{
}

type State<B, F, G, R> = <<B as Backend>::Second as HessianBy<B, F, G, R>>::State;

/// What a backend's Hessians are given as: `Array2`, `CsMat` if it is sparse.
pub type MatrixOf<B, F, G, R> = <<B as Backend>::Second as HessianBy<B, F, G, R>>::Matrix;

type All<B, F, G, R> = (
    Option<<F as Function<G>>::ReturnValue>,
    <<R as ArgRoles<G>>::In as Flat>::Tuple<<G as Signature>::Base>,
    MatrixOf<B, F, G, R>,
);

type Alone<B, F, G, R> = (Option<<F as Function<G>>::ReturnValue>, MatrixOf<B, F, G, R>);

fn alone<F: Function<G>, B: HessianBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    mut at: G::At<'_>,
) -> Result<Alone<B, F, G, R>> {
    let mut h = B::Second::blank(b, f, &mut at, state)?;
    let y = B::Second::run::<HasAux<F, G>>(b, f, at, state, None, h.whole())?;
    Ok((y, h))
}

fn owned<F: Function<G>, B: HessianBackend<F, G, R>, G: Signature, R: ArgRoles<G, In: Flat>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    mut at: G::At<'_>,
) -> Result<All<B, F, G, R>> {
    let mut g = R::zero_inputs(&at);
    let mut h = B::Second::blank(b, f, &mut at, state)?;
    let y = B::Second::run::<On>(b, f, at, state, Some(R::In::muts(&mut g)), h.whole())?;
    Ok((y, R::In::flat(g), h))
}

fn only<F: Function<G>, B: HessianBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    result: &mut impl Matrix<MatrixOf<B, F, G, R>>,
) -> Result<Option<F::ReturnValue>> {
    B::Second::run::<HasAux<F, G>>(b, f, at, state, None, result.view())
}

fn both<F: Function<G>, B: HessianBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    gradient: &mut impl Buffers<R::In, One>,
    result: &mut impl Matrix<MatrixOf<B, F, G, R>>,
) -> Result<Value<F, G>> {
    result_buffers::check(gradient, &Shape::of(|dim| R::input_shape(&at, dim)))?;
    B::Second::run::<On>(b, f, at, state, Some(gradient.get(0)), result.view()).map(value)
}

/// The memory of passes with tangents in `A`: of the pass, of the gradient and of the products.
pub struct Passes<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    work: S::Work<A>,
    /// Whether the seeds of a single pass are where the last call left them.
    seeded: bool,
    g: <R::In as List>::Stores<G::Base>,
    hv: <R::In as List>::Stores<A>,
}

type Float<G> = <G as Signature>::Base;

/// The memory of passes with tangents.
pub struct Columns<S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    n: usize,
    seeding: Seeding<Float<G>>,
    passes: Works<S, B, F, G, R>,
}

type Works<S, B, F, G, R> = Chunk<
    Passes<Float<G>, S, B, F, G, R>,
    Passes<Two<Float<G>>, S, B, F, G, R>,
    Passes<Four<Float<G>>, S, B, F, G, R>,
    Passes<Eight<Float<G>>, S, B, F, G, R>,
>;

impl<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder
    for Passes<A, S, B, F, G, R>
{
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.g) + sizes::shadow::<A>(&self.hv));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>> Recorder for Columns<S, B, F, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        self.seeding.kept(note);
        self.passes.kept(note);
    }
    fn tape_bytes(&self) -> usize {
        self.passes.tape_bytes()
    }
}

/// The products are its columns.
impl<F: Base> Products<F> for ArrayViewMut2<'_, F> {
    #[inline]
    fn lanes<A: Lanes<F>>(&mut self, row: usize, columns: Range<usize>, a: &A) {
        let mut row = self.row_mut(row);
        let entries = row.slice_axis_mut(Axis(0), Slice::from(columns));
        entries.into_iter().enumerate().for_each(|(lane, entry)| *entry = a.lane(lane));
    }
}

/// Differences are not symmetric by themselves: the part below the diagonal is taken.
impl<S: Dense + SecondBy<B, F, G, R>, B: Backend, F: Function<G>, G: Signature, R: ArgRoles<G>> HessianBy<B, F, G, R>
    for S
{
    type State = Columns<S, B, F, G, R>;
    type Matrix = Array2<G::Base>;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        Columns::seeded(b, f, at, Seeding::Basis)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, columns: &mut Self::State) -> Result<()> {
        columns.warm(b, f, at)
    }

    fn blank(_: &B, _: &F, at: &mut G::At<'_>, _: &mut Self::State) -> Result<Array2<G::Base>> {
        let n = size::<G, R>(at);
        Ok(Array2::from_elem((n, n), <G::Base as Base>::ZERO))
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        columns: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        mut h: ArrayViewMut2<'_, G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        matrices::check(&h, columns.n, columns.n)?;
        let y = columns.run::<V>(b, f, at, g, &mut h)?;
        if b.outer().inexact() {
            matrices::mirror(&mut h);
        }
        Ok(y)
    }
}

impl<S: SecondBy<B, F, G, R>, B: Backend, F: Function<G>, G: Signature, R: ArgRoles<G>> Columns<S, B, F, G, R> {
    /// For arguments of these sizes, and the products with these vectors.
    pub(crate) fn seeded(b: &B, f: &F, at: &mut G::At<'_>, seeding: Seeding<Float<G>>) -> Self {
        let n = seeding.len(size::<G, R>(at));
        let passes = pick!(seeding.batch(b, n), R::In, Passes::new(b, f, at));
        Columns { n, seeding, passes }
    }

    /// Calls the function once, so that later calls need no more memory.
    pub(crate) fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<()> {
        chunk!(&mut self.passes, R::In, passes => passes.warm(b, f, at))
    }

    /// Passes on the products. The gradient and the value only if `V` is on.
    #[inline]
    pub(crate) fn run<V: Flag>(
        &mut self,
        b: &B,
        f: &F,
        at: G::At<'_>,
        g: Option<Inputs<'_, G, R, G::Base>>,
        products: &mut impl Products<G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        let Columns { n, seeding, passes } = self;
        chunk!(passes, R::In, passes => passes.run::<V>(b, f, at, (*n, seeding), g, products))
    }
}

impl<A: Lanes<G::Base>, S: SecondBy<B, F, G, R>, B: Backend, F: Function<G>, G: Signature, R: ArgRoles<G>>
    Passes<A, S, B, F, G, R>
{
    fn new(b: &B, f: &F, at: &mut G::At<'_>) -> Self {
        Passes { work: S::work(b, f, at), seeded: false, g: R::zero_inputs(at), hv: R::zero_inputs(at) }
    }

    fn warm(&mut self, b: &B, f: &F, at: G::At<'_>) -> Result<()> {
        S::hvp::<A, On>(b, f, at, true, &mut self.work, R::In::muts(&mut self.g), R::In::muts(&mut self.hv)).map(|_| ())
    }

    /// Each pass finds some columns, or some sums of them.
    fn run<V: Flag>(
        &mut self,
        b: &B,
        f: &F,
        at: G::At<'_>,
        (n, seeding): (usize, &Seeding<G::Base>),
        mut g: Option<Inputs<'_, G, R, G::Base>>,
        products: &mut impl Products<G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        let Passes { work, seeded, g: own, hv } = self;
        let g = match &mut g {
            Some(g) => R::In::again(g),
            None => R::In::muts(own),
        };
        let entry = &mut G::Owns::default();
        let vectors = Vectors { seeding, n, range: 0..n, seeded, entry };
        S::passes::<V, A>(b, f, at, vectors, work, g, hv, products)
    }
}

/// The memory of a pass, the gradient and the products.
type Memory<'m, A, S, B, F, G, R> = (
    &'m mut <S as SecondBy<B, F, G, R>>::Work<A>,
    Inputs<'m, G, R, Float<G>>,
    &'m mut <<R as ArgRoles<G>>::In as List>::Stores<A>,
);

/// Pass after pass: each finds some columns, or some sums of them.
pub(crate) fn passes<V, A, S, B, F, G, R>(
    b: &B,
    f: &F,
    mut at: G::At<'_>,
    Vectors { seeding, n, range, seeded, .. }: Vectors<'_, G>,
    (work, mut g, hv): Memory<'_, A, S, B, F, G, R>,
    products: &mut impl Products<G::Base>,
) -> Result<Option<F::ReturnValue>>
where
    V: Flag,
    A: Lanes<G::Base>,
    S: SecondBy<B, F, G, R> + ?Sized,
    B: Backend,
    F: Function<G>,
    G: Signature,
    R: ArgRoles<G>,
{
    let mut y = None;
    let batch = seeding.batch(b, n).min(A::LANES);
    for start in (range.start..range.end.max(range.start + 1)).step_by(batch) {
        let columns = start..range.end.min(start + batch);
        if !(*seeded && n <= batch && S::KEEPS_TANGENTS && !R::IN_OUT) {
            seeding.put::<R::In, A>(S::tangents(work), columns.clone());
            *seeded = true;
        }
        let (at, g) = (G::again(&mut at), R::In::again(&mut g));
        let value = match start == range.start {
            true => S::hvp::<A, V>(b, f, at, true, work, g, R::In::muts(hv))?,
            false => S::hvp::<A, Off>(b, f, at, false, work, g, R::In::muts(hv))?,
        };
        y = y.or(value);
        let hv = R::In::muts(hv);
        if let Some(rows) = R::In::side_by_side(&hv) {
            products.rows(rows, columns);
            continue;
        }
        let mut row = 0;
        R::In::each(hv, &mut |a: &mut A| {
            products.lanes(row, columns.clone(), a);
            row += 1;
        });
    }
    Ok(y)
}
