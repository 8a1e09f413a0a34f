//! Places of a matrix, as they are found.

use super::Pattern;
use super::pattern::accumulate;
use crate::error::Result;

/// Places of a matrix, some of them perhaps more than once.
///
/// What comes row by row stands in the pattern at once, in half the memory that places take.
pub(super) struct Places {
    columns: usize,
    /// Where each row starts that there is so far.
    starts: Vec<u32>,
    indices: Vec<u32>,
    /// Places in rows before the last.
    late: Vec<(u32, u32)>,
}

impl Places {
    pub(super) fn new(columns: usize) -> Self {
        Places { columns, starts: Vec::new(), indices: Vec::new(), late: Vec::new() }
    }

    /// There is this row.
    pub(super) fn begin(&mut self, row: usize) {
        if row >= self.starts.len() {
            self.starts.resize(row + 1, self.indices.len() as u32);
        }
    }

    /// There is an entry in a row that there is.
    #[inline]
    pub(super) fn add(&mut self, row: usize, column: usize) {
        match row + 1 == self.starts.len() {
            true => self.indices.push(column as u32),
            false => self.late.push((row as u32, column as u32)),
        }
    }

    /// The pattern.
    pub(super) fn pattern(self) -> Result<Pattern> {
        let Places { columns, mut starts, mut indices, late } = self;
        starts.push(indices.len() as u32);
        if !late.is_empty() {
            (starts, indices) = with_late(&starts, &indices, &late);
        }
        sort(&mut starts, &mut indices);
        Pattern::new(columns, starts, indices)
    }
}

/// Rows and the places that were late, by counting.
fn with_late(starts: &[u32], indices: &[u32], late: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut all: Vec<u32> = std::iter::once(0).chain(starts.windows(2).map(|row| row[1] - row[0])).collect();
    late.iter().for_each(|(row, _)| all[*row as usize + 1] += 1);
    accumulate(&mut all);
    let (mut next, mut both) = (all.clone(), vec![0; indices.len() + late.len()]);
    for (next, row) in next.iter_mut().zip(starts.windows(2)) {
        let row = &indices[row[0] as usize..row[1] as usize];
        both[*next as usize..][..row.len()].copy_from_slice(row);
        *next += row.len() as u32;
    }
    for (row, column) in late {
        let at = &mut next[*row as usize];
        both[*at as usize] = *column;
        *at += 1;
    }
    (all, both)
}

/// Sorts the columns of each row, and leaves each there once.
fn sort(starts: &mut [u32], indices: &mut Vec<u32>) {
    let mut kept = 0;
    let mut start = 0;
    for end in &mut starts[1..] {
        let row = start..*end as usize;
        start = row.end;
        if !indices[row.clone()].is_sorted() {
            indices[row.clone()].sort_unstable();
        }
        let first = kept;
        for k in row {
            if kept == first || indices[kept - 1] != indices[k] {
                indices[kept] = indices[k];
                kept += 1;
            }
        }
        *end = kept as u32;
    }
    indices.truncate(kept);
}

/// A square pattern with all mirror images.
pub(super) fn symmetric(pattern: Pattern) -> Result<Pattern> {
    if pattern.is_symmetric() {
        return Ok(pattern);
    }
    let n = pattern.columns();
    Pattern::from_triplets(n, n, pattern.iter().flat_map(|(i, j)| [(i, j), (j, i)]))
}
