//! Sparse Jacobians.

use crate::error::Result;
use crate::number::flag::Flag;
use crate::number::hlist::Flat;
use crate::operators::jacobian::{JacobianBy, JacobianPrep};
use crate::operators::preparation::{Prepared, before, fits, unfit, unless_resized};
use crate::operators::strategy::{Backend, Mode};
use crate::operators::{AuxOf, HasAux};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::matrices::{Matrices, Views};
use crate::signature::param_kinds::Signature;
use crate::sparse::auto::check::Probe;
use crate::sparse::auto::plan::{Plan, Sparse, color, shows_coloring, values_alone};
use crate::sparse::auto::products::ProductsBy;
use crate::sparse::auto::sums::{OfColumns, OfRows, Sums};
use crate::sparse::auto::values::{Constant, Target, Values};
use crate::sparse::auto::{AutoSparse, Part};
use crate::sparse::{Coloring, ColoringAlgorithm, ColoringProblem, JacobianDetector, Pattern, Triangle};
use sprs::CsMat;

/// Strategy: one seed for each color.
#[derive(Clone, Copy, Debug)]
pub struct ByColors;

type Products<B, F, G, R> = <<B as Backend>::Jacobian as ProductsBy<B, F, G, R>>::State;
type PlanOf<B, F, G, R> = Plan<Products<B, F, G, R>, <G as Signature>::Base>;

impl<B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>> JacobianBy<AutoSparse<B, D, C>, F, G, R> for ByColors
where
    B: Backend<Jacobian: ProductsBy<B, F, G, R>>,
    D: JacobianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
{
    type State = Sparse<Products<B, F, G, R>, G::Base>;
    type Matrix = CsMat<G::Base>;

    fn state(_: &AutoSparse<B, D, C>, _: &F, _: &mut G::At<'_>) -> Self::State {
        Sparse(None)
    }

    fn warm(b: &AutoSparse<B, D, C>, f: &F, mut at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let plan = made(b, f, &mut at, state)?;
        B::Jacobian::warm(&b.dense, f, at, &mut plan.products)
    }

    fn mode(state: &Self::State) -> Mode {
        match state.plan().coloring.problem() {
            ColoringProblem::Row => Mode::Reverse,
            ColoringProblem::Bidirectional => Mode::ForwardAndReverse,
            ColoringProblem::Column | ColoringProblem::Symmetric => Mode::Forward,
        }
    }

    fn owned<V: Flag>(
        b: &AutoSparse<B, D, C>,
        f: &F,
        mut at: G::At<'_>,
        state: &mut Self::State,
    ) -> Result<(Option<F::ReturnValue>, <R::In as Flat>::Blocks<CsMat<G::Base>>)>
    where
        R::In: Flat,
    {
        let mut blocks: Vec<CsMat<G::Base>> = made(b, f, &mut at, state)?.values.blank().collect();
        let mut views: Views<'_, CsMat<G::Base>> = [const { None }; 12];
        views.iter_mut().zip(&mut blocks).for_each(|(view, block)| *view = Some(block));
        let y = overwrite::<V, _, _, _, _, _, _>(b, f, at, state, &mut Target::Matrices(&mut views))?;
        let mut blocks = blocks.into_iter();
        Ok((y, R::In::blocks(|| blocks.next().expect("one for each input"))))
    }

    fn overwrite<V: Flag>(
        b: &AutoSparse<B, D, C>,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        blocks: &mut impl Matrices<R::In, CsMat<G::Base>>,
    ) -> Result<Option<F::ReturnValue>> {
        overwrite::<V, _, _, _, _, _, _>(b, f, at, state, &mut Target::Matrices(&mut blocks.views()))
    }
}

/// Overwrites matrices or their values. The value if `V` is on.
fn overwrite<V: Flag, B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &AutoSparse<B, D, C>,
    f: &F,
    mut at: G::At<'_>,
    state: &mut Sparse<Products<B, F, G, R>, G::Base>,
    target: &mut Target<'_, '_, G::Base>,
) -> Result<Option<F::ReturnValue>>
where
    B: Backend<Jacobian: ProductsBy<B, F, G, R>>,
    D: JacobianDetector<F, G, R>,
    C: ColoringAlgorithm,
{
    let Plan { products, sums, values, .. } = made(b, f, &mut at, state)?;
    values.check(target)?;
    let straight = values.straight(sums, target);
    let (columns, rows) = sums.receive(straight);
    let (mut columns, mut rows) = (OfColumns(columns), OfRows(rows));
    let y = B::Jacobian::run::<V>(&b.dense, f, at, products, &mut columns, &mut rows)?;
    let read = columns.0.is_read();
    values.put(sums, read, target)?;
    Ok(y)
}

/// The plan, which the first call makes.
fn made<'s, B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &AutoSparse<B, D, C>,
    f: &F,
    at: &mut G::At<'_>,
    Sparse(state): &'s mut Sparse<Products<B, F, G, R>, G::Base>,
) -> Result<&'s mut PlanOf<B, F, G, R>>
where
    B: Backend<Jacobian: ProductsBy<B, F, G, R>>,
    D: JacobianDetector<F, G, R>,
    C: ColoringAlgorithm,
{
    if state.is_none() {
        let pattern = b.detector.jacobian_sparsity(f, G::again(at))?;
        let coloring = color(pattern, B::Jacobian::PROBLEMS, b.fewest, &b.coloring)?;
        let mut widths = Vec::new();
        R::input_sizes(at, &mut |n| widths.push(n));
        let sums = Sums::new(&coloring, b.checked.then(|| Probe::new(&coloring, b.dense.inexact(), false)));
        let products = B::Jacobian::state(&b.dense, f, at, sums.sides(&coloring));
        let batch = b.dense.batch_size_of_groups(coloring.ncolors());
        let values = Values::new(&coloring, b.coloring.recover(), Triangle::Full, &widths, batch, Constant::No)?;
        *state = Some(Plan { coloring, products, sums, values });
    }
    Ok(state.as_mut().expect("it was just made"))
}

values_alone! {
    JacobianPrep: jacobian_values_into, jacobian_into, "jacobian", |parts, at, values| {
        let (f, b, state) = parts;
        overwrite::<HasAux<F, G>, _, _, _, _, _, _>(b, f, at, state, &mut Target::Values(values))
    };
    where
    B: Backend<Jacobian: ProductsBy<B, F, G, R>>,
    D: JacobianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}

shows_coloring! {
    JacobianPrep where
    B: Backend<Jacobian: ProductsBy<B, F, G, R>>,
    D: JacobianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}
