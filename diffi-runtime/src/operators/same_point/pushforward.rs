//! Pushforwards at one point: the whole Jacobian is kept, or nothing can be.

use super::dense::Dense;
use crate::error::Result;
use crate::number::flag::{Off, On};
use crate::number::hlist::List;
use crate::number::shape::Shape;
use crate::number::width::BatchWidth;
use crate::operators::asked;
use crate::operators::entries::size;
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::pushforward::{PushforwardBy, Target};
use crate::operators::rows::Rows;
use crate::operators::strategy::{ByPulls, ByPushes, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::copies::Copies;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::signature::seeds;
use crate::signature::seeds::{SeedList, Seeds};
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// A strategy for pushforwards at one point.
pub trait HeldPushforwardBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    /// What does not depend on the seed.
    type State: Recorder;
    /// Finds what does not depend on the seed, and the value.
    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)>;
    /// Overwrites the target with the products.
    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        y: &F::ReturnValue,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()>;
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HeldPushforwardBy<B, F, G, R, W>
    for ByPulls
{
    type State = (Dense<G::Base>, Shape);

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
        let inputs = Shape::of(|dim| R::input_shape(&at, dim));
        let mut jacobian = Dense::new(size::<G, R>(&at));
        let y = Rows::new(b, f, &at).run::<On>(b, f, at, &mut jacobian)?;
        Ok(((jacobian, inputs), asked(y)))
    }

    fn run_held(
        _: &B,
        _: &F,
        _: G::At<'_>,
        (jacobian, inputs): &mut Self::State,
        y: &F::ReturnValue,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()> {
        seeds::check(dx, inputs)?;
        dy.open(y, &jacobian.rows)?;
        for k in 0..W::N {
            jacobian.seed.clear();
            dx.get(k).each(&mut |v| jacobian.seed.push(v));
            let mut row = 0;
            <Outputs<F, G, R>>::each(dy.get(k), &mut |v| {
                *v = jacobian.row_times_seed(row);
                row += 1;
            });
        }
        Ok(())
    }
}

/// The memory of passes, and the arguments as they were.
pub struct Again<S, O> {
    state: S,
    entry: O,
}

impl<S: Recorder, O: Copies> Recorder for Again<S, O> {
    fn kept(&self, note: &mut Note<'_>) {
        self.state.kept(note);
        note(names::ARGUMENTS, self.entry.bytes());
    }
    fn tape_bytes(&self) -> usize {
        self.state.tape_bytes()
    }
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HeldPushforwardBy<B, F, G, R, W>
    for ByPushes
{
    type State = Again<<ByPushes as PushforwardBy<B, F, G, R, W>>::State, G::Owns>;

    fn hold(b: &B, f: &F, mut at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
        let mut entry = G::Owns::default();
        R::save_outputs(&at, &mut entry);
        let state = <Self as PushforwardBy<B, F, G, R, W>>::state(b, f, &mut at);
        Ok((Again { state, entry }, f.call(at)))
    }

    fn run_held(
        b: &B,
        f: &F,
        mut at: G::At<'_>,
        Again { state, entry }: &mut Self::State,
        _: &F::ReturnValue,
        dx: &impl Seeds<R::In, W>,
        dy: &mut impl Target<F, G, R, W>,
    ) -> Result<()> {
        R::restore_outputs(&mut at, entry);
        <Self as PushforwardBy<B, F, G, R, W>>::run::<Off>(b, f, at, state, dx, dy).map(|_| ())
    }
}
