//! The tangents of generated adjoint code.

use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::number::width::One;
use crate::operators::entries::{basis, count};
use crate::operators::pushforward::{Made, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Inputs, Outputs};
use crate::signature::arg_roles::{ArgRoles, Fresh};
use crate::signature::copies::Copies;
use crate::signature::function::{DerivativeCode, ReturnValue, Tan, aside};
use crate::signature::param_kinds::Signature;
use crate::signature::sweeps::Both;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Lasting;

/// Strategy: the tangents of generated adjoint code.
#[derive(Clone, Copy, Debug)]
pub struct Generated;

/// The tangents of all parameters, the adjoints of what is no input and their tangents, the memory of the code, and the outputs
/// as they were before the first pass.
#[derive(Debug)]
pub struct Work<F: Base, A: LinearSpace<F>, S, T, O> {
    dots: T,
    bars: S,
    bars_dot: T,
    ws: Lasting<F, A>,
    entry: O,
}

impl<F: Base, A: LinearSpace<F>, S: Clone, T: Clone, O: Copies> Clone for Work<F, A, S, T, O> {
    fn clone(&self) -> Self {
        let Work { dots, bars, bars_dot, ws, entry } = self;
        Work {
            dots: dots.clone(),
            bars: bars.clone(),
            bars_dot: bars_dot.clone(),
            ws: ws.clone(),
            entry: entry.duplicate(),
        }
    }
}

impl<F: Base, A: LinearSpace<F>, S: Tangent<F>, T: Tangent<A>, O: Copies> Recorder for Work<F, A, S, T, O> {
    fn kept(&self, note: &mut Note<'_>) {
        let Work { dots, bars, bars_dot, ws, entry } = self;
        note(names::SEEDS, sizes::shadow::<A>(dots));
        note(names::COTANGENTS, sizes::shadow::<F>(bars) + sizes::shadow::<A>(bars_dot));
        note(names::ARGUMENTS, entry.bytes());
        ws.kept(note);
    }
    fn tape_bytes(&self) -> usize {
        self.ws.tape_bytes()
    }
}

type WorkOf<G, A> = Work<
    <G as Signature>::Base,
    A,
    <G as Signature>::Stores<<G as Signature>::Base>,
    <G as Signature>::Stores<A>,
    <G as Signature>::Owns,
>;

fn work<G: Signature, R: ArgRoles<G>, A: LinearSpace<G::Base>>(at: &G::At<'_>) -> WorkOf<G, A> {
    Work {
        dots: R::stores(at, true),
        bars: R::stores(at, false),
        bars_dot: R::stores(at, false),
        ws: Lasting::new(),
        entry: G::Owns::default(),
    }
}

/// Makes ready for a pass: inputs that are overwritten are what they were at the first one.
#[inline]
fn start<G: Signature, R: ArgRoles<G>, A: LinearSpace<G::Base>>(
    at: &mut G::At<'_>,
    first: bool,
    Work { dots, bars, bars_dot, entry, .. }: &mut WorkOf<G, A>,
) {
    if R::IN_OUT {
        match first {
            true => R::save_outputs(at, entry),
            false => R::restore_outputs(at, entry),
        }
    }
    R::clear_dots(dots);
    R::clear(bars);
    R::clear(bars_dot);
}

impl<B, F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> SecondBy<B, F, G, R> for Generated {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;
    const KEEPS_TANGENTS: bool = true;

    #[inline]
    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        work::<G, R, A>(at)
    }

    #[inline]
    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    #[inline]
    fn hvp<A: Lanes<G::Base>, V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        first: bool,
        work: &mut Self::Work<A>,
        mut g: Inputs<'_, G, R, G::Base>,
        mut hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        let (g, hv) = (R::In::again(&mut g), R::In::again(&mut hv));
        start::<G, R, A>(&mut at, first, work);
        let Work { dots, bars, bars_dot, ws, .. } = work;
        let (mut y_bar, mut y_bar_dot) = (F::ReturnValue::empty(), F::ReturnValue::empty());
        basis::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)), 0..1);
        let (g, hv) = (R::bars(g, bars), R::bars(hv, bars_dot));
        let dots = G::dots(dots);
        let y = ws.run(|ws| match F::ReturnValue::FIXED {
            true => f.pull_push::<A, Fresh<R>, Both<V::Or<R::Writes>>>(at, dots, g, hv, &mut y_bar, &mut y_bar_dot, ws),
            false => f.pull_push::<A, Fresh<R>, Both<On>>(at, dots, g, hv, &mut y_bar, &mut y_bar_dot, ws),
        });
        let y = y.map(|(y, y_dot)| {
            F::ReturnValue::release(y_dot, &mut ws.shadows);
            y
        });
        match &y {
            Some(y) if y.is_absent() => Err(Error::NoValue),
            _ => Ok(y),
        }
    }
}

/// The memory of second derivatives by one number: of the passes, the cotangents and the adjoints.
pub struct Curve<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> {
    work: WorkOf<G, G::Base>,
    y_bar: Tan<F::ReturnValue, G::Base, G::Base>,
    y_bar_dot: Tan<F::ReturnValue, G::Base, G::Base>,
    x_bar: <R::In as List>::Stores<G::Base>,
    x_bar_dot: <R::In as List>::Stores<G::Base>,
    second: Vec<G::Base>,
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Clone for Curve<F, G, R> {
    fn clone(&self) -> Self {
        let Curve { work, y_bar, y_bar_dot, x_bar, x_bar_dot, second } = self;
        Curve {
            work: work.clone(),
            y_bar: y_bar.clone(),
            y_bar_dot: y_bar_dot.clone(),
            x_bar: x_bar.clone(),
            x_bar_dot: x_bar_dot.clone(),
            second: second.clone(),
        }
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Recorder for Curve<F, G, R> {
    fn kept(&self, note: &mut Note<'_>) {
        let Curve { work, y_bar, y_bar_dot, x_bar, x_bar_dot, second } = self;
        work.kept(note);
        note(names::COTANGENTS, sizes::shadow::<G::Base>(y_bar) + sizes::shadow::<G::Base>(y_bar_dot));
        note(
            names::RESULTS,
            sizes::shadow::<G::Base>(x_bar) + sizes::shadow::<G::Base>(x_bar_dot) + memory_report::vector(second),
        );
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B, F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> CurvatureBy<B, F, G, R> for Generated {
    type State = Curve<F, G, R>;

    fn state(_: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        let mut work = work::<G, R, G::Base>(at);
        let (x_bar, x_bar_dot) = (R::zero_inputs(at), R::zero_inputs(at));
        let zero = match F::ReturnValue::FIXED {
            true => F::ReturnValue::empty(),
            false => aside::<F, G, R>(f, at, &mut work.entry).zero(&mut work.ws.shadows),
        };
        Curve { work, y_bar: zero.clone(), y_bar_dot: zero, x_bar, x_bar_dot, second: Vec::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        Curve { work, y_bar, y_bar_dot, x_bar, x_bar_dot, second }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        result: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        let (mut value, mut row, mut m) = (None, 0, 1);
        second.clear();
        while row < m {
            start::<G, R, G::Base>(&mut at, row == 0, work);
            let Work { dots, bars, bars_dot, ws, .. } = &mut *work;
            m = count::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(y_bar, R::outputs(bars))).max(1);
            basis::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(y_bar, R::outputs(bars)), row..row + 1);
            basis::<Outputs<F, G, R>, G::Base>(F::ReturnValue::muts(y_bar_dot, R::outputs(bars_dot)), 0..0);
            R::In::each(R::inputs(dots), &mut |t: &mut G::Base| *t = G::Base::unit(0));
            let (at, dots_of) = (G::again(&mut at), G::dots(dots));
            let g = R::bars(R::In::muts(x_bar), bars);
            let hv = R::bars(R::In::muts(x_bar_dot), bars_dot);
            let pushed =
                ws.run(|ws| f.pull_push::<G::Base, Fresh<R>, Both<On>>(at, dots_of, g, hv, y_bar, y_bar_dot, ws));
            R::In::each(R::In::muts(x_bar_dot), &mut |d: &mut G::Base| second.push(*d));
            let (y, mut y_dot) = pushed.expect("the value was asked for");
            if row == 0 {
                let shape = Shape::of(|dim| {
                    <Outputs<F, G, R>>::shape(&F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), dim)
                });
                result.open(&y, &shape)?;
                if V::ON {
                    first.open(&y, &shape)?;
                    <Outputs<F, G, R>>::set(first.get(0), F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
                    value = Some(y);
                }
            }
            F::ReturnValue::release(y_dot, &mut ws.shadows);
            row += 1;
        }
        let mut second = second.iter();
        <Outputs<F, G, R>>::each(result.get(0), &mut |d| second.next().into_iter().for_each(|v| *d = *v));
        Ok(value)
    }
}
