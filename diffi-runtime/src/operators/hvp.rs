//! The product of the Hessian with tangents.

use super::entries::size;
use super::{AuxOf, HasAux, With, prepare_operator, variant, variants, with};
use crate::error::Result;
use crate::number::flag::{Flag, On};
use crate::number::hlist::{Flat, List};
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::{BatchWidth, One};
use crate::operators::preparation::{Prepared, Working, before, fits, prepared, unfit, unless_resized};
use crate::operators::second_order::SecondBy;
use crate::operators::strategy::{Backend, Inputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::arguments::Args;
use crate::signature::function::{Function, Number, Shown};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::{Buffers, Owned};
use crate::signature::seeds::Seeds;
use crate::signature::{result_buffers, seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

variants! {
    {
        #[doc = include_str!("docs/hvp_prepared.md")]
        prepare_hvp -> HvpPrep: HvpBackend, Second by HvpBy;
        where F::ReturnValue: [Number<G::Base, R::Outs>], R::In: [Flat];
        seeds v: [Seeds<R::In, W>] of W;
    }

    #[doc = include_str!("docs/hvp.md")]
    fn hvp() -> With<W::Of<<R::In as Flat>::Tuple<G::Base>>, F, G> =
        |parts, at| owned::<HasAux<F, G>, F, B, G, R, W>(parts, at, &v).map(|(y, _, hv)| with(y, hv));

    /// [`hvp`] into a buffer of the caller: `hvp_into(f, backend, &mut result, args, v)`.
    ///
    /// # Errors
    ///
    /// Those of [`hvp`], and [`BufferMismatch`](crate::error::Error::BufferMismatch) if a buffer has another size.
    fn hvp_into(result: Y [Buffers<R::In, W>]) -> AuxOf<F, G> =
        |parts, at| only::<F, B, G, R, W>(parts, at, &v, &mut result).map(F::ReturnValue::aux);

    /// The gradient and the [`hvp`]: `gradient_and_hvp(f, backend, args, v)`.
    ///
    /// # Errors
    ///
    /// Those of [`hvp`].
    fn gradient_and_hvp() -> With<(<R::In as Flat>::Tuple<G::Base>, W::Of<<R::In as Flat>::Tuple<G::Base>>), F, G> =
        |parts, at| owned::<On, F, B, G, R, W>(parts, at, &v).map(|(y, g, hv)| with(y, (g, hv)));

    /// The gradient and the [`hvp`] into buffers of the caller:
    /// `gradient_and_hvp_into(f, backend, &mut gradient, &mut result, args, v)`.
    ///
    /// # Errors
    ///
    /// Those of [`hvp_into`].
    fn gradient_and_hvp_into(gradient: Z [Buffers<R::In, One>], result: Y [Buffers<R::In, W>]) -> AuxOf<F, G> =
        |parts, at| both::<F, B, G, R, W>(parts, at, &v, &mut gradient, &mut result).map(F::ReturnValue::aux);
}

/// A strategy for products with Hessians, made from one for passes.
pub trait HvpBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    /// Whether it is right for functions that make a `Vec` behind a parameter longer or shorter.
    const FOLLOWS_SIZES: bool = false;
    /// What is kept between calls.
    type State: Recorder;
    /// Memory for arguments of these sizes.
    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State;
    /// Calls the function once, so that later calls need no more memory.
    fn warm(b: &B, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()>;
    /// Overwrites `hv`, of the right sizes, with the products, and `g` with the gradient. If `V` is off, that and the value are not
    /// wanted. `g` may be left out.
    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        v: &impl Seeds<R::In, W>,
        g: Option<Inputs<'_, G, R, G::Base>>,
        hv: &mut impl Buffers<R::In, W>,
    ) -> Result<Option<F::ReturnValue>>;
}

/// A backend that multiplies with Hessians of `F`: the bound for code that is generic over the backend.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a backend that finds second derivatives [D0701]",
    label = "no second derivatives from `{Self}`",
    note = "`AutoReverse` and `SecondOrder(AutoForward, AutoReverse)` find those of annotated functions, `AutoFiniteDiff` of all",
    note = "`NoAutoDiff` stands where a backend is still to be chosen"
)]
pub trait HvpBackend<F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth = One>:
    Backend<Second: HvpBy<Self, F, G, R, W>>
{
}
impl<B: Backend<Second: HvpBy<B, F, G, R, W>>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth>
    HvpBackend<F, G, R, W> for B
{
}

type State<B, F, G, R, W> = <<B as Backend>::Second as HvpBy<B, F, G, R, W>>::State;
type Tuple<G, R> = <<R as ArgRoles<G>>::In as Flat>::Tuple<<G as Signature>::Base>;

pub(super) fn owned<
    V: Flag,
    F: Function<G>,
    B: HvpBackend<F, G, R, W>,
    G: Signature,
    R: ArgRoles<G, In: Flat>,
    W: BatchWidth,
>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    v: &impl Seeds<R::In, W>,
) -> Result<(Option<F::ReturnValue>, Tuple<G, R>, W::Of<Tuple<G, R>>)> {
    let mut g = R::zero_inputs(&at);
    let mut hv = Owned::<R::In, W>(W::make(|| R::zero_inputs(&at)));
    let y = B::Second::run::<V>(b, f, at, state, v, Some(R::In::muts(&mut g)), &mut hv)?;
    Ok((y, R::In::flat(g), W::map(hv.0, R::In::flat)))
}

#[inline]
pub(super) fn only<F: Function<G>, B: HvpBackend<F, G, R, W>, G: Signature, R: ArgRoles<G>, W: BatchWidth>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    v: &impl Seeds<R::In, W>,
    result: &mut impl Buffers<R::In, W>,
) -> Result<Option<F::ReturnValue>> {
    result_buffers::check(result, &Shape::of(|dim| R::input_shape(&at, dim)))?;
    B::Second::run::<HasAux<F, G>>(b, f, at, state, v, None, result)
}

#[inline]
fn both<F: Function<G>, B: HvpBackend<F, G, R, W>, G: Signature, R: ArgRoles<G>, W: BatchWidth>(
    (f, b, state): Working<'_, F, B, State<B, F, G, R, W>>,
    at: G::At<'_>,
    v: &impl Seeds<R::In, W>,
    gradient: &mut impl Buffers<R::In, One>,
    result: &mut impl Buffers<R::In, W>,
) -> Result<Option<F::ReturnValue>> {
    let shape = Shape::of(|dim| R::input_shape(&at, dim));
    result_buffers::check(gradient, &shape)?;
    result_buffers::check(result, &shape)?;
    B::Second::run::<On>(b, f, at, state, v, Some(gradient.get(0)), result)
}

/// The memory of a pass, of a gradient and of products that nobody asked for or that come several at once, and of numbers.
pub struct Memory<S, L: List, W: BatchWidth> {
    work: S,
    g: L::Stores<L::Base>,
    hv: L::Stores<W::Space<L::Base>>,
    numbers: Vec<L::Base>,
}

impl<S: Recorder, L: List, W: BatchWidth> Recorder for Memory<S, L, W> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<L::Base>(&self.g) + sizes::shadow::<W::Space<L::Base>>(&self.hv));
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HvpBy<B, F, G, R, W>
    for S
{
    type State = Memory<S::Work<W::Space<G::Base>>, R::In, W>;

    fn state(b: &B, f: &F, at: &mut G::At<'_>) -> Self::State {
        Memory { work: S::work(b, f, at), g: R::zero_inputs(at), hv: R::zero_inputs(at), numbers: Vec::new() }
    }

    fn warm(b: &B, f: &F, at: G::At<'_>, Memory { work, g, hv, numbers }: &mut Self::State) -> Result<()> {
        numbers.reserve(size::<G, R>(&at));
        S::hvp::<_, On>(b, f, at, true, work, R::In::muts(g), R::In::muts(hv)).map(|_| ())
    }

    fn run<V: Flag>(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Memory { work, g: own_g, hv: own_hv, numbers }: &mut Self::State,
        v: &impl Seeds<R::In, W>,
        mut g: Option<Inputs<'_, G, R, G::Base>>,
        hv: &mut impl Buffers<R::In, W>,
    ) -> Result<Option<F::ReturnValue>> {
        seeds::check(v, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        seeds::load(v, S::tangents(work), numbers);
        let g = match &mut g {
            Some(g) => R::In::again(g),
            None => R::In::muts(own_g),
        };
        let y = S::hvp::<_, V>(b, f, at, true, work, g, R::In::muts(own_hv))?;
        result_buffers::store(R::In::muts(own_hv), hv, numbers);
        Ok(y)
    }
}
