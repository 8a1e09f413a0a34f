//! Patterns from the entries that a backend finds.

use super::Pattern;
use super::coordinates::symmetric;
use super::detection::{HessianDetector, JacobianDetector};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Off;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::operators::entries::{Entries, count, size};
use crate::operators::hessian::{DenseHessianBackend, HessianBy};
use crate::operators::jacobian::EntriesBy;
use crate::operators::strategy::Backend;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;

/// Finds the pattern at the point where it is asked: the entries, found by another backend, whose size is above a tolerance.
///
/// For functions that cannot be traced, and to check other detectors. The tolerance is 0 by default; differences need a larger one.
/// What is zero at the point only is left out. Jacobians are looked at in passes and never stored as a whole; Hessians are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DenseSparsityDetector<B> {
    backend: B,
    tolerance: f64,
}

impl<B> DenseSparsityDetector<B> {
    /// By this backend.
    pub fn new(backend: B) -> Self {
        DenseSparsityDetector { backend, tolerance: 0.0 }
    }

    /// The size above which an entry counts.
    pub fn tolerance(self, tolerance: f64) -> Self {
        DenseSparsityDetector { tolerance, ..self }
    }
}

impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> JacobianDetector<F, G, R> for DenseSparsityDetector<B>
where
    B: Backend<Jacobian: EntriesBy<B, F, G, R>>,
{
    fn jacobian_sparsity(&self, f: &F, mut at: G::At<'_>) -> Result<Pattern> {
        let mut copies = G::Owns::default();
        R::save_outputs(&at, &mut copies);
        let mut at = G::lend(&mut copies, &mut at);
        let n = size::<G, R>(&at);
        let mut found = Found { rows: 0, places: Vec::new(), tolerance: self.tolerance };
        let mut state = B::Jacobian::state(&self.backend, f, &mut at);
        B::Jacobian::run::<Off>(&self.backend, f, at, &mut state, &mut found)?;
        Pattern::from_triplets(found.rows, n, found.places)
    }
}

/// The places of entries above a tolerance.
struct Found {
    rows: usize,
    places: Vec<(usize, usize)>,
    tolerance: f64,
}

/// NaN counts.
fn counts<F: Base>(value: F, tolerance: f64) -> bool {
    let size = value.as_f64().abs();
    size > tolerance || size.is_nan()
}

impl<L: List> Entries<L> for Found {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        self.rows = count::<L, A>(outputs);
        Ok(())
    }

    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        if counts(value, self.tolerance) {
            self.places.push((row, column));
        }
    }
}

impl<B: DenseHessianBackend<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> HessianDetector<F, G, R>
    for DenseSparsityDetector<B>
{
    fn hessian_sparsity(&self, f: &F, mut at: G::At<'_>) -> Result<Pattern> {
        let mut copies = G::Owns::default();
        R::save_outputs(&at, &mut copies);
        let mut at = G::lend(&mut copies, &mut at);
        let n = size::<G, R>(&at);
        let mut state = B::Second::state(&self.backend, f, &mut at);
        let mut h = B::Second::blank(&self.backend, f, &mut at, &mut state)?;
        B::Second::run::<Off>(&self.backend, f, at, &mut state, None, h.view_mut())?;
        let places = h.indexed_iter().filter(|(_, value)| counts(**value, self.tolerance)).map(|(place, _)| place);
        symmetric(Pattern::from_triplets(n, n, places)?)
    }
}
