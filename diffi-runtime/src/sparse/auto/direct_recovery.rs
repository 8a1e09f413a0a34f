//! Values that are read from what a pass has found, as soon as it has.
//!
//! Where every entry is read from a sum of columns, and nothing is subtracted, the sums need not be kept: a pass leaves those of some
//! colors in the lanes of each row, and all values of these colors are there.

use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::sparse::Decompressor;
use crate::sparse::auto::repeated_rows::Stretch;
use crate::sparse::auto::sums::Sums;
use crate::stack::memory_report;
use std::ops::Range;

/// Where the values are read, pass by pass.
pub(crate) struct Passes {
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
    turns: Vec<Turns>,
    /// The first turn of each.
    first: Vec<Read>,
    /// Which values are read by themselves; all in their order, if there are none.
    values: Vec<u32>,
    /// Their places: the number of the row times that of lanes, and the lane.
    places: Vec<u32>,
}

/// Neighboring values that are read as those before them, some rows further: colors of stencils come in turns.
#[derive(Clone)]
struct Turns {
    values: Range<u32>,
    /// How many values and rows there are from one turn to the next.
    width: u32,
    rows: u32,
    /// What is read in the first turn.
    first: Range<u32>,
}

/// A value, counted from the beginning of its turn, and where it is read in the first.
#[derive(Clone, Copy)]
struct Read {
    value: u32,
    row: u32,
    lane: u32,
}

/// The longest turns that are looked for, in lines, and the fewest that are worth it.
const LONGEST: usize = 16;
const FEWEST: usize = 4;
/// How many values are written before the next place of a turn is looked at: what fits into the nearest memory.
const AT_ONCE: usize = 512;
/// The same where there are more bytes of values than caches hold: what has to be fetched for a few values comes while others are
/// written, in half the time.
const AT_ONCE_FAR: usize = 96;
const FAR: usize = 1 << 23;

impl Passes {
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.of) + self.of.iter().map(Reads::bytes).sum::<usize>()
    }

    /// For passes that find so many colors, each in so many lanes, and stretches of lines with the number of their first value;
    /// nothing if places are more than 32 bits count.
    pub(crate) fn new<'a>(
        decompressor: &Decompressor,
        colors: usize,
        batch: usize,
        lanes: usize,
        stretches: impl Iterator<Item = (usize, &'a Stretch)>,
    ) -> Option<Passes> {
        let batch = batch.max(1);
        let mut passes = Passes { batch, lanes, colors, of: vec![Reads::default(); colors.div_ceil(batch).max(1)] };
        let places: Vec<(usize, usize)> = decompressor.places().collect();
        let rows = places.iter().map(|(_, row)| row + 1).max().unwrap_or(0);
        u32::try_from(rows * lanes).ok()?;
        let mut next = 0;
        for (first, Stretch { lines, width, .. }) in stretches {
            let end = first + lines.len() * width;
            passes.one_by_one(&places, next..first);
            next = first;
            while next < end {
                let (turn, turns) = turns(&places[next..end], *width, rows);
                let values = next..next + if turns < FEWEST { *width } else { turn * turns };
                match turns < FEWEST {
                    true => passes.one_by_one(&places, values.clone()),
                    false => passes.in_turns(&places, values.clone(), turn, turn / width),
                }
                next = values.end;
            }
        }
        passes.one_by_one(&places, next..places.len());
        if let [Reads { turns, values, .. }] = &mut passes.of[..]
            && turns.is_empty()
        {
            *values = Vec::new();
        }
        passes.of.iter_mut().for_each(Reads::shrink);
        Some(passes)
    }

    fn one_by_one(&mut self, places: &[(usize, usize)], values: Range<usize>) {
        for value in values {
            let (color, row) = places[value];
            let reads = &mut self.of[color / self.batch];
            reads.values.push(value as u32);
            reads.places.push((row * self.lanes + color % self.batch) as u32);
        }
    }

    fn in_turns(&mut self, places: &[(usize, usize)], values: Range<usize>, width: usize, rows: usize) {
        for (pass, reads) in self.of.iter_mut().enumerate() {
            let start = reads.first.len() as u32;
            for (value, &(color, row)) in places[values.start..values.start + width].iter().enumerate() {
                if color / self.batch == pass {
                    let lane = (color % self.batch) as u32;
                    reads.first.push(Read { value: value as u32, row: row as u32, lane });
                }
            }
            let first = start..reads.first.len() as u32;
            if !first.is_empty() {
                let values = values.start as u32..values.end as u32;
                reads.turns.push(Turns { values, width: width as u32, rows: rows as u32, first });
            }
        }
    }

    /// Reads all values from sums that were kept.
    pub(crate) fn read<F: Base>(&self, sums: &Sums<F>, values: &mut [F]) {
        let (sums, _) = sums.flat();
        for (first, reads) in (0..).step_by(self.batch).zip(&self.of) {
            reads.each(values, &Kept { sums, lanes: self.lanes, colors: self.colors, first });
        }
    }
}

/// How many values a turn has, and how many turns there are one after the other: of all that are not too long, those that reach
/// furthest. Every turn ends within the rows, also where the last of them are not read.
fn turns(places: &[(usize, usize)], width: usize, rows: usize) -> (usize, usize) {
    let reach = |lines: usize| {
        let turn = lines * width;
        let again = |((color, row), (next_color, next_row)): &(&(usize, usize), &(usize, usize))| {
            color == next_color && row + lines == *next_row
        };
        let alike = 1 + places.iter().zip(places.get(turn..).unwrap_or_default()).take_while(again).count() / turn;
        let last = places.iter().take(turn).map(|(_, row)| *row).max().unwrap_or(0);
        (turn, alike.min((rows - last) / lines))
    };
    let longest = (1..=LONGEST).map(reach).rev().max_by_key(|(turn, turns)| turn * turns);
    longest.expect("there is a turn of one line")
}

impl Reads {
    fn bytes(&self) -> usize {
        let Reads { turns, first, values, places } = self;
        memory_report::vector(turns)
            + memory_report::vector(first)
            + memory_report::vector(values)
            + memory_report::vector(places)
    }

    fn shrink(&mut self) {
        self.turns.shrink_to_fit();
        self.first.shrink_to_fit();
        self.values.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    #[inline(always)]
    fn each<F: Base>(&self, values: &mut [F], from: &impl Source<F>) {
        let most = if size_of_val(values) > FAR { AT_ONCE_FAR } else { AT_ONCE };
        for Turns { values: of, width, rows, first } in &self.turns {
            let (width, rows) = (*width as usize, *rows as usize);
            let at_once = (most / width).max(1);
            let values = values[of.start as usize..of.end as usize].chunks_mut(at_once * width);
            for (further, values) in (0..).step_by(at_once * rows).zip(values) {
                for Read { value, row, lane } in &self.first[first.start as usize..first.end as usize] {
                    let turns = values.len() / width;
                    let found = from.down(further + *row as usize, *lane as usize, rows, turns);
                    let turns = values.chunks_exact_mut(width);
                    turns.zip(found).for_each(|(turn, found)| turn[*value as usize] = found);
                }
            }
        }
        let read = |place: &u32| from.at(*place as usize);
        if self.values.is_empty() {
            values.iter_mut().zip(&self.places).for_each(|(value, place)| *value = read(place));
        } else {
            self.values.iter().zip(&self.places).for_each(|(v, place)| values[*v as usize] = read(place));
        }
    }
}

/// Rows of numbers, some lanes each.
trait Source<F> {
    /// By the number of the row times that of lanes, and the lane.
    fn at(&self, place: usize) -> F;
    /// A lane of so many rows, as far as `step` from each other; all these steps must be within the rows.
    fn down(&self, row: usize, lane: usize, step: usize, count: usize) -> impl Iterator<Item = F>;
}

/// What a pass has found.
struct Found<'a, A>(&'a [A]);

impl<F: Base, A: Lanes<F>> Source<F> for Found<'_, A> {
    #[inline(always)]
    fn at(&self, place: usize) -> F {
        self.0[place / A::LANES].lane(place % A::LANES)
    }
    #[inline(always)]
    fn down(&self, row: usize, lane: usize, step: usize, count: usize) -> impl Iterator<Item = F> {
        let lane = lane % A::LANES;
        self.0[row..row + step * count].chunks_exact(step).map(move |rows| rows[0].lane(lane))
    }
}

/// Sums that were kept, row by row, from one color on.
struct Kept<'a, F> {
    sums: &'a [F],
    lanes: usize,
    colors: usize,
    first: usize,
}

impl<F: Base> Source<F> for Kept<'_, F> {
    fn at(&self, place: usize) -> F {
        self.sums[place / self.lanes * self.colors + self.first + place % self.lanes]
    }
    fn down(&self, row: usize, lane: usize, step: usize, count: usize) -> impl Iterator<Item = F> {
        (0..count).map(move |k| self.at((row + step * k) * self.lanes + lane))
    }
}

/// The values that are being read.
pub(crate) struct Straight<'a, F> {
    passes: &'a Passes,
    values: &'a mut [F],
    read: usize,
}

impl<'a, F: Base> Straight<'a, F> {
    pub(crate) fn new(passes: &'a Passes, values: &'a mut [F]) -> Self {
        Straight { passes, values, read: 0 }
    }

    /// Whether every pass was read.
    pub(crate) fn is_read(&self) -> bool {
        assert!(self.read == 0 || self.read == self.passes.of.len(), "all passes are alike");
        self.read > 0
    }

    /// Reads what a pass has found from this color on; whether it is such a pass.
    #[inline]
    pub(crate) fn read<A: Lanes<F>>(&mut self, rows: &[A], first: usize) -> bool {
        let Passes { batch, lanes, of, .. } = self.passes;
        if A::LANES != *lanes || !first.is_multiple_of(*batch) {
            return false;
        }
        of[first / batch].each(self.values, &Found(rows));
        self.read += 1;
        true
    }
}
