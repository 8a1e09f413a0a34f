//! Functions that are written over any number type by hand.

use super::{Lifted, LiftedPlace, Over, Overload};
use crate::number::active::Place;
use crate::number::float;
use crate::number::real::Real;
use crate::signature::function::Function;
use crate::signature::param_kinds::Generic;

/// A function written once over any number type: works with every overloading backend, and with finite differences, without an
/// attribute.
///
/// ```
/// use diffi_runtime::backend::AutoDual;
/// use diffi_runtime::operators::gradient::gradient;
/// use diffi_runtime::overload::ScalarFn;
/// use diffi_runtime::number::real::Real;
///
/// struct Spring {
///     stiffness: f64,
/// }
///
/// impl ScalarFn for Spring {
///     type Input = [f64];
///     type Output = f64;
///     fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
///         (x[1] - x[0]).powi(2).scale(0.5 * self.stiffness)
///     }
/// }
///
/// let g = gradient(Spring { stiffness: 3.0 }, AutoDual, &[1.0, 3.0]).unwrap();
/// assert_eq!(g, [-6.0, 6.0]);
/// ```
pub trait ScalarFn {
    /// What it is called with, by reference: `[f64]`, `f64`, `[f64; 3]`, `(f64, Vec<f64>)`, ..
    type Input: LiftedPlace + ?Sized;
    /// What it returns: `f64`, `Vec<f64>`, `(f64, f64)`, ..
    type Output: Lifted<Base = <Self::Input as Place>::Base>;

    /// The function.
    fn call<S: Real<Base = Base<Self>>>(
        &self,
        x: &<Self::Input as LiftedPlace>::Over<S>,
    ) -> <Self::Output as Lifted>::Over<S>;
}

type Base<F> = <<F as ScalarFn>::Input as Place>::Base;

impl<F: ScalarFn> Function<(Generic<F::Input>,)> for F
where
    F::Input: LiftedPlace<Over<<Base<F> as float::Base>::Number> = F::Input>,
    F::Output: Lifted<Over<<Base<F> as float::Base>::Number> = F::Output>,
{
    type ReturnValue = F::Output;
    #[inline]
    fn call(&self, (x,): (&F::Input,)) -> F::Output {
        ScalarFn::call::<<Base<F> as float::Base>::Number>(self, x)
    }
}

impl<F: ScalarFn> Overload<(Generic<F::Input>,)> for F
where
    F: Function<(Generic<F::Input>,), ReturnValue = F::Output>,
{
    #[inline]
    fn over<S: Real<Base = Base<F>>>(&self, (x,): (&<F::Input as LiftedPlace>::Over<S>,)) -> Over<F::Output, S> {
        ScalarFn::call::<S>(self, x)
    }
}
