//! The Jacobian entry by entry: what the operators that need all of it have in common.

use crate::active::Tangent;
use crate::base::Base;
use crate::error::Result;
use crate::kinds::Sig;
use crate::lanes::Lanes;
use crate::linear::{Batch, Lin};
use crate::list::List;
use crate::roles::Call;
use crate::tape::Recorder;
use std::ops::Range;

/// Receives the entries of a Jacobian whose rows are the outputs `L`.
pub trait Entries<L: List> {
    /// Called once, as soon as the outputs' sizes are known.
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()>;
    /// An entry.
    fn set(&mut self, row: usize, column: usize, value: L::Base);
}

/// How many numbers there are.
pub(crate) fn count<L: List, A: Lin<L::Base>>(shadows: L::Muts<'_, A>) -> usize {
    let mut n = 0;
    L::each(shadows, &mut |_| n += 1);
    n
}

/// How many numbers the inputs have.
pub(crate) fn size<G: Sig, R: Call<G>>(at: &G::At<'_>) -> usize {
    let mut n = 0;
    R::input_sizes(at, &mut |size| n += size);
    n
}

/// Basis vectors, one a lane: those of the numbers in a range that has no more numbers than there are lanes.
pub(crate) fn basis<L: List, A: Lanes<L::Base>>(shadows: L::Muts<'_, A>, ones: Range<usize>) {
    let lanes = ones.len().min(A::LANES);
    let mut lane = 0usize.wrapping_sub(ones.start);
    L::each(shadows, &mut |a| {
        Tangent::clear(a);
        if lane < lanes {
            a.set_lane(lane, <L::Base as Base>::ONE);
        }
        lane = lane.wrapping_add(1);
    });
}

/// What a pass with a batch needs, in the least lanes that hold it.
#[derive(Clone, Debug)]
pub(crate) enum Chunk<One, Four, Eight> {
    One(One),
    Four(Four),
    Eight(Eight),
}

/// The lanes of a [`Chunk`].
pub(crate) type Four<F> = Batch<F, 4>;
/// The lanes of a [`Chunk`].
pub(crate) type Eight<F> = Batch<F, 8>;

impl<One: Recorder, Four: Recorder, Eight: Recorder> Recorder for Chunk<One, Four, Eight> {
    fn tape_bytes(&self) -> usize {
        match self {
            Chunk::One(work) => work.tape_bytes(),
            Chunk::Four(work) => work.tape_bytes(),
            Chunk::Eight(work) => work.tape_bytes(),
        }
    }
}

impl<One, Four, Eight> Chunk<One, Four, Eight> {
    /// For batches of this size.
    pub(crate) fn pick<X>(
        batch: usize,
        x: X,
        one: impl FnOnce(X) -> One,
        four: impl FnOnce(X) -> Four,
        eight: impl FnOnce(X) -> Eight,
    ) -> Self {
        match batch {
            0 | 1 => Chunk::One(one(x)),
            2..=4 => Chunk::Four(four(x)),
            _ => Chunk::Eight(eight(x)),
        }
    }
}
