//! `AutoDual`: dual numbers, by operator overloading.

use super::{BatchSize, Inputs, Outputs, Pass, Push, Results};
use crate::error::Result;
use crate::function::Ret;
use crate::kinds::Sig;
use crate::lanes::Lanes;
use crate::list::List;
use crate::overload::{LiftedRet, OverCall, OverSig, Overload};
use crate::roles::Call;
use crate::tape::Recorder;
use crate::workspace::Pool;
use std::fmt;

/// Dual numbers: the function is evaluated on numbers that carry their derivatives in several directions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoDual {
    pub(super) batch: BatchSize,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoDual: AutoDual = AutoDual { batch: BatchSize::AUTO };

impl AutoDual {
    /// How many directions a number carries, from 1 to 8. By default all, if they are at most eight, and otherwise nearly as many in
    /// each pass.
    ///
    /// # Panics
    ///
    /// If the size is 0 or more than 8.
    pub const fn chunk_size(self, size: usize) -> Self {
        AutoDual { batch: BatchSize::fixed(size) }
    }
}

impl fmt::Debug for AutoDual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.batch.show("AutoDual", f)
    }
}

/// The tangents of all parameters, dual numbers for them, and the value and the tangents of the result.
#[derive(Clone, Debug)]
pub struct Work<A, S, H, Y> {
    dots: S,
    held: H,
    tangents: Vec<A>,
    pool: Pool<A>,
    value: Option<Y>,
}

impl<A, S, H, Y> Recorder for Work<A, S, H, Y> {}

type WorkOf<F, G, A> = Work<
    A,
    <G as Sig>::Stores<A>,
    <G as OverSig>::Held<<A as Lanes<<G as Sig>::Base>>::Dual>,
    <F as crate::function::Func<G>>::Ret,
>;

impl<F: Overload<G>, G: OverSig, R: OverCall<G>> Push<F, G, R> for AutoDual {
    type Work<A: Lanes<G::Base>> = WorkOf<F, G, A>;

    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work {
            dots: R::stores(at, true),
            held: Default::default(),
            tangents: Vec::new(),
            pool: Pool::new(),
            value: None,
        }
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, work: &mut Self::Work<A>) -> usize {
        let evaluated = evaluate::<F, G, R, A>(f, at, work);
        F::Ret::release(evaluated, &mut work.pool);
        work.tangents.len()
    }

    #[inline]
    fn tangents<'w, A: Lanes<G::Base>>(&self, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        R::inputs(&mut work.dots)
    }

    #[inline]
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        pass: Pass,
        work: &mut Self::Work<A>,
        take: impl FnOnce(&F::Ret, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::Ret>, T)> {
        let mut y_dot = evaluate::<F, G, R, A>(f, at, work);
        let Work { dots, tangents, pool, value, .. } = work;
        let mut next = tangents.iter();
        <Outputs<F, G, R>>::each(F::Ret::muts(&mut y_dot, R::outputs(dots)), &mut |a| {
            next.next().into_iter().for_each(|tangent| *a = *tangent);
        });
        let taken =
            take(value.as_ref().expect("the function was evaluated"), F::Ret::muts(&mut y_dot, R::outputs(dots)));
        F::Ret::release(y_dot, pool);
        Ok((if pass.first && pass.value { value.clone() } else { None }, taken?))
    }
}

/// Evaluates the function. Leaves the value, and in `tangents` those of all outputs; gives memory for the tangents of the result.
#[inline]
fn evaluate<F: Overload<G>, G: OverSig, R: OverCall<G>, A: Lanes<G::Base>>(
    f: &F,
    mut at: G::At<'_>,
    Work { dots, held, tangents, pool, value }: &mut WorkOf<F, G, A>,
) -> <F::Ret as Ret<G::Base>>::Tangent<A> {
    tangents.clear();
    <<R as Call<G>>::In as List>::each(R::inputs(dots), &mut |a: &mut A| tangents.push(*a));
    let mut seeds = tangents.iter();
    R::lift(&at, held, &mut |v| A::dual(v, *seeds.next().expect("a tangent for every input")));
    let y = f.over(G::over(held, &mut at));
    tangents.clear();
    F::Ret::each_over(&y, &mut |s| tangents.push(A::tangent(s)));
    R::each_output_over(held, &mut |s| tangents.push(A::tangent(*s)));
    R::lower_outputs(held, &mut at);
    match value {
        Some(value) => F::Ret::lower_into(&y, value),
        None => *value = Some(F::Ret::lower(&y)),
    }
    value.as_ref().expect("the function was evaluated").zero(pool)
}
