//! `AutoReverse`: generated adjoint code.

use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::Flag;
use crate::number::float::Base;
use crate::number::hlist::{Flat, List};
use crate::number::linear_space::LinearSpace;
use crate::number::sizes;
use crate::number::tangent::Tangent;
use crate::operators::gradient::{Owned, anew, first};
use crate::operators::pull::Pull;
use crate::operators::strategy::{BatchSize, ByPulls, Inputs, Results};
use crate::signature::arg_roles::{ActivityMask, ArgRoles, Fresh};
use crate::signature::arguments::Args;
use crate::signature::copies::Copies;
use crate::signature::function::{DerivativeCode, ReturnValue, Tan};
use crate::signature::param_kinds::Signature;
use crate::signature::sweeps::{Both, Reverse};
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use crate::stack::workspace::{Lasting, Unfinished, Workspace};
use std::fmt;
use std::marker::PhantomData;

/// Generated adjoint code, with several cotangents a pass.
///
/// Second derivatives are found by the tangents of adjoint code.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AutoReverse {
    pub(crate) batch: BatchSize,
}

/// The backend with its defaults.
#[expect(non_upper_case_globals, reason = "the value is named like its type, as a unit struct's is")]
pub const AutoReverse: AutoReverse = AutoReverse { batch: BatchSize::AUTO };

impl AutoReverse {
    /// How many cotangents, or tangents in second order, go through a function at once, from 1 to 8. By default all, if they are at most eight, and otherwise nearly as
    /// many in each pass.
    ///
    /// # Panics
    ///
    /// If the size is 0 or more than 8.
    pub const fn batch_size(self, size: usize) -> Self {
        AutoReverse { batch: BatchSize::fixed(size) }
    }
}

impl fmt::Debug for AutoReverse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.batch.show("AutoReverse", f)
    }
}

/// The adjoints of what is no input, the outputs' values, the memory of the code, and a copy of it between the sweeps, where there is
/// something between them.
#[derive(Clone, Debug)]
pub struct Work<F: Base, A: LinearSpace<F>, S, O> {
    bars: S,
    values: O,
    ws: Lasting<F, A>,
    held: Option<Workspace<F, A>>,
}

impl<F: Base, A: LinearSpace<F>, S: Tangent<A>, O: Copies> Recorder for Work<F, A, S, O> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::COTANGENTS, sizes::shadow::<A>(&self.bars));
        note(names::ARGUMENTS, self.values.bytes());
        self.ws.kept(note);
        if let Some(held) = &self.held {
            held.kept(note);
        }
    }
    fn tape_bytes(&self) -> usize {
        self.ws.tape_bytes() + self.held.as_ref().map_or(0, Recorder::tape_bytes)
    }
}

/// As [`begun`], no function of the differentiated function's type.
#[inline]
fn memory<A: Lanes<G::Base>, G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> Work<G::Base, A, G::Stores<A>, G::Owns> {
    Work { bars: R::stores(at, false), values: G::Owns::default(), ws: Lasting::new(), held: None }
}

/// What a pass takes besides the cotangent of the result: the adjoints of the parameters, and the workspace.
type Begun<'w, A, G> = (<G as Signature>::Bars<'w, A>, Unfinished<'w, <G as Signature>::Base, A>);

/// Begins a pass of a function whose result has a shape that its type alone fixes. The cotangent stays where it is written: it would be
/// read as a vector soon after its numbers were. The differentiated function's type is none of this
/// one's: rustc makes it once for all functions of a signature.
#[inline]
fn begun<'w, A: Lanes<G::Base>, Y: ReturnValue<G::Base>, G: Signature, R: ArgRoles<G>>(
    x_bar: &'w mut <R::In as List>::Muts<'_, A>,
    Work { bars, ws, .. }: &'w mut Work<G::Base, A, G::Stores<A>, G::Owns>,
    y_bar: &mut Y::Tangent<A>,
    seed: impl FnOnce(<Y::Onto<R::Outs> as List>::Muts<'_, A>) -> Result<()>,
) -> Result<Begun<'w, A, G>> {
    R::clear(bars);
    seed(Y::muts(y_bar, R::outputs(bars)))?;
    Ok((R::bars(R::In::again(x_bar), bars), ws.begin()))
}

/// Both sweeps of a function. Debug builds call them by a pointer: what stands around them has no type of the function's then, and is
/// made once for all functions of a signature.
trait Sweep<Y: ReturnValue<G::Base>, G: Signature> {
    fn sweep(
        &self,
        at: G::At<'_>,
        bars: G::Bars<'_, G::Base>,
        y_bar: &mut Y::Tangent<G::Base>,
        ws: &mut Workspace<G::Base, G::Base>,
    ) -> Option<Y>;
}

/// The generated ones, by a mask; with the value if `V` is on.
struct Swept<'f, F, M, V>(&'f F, PhantomData<(M, V)>);

impl<F: DerivativeCode<G>, G: Signature, M: ActivityMask, V: Flag> Sweep<F::ReturnValue, G> for Swept<'_, F, M, V> {
    #[inline]
    fn sweep(
        &self,
        at: G::At<'_>,
        bars: G::Bars<'_, G::Base>,
        y_bar: &mut Tan<F::ReturnValue, G::Base, G::Base>,
        ws: &mut Workspace<G::Base, G::Base>,
    ) -> Option<F::ReturnValue> {
        self.0.pull::<G::Base, M, Both<V>>(at, bars, y_bar, ws)
    }
}

/// The gradient of a function whose result has a shape that its type alone fixes.
#[inline]
fn gradient<Y: ReturnValue<G::Base>, G: Signature, R: ArgRoles<G, In: Flat>, X: Args<G, R>>(
    code: &(impl Sweep<Y, G> + ?Sized),
    mut args: X,
) -> Result<Owned<Y, G, R>> {
    let mut work = memory::<G::Base, G, R>(&args.at());
    let at = args.at();
    let mut g = R::zero_inputs(&at);
    let y = {
        let mut x_bar = R::In::muts(&mut g);
        let seed = first::<Y::Onto<R::Outs>, G::Base>;
        let mut y_bar = Y::empty();
        let (bars, unfinished) = begun::<G::Base, Y, G, R>(&mut x_bar, &mut work, &mut y_bar, seed)?;
        let y = code.sweep(at, bars, &mut y_bar, unfinished.0);
        unfinished.end();
        y
    };
    Ok((y, R::In::flat(g)))
}

impl<F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>> Pull<F, G, R> for AutoReverse {
    type Work<A: Lanes<G::Base>> = Work<G::Base, A, G::Stores<A>, G::Owns>;
    const FOLLOWS_SIZES: bool = true;

    #[inline]
    fn work<A: Lanes<G::Base>>(&self, _: &F, at: &G::At<'_>) -> Self::Work<A> {
        memory::<A, G, R>(at)
    }

    #[inline]
    fn pull<A: Lanes<G::Base>, V: Flag>(
        &self,
        f: &F,
        mut at: G::At<'_>,
        mut x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<Option<F::ReturnValue>> {
        if F::ReturnValue::FIXED && !R::OUTPUTS {
            // without `?`, of which rustc would make two more calls for every function
            let mut y_bar = F::ReturnValue::empty();
            return match begun::<A, F::ReturnValue, G, R>(&mut x_bar, work, &mut y_bar, seed) {
                Ok((bars, unfinished)) => {
                    let y = f.pull::<A, Fresh<R>, Both<V>>(at, bars, &mut y_bar, unfinished.0);
                    unfinished.end();
                    Ok(y)
                }
                Err(error) => Err(error),
            };
        }
        let Work { bars, values, ws, .. } = work;
        ws.run(|ws| {
            let y = f.forward::<A, Fresh<R>>(G::again(&mut at), ws);
            reverse::<A, F, G, R>(f, at, &y, x_bar, (bars, values, ws), seed)?;
            Ok(Some(y))
        })
    }

    #[inline]
    fn gradient<V: Flag, X: Args<G, R>>(&self, f: &F, args: X) -> Result<Owned<F::ReturnValue, G, R>>
    where
        R::In: Flat,
    {
        if F::ReturnValue::FIXED && !R::OUTPUTS {
            let code = &Swept::<F, Fresh<R>, V>(f, PhantomData);
            #[cfg(debug_assertions)]
            let code: &dyn Sweep<F::ReturnValue, G> = code;
            return gradient::<F::ReturnValue, G, R, X>(code, args);
        }
        anew::<ByPulls, V, Self, F, G, R, X>(self, f, args)
    }

    fn hold<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        Work { ws, held, .. }: &mut Self::Work<A>,
    ) -> F::ReturnValue {
        ws.run(|ws| {
            let y = f.forward::<A, Fresh<R>>(at, ws);
            held.get_or_insert_default().restore(ws);
            ws.reset();
            y
        })
    }

    #[inline]
    fn release<A: Lanes<G::Base>>(
        &self,
        f: &F,
        at: G::At<'_>,
        y: &F::ReturnValue,
        x_bar: Inputs<'_, G, R, A>,
        work: &mut Self::Work<A>,
        seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
    ) -> Result<()> {
        let Work { bars, values, ws, held } = work;
        ws.run(|ws| {
            ws.restore(held.as_ref().expect("the first sweep has left a copy"));
            reverse::<A, F, G, R>(f, at, y, x_bar, (bars, values, ws), seed)
        })
    }
}

/// What the second sweep works with.
type Memory<'w, A, G> =
    (&'w mut <G as Signature>::Stores<A>, &'w mut <G as Signature>::Owns, &'w mut Workspace<<G as Signature>::Base, A>);

/// The second sweep. The outputs among the parameters keep their values.
#[inline]
fn reverse<A: Lanes<G::Base>, F: DerivativeCode<G>, G: Signature, R: ArgRoles<G>>(
    f: &F,
    mut at: G::At<'_>,
    y: &F::ReturnValue,
    mut x_bar: Inputs<'_, G, R, A>,
    (bars, values, ws): Memory<'_, A, G>,
    seed: impl FnOnce(Results<'_, F, G, R, A>) -> Result<()>,
) -> Result<()> {
    if y.is_absent() {
        ws.reset();
        return Err(Error::NoValue);
    }
    R::fit(&at, bars);
    R::clear(bars);
    let mut y_bar = y.zero(&mut ws.shadows);
    let seeded = seed(F::ReturnValue::muts(&mut y_bar, R::outputs(bars)));
    if seeded.is_err() {
        ws.reset();
    } else {
        R::save_outputs(&at, values);
        f.pull::<A, Fresh<R>, Reverse>(G::again(&mut at), R::bars(R::In::again(&mut x_bar), bars), &mut y_bar, ws);
        R::restore_outputs(&mut at, values);
    }
    F::ReturnValue::release(y_bar, &mut ws.shadows);
    seeded
}
