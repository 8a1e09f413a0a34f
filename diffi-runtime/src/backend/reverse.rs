//! `AutoReverse`: generated adjoint code.

use super::{ByPulls, Inputs, Pull, Results, backend};
use crate::error::Result;
use crate::function::{Ret, Source};
use crate::kinds::Sig;
use crate::lanes::Lanes;
use crate::list::List;
use crate::roles::{Call, Fresh};
use crate::second_order::Generated;
use crate::slots::Flag;
use crate::workspace::Workspace;

/// Generated adjoint code, with several cotangents a pass.
///
/// Second derivatives are found by the tangents of adjoint code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AutoReverse;

backend!(AutoReverse, Reverse: ByPulls, Generated);

/// The adjoints of what is no input, the outputs' values, and the memory of the code.
#[derive(Clone, Debug)]
pub struct Work<F, A, S, O> {
    bars: S,
    values: O,
    ws: Workspace<F, A>,
}

impl<F: Source<G>, G: Sig, R: Call<G>> Pull<F, G, R> for AutoReverse {
    type Work<A: Lanes<G::Base>> = Work<G::Base, A, G::Stores<A>, G::Owns>;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work { bars: R::stores(at, false), values: G::Owns::default(), ws: Workspace::new() }
    }

    #[inline]
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        mut at: G::At<'_>,
        mut x_bar: Inputs<'_, G, R, A>,
        Work { bars, values, ws }: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::Ret>> {
        let x_bar = R::In::again(&mut x_bar);
        ws.reset();
        R::clear(bars);
        if F::Ret::FIXED && !R::OUTPUTS {
            let mut y_bar = F::Ret::empty();
            seed(F::Ret::muts(&mut y_bar, R::outputs(bars)))?;
            return Ok(f.pull::<A, Fresh<R>, V>(at, R::bars(x_bar, bars), &mut y_bar, ws));
        }
        let y = f.forward::<A, Fresh<R>>(G::again(&mut at), ws);
        R::save_outputs(&at, values);
        let mut y_bar = y.zero(&mut ws.shadows);
        let seeded = seed(F::Ret::muts(&mut y_bar, R::outputs(bars)));
        if seeded.is_ok() {
            f.reverse::<A, Fresh<R>>(G::again(&mut at), R::bars(x_bar, bars), &mut y_bar, ws);
            R::restore_outputs(&mut at, values);
        }
        F::Ret::release(y_bar, &mut ws.shadows);
        seeded.map(|()| Some(y))
    }
}
