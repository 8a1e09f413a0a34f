//! `AutoTaylor`: truncated power series.

use crate::backend::AutoDual;
use crate::operators::push::push_as;
use crate::operators::series::SeriesBackend;
use crate::overload::{OverCall, OverSignature, Overload};

/// Truncated power series: the function is evaluated on numbers that carry their Taylor coefficients.
///
/// For derivatives of any order by one number: [`nth_derivative`](crate::operators::series::nth_derivative),
/// [`taylor_coefficients`](crate::operators::series::taylor_coefficients). Of first order, series are dual numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoTaylor;

impl SeriesBackend for AutoTaylor {}

push_as! { [F: Overload<G>, G: OverSignature, R: OverCall<G>] AutoTaylor as AutoDual, |_b| AutoDual }
