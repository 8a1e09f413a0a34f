//! Patterns at a point: derivative code that is run with sets of indices as tangents.

use super::Pattern;
use super::bits::Bits;
use super::coordinates::{Places, symmetric};
use super::detection::{HessianDetector, JacobianDetector};
use super::global::{TracerSparsityDetector, answered};
use super::global_sets::Anywhere;
use super::sets::IndexSet;
use crate::error::Result;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::operators::entries::{basis, size};
use crate::operators::strategy::Outputs;
use crate::signature::arg_roles::{ArgRoles, Fresh};
use crate::signature::function::{DerivativeCode, ReturnValue};
use crate::signature::param_kinds::Signature;
use crate::signature::sweeps::Both;
use crate::stack::workspace::Workspace;
use std::marker::PhantomData;

/// Finds the pattern at the point where it is asked: the derivative code of an annotated function is run with sets of indices as
/// tangents, that of its gradient for Hessians.
///
/// It follows the branches that are taken at the point, and leaves out what is multiplied by exactly zero there. The pattern of
/// another point can be another one: prepare at a point that has nothing special, or use
/// [`TracerSparsityDetector`](struct@super::TracerSparsityDetector), whose patterns hold everywhere. It works with everything that can
/// be differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TracerLocalSparsityDetector<By = Code> {
    by: PhantomData<By>,
}

/// For one `By` alone, so that `TracerLocalSparsityDetector::default()` is of a type that rustc knows.
impl Default for TracerLocalSparsityDetector {
    fn default() -> Self {
        TracerLocalSparsityDetector
    }
}

/// The detector with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const TracerLocalSparsityDetector: TracerLocalSparsityDetector = TracerLocalSparsityDetector { by: PhantomData };

/// By derivative code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Code;

/// By numbers that carry sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Numbers;

impl TracerLocalSparsityDetector {
    /// Evaluates the function on numbers that carry sets of indices beside their values, for functions that have no derivative code:
    /// every [`ScalarFn`](crate::overload::ScalarFn).
    pub const fn overloaded(self) -> TracerLocalSparsityDetector<Numbers> {
        TracerLocalSparsityDetector { by: PhantomData }
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> JacobianDetector<F, G, R> for TracerLocalSparsityDetector {
    fn jacobian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        let mut sweep = Tangents::<F, G, R> { f: *f, at, copies: G::Owns::default(), roles: PhantomData };
        trace::<G::Base, Bits<8>, IndexSet>(n, &mut sweep)
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> HessianDetector<F, G, R> for TracerLocalSparsityDetector {
    fn hessian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        let mut sweep = GradientTangents::<F, G, R> { f: *f, at, copies: G::Owns::default(), roles: PhantomData };
        symmetric(trace::<G::Base, Bits<8>, IndexSet>(n, &mut sweep)?)
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> JacobianDetector<F, G, R> for TracerSparsityDetector<Code> {
    fn jacobian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        let mut sweep = Tangents::<F, G, R> { f: *f, at, copies: G::Owns::default(), roles: PhantomData };
        answered(|| trace::<G::Base, Anywhere<Bits<8>>, Anywhere<IndexSet>>(n, &mut sweep))
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> HessianDetector<F, G, R> for TracerSparsityDetector<Code> {
    fn hessian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        let n = size::<G, R>(&at);
        let mut sweep = GradientTangents::<F, G, R> { f: *f, at, copies: G::Owns::default(), roles: PhantomData };
        symmetric(answered(|| trace::<G::Base, Anywhere<Bits<8>>, Anywhere<IndexSet>>(n, &mut sweep))?)
    }
}

/// Up to so many inputs, bits in several passes are faster than one pass with lists of indices.
const FEW: usize = 4 * Bits::<8>::WIDTH;

/// A pass through derivative code.
trait Sweep<F> {
    /// Seeds each input and takes the sets of each result, both by their numbers.
    fn sweep<A: Indices<F>>(&mut self, seed: impl Fn(usize) -> A, take: impl FnMut(usize, A));
}

/// Sets of indices as tangents.
trait Indices<F>: LinearSpace<F> {
    /// How many indices there are.
    const WIDTH: usize;
    fn one(index: usize) -> Self;
    /// Passes on the indices in ascending order.
    fn each(self, f: impl FnMut(usize));
}

impl<F: Base> Indices<F> for Bits<8> {
    const WIDTH: usize = Bits::<8>::WIDTH;
    fn one(index: usize) -> Self {
        Bits::single(index)
    }
    fn each(self, f: impl FnMut(usize)) {
        self.indices().for_each(f);
    }
}

impl<F: Base> Indices<F> for IndexSet {
    const WIDTH: usize = usize::MAX;
    fn one(index: usize) -> Self {
        IndexSet::single(index as u32)
    }
    fn each(self, mut f: impl FnMut(usize)) {
        IndexSet::each(self, |index| f(index as usize));
    }
}

impl<F, S: Indices<F>> Indices<F> for Anywhere<S>
where
    Anywhere<S>: LinearSpace<F>,
{
    const WIDTH: usize = S::WIDTH;
    fn one(index: usize) -> Self {
        Anywhere(S::one(index))
    }
    fn each(self, f: impl FnMut(usize)) {
        self.0.each(f);
    }
}

/// The pattern of the matrix whose columns belong to `n` inputs, and whose rows are what a sweep results in.
fn trace<F, Few: Indices<F>, Many: Indices<F>>(n: usize, sweep: &mut impl Sweep<F>) -> Result<Pattern> {
    let mut places = Places::new(n);
    match n <= FEW {
        true => passes::<F, Few>(n, sweep, &mut places),
        false => IndexSet::session(|| passes::<F, Many>(n, sweep, &mut places)),
    }
    places.pattern()
}

fn passes<F, A: Indices<F>>(n: usize, sweep: &mut impl Sweep<F>, places: &mut Places) {
    let mut start = 0;
    while start == 0 || start < n {
        let seed = |i: usize| if i.wrapping_sub(start) < A::WIDTH { A::one(i - start) } else { A::ZERO };
        sweep.sweep(seed, |row, set: A| {
            places.begin(row);
            set.each(|index| places.add(row, start + index));
        });
        start = start.saturating_add(A::WIDTH);
    }
}

/// The function's tangents.
struct Tangents<'a, F, G: Signature, R> {
    f: F,
    at: G::At<'a>,
    copies: G::Owns,
    roles: PhantomData<R>,
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Sweep<G::Base> for Tangents<'_, F, G, R> {
    fn sweep<A: Indices<G::Base>>(&mut self, seed: impl Fn(usize) -> A, mut take: impl FnMut(usize, A)) {
        R::save_outputs(&self.at, &mut self.copies);
        let (mut dots, mut ws) = (R::stores(&self.at, true), Workspace::new());
        let at = G::lend(&mut self.copies, &mut self.at);
        numbered::<R::In, A>(R::inputs(&mut dots), |i, a| *a = seed(i));
        let (_, mut y_dot) = ws.run(|ws| self.f.push::<A, R>(at, G::dots(&mut dots), ws));
        numbered::<Outputs<F, G, R>, A>(F::ReturnValue::muts(&mut y_dot, R::outputs(&mut dots)), |row, a| {
            take(row, *a)
        });
    }
}

/// The tangents of the gradient of a function whose result is one number.
struct GradientTangents<'a, F, G: Signature, R> {
    f: F,
    at: G::At<'a>,
    copies: G::Owns,
    roles: PhantomData<R>,
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Sweep<G::Base> for GradientTangents<'_, F, G, R> {
    fn sweep<A: Indices<G::Base>>(&mut self, seed: impl Fn(usize) -> A, mut take: impl FnMut(usize, A)) {
        R::save_outputs(&self.at, &mut self.copies);
        let (mut dots, mut ws) = (R::stores(&self.at, true), Workspace::new());
        let (mut bars, mut bars_dot) = (R::stores(&self.at, false), R::stores(&self.at, false));
        let (mut g, mut hv) = (R::zero_inputs(&self.at), R::zero_inputs(&self.at));
        let at = G::lend(&mut self.copies, &mut self.at);
        numbered::<R::In, A>(R::inputs(&mut dots), |i, a| *a = seed(i));
        let (mut y_bar, mut y_bar_dot) = (F::ReturnValue::empty(), F::ReturnValue::empty());
        basis::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(&mut y_bar, R::outputs(&mut bars)), 0..1);
        let g = R::bars(R::In::muts(&mut g), &mut bars);
        let hv_bars = R::bars(R::In::muts(&mut hv), &mut bars_dot);
        let dots = G::dots(&mut dots);
        ws.run(|ws| {
            self.f.pull_push::<A, Fresh<R>, Both<R::Writes>>(at, dots, g, hv_bars, &mut y_bar, &mut y_bar_dot, ws)
        });
        numbered::<R::In, A>(R::In::muts(&mut hv), |row, a| take(row, *a));
    }
}

/// Passes on every number with its place.
fn numbered<L: List, A: LinearSpace<L::Base>>(shadows: L::Muts<'_, A>, mut f: impl FnMut(usize, &mut A)) {
    let mut i = 0;
    L::each(shadows, &mut |a| {
        f(i, a);
        i += 1;
    });
}
