//! `MixedMode`: one backend for each direction.

use crate::error::Result;
use crate::number::flag::Flag;
use crate::number::width::BatchWidth;
use crate::operators::columns::Columns;
use crate::operators::entries::{Entries, size};
use crate::operators::gradient::GradientBy;
use crate::operators::jacobian::EntriesBy;
use crate::operators::pull::Pull;
use crate::operators::pullback::PullbackBy;
use crate::operators::push::Push;
use crate::operators::pushforward::{PushforwardBy, Target};
use crate::operators::rows::{Rows, outputs};
use crate::operators::same_point::{HeldPullbackBy, HeldPushforwardBy};
use crate::operators::strategy::{Backend, Inputs, Mode, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::{Function, ReturnValue, aside};
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::signature::seeds::Seeds;
use crate::stack::memory_report::Note;
use crate::stack::tape::Recorder;

/// Pushes tangents by `F`, pulls cotangents by `R`, and finds Jacobians by the one that needs less: forward if that takes at most
/// twice as many passes, for a pass in reverse goes there and back. [`JacobianPrep::mode`](crate::operators::jacobian::JacobianPrep::mode)
/// says which it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MixedMode<F, R>(pub F, pub R);

/// A backend that pushes tangents in one pass.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not push tangents in one pass [D0707]",
    label = "not a forward backend",
    note = "write `MixedMode(forward, reverse)`, as in `MixedMode(AutoForward, AutoReverse)`"
)]
pub trait GoesForward: Backend {}

/// A backend that pulls cotangents in one pass.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not pull cotangents in one pass [D0707]",
    label = "not a reverse backend",
    note = "write `MixedMode(forward, reverse)`, as in `MixedMode(AutoForward, AutoReverse)`"
)]
pub trait GoesBackward: Backend {}

/// Strategy: what the forward one of two backends does.
#[derive(Clone, Copy, Debug)]
pub struct ByForward;

/// Strategy: what the reverse one of two backends does.
#[derive(Clone, Copy, Debug)]
pub struct ByReverse;

/// Strategy: by the one of two backends that needs less passes.
#[derive(Clone, Copy, Debug)]
pub struct ByCost;

/// `trait<seeds> for strategy by the backend.field's: what a pass takes`: what one of the two backends does.
macro_rules! by_part {
    ($($By:ident $(<$W:ident>)? for $Strategy:ident by $P:ident.$i:tt $Of:ident: |$($arg:ident: $T:ty),+|;)+) => { $(
        impl<P, Q, F: Function<G>, G: Signature, R: ArgRoles<G> $(, $W: BatchWidth)?> $By<MixedMode<P, Q>, F, G, R $(, $W)?> for $Strategy
        where
            $P: Backend<$Of: $By<$P, F, G, R $(, $W)?>>,
        {
            type State = <$P::$Of as $By<$P, F, G, R $(, $W)?>>::State;

            #[inline]
            fn state(b: &MixedMode<P, Q>, f: &F, at: &mut G::At<'_>) -> Self::State {
                $P::$Of::state(&b.$i, f, at)
            }
            fn warm(b: &MixedMode<P, Q>, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
                $P::$Of::warm(&b.$i, f, at, state)
            }
            #[inline]
            fn run<V: Flag>(
                b: &MixedMode<P, Q>,
                f: &F,
                at: G::At<'_>,
                state: &mut Self::State,
                $($arg: $T),+
            ) -> Result<Option<F::ReturnValue>> {
                $P::$Of::run::<V>(&b.$i, f, at, state, $($arg),+)
            }
        }
    )+ };
}
by_part! {
    PushforwardBy<W> for ByForward by P.0 Pushforward: |dx: &impl Seeds<R::In, W>, dy: &mut impl Target<F, G, R, W>|;
    PullbackBy<W> for ByReverse by Q.1 Pullback: |dy: &impl Seeds<Outputs<F, G, R>, W>, dx: &mut impl Buffers<R::In, W>|;
    GradientBy for ByReverse by Q.1 Gradient: |g: Inputs<'_, G, R, G::Base>|;
}

/// The same at one point.
macro_rules! held_by_part {
    ($($By:ident for $Strategy:ident by $P:ident.$i:tt $Of:ident: |$($arg:ident: $T:ty),+|;)+) => { $(
        impl<P, Q, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> $By<MixedMode<P, Q>, F, G, R, W> for $Strategy
        where
            $P: Backend<$Of: $By<$P, F, G, R, W>>,
        {
            type State = <$P::$Of as $By<$P, F, G, R, W>>::State;

            fn hold(b: &MixedMode<P, Q>, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
                $P::$Of::hold(&b.$i, f, at)
            }
            fn run_held(
                b: &MixedMode<P, Q>,
                f: &F,
                at: G::At<'_>,
                state: &mut Self::State,
                y: &F::ReturnValue,
                $($arg: $T),+
            ) -> Result<()> {
                $P::$Of::run_held(&b.$i, f, at, state, y, $($arg),+)
            }
        }
    )+ };
}
held_by_part! {
    HeldPushforwardBy for ByForward by P.0 Pushforward: |dx: &impl Seeds<R::In, W>, dy: &mut impl Target<F, G, R, W>|;
    HeldPullbackBy for ByReverse by Q.1 Pullback: |dy: &impl Seeds<Outputs<F, G, R>, W>, dx: &mut impl Buffers<R::In, W>|;
}

/// The memory of the passes that were chosen.
pub enum Chosen<C, R> {
    /// Column by column.
    Columns(C),
    /// Row by row.
    Rows(R),
}

impl<C: Recorder, R: Recorder> Recorder for Chosen<C, R> {
    fn kept(&self, note: &mut Note<'_>) {
        match self {
            Chosen::Columns(columns) => columns.kept(note),
            Chosen::Rows(rows) => rows.kept(note),
        }
    }
    fn tape_bytes(&self) -> usize {
        match self {
            Chosen::Columns(columns) => columns.tape_bytes(),
            Chosen::Rows(rows) => rows.tape_bytes(),
        }
    }
}

impl<P, Q, F: Function<G>, G: Signature, R: ArgRoles<G>> EntriesBy<MixedMode<P, Q>, F, G, R> for ByCost
where
    P: Push<F, G, R>,
    Q: Pull<F, G, R>,
{
    type State = Chosen<Columns<P, F, G, R>, Rows<Q, F, G, R>>;

    fn state(b: &MixedMode<P, Q>, f: &F, at: &mut G::At<'_>) -> Self::State {
        let n = size::<G, R>(at);
        let m = outputs::<F, G, R>(at).unwrap_or_else(|| called::<F, G, R>(f, at));
        let (forward, reverse) = (b.0.passes(n), b.1.passes(m));
        match forward <= 2 * reverse {
            true => Chosen::Columns(Columns::new(&b.0, f, at)),
            false => Chosen::Rows(Rows::new(&b.1, f, at)),
        }
    }

    fn warm(b: &MixedMode<P, Q>, f: &F, at: G::At<'_>, state: &mut Self::State) -> Result<()> {
        match state {
            Chosen::Columns(columns) => columns.warm(&b.0, f, at).map(|_| ()),
            Chosen::Rows(rows) => rows.warm(&b.1, f, at).map(|_| ()),
        }
    }

    fn mode(state: &Self::State) -> Mode {
        match state {
            Chosen::Columns(_) => Mode::Forward,
            Chosen::Rows(_) => Mode::Reverse,
        }
    }

    fn run<V: Flag>(
        b: &MixedMode<P, Q>,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        entries: &mut impl Entries<Outputs<F, G, R>>,
    ) -> Result<Option<F::ReturnValue>> {
        match state {
            Chosen::Columns(columns) => columns.run::<V>(&b.0, f, at, entries),
            Chosen::Rows(rows) => rows.run::<V>(&b.1, f, at, entries),
        }
    }
}

/// How many outputs there are, found by a call.
fn called<F: Function<G>, G: Signature, R: ArgRoles<G>>(f: &F, at: &mut G::At<'_>) -> usize {
    let mut copies = G::Owns::default();
    let mut m = 0;
    aside::<F, G, R>(f, at, &mut copies).each(&mut |_| m += 1);
    R::each_output(&mut copies, &mut |_| m += 1);
    m
}
