//! `AutoFiniteDiff`: differences of values.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::operators::preparation::{before, unless_resized};
use crate::operators::push::Push;
use crate::operators::strategy::{Inputs, Outputs, Pass, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::{Function, ReturnValue};
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use std::fmt::{self, Debug};

/// Which values are subtracted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Differences {
    /// `(f(x + h) - f(x)) / h`: one more call a direction, an error of order `h`.
    Forward,
    /// `(f(x + h) - f(x - h)) / 2h`: two more calls a direction, an error of order `h²`.
    #[default]
    Central,
}

/// Finite differences: works with every function, closures included, to about half of the digits.
///
/// `AutoFiniteDiff`, `AutoFiniteDiff::default()` and `AutoFiniteDiff.relative_step(1e-5)` are all backends.
#[derive(Clone, Copy, Default, PartialEq)]
pub struct AutoFiniteDiff {
    differences: Differences,
    relative_step: Option<f64>,
    absolute_step: Option<f64>,
    backward: bool,
}

/// As it is written.
impl Debug for AutoFiniteDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AutoFiniteDiff")?;
        if self.differences != Differences::default() {
            write!(f, ".differences(Differences::{:?})", self.differences)?;
        }
        for (name, step) in [("relative_step", self.relative_step), ("absolute_step", self.absolute_step)] {
            step.map_or(Ok(()), |step| write!(f, ".{name}({step:?})"))?;
        }
        f.write_str(if self.backward { ".backward()" } else { "" })
    }
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoFiniteDiff: AutoFiniteDiff =
    AutoFiniteDiff { differences: Differences::Central, relative_step: None, absolute_step: None, backward: false };

impl AutoFiniteDiff {
    /// Which values are subtracted; central differences by default.
    pub const fn differences(self, differences: Differences) -> Self {
        AutoFiniteDiff { differences, ..self }
    }

    /// The step for an argument of size 1; larger arguments have larger steps.
    pub const fn relative_step(self, step: f64) -> Self {
        AutoFiniteDiff { relative_step: Some(step), ..self }
    }

    /// The smallest step; the relative one by default.
    pub const fn absolute_step(self, step: f64) -> Self {
        AutoFiniteDiff { absolute_step: Some(step), ..self }
    }

    /// Steps go the other way: [`Differences::Forward`] looks at `x - h`, for points at the upper end of a domain.
    pub const fn backward(self) -> Self {
        AutoFiniteDiff { backward: true, ..self }
    }

    /// The step `t` of `x + t v`, where central differences of something with the relative error `noise` lose least.
    pub(crate) fn step<F: Base>(&self, noise: f64, x: &[F], v: &[F]) -> F {
        let best = match self.differences {
            Differences::Forward => noise.sqrt(),
            Differences::Central => noise.cbrt(),
        };
        let relative = self.relative_step.unwrap_or(best);
        let absolute = self.absolute_step.unwrap_or(relative);
        let (mut size, mut direction) = (0.0f64, 0.0f64);
        for (x, v) in x.iter().zip(v).map(|(x, v)| (x.as_f64(), v.as_f64())).filter(|(_, v)| *v != 0.0) {
            size = size.max(x.abs());
            direction = direction.max(v.abs());
        }
        let step = (relative * size).max(absolute) / direction;
        F::lit(if self.backward { -step } else { step })
    }
}

/// Copies of the arguments, the numbers of inputs, directions and outputs, and the tangents.
#[derive(Clone, Debug)]
pub struct Work<F, A, S, O> {
    pub(crate) owns: O,
    pub(crate) dots: S,
    pub(crate) pool: Pool<A>,
    /// The point.
    pub(crate) x: Vec<F>,
    /// The direction.
    pub(crate) v: Vec<F>,
    /// The outputs at the point, ..
    base: Vec<F>,
    /// .. above it, ..
    above: Vec<F>,
    /// .. and where the function was called last.
    pub(crate) y: Vec<F>,
    /// The differences, lane after lane, ..
    pub(crate) dy: Vec<F>,
    /// .. those of zero directions left out.
    pub(crate) moved: Vec<bool>,
}

impl<F, A, S: Tangent<A>, O: Copies> Recorder for Work<F, A, S, O> {
    fn kept(&self, note: &mut Note<'_>) {
        let Work { owns, dots, pool, x, v, base, above, y, dy, moved } = self;
        note(names::ARGUMENTS, owns.bytes());
        note(names::SEEDS, sizes::shadow::<A>(dots));
        note(names::WORKSPACE, pool.bytes());
        note(names::NUMBERS, memory_report::vector(x) + memory_report::vector(v) + memory_report::vector(moved));
        note(names::RESULTS, [base, above, y, dy].map(memory_report::vector).iter().sum());
    }
}

pub(crate) type WorkOf<G, A> = Work<<G as Signature>::Base, A, <G as Signature>::Stores<A>, <G as Signature>::Owns>;

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> Push<F, G, R> for AutoFiniteDiff {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        let mut owns = G::Owns::default();
        R::save(at, &mut owns);
        let (x, v, base, above, y, dy, moved) = Default::default();
        Work { owns, dots: R::stores(at, true), pool: Pool::new(), x, v, base, above, y, dy, moved }
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, mut at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        start::<G, R, A>(&at, work);
        let y = evaluate::<F, G, R, A>(f, &mut at, work, <G::Base as Base>::ZERO);
        let m = work.y.len();
        work.base.reserve(m);
        work.above.reserve(m);
        work.dy.reserve(m * A::LANES);
        work.moved.reserve(A::LANES);
        let y_dot = y.zero::<A>(&mut work.pool);
        F::ReturnValue::release(y_dot, &mut work.pool);
        m
    }

    #[inline]
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
        if pass.first && (pass.value || R::OUTPUTS || self.differences == Differences::Forward) {
            value = Some(evaluate::<F, G, R, A>(f, &mut at, work, <G::Base as Base>::ZERO));
            R::restore_outputs(&mut at, &mut work.owns);
            std::mem::swap(&mut work.base, &mut work.y);
        }
        let lane = |at: &mut _, work: &mut _, k| self.difference::<F, G, R, A>(f, at, work, k);
        each_lane::<F, G, R, A, T>(f, at, work, value, lane, take)
    }
}

impl AutoFiniteDiff {
    /// Appends to `dy` the difference in the direction of the lane `k`, or nothing if that is zero. Gives a result of the right
    /// sizes, if the function was called.
    fn difference<F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: &mut G::At<'_>,
        work: &mut WorkOf<G, A>,
        k: usize,
    ) -> Option<F::ReturnValue> {
        work.v.clear();
        R::In::each(R::inputs(&mut work.dots), &mut |a: &mut A| work.v.push(a.lane(k)));
        let moved = work.v.iter().any(|v| *v != <G::Base as Base>::ZERO);
        work.moved.push(moved);
        if !moved {
            return None;
        }
        let t = self.step(<G::Base as Base>::EPSILON.as_f64(), &work.x, &work.v);
        let mut y = evaluate::<F, G, R, A>(f, at, work, t);
        match self.differences {
            Differences::Forward => {
                work.dy.extend(work.y.iter().zip(&work.base).map(|(above, base)| (*above - *base) / t));
            }
            Differences::Central => {
                std::mem::swap(&mut work.above, &mut work.y);
                y = evaluate::<F, G, R, A>(f, at, work, -t);
                work.dy.extend(work.above.iter().zip(&work.y).map(|(above, below)| (*above - *below) / (t + t)));
            }
        }
        Some(y)
    }
}

/// Notes the point.
pub(crate) fn start<G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(at: &G::At<'_>, work: &mut WorkOf<G, A>) {
    R::save(at, &mut work.owns);
    work.x.clear();
    R::each_input(&mut work.owns, &mut |x| work.x.push(*x));
    work.v.clear();
    work.v.resize(work.x.len(), <G::Base as Base>::ZERO);
}

/// Takes the differences of all lanes. `difference` appends one to `dy`, and gives a result if it calls the function; the `value` is
/// there if that was asked for.
pub(crate) fn each_lane<'a, F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>, T>(
    f: &F,
    mut at: G::At<'a>,
    work: &mut WorkOf<G, A>,
    value: Option<F::ReturnValue>,
    mut difference: impl FnMut(&mut G::At<'a>, &mut WorkOf<G, A>, usize) -> Option<F::ReturnValue>,
    take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
) -> Result<(Option<F::ReturnValue>, T)> {
    work.dy.clear();
    work.moved.clear();
    let mut moved = None;
    for k in 0..A::LANES {
        moved = difference(&mut at, work, k).or(moved);
    }
    let y = match value.as_ref().or(moved.as_ref()) {
        Some(y) => y,
        None => moved.insert(evaluate::<F, G, R, A>(f, &mut at, work, <G::Base as Base>::ZERO)),
    };
    let before = before::<G, R>(&at, false);
    if before.is_some() {
        unless_resized::<G, R, _>(before, &G::lend(&mut work.owns, &mut at), F::PARAMETERS, Ok(()))?;
    }
    let mut y_dot = y.zero::<A>(&mut work.pool);
    fill::<Outputs<F, G, R>, A>(F::ReturnValue::muts(&mut y_dot, R::outputs(&mut work.dots)), &work.dy, &work.moved);
    let taken = take(y, F::ReturnValue::muts(&mut y_dot, R::outputs(&mut work.dots)));
    F::ReturnValue::release(y_dot, &mut work.pool);
    Ok((value, taken?))
}

/// Calls the function with the copies at `x + t v`, and collects the numbers of its outputs.
pub(crate) fn evaluate<F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(
    f: &F,
    at: &mut G::At<'_>,
    Work { owns, x, v, y, .. }: &mut WorkOf<G, A>,
    t: G::Base,
) -> F::ReturnValue {
    let mut point = x.iter().zip(v);
    R::each_input(owns, &mut |x| point.next().into_iter().for_each(|(at, v)| *x = *at + t * *v));
    let result = f.call(G::lend(owns, at));
    y.clear();
    result.each(&mut |v| y.push(v));
    R::each_output(owns, &mut |v| y.push(*v));
    result
}

/// Distributes the numbers of the lanes that `moved`, lane after lane.
fn fill<L: List, A: Lanes<L::Base>>(shadows: L::Muts<'_, A>, numbers: &[L::Base], moved: &[bool]) {
    let lanes = moved.iter().filter(|moved| **moved).count();
    let m = numbers.len() / lanes.max(1);
    let mut row = 0;
    L::each(shadows, &mut |a| {
        let mut column = numbers.iter().skip(row).step_by(m.max(1));
        for (k, moved) in moved.iter().enumerate() {
            let difference = if *moved { column.next() } else { None };
            a.set_lane(k, difference.copied().unwrap_or(<L::Base as Base>::ZERO));
        }
        row += 1;
    });
}
