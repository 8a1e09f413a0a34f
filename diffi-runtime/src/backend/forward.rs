//! `AutoForward`: generated tangent code.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::operators::entries::count;
use crate::operators::push::Push;
use crate::operators::strategy::{BatchSize, Inputs, Outputs, Pass, Results};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{DerivativeCode, ReturnValue};
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::Lasting;
use std::fmt;

/// Generated tangent code, with several tangents a pass.
///
/// Second derivatives are found by the tangents of adjoint code: there is no tangent code of tangent code.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoForward {
    pub(crate) batch: BatchSize,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoForward: AutoForward = AutoForward { batch: BatchSize::AUTO };

impl AutoForward {
    /// How many tangents go through a function at once, from 1 to 8. By default all, if they are at most eight, and otherwise nearly as
    /// many in each pass.
    ///
    /// # Panics
    ///
    /// If the size is 0 or more than 8.
    pub const fn batch_size(self, size: usize) -> Self {
        AutoForward { batch: BatchSize::fixed(size) }
    }
}

impl fmt::Debug for AutoForward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.batch.show("AutoForward", f)
    }
}

/// The tangents of all parameters, and the memory of the code.
#[derive(Clone, Debug)]
pub struct Work<F: Base, A: LinearSpace<F>, S> {
    dots: S,
    ws: Lasting<F, A>,
}

impl<F: Base, A: LinearSpace<F>, S: Tangent<A>> Recorder for Work<F, A, S> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::SEEDS, sizes::shadow::<A>(&self.dots));
        note(names::WORKSPACE, self.ws.bytes());
    }
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Push<F, G, R> for AutoForward {
    type Work<A: Lanes<G::Base>> = Work<G::Base, A, G::Stores<A>>;
    const KEEPS_TANGENTS: bool = true;
    const FOLLOWS_SIZES: bool = true;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        Work { dots: R::stores(at, true), ws: Lasting::new() }
    }

    fn warm<A: Lanes<G::Base>>(&self, f: &F, at: G::At<'_>, Work { dots, ws }: &mut Self::Work<A>) -> usize {
        let (_, mut y_dot) = ws.run(|ws| f.push::<A, R>(at, G::dots(dots), ws));
        let outputs = count::<Outputs<F, G, R>, A>(F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
        F::ReturnValue::release(y_dot, &mut ws.shadows);
        outputs
    }

    #[inline]
    fn tangents<'w, A: Lanes<G::Base>>(&self, at: &G::At<'_>, work: &'w mut Self::Work<A>) -> Inputs<'w, G, R, A> {
        if R::RESIZES {
            R::fit(at, &mut work.dots); // the last pass may have left more of them, or less
        }
        R::inputs(&mut work.dots)
    }

    #[inline]
    fn push<A: Lanes<G::Base>, T>(
        &self,
        f: &F,
        at: G::At<'_>,
        _: Pass,
        Work { dots, ws }: &mut Self::Work<A>,
        take: impl FnOnce(&F::ReturnValue, Results<'_, F, G, R, A>) -> Result<T>,
    ) -> Result<(Option<F::ReturnValue>, T)> {
        R::clear_dots(dots);
        let (y, mut y_dot) = ws.run(|ws| f.push::<A, R>(at, G::dots(dots), ws));
        let taken = take(&y, F::ReturnValue::muts(&mut y_dot, R::outputs(dots)));
        F::ReturnValue::release(y_dot, &mut ws.shadows);
        Ok((Some(y), taken?))
    }
}
