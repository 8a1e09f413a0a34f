//! `AutoFiniteDifferences`: differences of many values, with steps that fit.

use crate::backend::differences::Stencil;
use crate::backend::finite_diff::{AutoFiniteDiff, WorkOf, each_lane, evaluate, start};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::operators::push::Push;
use crate::operators::strategy::{Inputs, Pass, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use std::fmt::{self, Debug};
use std::sync::LazyLock;

/// Finite differences of high order: a stencil with exact weights, and a step for every direction that balances rounding and truncation, by
/// an estimate of the derivative that the error depends on.
///
/// Twelve or more digits of smooth functions, for 5 calls a direction and 7 to find the step. [`Stencil`] says how well it goes for one
/// number. By default it is [`Stencil::central(5, 1)`](Stencil::central).
#[derive(Clone, Default)]
pub struct AutoFiniteDifferences {
    stencil: Option<Stencil>,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoFiniteDifferences: AutoFiniteDifferences = AutoFiniteDifferences { stencil: None };

/// Five points around.
static USUAL: LazyLock<Stencil> = LazyLock::new(|| Stencil::central(5, 1));

impl PartialEq for AutoFiniteDifferences {
    fn eq(&self, other: &Self) -> bool {
        self.stencil() == other.stencil()
    }
}

/// As it is written; another stencil by its grid.
impl Debug for AutoFiniteDifferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.stencil {
            None => f.write_str("AutoFiniteDifferences"),
            Some(stencil) => write!(f, "AutoFiniteDifferences::new({:?})", stencil.grid()),
        }
    }
}

impl AutoFiniteDifferences {
    /// By a stencil for first derivatives.
    ///
    /// # Panics
    ///
    /// If the stencil is one for other derivatives.
    pub fn new(stencil: Stencil) -> Self {
        assert_eq!(stencil.order(), 1, "the backend is made of first derivatives");
        AutoFiniteDifferences { stencil: Some(stencil) }
    }

    /// The stencil.
    pub fn stencil(&self) -> &Stencil {
        self.stencil.as_ref().unwrap_or(&USUAL)
    }

    /// Appends to `dy` the derivative in the direction of the lane `k`, or nothing if that is zero. Gives a result of the right sizes, if
    /// the function was called.
    fn difference<F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: &mut G::At<'_>,
        work: &mut WorkOf<G, A>,
        k: usize,
    ) -> Option<F::ReturnValue> {
        work.v.clear();
        R::In::each(R::inputs(&mut work.dots), &mut |a: &mut A| work.v.push(a.lane(k)));
        let size = work.v.iter().fold(0.0f64, |size, v| size.max(v.as_f64().abs()));
        work.moved.push(size > 0.0);
        if size == 0.0 {
            return None;
        }
        let epsilon = <G::Base as Base>::EPSILON.as_f64();
        let mut floats = Vec::new();
        let mut values = |h: f64, grid: &[i32], seen: &mut dyn FnMut(&[f64])| {
            for g in grid {
                evaluate::<F, G, R, A>(f, at, work, <G::Base as Base>::lit(f64::from(*g) * h / size));
                floats.clear();
                floats.extend(work.y.iter().map(|y| y.as_f64()));
                seen(&floats);
            }
        };
        let (h, _) = self.stencil().step_of(&mut values, epsilon);
        let (t, first) = (<G::Base as Base>::lit(h / size), work.dy.len());
        let mut last = None;
        for (g, w) in self.stencil().grid().iter().zip(self.stencil().weights()) {
            let (g, w) = (<G::Base as Base>::lit(f64::from(*g)), <G::Base as Base>::lit(*w));
            last = Some(evaluate::<F, G, R, A>(f, at, work, g * t));
            work.dy.resize(first + work.y.len(), <G::Base as Base>::ZERO);
            work.dy[first..].iter_mut().zip(&work.y).for_each(|(d, y)| *d += w * *y / t);
        }
        last
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> Push<F, G, R> for AutoFiniteDifferences {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;

    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
        <AutoFiniteDiff as Push<F, G, R>>::work(&AutoFiniteDiff, f, at)
    }
    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        <AutoFiniteDiff as Push<F, G, R>>::warm(&AutoFiniteDiff, f, at, work)
    }
    fn tangents<'w, A: Lanes<G::Base>>(&self, _: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        R::inputs(&mut work.dots)
    }
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        mut at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::ReturnValue>, T)> {
        start::<G, R, A>(&at, work);
        let mut value = None;
        if pass.first && (pass.value || R::OUTPUTS) {
            value = Some(evaluate::<F, G, R, A>(f, &mut at, work, <G::Base as Base>::ZERO));
            R::restore_outputs(&mut at, &mut work.owns);
        }
        let lane = |at: &mut _, work: &mut _, k| self.difference::<F, G, R, A>(f, at, work, k);
        each_lane::<F, G, R, A, T>(f, at, work, value, lane, take)
    }
}
