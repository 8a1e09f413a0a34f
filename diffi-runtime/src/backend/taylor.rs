//! `AutoTaylor`: truncated power series.

use super::{AutoDual, Backend, Inputs, Pass, Push, Results};
use crate::error::Result;
use crate::lanes::Lanes;
use crate::overload::{OverCall, OverSig, Overload};

/// Truncated power series: the function is evaluated on numbers that carry their Taylor coefficients.
///
/// For derivatives of any order by one number: [`nth_derivative`](crate::operators::series::nth_derivative),
/// [`taylor_coefficients`](crate::operators::series::taylor_coefficients). Of first order, series are dual numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoTaylor;

/// A backend that knows derivatives of any order.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not know derivatives of any order",
    label = "no power series from `{Self}`",
    note = "use `AutoTaylor`"
)]
pub trait SeriesBackend: Backend {}
impl SeriesBackend for AutoTaylor {}

impl<F: Overload<G>, G: OverSig, R: OverCall<G>> Push<F, G, R> for AutoTaylor {
    type Work<A: Lanes<G::Base>> = <AutoDual as Push<F, G, R>>::Work<A>;

    fn work<A: Lanes<G::Base>>(&self, f: &F, at: &G::At<'_>) -> Self::Work<A> {
        Push::<F, G, R>::work(&AutoDual, f, at)
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        Push::<F, G, R>::warm(&AutoDual, f, at, work)
    }

    fn tangents<'w, A: Lanes<G::Base>>(&self, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        Push::<F, G, R>::tangents(&AutoDual, work)
    }

    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::Ret, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::Ret>, T)> {
        Push::<F, G, R>::push(&AutoDual, f, at, pass, work, take)
    }
}
