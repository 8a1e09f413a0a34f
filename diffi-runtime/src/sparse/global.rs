//! Patterns from number types: the function is evaluated on tracers.

use super::Pattern;
use super::coordinates::Places;
use super::degree::Degree;
use super::detection::{HessianDetector, JacobianDetector};
use super::hessian_sets::Curvature;
use super::local::{Code, Numbers, TracerLocalSparsityDetector};
use super::sets::IndexSet;
use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::number::real::Real;
use crate::operators::entries::size;
use crate::overload::either::Unknown;
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::sparse::tracer::{Bent, Carried, Tracer};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Finds patterns that hold at every point: the function is evaluated on numbers that have no values, but carry which inputs they
/// depend on, and for Hessians by which pairs of them they are bent. What each function of the derivative table does to these is
/// read off its line.
///
/// `0.0 * x` and `x - x` keep their dependence, for nothing is assumed about numbers. Where a condition asks for the value of an
/// active number, annotated functions take both branches (all arms, all iterations of a loop with a `break`), and the pattern is the union.
/// Where that cannot be done there is no answer: an index or a number of iterations that depends on such a value, a `while` to a tolerance,
/// a [`ScalarFn`](crate::overload::ScalarFn) that compares numbers. That is [`Error::ValueNeeded`], never a pattern of one branch. (It
/// unwinds out of the function, so that programs that abort on panics abort.)
///
/// Functions of structs, enums and arrays of libraries cannot be evaluated on other numbers: for them there is
/// [`derivative_code`](TracerSparsityDetector::derivative_code).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TracerSparsityDetector<By = Numbers> {
    shared: bool,
    by: PhantomData<By>,
}

/// For one `By` alone, so that `TracerSparsityDetector::default()` is of a type that rustc knows.
impl Default for TracerSparsityDetector {
    fn default() -> Self {
        TracerSparsityDetector
    }
}

/// The detector with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const TracerSparsityDetector: TracerSparsityDetector = TracerSparsityDetector { shared: false, by: PhantomData };

impl TracerSparsityDetector {
    /// Takes for Hessians what all numbers are bent by, those among them that the result does not depend on.
    pub const fn shared(self) -> Self {
        TracerSparsityDetector { shared: true, by: PhantomData }
    }

    /// Runs the derivative code of an annotated function with sets of indices as tangents, that of its gradient for Hessians, along both
    /// sides of what is asked of active values.
    ///
    /// It works with everything that can be differentiated: structs, enums, arrays of libraries. What holds everywhere is what values
    /// do not change: factors drop nothing, whatever they are at the arguments. Lengths, integers and which variant an enum is are taken
    /// from the arguments, and where they differ between the sides of a condition there is no answer ([`Error::ValueNeeded`]).
    pub const fn derivative_code(self) -> TracerSparsityDetector<Code> {
        TracerSparsityDetector { shared: false, by: PhantomData }
    }
}

/// What a trace finds, unless it asks for a value.
pub(super) fn answered<T>(trace: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(trace)) {
        Ok(found) => found,
        Err(panic) if panic.is::<Unknown>() => Err(Error::ValueNeeded),
        Err(panic) => resume_unwind(panic),
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> JacobianDetector<F, G, R> for TracerSparsityDetector {
    fn jacobian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        jacobian::<F, G, R>(f, at, false)
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> HessianDetector<F, G, R> for TracerSparsityDetector {
    fn hessian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        hessian::<F, G, R>(f, at, false, self.shared)
    }

    /// Where the function is a polynomial of second degree, whatever its arguments' values are. A function that has a state may change.
    fn is_constant(&self, f: &F, mut at: G::At<'_>) -> bool {
        let mut most = Degree::CONSTANT;
        let traced = traced_on::<Degree, F, G, R, false>(f, &mut at, false, &mut |_, degree| most = most.max(degree));
        size_of::<F>() == 0 && traced.is_ok() && most <= Degree::QUADRATIC
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> JacobianDetector<F, G, R>
    for TracerLocalSparsityDetector<Numbers>
{
    fn jacobian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        jacobian::<F, G, R>(f, at, true)
    }
}

impl<F: Overload<G>, G: OverSignature, R: OverCall<G>> HessianDetector<F, G, R>
    for TracerLocalSparsityDetector<Numbers>
{
    fn hessian_sparsity(&self, f: &F, at: G::At<'_>) -> Result<Pattern> {
        hessian::<F, G, R>(f, at, true, false)
    }
}

fn jacobian<F: Overload<G>, G: OverSignature, R: OverCall<G>>(f: &F, at: G::At<'_>, local: bool) -> Result<Pattern> {
    let mut places = Places::new(size::<G, R>(&at));
    IndexSet::session(|| {
        traced::<IndexSet, F, G, R>(f, at, local, |row, set| {
            places.begin(row);
            set.each(|index| places.add(row, index as usize));
        })
    })?;
    places.pattern()
}

fn hessian<F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    f: &F,
    at: G::At<'_>,
    local: bool,
    shared: bool,
) -> Result<Pattern> {
    let n = size::<G, R>(&at);
    let mut places = Places::new(n);
    if n > 0 {
        places.begin(n - 1);
    }
    Curvature::session(|| traced::<Bent, F, G, R>(f, at, local, |_, bent| bent.curvature.put(shared, &mut places)))?;
    places.pattern()
}

/// Passes on what the outputs carry. Questions that have no answer are avoided only if there are any: otherwise nothing is added to what
/// is there.
fn traced<K: Carried, F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    f: &F,
    mut at: G::At<'_>,
    local: bool,
    mut take: impl FnMut(usize, K),
) -> Result<()> {
    match traced_on::<K, F, G, R, false>(f, &mut at, local, &mut take) {
        Err(Error::ValueNeeded) => traced_on::<K, F, G, R, true>(f, &mut at, local, &mut take),
        done => done,
    }
}

fn traced_on<K: Carried, F: Overload<G>, G: OverSignature, R: OverCall<G>, const BRANCHES: bool>(
    f: &F,
    at: &mut G::At<'_>,
    local: bool,
    take: &mut impl FnMut(usize, K),
) -> Result<()> {
    let mut copies = G::Owns::default();
    R::save_outputs(at, &mut copies);
    let mut at = G::lend(&mut copies, at);
    let mut held = Default::default();
    let mut index = 0;
    R::lift(&at, &mut held, &mut |v| {
        index += 1;
        Tracer::<<G::Base as Base>::Number, K, BRANCHES>::input(index - 1, local.then(|| Real::from_base(v)))
    });
    let y = answered(|| Ok(f.over(G::over(&mut held, &mut at))))?;
    let mut row = 0;
    let mut next = |tracer: Tracer<<G::Base as Base>::Number, K, BRANCHES>| {
        take(row, tracer.carried());
        row += 1;
    };
    F::ReturnValue::each_over(&y, &mut next);
    R::each_output_over(&mut held, &mut |tracer| next(*tracer));
    Ok(())
}
