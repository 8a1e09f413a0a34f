//! Differences of derivatives.

use crate::backend::AutoFiniteDiff;
use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, Off, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::number::width::One;
use crate::operators::derivative::OneNumber;
use crate::operators::gradient::{GradientBackend, GradientBy};
use crate::operators::pushforward::{Made, PushforwardBackend, PushforwardBy, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Backend, Inputs, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::marker::PhantomData;

/// Strategy: central differences of the inner backend's derivatives.
#[derive(Clone, Copy, Debug)]
pub struct Differenced;

/// The relative error of derivatives found by `b`.
pub(crate) fn noise<F: Base>(b: &impl Backend) -> f64 {
    let epsilon = F::EPSILON.as_f64();
    if b.inexact() { epsilon.powf(2.0 / 3.0) } else { epsilon }
}

/// The tangents, and the memory of gradients elsewhere.
#[derive(Clone, Debug)]
pub struct Work<A, V, S> {
    v: V,
    shifted: S,
    space: PhantomData<A>,
}

/// The inner backend's memory, its gradients, copies of the arguments, and numbers.
#[derive(Clone, Debug)]
pub struct Shifted<F, X, S, O> {
    g: X,
    inner: S,
    owns: O,
    x: Vec<F>,
    v: Vec<F>,
    above: Vec<F>,
}

impl<A, V: Tangent<A>, F, X: Tangent<F>, S: Recorder, O: Copies> Recorder for Work<A, V, Shifted<F, X, S, O>> {
    fn kept(&self, note: &mut Note<'_>) {
        let Shifted { g, inner, owns, x, v, above } = &self.shifted;
        inner.kept(note);
        note(names::SEEDS, sizes::shadow::<A>(&self.v));
        note(names::RESULTS, sizes::shadow::<F>(g) + memory_report::vector(above));
        note(names::ARGUMENTS, owns.bytes());
        note(names::NUMBERS, memory_report::vector(x) + memory_report::vector(v));
    }
    fn tape_bytes(&self) -> usize {
        self.shifted.inner.tape_bytes()
    }
}

type GradientState<B, F, G, R> = <<B as Backend>::Gradient as GradientBy<B, F, G, R>>::State;
type ShiftedOf<B, F, G, R> = Shifted<
    <G as Signature>::Base,
    <<R as ArgRoles<G>>::In as List>::Stores<<G as Signature>::Base>,
    GradientState<B, F, G, R>,
    <G as Signature>::Owns,
>;

impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> SecondBy<B, F, G, R> for Differenced
where
    B: Backend<Outer = AutoFiniteDiff, Inner: GradientBackend<F, G, R>>,
{
    type Work<A: Lanes<G::Base>> = Work<A, <R::In as List>::Stores<A>, ShiftedOf<B::Inner, F, G, R>>;

    fn work<A: Lanes<G::Base>>(b: &B, f: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        let mut owns = G::Owns::default();
        R::save(at, &mut owns);
        let inner = <B::Inner as Backend>::Gradient::state(b.inner(), f, at);
        let (x, v, above) = Default::default();
        let shifted = Shifted { g: R::zero_inputs(at), inner, owns, x, v, above };
        Work { v: R::zero_inputs(at), shifted, space: PhantomData }
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::In::muts(&mut work.v)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        b: &B,
        f: &F,
        mut at: G::At<'_>,
        first: bool,
        Work { v, shifted, .. }: &mut Self::Work<A>,
        mut g: Inputs<'_, G, R, G::Base>,
        mut hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        if first {
            R::save(&at, &mut shifted.owns);
            shifted.x.clear();
            R::each_input(&mut shifted.owns, &mut |x| shifted.x.push(*x));
        }
        let mut y = None;
        if V::ON {
            let g = R::In::again(&mut g);
            y = <B::Inner as Backend>::Gradient::run::<V>(b.inner(), f, G::again(&mut at), &mut shifted.inner, g)?;
        } else if first && R::OUTPUTS {
            f.call(G::again(&mut at));
        }
        for k in 0..A::LANES {
            shifted.v.clear();
            R::In::each(R::In::muts(v), &mut |a: &mut A| shifted.v.push(a.lane(k)));
            difference::<B, F, G, R>(b, f, &mut at, shifted)?;
            let mut differences = shifted.above.iter();
            R::In::each(R::In::again(&mut hv), &mut |a: &mut A| {
                differences.next().into_iter().for_each(|d| a.set_lane(k, *d));
            });
        }
        Ok(y)
    }
}

/// Leaves in `above` the derivative of the gradient in the direction `v`.
fn difference<B, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &B,
    f: &F,
    at: &mut G::At<'_>,
    shifted: &mut ShiftedOf<B::Inner, F, G, R>,
) -> Result<()>
where
    B: Backend<Outer = AutoFiniteDiff, Inner: GradientBackend<F, G, R>>,
{
    shifted.above.clear();
    if shifted.v.iter().all(|v| *v == <G::Base as Base>::ZERO) {
        shifted.above.resize(shifted.v.len(), <G::Base as Base>::ZERO);
        return Ok(());
    }
    let t = b.outer().step(noise::<G::Base>(b.inner()), &shifted.x, &shifted.v);
    gradient::<B::Inner, F, G, R>(b.inner(), f, at, shifted, t)?;
    R::In::each(R::In::muts(&mut shifted.g), &mut |v: &mut G::Base| shifted.above.push(*v));
    gradient::<B::Inner, F, G, R>(b.inner(), f, at, shifted, -t)?;
    let mut above = shifted.above.iter_mut();
    R::In::each(R::In::muts(&mut shifted.g), &mut |below: &mut G::Base| {
        above.next().into_iter().for_each(|above| *above = (*above - *below) / (t + t));
    });
    Ok(())
}

/// The gradient at `x + t v`.
fn gradient<B: GradientBackend<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>>(
    b: &B,
    f: &F,
    at: &mut G::At<'_>,
    Shifted { g, inner, owns, x, v, .. }: &mut ShiftedOf<B, F, G, R>,
    t: G::Base,
) -> Result<()> {
    let mut point = x.iter().zip(v);
    R::each_input(owns, &mut |x| point.next().into_iter().for_each(|(at, v)| *x = *at + t * *v));
    B::Gradient::run::<Off>(b, f, G::lend(owns, at), inner, R::In::muts(g)).map(|_| ())
}

/// The inner backend's memory, its derivatives above the point, and a copy of the argument.
pub struct Curve<F, S, N, O> {
    inner: S,
    above: N,
    owns: O,
    numbers: Vec<F>,
}

impl<F, S: Recorder, N: Recorder, O: Copies> Recorder for Curve<F, S, N, O> {
    fn kept(&self, note: &mut Note<'_>) {
        self.inner.kept(note);
        self.above.kept(note);
        note(names::ARGUMENTS, self.owns.bytes());
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.inner.tape_bytes()
    }
}

type PushforwardState<B, F, G, R> = <<B as Backend>::Pushforward as PushforwardBy<B, F, G, R>>::State;

impl<B, F: Function<G>, G: Signature, R: ArgRoles<G, In: OneNumber>> CurvatureBy<B, F, G, R> for Differenced
where
    B: Backend<Outer = AutoFiniteDiff, Inner: PushforwardBackend<F, G, R>>,
{
    type State = Curve<G::Base, PushforwardState<B::Inner, F, G, R>, Made<F, G, R, One>, G::Owns>;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        let inner = <B::Inner as Backend>::Pushforward::state(b.inner(), f, at);
        Curve { inner, above: Made::new(at), owns: G::Owns::default(), numbers: Vec::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        mut at: G::At<'_>,
        Curve { inner, above, owns, numbers }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        let one = &R::In::ONE;
        let mut value = None;
        R::save(&at, owns);
        if V::ON {
            value = <B::Inner as Backend>::Pushforward::run::<V>(b.inner(), f, G::again(&mut at), inner, one, first)?;
        } else if R::OUTPUTS {
            f.call(G::again(&mut at));
        }
        let mut x = <G::Base as Base>::ZERO;
        R::each_input(owns, &mut |v| x = *v);
        let t = b.outer().step(noise::<G::Base>(b.inner()), &[x], &[<G::Base as Base>::ONE]);
        R::each_input(owns, &mut |v| *v = x + t);
        <B::Inner as Backend>::Pushforward::run::<Off>(b.inner(), f, G::lend(owns, &mut at), inner, one, above)?;
        R::each_input(owns, &mut |v| *v = x - t);
        <B::Inner as Backend>::Pushforward::run::<Off>(b.inner(), f, G::lend(owns, &mut at), inner, one, second)?;
        numbers.clear();
        <Outputs<F, G, R>>::each(above.get(0), &mut |v| numbers.push(*v));
        let mut above = numbers.iter();
        <Outputs<F, G, R>>::each(second.get(0), &mut |below| {
            above.next().into_iter().for_each(|above| *below = (*above - *below) / (t + t));
        });
        Ok(value)
    }
}
