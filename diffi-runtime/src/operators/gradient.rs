//! The gradient of a function whose result is one number.

use super::columns::Columns;
use super::entries::{Entries, basis};
use super::{AuxOf, HasAux, Value, With, operator, prepare_operator, shown, value, valued, variant, variants};
use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::flag::{Flag, Off, On};
use crate::number::hlist::{Flat, List};
use crate::number::linear_space::LinearSpace;
use crate::number::shape::Shape;
use crate::number::width::One;
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::strategy::{Backend, ByPulls, ByPushes, Inputs, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Number, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers;
use crate::signature::result_buffers::Buffers;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

operator! {
    #[doc = include_str!("docs/gradient.md")]
    gradient, gradient_into, value_and_gradient, value_and_gradient_into
        -> <R::In as Flat>::Tuple<G::Base>, into [Buffers<R::In, One>];
    #[doc = include_str!("docs/gradient_prepared.md")]
    prepare_gradient -> GradientPrep: GradientBackend, Gradient by GradientBy, without preparation: once;
    where F::ReturnValue: [Number<G::Base, R::Outs>], R::In: [Flat];
}

/// A strategy for gradients.
#[diagnostic::on_unimplemented(
    message = "`{B}` does not find gradients [D0702]",
    label = "no gradients from `{B}`",
    note = "of `SecondOrder(outer, inner)`, operators of first order take one: `outer`, or `inner`",
    note = "in code that is generic over the backend, bound it: `B: GradientBackend<..>`"
)]
pub trait GradientBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites `g` with the gradient. The value if `V` is on.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        g: Inputs<'_, G, R, G::Base>,
    ) -> Result<Option<F::ReturnValue>>;
    /// The gradient, where nothing was prepared. The value if `V` is on.
    #[inline]
    fn once<V: Flag, X: Args<G, R>>(b: &B, f: &F, args: X) -> Result<Owned<F::ReturnValue, G, R>>
    where
        Self: Sized,
        R::In: Flat,
    {
        anew::<Self, V, B, F, G, R, X>(b, f, args)
    }
}

/// The value, if it was asked for, and the gradient.
pub type Owned<Y, G, R> = (Option<Y>, <<R as ArgRoles<G>>::In as Flat>::Tuple<<G as Signature>::Base>);

/// A backend that finds gradients of `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds gradients [D0701]",
    label = "no gradients from `{Self}`",
    note = "`AutoForward` and `AutoReverse` differentiate annotated functions, `AutoFiniteDiff` all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait GradientBackend<F: Function<G>, G: Signature, R: ArgRoles<G>>:
    Backend<Gradient: GradientBy<Self, F, G, R>>
{
}
impl<B: Backend<Gradient: GradientBy<B, F, G, R>>, F: Function<G>, G: Signature, R: ArgRoles<G>>
    GradientBackend<F, G, R> for B
{
}

type State<B, F, G, R> = <<B as Backend>::Gradient as GradientBy<B, F, G, R>>::State;

#[inline]
pub(crate) fn owned<V: Flag, F: Function<G>, B: GradientBackend<F, G, R>, G: Signature, R: ArgRoles<G, In: Flat>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    at: G::At<'_>,
) -> Result<(Option<F::ReturnValue>, <R::In as Flat>::Tuple<G::Base>)> {
    let mut g = R::zero_inputs(&at);
    let y = B::Gradient::run::<V>(b, f, at, state, R::In::muts(&mut g));
    beside::<_, R::In, G::Base>(y, g)
}

/// The gradient beside the value. No function of the differentiated function's type, as `shown`.
#[inline]
pub fn beside<Y, L: Flat, A: LinearSpace<L::Base>>(
    y: Result<Option<Y>>,
    g: L::Stores<A>,
) -> Result<(Option<Y>, L::Tuple<A>)> {
    y.map(|y| (y, L::flat(g)))
}

#[inline]
fn into<V: Flag, F: Function<G>, B: GradientBackend<F, G, R>, G: Signature, R: ArgRoles<G>>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R>>,
    mut at: G::At<'_>,
    result: &mut impl Buffers<R::In, One>,
) -> Result<Option<F::ReturnValue>> {
    let g = result.get(0);
    if !Shape::of(|dim| R::input_shape(&at, dim)).matches(|dim| R::In::shape::<G::Base>(&g, dim)) {
        return result_buffers::unlike::<G, R, _>(G::again(&mut at), g);
    }
    B::Gradient::run::<V>(b, f, at, state, g)
}

/// A gradient where nothing was prepared: the memory, and the gradient by it.
#[inline]
pub fn anew<
    S: GradientBy<B, F, G, R>,
    V: Flag,
    B,
    F: Function<G>,
    G: Signature,
    R: ArgRoles<G, In: Flat>,
    X: Args<G, R>,
>(
    b: &B,
    f: &F,
    mut args: X,
) -> Result<Owned<F::ReturnValue, G, R>> {
    let state = &mut S::state(b, f, &mut args.at());
    let at = args.at();
    let before = before::<G, R>(&at, S::FOLLOWS_SIZES);
    let mut g = R::zero_inputs(&at);
    let y = S::run::<V>(b, f, at, state, R::In::muts(&mut g));
    let found = beside::<_, R::In, G::Base>(y, g);
    if R::RESIZES { unless_resized::<G, R, _>(before, &args.at(), F::PARAMETERS, found) } else { found }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> GradientBy<B, F, G, R> for ByPulls {
    type State = B::Work<G::Base>;

    #[inline]
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        b.work(f, at)
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, work: &mut Self::State) -> Result<()> {
        let mut g = R::zero_inputs(&at);
        Self::run::<Off>(b, f, at, work, R::In::muts(&mut g)).map(|_| ())
    }

    #[inline]
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        work: &mut Self::State,
        g: Inputs<'_, G, R, G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        b.pull::<G::Base, V>(f, at, g, work, first::<Outputs<F, G, R>, G::Base>)
    }

    #[inline]
    fn once<V: Flag, X: Args<G, R>>(b: &B, f: &F, args: X) -> Result<Owned<F::ReturnValue, G, R>>
    where
        R::In: Flat,
    {
        b.gradient::<V, X>(f, args)
    }
}

/// The seed of the first output. No closure: rustc would make it once for every function.
#[inline]
pub fn first<L: List, A: Lanes<L::Base>>(y_bar: L::Muts<'_, A>) -> Result<()> {
    basis::<L, A>(y_bar, 0..1);
    Ok(())
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>> GradientBy<B, F, G, R> for ByPushes {
    type State = (Columns<B, F, G, R>, FirstRow<G::Base>);

    #[inline]
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        (Columns::new(b, f, at), FirstRow(Vec::new()))
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, (columns, row): &mut Self::State) -> Result<()> {
        row.0.reserve(columns.n());
        columns.warm(b, f, at).map(|_| ())
    }

    #[inline]
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        (columns, row): &mut Self::State,
        mut g: Inputs<'_, G, R, G::Base>,
    ) -> Result<Option<F::ReturnValue>> {
        row.0.clear();
        let mut first = match R::In::side_by_side_mut(&mut g) {
            Some(g) => First { found: Found::There(g), any: false },
            None => First { found: Found::Apart(&mut row.0), any: false },
        };
        let y = columns.run::<V>(b, f, at, &mut first)?;
        if !first.any && columns.n() > 0 {
            return Err(Error::NoValue);
        }
        if matches!(first.found, Found::Apart(_)) {
            let mut row = row.0.iter();
            R::In::each(g, &mut |g: &mut G::Base| row.next().into_iter().for_each(|v| *g = *v));
        }
        Ok(y)
    }
}

/// Memory for the derivatives of the first output.
#[derive(Clone, Debug)]
pub struct FirstRow<F>(Vec<F>);

impl<F> Recorder for FirstRow<F> {
    fn kept(&self, note: &mut Note<'_>) {
        note(names::RESULTS, memory_report::vector(&self.0));
    }
}

/// Receives the derivatives of the first output.
struct First<'g, F> {
    found: Found<'g, F>,
    /// Whether there were any.
    any: bool,
}

enum Found<'g, F> {
    /// Where the gradient is to be.
    There(&'g mut [F]),
    /// One after the other, as the gradient's numbers do not stand side by side.
    Apart(&'g mut Vec<F>),
}

impl<L: List> Entries<L> for First<'_, L::Base> {
    #[inline]
    fn open<A: Lanes<L::Base>>(&mut self, _: L::Muts<'_, A>) -> Result<()> {
        Ok(())
    }
    #[inline]
    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        if row == 0 {
            self.any = true;
            match &mut self.found {
                Found::There(g) => g[column] = value,
                Found::Apart(row) => row.push(value),
            }
        }
    }
}
