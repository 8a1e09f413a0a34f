//! Which entries of a Jacobian or a Hessian can differ from zero: detectors.

use super::Pattern;
use crate::error::{Error, Result};
use crate::operators::entries::size;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Number};
use crate::signature::param_kinds::Signature;

/// Finds the sparsity patterns of Jacobians.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot find where the Jacobian of `{F}` has entries [D0705]",
    label = "no such pattern",
    note = "`TracerSparsityDetector` and `TracerLocalSparsityDetector` trace annotated functions, `DenseSparsityDetector::new(backend)` looks at the entries that a backend finds, and `KnownJacobianSparsity(pattern)` is told them"
)]
pub trait JacobianDetector<F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// The pattern: a row for each number of the outputs, a column for each number of the active arguments. Overwrites nothing.
    fn jacobian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern>;
}

/// Finds the sparsity patterns of Hessians.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot find where the Hessian of `{F}` has entries [D0705]",
    label = "no such pattern",
    note = "`TracerSparsityDetector` and `TracerLocalSparsityDetector` trace annotated functions, `DenseSparsityDetector::new(backend)` looks at the entries that a backend finds, and `KnownHessianSparsity(pattern)` is told them"
)]
pub trait HessianDetector<F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// The pattern, which is symmetric: a row and a column for each number of the active arguments. Overwrites nothing.
    fn hessian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern>;
    /// Whether the Hessian is the same wherever the active arguments are, so that it has to be found only once. No, where that is
    /// not known.
    fn is_constant(&self, _: &F, _: G::At<'_>) -> bool {
        false
    }
}

/// Where the Jacobian has entries: a row for each number of the outputs, a column for each number of the active arguments.
///
/// # Errors
/// What the detector says: [`Error::PatternMismatch`] if a known pattern has another shape, [`Error::ValueNeeded`] if a tracer
/// meets a question that only the arguments' values answer.
pub fn jacobian_sparsity<F, D, G, R, X>(f: F, detector: D, mut args: X) -> Result<Pattern>
where
    F: Function<G>,
    G: Signature,
    X: Args<G, R>,
    R: ArgRoles<G>,
    D: JacobianDetector<F, G, R>,
{
    detector.jacobian_sparsity(&f, args.at())
}

/// Where the Hessian has entries: a row and a column for each number of the active arguments. The pattern is symmetric.
///
/// # Errors
/// As [`jacobian_sparsity`].
pub fn hessian_sparsity<F, D, G, R, X>(f: F, detector: D, mut args: X) -> Result<Pattern>
where
    F: Function<G, ReturnValue: Number<G::Base, R::Outs>>,
    G: Signature,
    X: Args<G, R>,
    R: ArgRoles<G>,
    D: HessianDetector<F, G, R>,
{
    detector.hessian_sparsity(&f, args.at())
}

/// The pattern of Jacobians that the caller knows.
///
/// Only its shape is checked, against that of the Jacobian.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownJacobianSparsity(pub Pattern);

/// The pattern of Hessians that the caller knows.
///
/// Its shape and its symmetry are checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownHessianSparsity(pub Pattern);

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> JacobianDetector<F, G, R> for KnownJacobianSparsity {
    fn jacobian_sparsity(&self, _: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        match self.0.columns() == n {
            true => Ok(self.0.clone()),
            false => Err(Error::pattern_shapes((self.0.rows(), n), self.0.shape())),
        }
    }
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> HessianDetector<F, G, R> for KnownHessianSparsity {
    fn hessian_sparsity(&self, _: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        if self.0.shape() != (n, n) {
            return Err(Error::pattern_shapes((n, n), self.0.shape()));
        }
        match self.0.asymmetry() {
            None => Ok(self.0.clone()),
            Some((i, j)) => {
                Err(Error::NotSymmetric { reason: format!("there is an entry at ({i}, {j}), and none at ({j}, {i})") })
            }
        }
    }
}
