//! Sparse Hessians.

use super::check::Probe;
use super::jacobian::ByColors;
use super::plan::{Plan, Sparse, color, shows_coloring};
use super::sums::Sums;
use super::values::{Constant, Values};
use super::{AutoSparse, Part};
use crate::backend::{Backend, Inputs};
use crate::error::Result;
use crate::function::Func;
use crate::kinds::Sig;
use crate::operators::entries::{Seeding, size};
use crate::operators::hessian::{Columns, HessianBy, HessianPrep};
use crate::roles::Call;
use crate::second_order::SecondBy;
use crate::slots::Flag;
use crate::sparse::{Coloring, ColoringAlgorithm, ColoringProblem, HessianDetector, Pattern, Triangle};
use sprs::CsMat;

type Products<B, F, G, R> = Columns<<B as Backend>::Second, B, F, G, R>;
type PlanOf<B, F, G, R> = Plan<Products<B, F, G, R>, <G as Sig>::Base>;

impl<B, D, C, F: Func<G>, G: Sig, R: Call<G>> HessianBy<AutoSparse<B, D, C>, F, G, R> for ByColors
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
        mut at: G::At<'_>,
        state: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: &mut CsMat<G::Base>,
    ) -> Result<Option<F::Ret>> {
        let Plan { products, sums, values, .. } = made(b, f, &mut at, state)?;
        let mut views = [Some(h)];
        values.check(&views)?;
        if values.is_known() && !V::ON && g.is_none() {
            values.put_known(&mut views);
            return Ok(None);
        }
        let straight = values.straight(sums, &mut views);
        let (mut columns, _) = sums.receive(straight);
        let y = products.run::<V>(&b.dense, f, at, g, &mut columns)?;
        let read = columns.is_read();
        values.put(sums, read, &mut views)?;
        Ok(y)
    }
}

/// The plan, which the first call makes.
fn made<'s, B, D, C, F: Func<G>, G: Sig, R: Call<G>>(
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

shows_coloring! {
    HessianPrep where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}
