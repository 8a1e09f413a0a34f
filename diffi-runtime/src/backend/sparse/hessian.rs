//! Sparse Hessians.

use super::check::Probe;
use super::jacobian::ByColors;
use super::plan::{Plan, Sparse, Sums, Values, color, shows_coloring};
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
        Ok(made(b, f, at, state)?.matrix.blank().next().expect("a Hessian is one block"))
    }

    fn run<V: Flag>(
        b: &AutoSparse<B, D, C>,
        f: &F,
        mut at: G::At<'_>,
        state: &mut Self::State,
        g: Option<Inputs<'_, G, R, G::Base>>,
        h: &mut CsMat<G::Base>,
    ) -> Result<Option<F::Ret>> {
        let Plan { products, sums, matrix, .. } = made(b, f, &mut at, state)?;
        let mut views = [Some(h)];
        matrix.check(&views)?;
        let (mut columns, _) = sums.receive();
        let y = products.run::<V>(&b.dense, f, at, g, &mut columns)?;
        matrix.put(sums, &mut views)?;
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
        let batch = |n| b.dense.batch_size_of(n);
        let sums = Sums::new(&coloring, b.checked.then(|| Probe::new(&coloring, inexact, half)), batch);
        let seeding = Seeding::Groups(sums.sides(&coloring).columns);
        let products = Columns::seeded(&b.dense, f, at, seeding);
        let matrix = Values::new(&coloring, b.coloring.recover(), b.triangle, &[size::<G, R>(at)], &sums)?;
        *state = Some(Plan { coloring, products, sums, matrix });
    }
    Ok(state.as_mut().expect("it was just made"))
}

shows_coloring! {
    HessianPrep where
    B: Backend<Second: SecondBy<B, F, G, R>>,
    D: HessianDetector<F, G, R> + Part,
    C: ColoringAlgorithm + Part,
}
