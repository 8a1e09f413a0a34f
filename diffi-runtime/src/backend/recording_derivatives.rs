//! Derivatives of recorded programs as programs of their own: what [`AutoSymbolic`](struct@crate::backend::AutoSymbolic) and compiled tapes have in
//! common.

use crate::backend::tape::{NEVER, Tape, Work};
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::sizes;
use crate::operators::strategy::{Inputs, Outputs, Results};
use crate::overload::recording::Program;
use crate::overload::recording::derivative::{Derivative, How};
use crate::overload::{OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::ReturnValue;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// The value at a point, by the derivative where there is one that holds there; by the program where only that does.
pub(crate) fn forward<F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    f: &F,
    at: G::At<'_>,
    tape: &mut Tape<F, G>,
    derivative: &mut Derivative<G::Base>,
) -> Result<()> {
    tape.at_by::<R>(f, at, |tape| whole(tape, derivative)).map(|_| ())
}

/// All values at another point, and whether the program holds there.
fn whole<F: Overload<G>, G: OverSignature>(tape: &mut Tape<F, G>, derivative: &mut Derivative<G::Base>) -> bool {
    if derivative.at(tape.recordings, &tape.values[..tape.program.leaves]) {
        derivative.write_outputs(&tape.program.outputs, &mut tape.values);
        return true;
    }
    tape.program.run(&mut tape.values);
    tape.program.holds(&tape.values)
}

/// A whole pass. Short where it is the gradient of a function without decisions, whose code is there: small ones take no longer than a call.
#[inline(always)]
pub(crate) fn pull<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>, V: Flag>(
    f: &F,
    at: G::At<'_>,
    mut x_bar: Inputs<'_, G, R, A>,
    work: &mut Work<F, G, A>,
    how: How,
    check: impl FnOnce(&Tape<F, G>) -> Result<()>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<Option<F::ReturnValue>> {
    if !V::ON
        && A::LANES == 1
        && work.ready == work.tape.recordings
        && let Some(x) = G::floats(&at)
        && let Some(out) = <<R as ArgRoles<G>>::In as List>::side_by_side_mut(&mut x_bar).and_then(A::floats_mut)
        && work.tape.agrees(&at)
    {
        if seeds_of::<F, G, R, A>(work, seed, false)? {
            work.slopes.second_into(x, out);
            return Ok(None);
        }
        work.tape.move_to(&at);
        return slopes_at::<F, G, R, A>(x_bar, work, how, false);
    }
    pull_in_phases::<F, G, R, A, V>(f, at, x_bar, work, how, check, seed)
}

/// Where nobody asks for values, what only they need is left out, and there is one phase but for decisions.
#[inline(never)]
fn pull_in_phases<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>, V: Flag>(
    f: &F,
    at: G::At<'_>,
    mut x_bar: Inputs<'_, G, R, A>,
    work: &mut Work<F, G, A>,
    how: How,
    check: impl FnOnce(&Tape<F, G>) -> Result<()>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<Option<F::ReturnValue>> {
    if V::ON || A::LANES > 1 {
        forward::<F, G, R>(f, at, &mut work.tape, &mut work.derivative)?;
        check(&work.tape)?;
        backward::<F, G, R, A>(x_bar, work, how, seed)?;
        return Ok(if V::ON { work.tape.value().cloned() } else { None });
    }
    // Numbers that stand side by side are read and written where the caller has them.
    if let Some(x) = G::floats(&at)
        && let Some(out) = <<R as ArgRoles<G>>::In as List>::side_by_side_mut(&mut x_bar).and_then(A::floats_mut)
        && work.tape.alone
        && work.tape.agrees(&at)
        && work.slopes.first_into(work.tape.recordings, x, out)
    {
        check(&work.tape)?;
        let are_ones = seeds_of::<F, G, R, A>(work, seed, !work.ones)?;
        if work.ones && are_ones {
            work.slopes.second_into(x, out);
            return Ok(None);
        }
        if !work.ones {
            work.slopes.seeded_into(x, work.seeds.iter().map(|a| a.lane(0)), out);
            return Ok(None);
        }
        work.tape.move_to(&at);
        return slopes_at::<F, G, R, A>(x_bar, work, how, are_ones);
    }
    pull_anew::<F, G, R, A>(f, at, x_bar, work, how, check, seed)
}

/// A pass in which the tape may have to be recorded, or its derivative to be made.
#[cold]
#[inline(never)]
fn pull_anew<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    f: &F,
    mut at: G::At<'_>,
    x_bar: Inputs<'_, G, R, A>,
    work: &mut Work<F, G, A>,
    how: How,
    check: impl FnOnce(&Tape<F, G>) -> Result<()>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<Option<F::ReturnValue>> {
    let Work { tape, derivative, slopes, .. } = work;
    let goes_on = tape.goes_on::<R>(f, &mut at, |tape| {
        tape.alone && slopes.at(tape.recordings, &tape.values[..tape.program.leaves]) || whole(tape, derivative)
    })?;
    if !tape.alone && goes_on {
        tape.update::<R>();
    }
    if !tape.alone || !goes_on {
        tape.lower::<R>(&mut at);
    }
    check(tape)?;
    if !tape.alone {
        return backward::<F, G, R, A>(x_bar, work, how, seed).map(|()| None);
    }
    let are_ones = seeds_of::<F, G, R, A>(work, seed, true)?;
    slopes_at::<F, G, R, A>(x_bar, work, how, are_ones)
}

/// The slopes at the tape's point, made if there are none for these seeds.
#[cold]
#[inline(never)]
fn slopes_at<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    mut x_bar: Inputs<'_, G, R, A>,
    work: &mut Work<F, G, A>,
    how: How,
    are_ones: bool,
) -> Result<Option<F::ReturnValue>> {
    let Work { tape, slopes, derivative, seeds, ones, ready, .. } = work;
    if !slopes.is_of(tape.recordings) || *ones && !are_ones {
        *ones = are_ones;
        if slopes.put_arrays(tape.recordings, &tape.program, &tape.values, how) {
            (*ones, *ready) = (false, NEVER);
            derivative.put_with_outputs(slopes);
            slopes.seed(tape.leaves(), seeds.iter().map(|a| a.lane(0)));
            each_output::<G, R, A>(&mut x_bar, slopes, 0, 0);
            return Ok(None);
        }
        let alone = tape.program.derived_for(tape.leaves(), how.simplify, *ones);
        *ready = NEVER;
        slopes.put(tape.recordings, alone.without_outputs(tape.program.outputs.len()), tape.leaves(), how.at_once())?;
        if *ones && slopes.is_code_in_one_phase() {
            *ready = tape.recordings;
        }
        // So that a call that wants the value needs no more memory.
        derivative.ensure(tape.recordings, &tape.program, tape.leaves(), how, Program::derived)?;
    }
    slopes.seed(tape.leaves(), seeds.iter().map(|a| a.lane(0)));
    each_output::<G, R, A>(&mut x_bar, slopes, 0, 0);
    Ok(None)
}

/// The cotangents of all outputs, `kept` or only if one of them is not 1. Whether all are 1, as gradients have it: rustc knows it there.
#[inline]
fn seeds_of<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    Work { tape, bars, seeds, pool, .. }: &mut Work<F, G, A>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    kept: bool,
) -> Result<bool> {
    R::clear(bars);
    let mut y_bar = tape.value().expect("there was a forward sweep").zero(pool);
    let seeded = seed(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)));
    let mut are_ones = true;
    <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| {
        are_ones &= a.lane(0) == G::Base::ONE;
    });
    if kept || !are_ones {
        seeds.clear();
        <Outputs<F, G, R>>::each(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)), &mut |a: &mut A| seeds.push(*a));
    }
    F::ReturnValue::release(y_bar, pool);
    seeded.map(|()| are_ones)
}

/// Puts a derivative's outputs from one on into a lane.
fn each_output<G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    x_bar: &mut Inputs<'_, G, R, A>,
    derivative: &Derivative<G::Base>,
    first: usize,
    lane: usize,
) {
    let mut k = first;
    <<R as ArgRoles<G>>::In as List>::each(<<R as ArgRoles<G>>::In as List>::again(x_bar), &mut |a: &mut A| {
        a.set_lane(lane, derivative.output(k));
        k += 1;
    });
}

/// The derivative's values for every lane of the seeds.
pub(crate) fn backward<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    mut x_bar: Inputs<'_, G, R, A>,
    work: &mut Work<F, G, A>,
    how: How,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    seeds_of::<F, G, R, A>(work, seed, true)?;
    let Work { tape, derivative, seeds, .. } = work;
    if !derivative.is_of(tape.recordings) && derivative.put_arrays(tape.recordings, &tape.program, &tape.values, how) {
        let slopes = std::mem::take(derivative);
        derivative.put_with_outputs(&slopes);
    }
    derivative.ensure(tape.recordings, &tape.program, tape.leaves(), how, Program::derived)?;
    for lane in 0..A::LANES {
        derivative.seed(tape.leaves(), seeds.iter().map(|a| a.lane(lane)));
        each_output::<G, R, A>(&mut x_bar, derivative, seeds.len(), lane);
    }
    Ok(())
}

/// A tape, the derivative of its derivative, and the tangents of the inputs.
pub struct Twice<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> {
    pub(crate) tape: Tape<F, G>,
    pub(crate) derivative: Derivative<G::Base>,
    pub(crate) dots: G::Stores<A>,
    tangents: Vec<A>,
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Twice<F, G, A> {
    pub(crate) fn new<R: ArgRoles<G>>(at: &G::At<'_>) -> Self {
        let (tape, derivative) = (Tape::default(), Derivative::default());
        Twice { tape, derivative, dots: R::stores(at, true), tangents: Vec::new() }
    }
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Clone for Twice<F, G, A> {
    fn clone(&self) -> Self {
        let Twice { tape, derivative, dots, tangents } = self;
        Twice { tape: tape.clone(), derivative: derivative.clone(), dots: dots.clone(), tangents: tangents.clone() }
    }
}

impl<F: Overload<G>, G: OverSignature, A: LinearSpace<G::Base>> Recorder for Twice<F, G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        self.tape.kept(note);
        note(names::DERIVATIVE, self.derivative.bytes());
        note(names::SEEDS, sizes::shadow::<A>(&self.dots));
        note(names::NUMBERS, memory_report::vector(&self.tangents));
    }
    fn tape_bytes(&self) -> usize {
        self.tape.bytes() + self.derivative.bytes()
    }
}

/// The gradient, and its tangent for every lane.
pub(crate) fn hvp<F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    Twice { tape, derivative, dots, tangents }: &mut Twice<F, G, A>,
    how: How,
    g: Inputs<'_, G, R, G::Base>,
    mut hv: Inputs<'_, G, R, A>,
) -> Result<()> {
    tangents.clear();
    <<R as ArgRoles<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| tangents.push(*a));
    derivative.ensure(tape.recordings, &tape.program, tape.leaves(), how, Program::derived_twice)?;
    let gradient = tape.program.outputs.len();
    for lane in 0..A::LANES {
        derivative.seed(tape.leaves(), tangents.iter().map(|a| a.lane(lane)));
        each_output::<G, R, A>(&mut hv, derivative, gradient + tangents.len(), lane);
    }
    let mut k = gradient;
    <<R as ArgRoles<G>>::In as List>::each(g, &mut |g: &mut G::Base| {
        *g = derivative.output(k);
        k += 1;
    });
    Ok(())
}
