//! Second derivatives by numbers of numbers: the function is evaluated on numbers that carry derivatives and their tangents.

use crate::error::Result;
use crate::number::batch::{Float, Lanes, Mixed};
use crate::number::flag::{Flag, On};
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::real::Real;
use crate::number::scalar::Dual;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::One;
use crate::operators::entries::size;
use crate::operators::pushforward::{Made, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Inputs, Outputs};
use crate::overload::{LiftedReturn, OverCall, OverSignature, Overload};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::ReturnValue;
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;
use std::fmt::Debug;
use std::marker::PhantomData;

/// Strategy: numbers of the family `K`, a chunk of the inputs a pass.
#[derive(Clone, Copy, Debug)]
pub struct Nested<K>(PhantomData<K>);

/// Dual numbers of dual numbers.
#[derive(Clone, Copy, Debug)]
pub struct Duals<const SAFE: bool>;

/// Hyper-dual numbers.
#[derive(Clone, Copy, Debug)]
pub struct HyperDuals;

/// Numbers with derivatives and their tangents.
pub trait Family: Debug + 'static {
    /// With `N` derivatives and tangents in `A`.
    type Number<F: Float, A: Lanes<F>, const N: usize>: Mixed<F, A>;
}

impl<const SAFE: bool> Family for Duals<SAFE> {
    type Number<F: Float, A: Lanes<F>, const N: usize> = Dual<A::Dual<SAFE>, N, SAFE>;
}

impl Family for HyperDuals {
    type Number<F: Float, A: Lanes<F>, const N: usize> = A::Hyper<N>;
}

/// The numbers of the arguments, in the least directions that hold a chunk.
enum Held<K: Family, G: OverSignature, A: Lanes<G::Base>> {
    Few(G::Held<K::Number<G::Base, A, 4>>),
    Many(G::Held<K::Number<G::Base, A, 8>>),
}

/// The tangents of the inputs, the numbers of the arguments, what is found, and the outputs as they were before the first pass.
pub struct Work<K: Family, G: OverSignature, R: ArgRoles<G>, A: Lanes<G::Base>> {
    dots: <R::In as List>::Stores<A>,
    held: Held<K, G, A>,
    tangents: Vec<A>,
    found: Found<G::Base, A>,
    entry: G::Owns,
}

/// Derivatives and their tangents, input by input.
struct Found<F, A> {
    g: Vec<F>,
    hv: Vec<A>,
}

impl<K: Family, G: OverSignature, R: ArgRoles<G>, A: Lanes<G::Base>> Recorder for Work<K, G, R, A> {
    fn kept(&self, note: &mut Note<'_>) {
        let Work { dots, held, tangents, found, entry } = self;
        let held = match held {
            Held::Few(held) => G::bytes(held),
            Held::Many(held) => G::bytes(held),
        };
        note(names::SEEDS, sizes::shadow::<A>(dots));
        note(names::ARGUMENTS, held + entry.bytes());
        note(names::NUMBERS, memory_report::vector(tangents));
        note(names::RESULTS, memory_report::vector(&found.g) + memory_report::vector(&found.hv));
    }
}

impl<K, B, F, G, R> SecondBy<B, F, G, R> for Nested<K>
where
    K: Family,
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
{
    type Work<A: Lanes<G::Base>> = Work<K, G, R, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        let n = size::<G, R>(at);
        let held = if n <= 4 { Held::Few(Default::default()) } else { Held::Many(Default::default()) };
        let found = Found { g: Vec::with_capacity(n), hv: Vec::with_capacity(n) };
        Work { dots: R::zero_inputs(at), held, tangents: Vec::with_capacity(n), found, entry: G::Owns::default() }
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::In::muts(&mut work.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        first: bool,
        Work { dots, held, tangents, found, entry }: &mut Self::Work<A>,
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
        R::In::each(R::In::muts(dots), &mut |a: &mut A| tangents.push(*a));
        let value = match held {
            Held::Few(held) => passes::<K::Number<G::Base, A, 4>, F, G, R, A>(f, at, held, tangents, found, 4),
            Held::Many(held) => passes::<K::Number<G::Base, A, 8>, F, G, R, A>(f, at, held, tangents, found, 8),
        };
        let (mut gs, mut hvs) = (found.g.iter(), found.hv.iter());
        R::In::each(g, &mut |g: &mut G::Base| gs.next().into_iter().for_each(|v| *g = *v));
        R::In::each(hv, &mut |hv: &mut A| hvs.next().into_iter().for_each(|v| *hv = *v));
        Ok(V::ON.then_some(value))
    }
}

/// Chunk after chunk of the inputs. Gives the value.
fn passes<S: Mixed<G::Base, A>, F: Overload<G>, G: OverSignature, R: OverCall<G>, A: Lanes<G::Base>>(
    f: &F,
    mut at: G::At<'_>,
    held: &mut G::Held<S>,
    tangents: &[A],
    found: &mut Found<G::Base, A>,
    size: usize,
) -> F::ReturnValue {
    let n = tangents.len();
    found.g.clear();
    found.hv.clear();
    let mut start = 0;
    loop {
        let on = start..n.min(start + size);
        let mut i = 0;
        R::lift(&at, held, &mut |v| {
            let mut s = S::with_tangent(v, tangents[i]);
            if on.contains(&i) {
                s.set_row(i - on.start, <G::Base as Base>::ONE);
            }
            i += 1;
            s
        });
        let y = f.over(G::over(held, &mut at));
        let mut first = None;
        F::ReturnValue::each_over(&y, &mut |s: S| first = first.or(Some(s)));
        R::each_output_over(held, &mut |s: &mut S| first = first.or(Some(*s)));
        if let Some(s) = first {
            found.g.extend((0..on.len()).map(|k| s.row(k)));
            found.hv.extend((0..on.len()).map(|k| s.row_tangent(k)));
        }
        start += size;
        if start >= n {
            R::lower_outputs(held, &mut at);
            return F::ReturnValue::lower(&y);
        }
    }
}

/// The numbers of the arguments, the derivatives of all outputs, and memory for their shape.
pub struct Curve<G: OverSignature> {
    held: G::Held<Twice<G>>,
    dots: G::Stores<G::Base>,
    derivatives: Vec<[G::Base; 2]>,
    pool: Pool<G::Base>,
}

type Once<G> = Dual<<<G as Signature>::Base as Base>::Number, 1>;
type Twice<G> = Dual<Once<G>, 1>;

impl<G: OverSignature> Recorder for Curve<G> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::ARGUMENTS, G::bytes(&self.held));
        note(names::RESULTS, sizes::shadow::<G::Base>(&self.dots) + memory_report::vector(&self.derivatives));
        note(names::WORKSPACE, self.pool.bytes());
    }
}

impl<K, B, F, G, R> CurvatureBy<B, F, G, R> for Nested<K>
where
    F: Overload<G>,
    G: OverSignature,
    R: OverCall<G>,
{
    type State = Curve<G>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        Curve { held: Default::default(), dots: R::stores(at, false), derivatives: Vec::new(), pool: Pool::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        mut at: G::At<'_>,
        Curve { held, dots, derivatives, pool }: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        R::lift(&at, held, &mut |v| Twice::<G>::variable(Once::<G>::variable(Real::from_base(v), 0), 0));
        let y = f.over(G::over(held, &mut at));
        derivatives.clear();
        let mut note = |s: Twice<G>| derivatives.push([s.partial(0).value(), s.partial(0).partial(0).value()]);
        F::ReturnValue::each_over(&y, &mut note);
        R::each_output_over(held, &mut |s: &mut Twice<G>| note(*s));
        R::lower_outputs(held, &mut at);
        let value = F::ReturnValue::lower(&y);
        let mut y_dot = value.zero::<G::Base>(pool);
        let shape =
            Shape::of(|dim| <Outputs<F, G, R>>::shape(&F::ReturnValue::muts(&mut y_dot, R::outputs(dots)), dim));
        F::ReturnValue::release(y_dot, pool);
        second.open(&value, &shape)?;
        let mut next = derivatives.iter();
        <Outputs<F, G, R>>::each(second.get(0), &mut |d| next.next().into_iter().for_each(|[_, v]| *d = *v));
        if V::ON {
            first.open(&value, &shape)?;
            let mut next = derivatives.iter();
            <Outputs<F, G, R>>::each(first.get(0), &mut |d| next.next().into_iter().for_each(|[v, _]| *d = *v));
        }
        Ok(V::ON.then_some(value))
    }
}
