//! Products with the Hessian at one point: the value and the gradient are kept.

use crate::error::Result;
use crate::number::flag::{Off, On};
use crate::number::hlist::List;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::BatchWidth;
use crate::operators::asked;
use crate::operators::second_order::SecondBy;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::signature::seeds::Seeds;
use crate::signature::{result_buffers, seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// A strategy for products with the Hessian at one point.
pub trait HeldHvpBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    /// What does not depend on the seed.
    type State: Recorder;
    /// Finds what does not depend on the seed, and the value.
    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)>;
    /// The gradient.
    fn gradient(state: &Self::State) -> <R::In as List>::Stores<G::Base>;
    /// Overwrites `hv`, of the right sizes, with the products.
    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        v: &impl Seeds<R::In, W>,
        hv: &mut impl Buffers<R::In, W>,
    ) -> Result<()>;
}

/// The gradient, the memory of passes, the products of all seeds, a gradient that nobody asked for, and the numbers of one seed.
pub struct Curved<S, L: List, W: BatchWidth> {
    gradient: L::Stores<L::Base>,
    work: S,
    hv: L::Stores<W::Space<L::Base>>,
    g: L::Stores<L::Base>,
    numbers: Vec<L::Base>,
}

impl<S: Recorder, L: List, W: BatchWidth> Recorder for Curved<S, L, W> {
    fn kept(&self, note: &mut Note<'_>) {
        let Curved { gradient, work, hv, g, numbers } = self;
        work.kept(note);
        let gradients = sizes::shadow::<L::Base>(gradient) + sizes::shadow::<L::Base>(g);
        note(names::RESULTS, gradients + sizes::shadow::<W::Space<L::Base>>(hv));
        note(names::NUMBERS, memory_report::vector(numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<S: SecondBy<B, F, G, R>, B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HeldHvpBy<B, F, G, R, W>
    for S
{
    type State = Curved<S::Work<W::Space<G::Base>>, R::In, W>;

    fn hold(b: &B, f: &F, mut at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
        let (mut gradient, mut work, mut hv) = (R::zero_inputs(&at), S::work(b, f, &mut at), R::zero_inputs(&at));
        let g = R::zero_inputs(&at);
        let y = S::hvp::<_, On>(b, f, at, true, &mut work, R::In::muts(&mut gradient), R::In::muts(&mut hv))?;
        Ok((Curved { gradient, work, hv, g, numbers: Vec::new() }, asked(y)))
    }

    fn gradient(state: &Self::State) -> <R::In as List>::Stores<G::Base> {
        state.gradient.clone()
    }

    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Curved { work, hv: products, g, numbers, .. }: &mut Self::State,
        v: &impl Seeds<R::In, W>,
        hv: &mut impl Buffers<R::In, W>,
    ) -> Result<()> {
        seeds::check(v, &Shape::of(|dim| R::input_shape(&at, dim)))?;
        seeds::load(v, S::tangents(work), numbers);
        S::hvp::<_, Off>(b, f, at, false, work, R::In::muts(g), R::In::muts(products))?;
        result_buffers::store(R::In::muts(products), hv, numbers);
        Ok(())
    }
}
