//! `AutoZero`: calls the function, and says that every derivative is zero.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, On};
use crate::number::hlist::List;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::number::width::One;
use crate::operators::entries::count;
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::pushforward::{Made, Target};
use crate::operators::second_order::{CurvatureBy, SecondBy};
use crate::operators::strategy::{Inputs, Outputs, Pass, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{Function, ReturnValue};
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Pool;

/// Calls the function once a pass, and gives zeros of the right shapes: for tests, and to measure what operators cost by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoZero;

/// Strategy: zeros.
#[derive(Clone, Copy, Debug)]
pub struct Zeros;

/// The tangents that nobody looks at, and memory for the results'.
#[derive(Clone, Debug)]
pub struct Work<S, A> {
    dots: S,
    pool: Pool<A>,
}

impl<S: Tangent<A>, A> Recorder for Work<S, A> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, sizes::shadow::<A>(&self.dots));
        note(names::WORKSPACE, self.pool.bytes());
    }
}

type WorkOf<G, A> = Work<<G as Signature>::Stores<A>, A>;

fn work<G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(at: &G::At<'_>) -> WorkOf<G, A> {
    Work { dots: R::stores(at, true), pool: Pool::new() }
}

fn clear<L: List, A: Lanes<L::Base>>(shadows: L::Muts<'_, A>) {
    L::each(shadows, &mut |a| Tangent::clear(a));
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> Push<F, G, R> for AutoZero {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        work::<G, R, A>(at)
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        let y_dot = f.call(at).zero(&mut work.pool);
        results::<F, G, R, A, _>(y_dot, work, count::<Outputs<F, G, R>, A>)
    }

    fn tangents<'w, A: Lanes<G::Base>>(&self, _: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        R::inputs(&mut work.dots)
    }

    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        _: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::ReturnValue>, T)> {
        let y = f.call(at);
        let y_dot = y.zero(&mut work.pool);
        let taken = results::<F, G, R, A, _>(y_dot, work, |dots| take(&y, dots));
        Ok((Some(y), taken?))
    }
}

/// Hands on zeros for all outputs.
fn results<F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>, T>(
    mut y: <F::ReturnValue as ReturnValue<G::Base>>::Tangent<A>,
    work: &mut WorkOf<G, A>,
    take: impl FnOnce(Results<'_, F, G, R, A>) -> T,
) -> T {
    clear::<Outputs<F, G, R>, A>(F::ReturnValue::muts(&mut y, R::outputs(&mut work.dots)));
    let taken = take(F::ReturnValue::muts(&mut y, R::outputs(&mut work.dots)));
    F::ReturnValue::release(y, &mut work.pool);
    taken
}

impl<F: Function<G>, G: Signature, R: ArgRoles<G>> Pull<F, G, R> for AutoZero {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        work::<G, R, A>(at)
    }

    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        at: G::At<'_>,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        let y = f.call(at);
        pulled::<F, G, R, A>(&y, x_bar, work, seed)?;
        Ok(Some(y))
    }

    fn hold<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, _: &mut Self::Work<A>) -> F::ReturnValue {
        f.call(at)
    }

    fn release<A: Lanes<G::Base>>(
        &self,
        _: &F,
        _: G::At<'_>,
        y: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        pulled::<F, G, R, A>(y, x_bar, work, seed)
    }
}

/// Zeros for all inputs, whatever the seed is.
fn pulled<F: Function<G>, G: Signature, R: ArgRoles<G>, A: Lanes<G::Base>>(
    y: &F::ReturnValue,
    x_bar: Inputs<'_, G, R, A>,
    work: &mut WorkOf<G, A>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    let y_bar = y.zero(&mut work.pool);
    results::<F, G, R, A, _>(y_bar, work, seed)?;
    clear::<R::In, A>(x_bar);
    Ok(())
}

impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> SecondBy<B, F, G, R> for Zeros {
    type Work<A: Lanes<G::Base>> = WorkOf<G, A>;

    fn work<A: Lanes<G::Base>>(_: &B, _: &F, at: &mut G::At<'_>) -> Self::Work<A> {
        work::<G, R, A>(at)
    }

    fn tangents<A: Lanes<G::Base>>(work: &mut Self::Work<A>) -> Inputs<'_, G, R, A> {
        R::inputs(&mut work.dots)
    }

    fn hvp<A: Lanes<G::Base>, V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        first: bool,
        _: &mut Self::Work<A>,
        g: Inputs<'_, G, R, G::Base>,
        hv: Inputs<'_, G, R, A>,
    ) -> Result<Option<F::ReturnValue>> {
        clear::<R::In, G::Base>(g);
        clear::<R::In, A>(hv);
        Ok(first.then(|| f.call(at)))
    }
}

impl<B, F: Function<G>, G: Signature, R: ArgRoles<G>> CurvatureBy<B, F, G, R> for Zeros {
    type State = WorkOf<G, G::Base>;

    fn state(_: &B, _: &F, at: &mut G::At<'_>) -> Self::State {
        work::<G, R, G::Base>(at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        let (mut first, mut second) = (Made::new(&at), Made::new(&at));
        <Self as CurvatureBy<B, F, G, R>>::run::<On>(b, f, at, state, &mut first, &mut second).map(|_| ())
    }

    fn run<V: Flag>(
        _: &B,
        f: &F,
        at: G::At<'_>,
        work: &mut Self::State,
        first: &mut impl Target<F, G, R, One>,
        second: &mut impl Target<F, G, R, One>,
    ) -> Result<Option<F::ReturnValue>> {
        let y = f.call(at);
        let zero = y.zero(&mut work.pool);
        results::<F, G, R, G::Base, _>(zero, work, |dots| {
            let shape = Shape::of(|dim| <Outputs<F, G, R>>::shape(&dots, dim));
            second.open(&y, &shape)?;
            clear::<Outputs<F, G, R>, G::Base>(second.get(0));
            if V::ON {
                first.open(&y, &shape)?;
                clear::<Outputs<F, G, R>, G::Base>(first.get(0));
            }
            Ok(())
        })?;
        Ok(Some(y))
    }
}
