//! Values that are read from what a pass has found, as soon as it has.
//!
//! Where every entry is read from a sum of columns, and nothing is subtracted, the sums need not be kept: a pass leaves those of some
//! colors in the lanes of each row, and all values of these colors are there.

use super::sums::Sums;
use crate::base::Base;
use crate::kept;
use crate::lanes::Lanes;
use crate::sparse::Decompressor;

/// Where the values are read, pass by pass.
pub(super) struct Passes {
    /// How many colors a pass finds, and in how many lanes.
    batch: usize,
    lanes: usize,
    /// How many colors there are.
    colors: usize,
    of: Vec<Reads>,
}

/// What is read from a pass.
#[derive(Clone, Default)]
struct Reads {
    /// Which values; all in their order, if there is one pass only.
    values: Vec<u32>,
    /// Their places: the number of the row times that of lanes, and the lane.
    places: Vec<u32>,
}

impl Passes {
    pub(super) fn bytes(&self) -> usize {
        let reads = self.of.iter().map(|reads| kept::vector(&reads.values) + kept::vector(&reads.places));
        kept::vector(&self.of) + reads.sum::<usize>()
    }

    /// For passes that find so many colors, each in so many lanes; nothing if places are more than 32 bits count.
    pub(super) fn new(decompressor: &Decompressor, colors: usize, batch: usize, lanes: usize) -> Option<Passes> {
        let batch = batch.max(1);
        let mut of = vec![Reads::default(); colors.div_ceil(batch).max(1)];
        let single = of.len() == 1;
        for (value, (color, row)) in (0..).zip(decompressor.places()) {
            let reads = &mut of[color / batch];
            if !single {
                reads.values.push(value);
            }
            reads.places.push(u32::try_from(row * lanes + color % batch).ok()?);
        }
        Some(Passes { batch, lanes, colors, of })
    }

    /// Reads all values from sums that were kept.
    pub(super) fn read<F: Base>(&self, sums: &Sums<F>, values: &mut [F]) {
        let (sums, _) = sums.flat();
        for (first, reads) in (0..).step_by(self.batch).zip(&self.of) {
            reads.each(values, |place| sums[place / self.lanes * self.colors + first + place % self.lanes]);
        }
    }
}

impl Reads {
    #[inline(always)]
    fn each<F: Base>(&self, values: &mut [F], read: impl Fn(usize) -> F) {
        if self.values.is_empty() {
            values.iter_mut().zip(&self.places).for_each(|(value, place)| *value = read(*place as usize));
        } else {
            self.values.iter().zip(&self.places).for_each(|(v, place)| values[*v as usize] = read(*place as usize));
        }
    }
}

/// The values that are being read.
pub(super) struct Straight<'a, F> {
    passes: &'a Passes,
    values: &'a mut [F],
    read: usize,
}

impl<'a, F: Base> Straight<'a, F> {
    pub(super) fn new(passes: &'a Passes, values: &'a mut [F]) -> Self {
        Straight { passes, values, read: 0 }
    }

    /// Whether every pass was read.
    pub(super) fn is_read(&self) -> bool {
        assert!(self.read == 0 || self.read == self.passes.of.len(), "all passes are alike");
        self.read > 0
    }

    /// Reads what a pass has found from this color on; whether it is such a pass.
    #[inline]
    pub(super) fn read<A: Lanes<F>>(&mut self, rows: &[A], first: usize) -> bool {
        let Passes { batch, lanes, of, .. } = self.passes;
        if A::LANES != *lanes || !first.is_multiple_of(*batch) {
            return false;
        }
        of[first / batch].each(self.values, |place| rows[place / A::LANES].lane(place % A::LANES));
        self.read += 1;
        true
    }
}
