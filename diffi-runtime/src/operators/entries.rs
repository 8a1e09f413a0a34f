//! The Jacobian entry by entry: what the operators that need all of it have in common.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::batch::Batch;
use crate::number::tangent::Tangent;
use crate::operators::strategy::Backend;
use crate::signature::arg_roles::ArgRoles;
use crate::signature::param_kinds::Signature;
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;
use std::ops::Range;

/// Receives the entries of a Jacobian whose rows are the outputs `L`.
pub trait Entries<L: List> {
    /// Called once, as soon as the outputs' sizes are known.
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()>;
    /// An entry.
    fn set(&mut self, row: usize, column: usize, value: L::Base);
    /// Entries of a row in neighbouring columns, one a lane.
    #[inline]
    fn lanes<A: Lanes<L::Base>>(&mut self, row: usize, columns: Range<usize>, a: &A) {
        columns.clone().for_each(|column| self.set(row, column, a.lane(column - columns.start)));
    }
    /// Entries of all rows in neighbouring columns.
    #[inline]
    fn rows<A: Lanes<L::Base>>(&mut self, rows: &[A], columns: Range<usize>) {
        rows.iter().enumerate().for_each(|(row, a)| self.lanes(row, columns.clone(), a));
    }
    /// Entries of some rows, one a lane, in neighbouring columns of one argument, from `first` on.
    #[inline]
    fn columns<A: Lanes<L::Base>>(&mut self, rows: Range<usize>, first: usize, columns: &[A]) {
        for (column, a) in columns.iter().enumerate() {
            rows.clone().for_each(|row| self.set(row, first + column, a.lane(row - rows.start)));
        }
    }
}

/// Receives products of a matrix with vectors.
pub trait Products<F: Base> {
    /// The entries of a row in the products with neighbouring vectors, one a lane.
    fn lanes<A: Lanes<F>>(&mut self, row: usize, vectors: Range<usize>, a: &A);
    /// The entries of all rows.
    #[inline]
    fn rows<A: Lanes<F>>(&mut self, rows: &[A], vectors: Range<usize>) {
        rows.iter().enumerate().for_each(|(row, a)| self.lanes(row, vectors.clone(), a));
    }
}

/// How many numbers there are.
#[inline]
pub(crate) fn count<L: List, A: LinearSpace<L::Base>>(shadows: L::Muts<'_, A>) -> usize {
    let mut n = 0;
    L::each(shadows, &mut |_| n += 1);
    n
}

/// How many numbers the inputs have.
pub(crate) fn size<G: Signature, R: ArgRoles<G>>(at: &G::At<'_>) -> usize {
    let mut n = 0;
    R::input_sizes(at, &mut |size| n += size);
    n
}

/// Basis vectors, one a lane: those of the numbers in a range that has no more numbers than there are lanes.
#[inline]
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

/// What goes into the lanes of all passes together.
#[derive(Clone, Debug)]
pub(crate) enum Seeding<F> {
    /// One basis vector for each number.
    Basis,
    /// One vector for each group of numbers: ones in the group's places.
    Groups(Groups<F>),
}

/// Groups of numbers that are seeded together.
#[derive(Clone, Debug)]
pub(crate) struct Groups<F> {
    /// The group of each number, from 1; 0 if it is in none.
    pub(crate) of: Vec<u32>,
    /// How many groups there are.
    pub(crate) count: usize,
    /// One more vector, if it is wanted.
    pub(crate) probe: Option<Vec<F>>,
}

impl<F: Base> Seeding<F> {
    /// How many vectors there are for so many numbers.
    pub(crate) fn len(&self, numbers: usize) -> usize {
        match self {
            Seeding::Basis => numbers,
            Seeding::Groups(groups) => groups.len(),
        }
    }

    /// How many of `n` vectors go through at once.
    pub(crate) fn batch(&self, b: &impl Backend, n: usize) -> usize {
        match self {
            Seeding::Basis => b.batch_size_of(n),
            Seeding::Groups(_) => b.batch_size_of_groups(n),
        }
    }

    /// Some of the vectors, one a lane.
    #[inline]
    pub(crate) fn put<L: List<Base = F>, A: Lanes<F>>(&self, shadows: L::Muts<'_, A>, vectors: Range<usize>) {
        match self {
            Seeding::Basis => basis::<L, A>(shadows, vectors),
            Seeding::Groups(groups) => groups.put::<L, A>(shadows, vectors),
        }
    }
}

impl<F> Recorder for Seeding<F> {
    fn kept(&self, note: &mut Note<'_>) {
        if let Seeding::Groups(Groups { of, probe, .. }) = self {
            note(names::SEEDS, memory_report::vector(of) + probe.as_ref().map_or(0, memory_report::vector));
        }
    }
}

impl<F: Base> Groups<F> {
    /// How many vectors there are.
    pub(crate) fn len(&self) -> usize {
        self.count + usize::from(self.probe.is_some())
    }

    fn put<L: List<Base = F>, A: Lanes<F>>(&self, shadows: L::Muts<'_, A>, vectors: Range<usize>) {
        let lanes = vectors.len().min(A::LANES);
        let probe = self.probe.as_ref().filter(|_| vectors.contains(&self.count));
        let mut i = 0;
        L::each(shadows, &mut |a: &mut A| {
            Tangent::clear(a);
            let lane = (self.of[i] as usize).wrapping_sub(1 + vectors.start);
            if lane < lanes {
                a.set_lane(lane, F::ONE);
            }
            if let Some(probe) = probe {
                a.set_lane(self.count - vectors.start, probe[i]);
            }
            i += 1;
        });
    }
}

/// What a pass with a batch needs, in the least lanes that hold it. Where types tell that there is one number, or that there are two, no
/// pass has more lanes, and only then are there passes of two: rustc makes code for those that may be needed.
#[derive(Clone, Debug)]
pub(crate) enum Chunk<One, Two, Four, Eight> {
    One(One),
    Two(Two),
    Four(Four),
    Eight(Eight),
}

/// The lanes of a [`Chunk`].
pub(crate) type Two<F> = Batch<F, 2>;
/// The lanes of a [`Chunk`].
pub(crate) type Four<F> = Batch<F, 4>;
/// The lanes of a [`Chunk`].
pub(crate) type Eight<F> = Batch<F, 8>;

impl<One: Recorder, Two: Recorder, Four: Recorder, Eight: Recorder> Recorder for Chunk<One, Two, Four, Eight> {
    fn kept(&self, note: &mut Note<'_>) {
        match self {
            Chunk::One(work) => work.kept(note),
            Chunk::Two(work) => work.kept(note),
            Chunk::Four(work) => work.kept(note),
            Chunk::Eight(work) => work.kept(note),
        }
    }
    fn tape_bytes(&self) -> usize {
        match self {
            Chunk::One(work) => work.tape_bytes(),
            Chunk::Two(work) => work.tape_bytes(),
            Chunk::Four(work) => work.tape_bytes(),
            Chunk::Eight(work) => work.tape_bytes(),
        }
    }
}

/// How many lanes hold a batch, where the types do not tell that two do.
pub(crate) fn lanes(batch: usize) -> usize {
    match batch {
        0 | 1 => 1,
        2..=4 => 4,
        _ => 8,
    }
}

/// What a pass with a batch needs, of as many numbers as the list `$L` has: made by `$new`.
macro_rules! pick {
    ($batch:expr, $L:ty, $new:expr) => {
        match $batch {
            2.. if const { <$L as List>::MOST == 2 } => Chunk::Two($new),
            2..=4 if const { <$L as List>::MOST > 2 } => Chunk::Four($new),
            5.. if const { <$L as List>::MOST > 2 } => Chunk::Eight($new),
            _ => Chunk::One($new),
        }
    };
}
pub(crate) use pick;

/// Does the same with a [`Chunk`] of any number of lanes that there are for as many numbers as the list `$L` has.
macro_rules! chunk {
    ($chunk:expr, $L:ty, $work:ident => $do:expr) => {
        match $chunk {
            Chunk::One($work) => $do,
            Chunk::Two($work) if const { <$L as List>::MOST == 2 } => $do,
            Chunk::Four($work) if const { <$L as List>::MOST > 2 } => $do,
            Chunk::Eight($work) if const { <$L as List>::MOST > 2 } => $do,
            _ => unreachable!("no pass over so many numbers is prepared so"),
        }
    };
}
pub(crate) use chunk;
