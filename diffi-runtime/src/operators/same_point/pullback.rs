//! Pullbacks at one point: the tape is kept, or the whole Jacobian.

use super::dense::Dense;
use crate::error::Result;
use crate::number::flag::On;
use crate::number::hlist::List;
use crate::number::shape::Shape;
use crate::number::sizes;
use crate::number::width::BatchWidth;
use crate::operators::asked;
use crate::operators::columns::Columns;
use crate::operators::pull::Pull;
use crate::operators::push::Push;
use crate::operators::strategy::{ByPulls, ByPushes, Outputs};
use crate::signature::arg_roles::ArgRoles;
use crate::signature::function::Function;
use crate::signature::param_kinds::Signature;
use crate::signature::result_buffers::Buffers;
use crate::signature::seeds::{SeedList, Seeds};
use crate::signature::{result_buffers, seeds};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// A strategy for pullbacks at one point.
pub trait HeldPullbackBy<B, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> {
    /// What does not depend on the seed.
    type State: Recorder;
    /// Finds what does not depend on the seed, and the value.
    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)>;
    /// Overwrites `dx`, of the right sizes, with the products.
    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        state: &mut Self::State,
        y: &F::ReturnValue,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()>;
}

/// The tape, the adjoints of all seeds, and the numbers of one.
pub struct Tape<S, L: List, W: BatchWidth> {
    work: S,
    x_bar: L::Stores<W::Space<L::Base>>,
    numbers: Vec<L::Base>,
}

impl<S: Recorder, L: List, W: BatchWidth> Recorder for Tape<S, L, W> {
    fn kept(&self, note: &mut Note<'_>) {
        self.work.kept(note);
        note(names::RESULTS, sizes::shadow::<W::Space<L::Base>>(&self.x_bar));
        note(names::NUMBERS, memory_report::vector(&self.numbers));
    }
    fn tape_bytes(&self) -> usize {
        self.work.tape_bytes()
    }
}

impl<B: Pull<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HeldPullbackBy<B, F, G, R, W>
    for ByPulls
{
    type State = Tape<B::Work<W::Space<G::Base>>, R::In, W>;

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
        let mut tape = Tape { work: b.work(f, &at), x_bar: R::zero_inputs(&at), numbers: Vec::new() };
        let y = b.hold(f, at, &mut tape.work);
        Ok((tape, y))
    }

    fn run_held(
        b: &B,
        f: &F,
        at: G::At<'_>,
        Tape { work, x_bar, numbers }: &mut Self::State,
        y: &F::ReturnValue,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()> {
        b.release::<W::Space<G::Base>>(f, at, y, R::In::muts(x_bar), work, |y_bar| {
            seeds::check(dy, &Shape::of(|dim| <Outputs<F, G, R>>::shape(&y_bar, dim)))?;
            seeds::load(dy, y_bar, numbers);
            Ok(())
        })?;
        result_buffers::store(R::In::muts(x_bar), dx, numbers);
        Ok(())
    }
}

impl<B: Push<F, G, R>, F: Function<G>, G: Signature, R: ArgRoles<G>, W: BatchWidth> HeldPullbackBy<B, F, G, R, W>
    for ByPushes
{
    type State = Dense<G::Base>;

    fn hold(b: &B, f: &F, at: G::At<'_>) -> Result<(Self::State, F::ReturnValue)> {
        let mut columns = Columns::new(b, f, &at);
        let mut jacobian = Dense::new(columns.n());
        let y = columns.run::<On>(b, f, at, &mut jacobian)?;
        Ok((jacobian, asked(y)))
    }

    fn run_held(
        _: &B,
        _: &F,
        _: G::At<'_>,
        jacobian: &mut Self::State,
        _: &F::ReturnValue,
        dy: &impl Seeds<Outputs<F, G, R>, W>,
        dx: &mut impl Buffers<R::In, W>,
    ) -> Result<()> {
        seeds::check(dy, &jacobian.rows)?;
        for k in 0..W::N {
            jacobian.seed.clear();
            dy.get(k).each(&mut |v| jacobian.seed.push(v));
            let mut column = 0;
            R::In::each(dx.get(k), &mut |v: &mut G::Base| {
                *v = jacobian.column_times_seed(column);
                column += 1;
            });
        }
        Ok(())
    }
}
