//! The matrix of all first derivatives.

use super::columns::Columns;
use super::entries::{Entries, count};
use super::rows::Rows;
use super::{
    AuxOf, Dense, HasAux, Value, With, asked, operator, prepare_operator, shown, value, valued, variant, variants,
};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::{Flat, List};
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::strategy::{Backend, ByPulls, ByPushes, Mode, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::matrices;
use crate::signature::matrices::{Form, Matrices};
use crate::signature::param_kinds::Signature;
use crate::stack::tape::Recorder;
use ndarray::{Array2, ArrayViewMut2};
use std::marker::PhantomData;
use std::ops::Range;

operator! {
    #[doc = include_str!("docs/jacobian.md")]
    jacobian, jacobian_into, value_and_jacobian, value_and_jacobian_into
        -> <R::In as Flat>::Blocks<MatrixOf<B, F, G, R>>, into [Matrices<R::In, MatrixOf<B, F, G, R>>];
    #[doc = include_str!("docs/jacobian_prepared.md")]
    prepare_jacobian -> JacobianPrep: JacobianBackend, Jacobian by JacobianBy;
    where R::In: [Flat];
}

/// A strategy for Jacobians.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find Jacobians [D0702]",
    label = "no Jacobians from `{B}`",
    note = "of `SecondOrder(outer, inner)`, operators of first order take one: `outer`, or `inner`",
    note = "`AutoSparse` traces the function over another number type, which functions of structs or libraries' arrays cannot be: of these `.detector(TracerSparsityDetector.derivative_code())` finds the pattern",
    note = "in code that is generic over the backend, bound it: `B: JacobianBackend<..>`"
)]
pub trait JacobianBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// What a Jacobian is given as.
    type Matrix: Form<Base = G::Base>;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Which way it goes.
    fn mode(state: &Self::State) -> Mode;
    /// A new matrix for each input. The value if `V` is on.
    fn owned<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
    ) -> Result<(Option<F::ReturnValue>, <R::In as Flat>::Blocks<Self::Matrix>)>
    where
        R::In: Flat;
    /// Overwrites a matrix for each input. The value if `V` is on.
    fn overwrite<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        blocks: &mut impl Matrices<R::In, Self::Matrix>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// A strategy that finds Jacobians entry by entry.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find Jacobians [D0702]",
    label = "no Jacobians from `{B}`",
    note = "of `SecondOrder(outer, inner)`, operators of first order take one: `outer`, or `inner`",
    note = "in code that is generic over the backend, bound it: `B: JacobianBackend<..>`"
)]
pub trait EntriesBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Which way it goes.
    fn mode(state: &Self::State) -> Mode;
    /// Finds all entries. The value if `V` is on.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>>;
}

impl<S: Dense + EntriesBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>> JacobianBy<B, F, G, R> for S {
    type State = S::State;
    const FOLLOWS_SIZES: bool = <S as EntriesBy<B, F, G, R>>::FOLLOWS_SIZES;
    type Matrix = Array2<G::Base>;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        <S as EntriesBy<B, F, G, R>>::state(b, f, at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        <S as EntriesBy<B, F, G, R>>::warm(b, f, at, state)
    }

    fn mode(state: &Self::State) -> Mode {
        <S as EntriesBy<B, F, G, R>>::mode(state)
    }

    #[inline]
    fn owned<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
    ) -> Result<(Option<F::ReturnValue>, <R::In as Flat>::Blocks<Array2<G::Base>>)>
    where
        R::In: Flat,
    {
        let mut blocks = New { places: Places::of::<G, R>(&at), blocks: Vec::with_capacity(R::In::MEMBERS) };
        let y = S::run::<V>(b, f, at, state, &mut blocks)?;
        let mut blocks = blocks.blocks.into_iter();
        Ok((y, R::In::blocks(|| asked(blocks.next()))))
    }

    #[inline]
    fn overwrite<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        blocks: &mut impl Matrices<R::In, Array2<G::Base>>,
    ) -> Result<Option<F::ReturnValue>> {
        let mut blocks = Callers { places: Places::of::<G, R>(&at), matrices: blocks, of: PhantomData::<R::In> };
        S::run::<V>(b, f, at, state, &mut blocks)
    }
}

/// A backend that finds Jacobians of `F`: the bound for code that is generic over the backend. What they are given as is its
/// [`MatrixOf`]; a [`DenseJacobianBackend`] gives `Array2`s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds Jacobians [D0701]",
    label = "no Jacobians from `{Self}`",
    note = "`AutoForward` and `AutoReverse` differentiate annotated functions, `AutoFiniteDiff` all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait JacobianBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Jacobian: JacobianBy<Self, F, G, R>>
{
}
impl<B: Backend<Jacobian: JacobianBy<B, F, G, R>>, F: Function<G>, G: Signature, R: ArgRoles<G>>
    JacobianBackend<F, G, R> for B
{
}

/// A [`JacobianBackend`] whose Jacobians are `Array2`s.
pub trait DenseJacobianBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Jacobian: JacobianBy<Self, F, G, R, Matrix = Array2<G::Base>>>
{
}
impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> DenseJacobianBackend<F, G, R> for B where
    B: Backend<Jacobian: JacobianBy<B, F, G, R, Matrix = Array2<G::Base>>>
{
}

impl<F: Function<G>, B: JacobianBackend<F, G, R>, G: Signature, R: ArgRoles<G>> JacobianPrep<F, B, G, R> {
    /// Which way the backend goes: column by column, or row by row.
    pub fn mode(&self) -> Mode {
        B::Jacobian::mode(&self.parts.state)
    }
}

type State<B, F, G, R> = <<B as Backend>::Jacobian as JacobianBy<B, F, G, R>>::State;

/// What a backend's Jacobians are given as: `Array2`, `CsMat` if it is sparse.
pub type MatrixOf<B, F, G, R> = <<B as Backend>::Jacobian as JacobianBy<B, F, G, R>>::Matrix;

#[inline]
fn owned<V: Flag, F: Function<G>, B: JacobianBackend<F, G, R>, G: Signature, R: ArgRoles<G, In: Flat>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
) -> Result<(Option<F::ReturnValue>, <R::In as Flat>::Blocks<MatrixOf<B, F, G, R>>)> {
    B::Jacobian::owned::<V>(b, f, at, state)
}

#[inline]
fn into<V: Flag, F: Function<G>, B: JacobianBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
    result: &mut impl Matrices<R::In, MatrixOf<B, F, G, R>>,
) -> Result<Option<F::ReturnValue>> {
    B::Jacobian::overwrite::<V>(b, f, at, state, result)
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> EntriesBy<B, F, G, R> for ByPushes {
    type State = Columns<B, F, G, R>;
    const FOLLOWS_SIZES: bool = B::FOLLOWS_SIZES;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        Columns::new(b, f, at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        state.warm(b, f, at).map(|_| ())
    }

    fn mode(_: &Self::State) -> Mode {
        Mode::Forward
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        state.run::<V>(b, f, at, entries)
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> EntriesBy<B, F, G, R> for ByPulls {
    type State = Rows<B, F, G, R>;
    const FOLLOWS_SIZES: bool = B::FOLLOWS_SIZES;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        Rows::new(b, f, at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        state.warm(b, f, at).map(|_| ())
    }

    fn mode(_: &Self::State) -> Mode {
        Mode::Reverse
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        state.run::<V>(b, f, at, entries)
    }
}

/// Which columns belong to which argument.
struct Places {
    /// The columns before the block `k`; from the last block on, all columns.
    starts: [usize; 13],
    blocks: usize,
}

impl Places {
    #[inline]
    fn of<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> Self {
        let mut places = Places { starts: [0; 13], blocks: 0 };
        R::input_sizes(at, &mut |n| {
            places.starts[places.blocks + 1] = places.starts[places.blocks] + n;
            places.blocks += 1;
        });
        places
    }

    /// The numbers of columns of the blocks.
    #[inline]
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.starts[..=self.blocks].windows(2).map(|w| w[1] - w[0])
    }

    /// The block of a column, and the column in that.
    #[inline]
    fn find(&self, column: usize) -> (usize, usize) {
        let mut k = 0;
        while k + 1 < self.blocks && column >= self.starts[k + 1] {
            k += 1;
        }
        (k, column - self.starts[k])
    }
}

/// New matrices.
struct New<F> {
    places: Places,
    blocks: Vec<Array2<F>>,
}

impl<L: List> Entries<L> for New<L::Base> {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        let rows = count::<L, A>(outputs);
        self.blocks.extend(self.places.widths().map(|columns| Array2::from_elem((rows, columns), Base::ZERO)));
        Ok(())
    }

    #[inline]
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        let (k, column) = self.places.find(column);
        if let Some(entry) = self.blocks[k].get_mut([row, column]) {
            *entry = value;
        }
    }

    #[inline]
    fn columns<A: Lanes<L::Base>>(&mut self, rows: Range<usize>, first: usize, columns: &[A]) {
        let (k, first) = self.places.find(first);
        put(&mut self.blocks[k].view_mut(), rows, first, columns);
    }
}

/// Some rows, one a lane, in neighbouring columns.
#[inline]
fn put<F: Base, A: Lanes<F>>(matrix: &mut ArrayViewMut2<'_, F>, rows: Range<usize>, first: usize, columns: &[A]) {
    for row in rows.clone() {
        let (mut line, lane) = (matrix.row_mut(row), row - rows.start);
        match line.as_slice_mut() {
            Some(line) => line[first..].iter_mut().zip(columns).for_each(|(entry, a)| *entry = a.lane(lane)),
            None => line.iter_mut().skip(first).zip(columns).for_each(|(entry, a)| *entry = a.lane(lane)),
        }
    }
}

/// The caller's matrices.
struct Callers<'a, I, M> {
    places: Places,
    matrices: &'a mut M,
    of: PhantomData<I>,
}

impl<L: List, I: List<Base = L::Base>, M: Matrices<I, Array2<L::Base>>> Entries<L> for Callers<'_, I, M> {
    #[inline]
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        let rows = count::<L, A>(outputs);
        self.places.widths().enumerate().try_for_each(|(k, columns)| {
            self.matrices.view(k).map_or(Ok(()), |matrix| matrices::check(&matrix, rows, columns))
        })
    }

    #[inline]
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        let (k, column) = self.places.find(column);
        if let Some(mut matrix) = self.matrices.view(k) {
            matrix[[row, column]] = value;
        }
    }

    #[inline]
    fn columns<A: Lanes<L::Base>>(&mut self, rows: Range<usize>, first: usize, columns: &[A]) {
        let (k, first) = self.places.find(first);
        if let Some(mut matrix) = self.matrices.view(k) {
            put(&mut matrix, rows, first, columns);
        }
    }
}
