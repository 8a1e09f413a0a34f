//! Entries read back from one sum after the other.

use super::compress::Entry;
use super::decompress::Decompressor;
use super::pattern::accumulate;

/// Reads entries back as sums come, one color after the other in any order, so that they need not all be kept.
///
/// The values are those of [`Decompressor::matrix`]. When all colors are through, [`finish`](ByColor::finish) does what is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByColor {
    /// Where each color's reads start: of columns, then of rows.
    starts: Vec<u32>,
    reads: Vec<Read>,
    column_colors: u32,
    subtractions: Vec<(u32, u32)>,
    mirrors: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Read {
    value: u32,
    /// In the sum.
    position: u32,
}

impl Decompressor {
    /// The same, one sum after the other.
    pub fn by_color(&self) -> ByColor {
        let mut starts = vec![0; self.column_colors + self.row_colors + 1];
        for source in &self.sources {
            starts[source.color as usize + 1] += 1;
        }
        accumulate(&mut starts);
        let mut next = starts.clone();
        let mut reads = vec![Read::default(); self.sources.len()];
        for (value, source) in (0..).zip(&self.sources) {
            let at = &mut next[source.color as usize];
            reads[*at as usize] = Read { value, position: source.position };
            *at += 1;
        }
        ByColor {
            starts,
            reads,
            column_colors: self.column_colors as u32,
            subtractions: self.subtractions.clone(),
            mirrors: self.mirrors.clone(),
        }
    }
}

impl ByColor {
    /// Writes what is read from the sum of the columns of a color: `sum` gives its rows.
    ///
    /// # Panics
    /// If there is no such color, or not the right number of values.
    #[inline]
    pub fn column_into<T: Entry>(&self, values: &mut [T], color: u32, sum: impl Fn(usize) -> T) {
        assert!((1..=self.column_colors).contains(&color), "color {color} of {}", self.column_colors);
        self.read(values, color as usize - 1, sum);
    }

    /// Writes what is read from the sum of the rows of a color: `sum` gives its columns.
    ///
    /// # Panics
    /// If there is no such color, or not the right number of values.
    #[inline]
    pub fn row_into<T: Entry>(&self, values: &mut [T], color: u32, sum: impl Fn(usize) -> T) {
        let row_colors = self.starts.len() as u32 - 1 - self.column_colors;
        assert!((1..=row_colors).contains(&color), "color {color} of {row_colors}");
        self.read(values, (self.column_colors + color) as usize - 1, sum);
    }

    /// Subtracts what substitution leaves to be subtracted, once after all sums.
    ///
    /// # Panics
    /// If there is not the right number of values.
    pub fn finish<T: Entry>(&self, values: &mut [T]) {
        substitute(values, &self.subtractions, &self.mirrors);
    }

    #[inline]
    fn read<T: Entry>(&self, values: &mut [T], color: usize, sum: impl Fn(usize) -> T) {
        for read in &self.reads[self.starts[color] as usize..self.starts[color + 1] as usize] {
            values[read.value as usize] = sum(read.position as usize);
        }
    }
}

/// Subtracts known values from those that were read with them, and copies them to the other side of the diagonal.
pub(super) fn substitute<T: Entry>(values: &mut [T], subtractions: &[(u32, u32)], mirrors: &[(u32, u32)]) {
    for &(value, known) in subtractions {
        values[value as usize] = values[value as usize] - values[known as usize];
    }
    for &(from, to) in mirrors {
        values[to as usize] = values[from as usize];
    }
}
