//! Sparse Hessians.

use crate::error::Result;
use crate::number::flag::Flag;
use crate::operators::entries::{Seeding, size};
use crate::operators::hessian::{Columns, HessianBy, HessianPrep};
use crate::operators::preparation::{Prepared, before, fits, unfit, unless_resized};
use crate::operators::second_order::SecondBy;
use crate::operators::strategy::{Backend, Inputs};
use crate::operators::{AuxOf, HasAux};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Shown};
use crate::signature::param_kinds::Signature;
use crate::sparse::auto::check::Probe;
use crate::sparse::auto::jacobian::ByColors;
use crate::sparse::auto::plan::{Plan, Sparse, color, shows_coloring, values_alone};
use crate::sparse::auto::sums::Sums;
use crate::sparse::auto::values::{Constant, Target, Values};
use crate::sparse::auto::{AutoSparse, Part};
use crate::sparse::{Coloring, ColoringAlgorithm, ColoringProblem, HessianDetector, Pattern, Triangle};
use sprs::CsMat;

type Products<B, F, G, R> = Columns<<B as Backend>::Second, B, F, G, R>;
type PlanOf<B, F, G, R> = Plan<Products<B, F, G, R>, <G as Signature>::Base>;

impl<B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>> HessianBy<AutoSparse<B, D, C>, F, G, R> for ByColors
where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
{
    type State = Sparse<Products<B, F, G, R>, G::Base>;
    type Matrix = CsMat<G::Base>;

    fn state(_: &AutoSparse<B, D, C>, _: &F, _: &mut G::At<'_>) -> Self::State {
        Sparse(None)
    }

    fn warm(b: &AutoSparse<B, D, C>, f: &F, mut at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let plan = made(b, f, &mut at, state)?;
        plan.products.warm(&b.dense, f, at)
    }

    fn blank(b: &AutoSparse<B, D, C>, f: &F, at: &mut G::At<'_>, state: &mut Self::State) -> Result<CsMat<G::Base>> {
        Ok(made(b, f, at, state)?.values.blank().next().expect("a Hessian is one block"))
    }

    fn run<V: Flag>(
        b: &AutoSparse<B, D, C>,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: &mut CsMat<G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        overwrite::<V, _, _, _, _, _, _>(b, f, at, state, g, &mut Target::Matrices(&mut [Some(h)]))
    }
}

/// Overwrites a matrix or its values with the Hessian, and `g` with the gradient. If `V` is off, that and the value are not wanted.
fn overwrite<V: Flag, B, D, C, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &AutoSparse<B, D, C>,
    f: &F,
    mut at: G::At<'_>,
    state: &mut Sparse<Products<B, F, G, R>, G::Base>,
    g: Option<Inputs<'_, G, R, G::Base>>,
    target: &mut Target<'_, '_, G::Base>,
) -> Result<Option<F::ReturnValue>>
where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R>,
    C: ColoringAlgorithm,
{
    let Plan { products, sums, values, .. } = made(b, f, &mut at, state)?;
    values.check(target)?;
    if values.is_known() && !V::ON && g.is_none() {
        values.put_known(target);
        return Ok(None);
    }
    let straight = values.straight(sums, target);
    let (mut columns, _) = sums.receive(straight);
    let y = products.run::<V>(&b.dense, f, at, g, &mut columns)?;
    let read = columns.is_read();
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
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R>,
    C: ColoringAlgorithm,
{
    if state.is_none() {
        let pattern = b.detector.hessian_sparsity(f, G::again(at))?;
        let coloring = color(pattern, &[ColoringProblem::Symmetric], false, &b.coloring)?;
        let (inexact, half) = (b.dense.outer().inexact(), b.triangle != Triangle::Full);
        let sums = Sums::new(&coloring, b.checked.then(|| Probe::new(&coloring, inexact, half)));
        let seeding = Seeding::Groups(sums.sides(&coloring).columns);
        let products = Columns::seeded(&b.dense, f, at, seeding);
        let batch = b.dense.batch_size_of_groups(coloring.ncolors());
        // Outputs among the parameters are to be written at every point, and constants may change.
        let alone = !b.checked && !R::OUTPUTS && !R::CONSTANTS;
        let constant = match alone && b.detector.is_constant(f, G::again(at)) {
            true => Constant::Awaited,
            false => Constant::No,
        };
        let values = Values::new(&coloring, b.coloring.recover(), b.triangle, &[size::<G, R>(at)], batch, constant)?;
        *state = Some(Plan { coloring, products, sums, values });
    }
    Ok(state.as_mut().expect("it was just made"))
}

values_alone! {
    HessianPrep: hessian_values_into, hessian_into, "hessian", |parts, at, values| {
        let (f, b, state) = parts;
        overwrite::<HasAux<F, G>, _, _, _, _, _, _>(b, f, at, state, None, &mut Target::Values(values))
    };
    where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}

shows_coloring! {
    HessianPrep where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}
