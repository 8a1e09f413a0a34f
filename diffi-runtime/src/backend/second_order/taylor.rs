//! Second derivatives from truncated power series.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::real::Real;
use crate::number::scalar::Taylor;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::One;
use crate::operators::pushforward::{Made, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Inputs, Outputs, Results};
use crate::overload::{LiftedReturn, Over, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::ReturnValue;
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;

/// Strategy: power series. A Hessian's products are coefficients of series in two variables.
#[derive(Clone, Copy, Debug)]
pub struct Truncated;

/// `c[0] + c[1] t`, whose coefficients are series in another variable.
type Mixed<F> = Taylor<Taylor<<F as Base>::Number, 2>, 2>;
/// Up to `t²`.
type Twice<F> = Taylor<<F as Base>::Number, 3>;

/// The tangents of the inputs, numbers for all arguments, and the outputs as they were before the first pass.
pub struct Work<G: OverSignature, A: LinearSpace<G::Base>> {
    dots: G::Stores<A>,
    tangents: Vec<A>,
    held: G::Held<Mixed<G::Base>>,
    entry: <G as Signature>::Owns,
}

impl<G: OverSignature, A: LinearSpace<G::Base>> Clone for Work<G, A> {
    fn clone(&self) -> Self {
        let Work { dots, tangents, held, entry } = self;
        Work { dots: dots.clone(), tangents: tangents.clone(), held: held.clone(), entry: entry.duplicate() }
    }
}

impl<G: OverSignature, A: LinearSpace<G::Base>> Recorder for Work<G, A> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, sizes::shadow::<A>(&self.dots));
        note(names::NUMBERS, memory_report::vector(&self.tangents));
        note(names::ARGUMENTS, G::bytes(&self.held) + self.entry.bytes());
    }
}

impl<B, F: Overload<G>, G: OverSignature, R: OverCall<G>> SecondBy<B, F, G, R> for Truncated {
    type Work<A: Lanes<G::Base>> = Work<G, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        Work { dots: R::stores(at, true), tangents: Vec::new(), held: Default::default(), entry: Default::default() }
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    /// For every input and every tangent the coefficient of `s t` in the series of `f(x + s e + t v)`.
    fn hvp<A: Lanes<G::Base>, V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        first: bool,
        Work { dots, tangents, held, entry }: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        if R::IN_OUT {
            match first {
                true => R::save_outputs(&at, entry),
                false => R::restore_outputs(&mut at, entry),
            }
        }
        tangents.clear();
        <<R as ArgRoles<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| tangents.push(*a));
        let (mut value, mut slopes) = (None, Vec::new());
        <<R as ArgRoles<G>>::In as List>::each(hv, &mut |hv: &mut A| {
            for lane in 0..A::LANES {
                let tangents = tangents.iter().map(|a| a.lane(lane));
                let y = evaluate::<F, G, R>(f, &mut at, held, slopes.len(), tangents);
                let number = first_output::<F, G, R, _>(&y, held);
                hv.set_lane(lane, number.coefficients()[1].coefficients()[1].value());
                value = Some((y, number.coefficients()[1].coefficients()[0].value()));
            }
            slopes.extend(value.iter().map(|(_, slope)| *slope));
        });
        let mut slopes = slopes.into_iter();
        <<R as ArgRoles<G>>::In as List>::each(g, &mut |g: &mut G::Base| {
            slopes.next().into_iter().for_each(|slope| *g = slope)
        });
        R::lower_outputs(held, &mut at);
        Ok(value.map(|(y, _)| F::ReturnValue::lower(&y)))
    }
}

/// The function of `x + s e + t v`, `e` being 1 at the input and `v` the tangents.
fn evaluate<F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    f: &F,
    at: &mut G::At<'_>,
    held: &mut G::Held<Mixed<G::Base>>,
    input: usize,
    tangents: impl Iterator<Item = G::Base>,
) -> Over<F::ReturnValue, Mixed<G::Base>> {
    let mut tangents = tangents.enumerate();
    R::lift(at, held, &mut |v| {
        let (k, tangent) = tangents.next().expect("a tangent for every input");
        let here = if k == input { 1.0 } else { 0.0 };
        Taylor::new([Taylor::new([Real::from_base(v), Real::from_base(tangent)]), Real::lit(here)])
    });
    f.over(G::over(held, at))
}

/// The result, if that is a number, or the only output among the parameters.
fn first_output<F: Overload<G>, G: OverSignature, R: OverCall<G>, S: Real<Base = G::Base>>(
    y: &Over<F::ReturnValue, S>,
    held: &mut G::Held<S>,
) -> S {
    let mut found = None;
    F::ReturnValue::each_over(y, &mut |s| found = found.or(Some(s)));
    R::each_output_over(held, &mut |s| found = found.or(Some(*s)));
    found.expect("one number is differentiated")
}

/// Numbers for all arguments, and memory for the results' sizes.
pub struct Curve<G: OverSignature> {
    held: G::Held<Twice<G::Base>>,
    dots: G::Stores<G::Base>,
    pool: Pool<G::Base>,
}

impl<G: OverSignature> Clone for Curve<G> {
    fn clone(&self) -> Self {
        let Curve { held, dots, pool } = self;
        Curve { held: held.clone(), dots: dots.clone(), pool: pool.clone() }
    }
}

impl<G: OverSignature> Recorder for Curve<G> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::ARGUMENTS, G::bytes(&self.held));
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.dots));
        note(names::WORKSPACE, self.pool.bytes());
    }
}

impl<B, F: Overload<G>, G: OverSignature, R: OverCall<G>> CurvatureBy<B, F, G, R> for Truncated {
    type State = Curve<G>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        Curve { held: Default::default(), dots: R::stores(at, true), pool: Pool::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        Curve { held, dots, pool }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        R::lift(&at, held, &mut |v| Taylor::variable(Real::from_base(v)));
        let over = f.over(G::over(held, &mut at));
        R::lower_outputs(held, &mut at);
        let y = F::ReturnValue::lower(&over);
        let mut y_dot = y.zero(pool);
        let shape =
            Shape::of(|dim| <Outputs<F, G, R>>::shape(&F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), dim));
        fill::<F, G, R>(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), &over, held, 2);
        second.open(&y, &shape)?;
        <Outputs<F, G, R>>::set(second.get(0), F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
        if V::ON {
            fill::<F, G, R>(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), &over, held, 1);
            first.open(&y, &shape)?;
            <Outputs<F, G, R>>::set(first.get(0), F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
        }
        F::ReturnValue::release(y_dot, pool);
        Ok(if V::ON { Some(y) } else { None })
    }
}

/// The derivatives of order `k` of all outputs.
fn fill<F: Overload<G>, G: OverSignature, R: OverCall<G>>(
    outputs: Results<'_, F, G, R, G::Base>,
    over: &Over<F::ReturnValue, Twice<G::Base>>,
    held: &mut G::Held<Twice<G::Base>>,
    k: usize,
) {
    let mut found = Vec::new();
    F::ReturnValue::each_over(over, &mut |s: Twice<G::Base>| found.push(s.derivative(k)));
    R::each_output_over(held, &mut |s: &mut Twice<G::Base>| found.push(s.derivative(k)));
    let mut found = found.into_iter();
    <Outputs<F, G, R>>::each(outputs, &mut |d: &mut G::Base| found.next().into_iter().for_each(|v| *d = v.value()));
}
