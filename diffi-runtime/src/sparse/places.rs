//! Places of a matrix, as they are found.

use super::Pattern;
use super::pattern::accumulate;
use crate::error::Result;

/// Places of a matrix, some of them perhaps more than once.
pub(super) struct Places {
    columns: usize,
    rows: usize,
    found: Vec<(u32, u32)>,
}

impl Places {
    pub(super) fn new(columns: usize) -> Self {
        Places { columns, rows: 0, found: Vec::new() }
    }

    /// There is this row.
    pub(super) fn begin(&mut self, row: usize) {
        self.rows = self.rows.max(row + 1);
    }

    /// There is an entry.
    pub(super) fn add(&mut self, row: usize, column: usize) {
        self.found.push((row as u32, column as u32));
    }

    /// The pattern, by counting.
    pub(super) fn pattern(self) -> Result<Pattern> {
        let mut starts = vec![0u32; self.rows + 1];
        self.found.iter().for_each(|(row, _)| starts[*row as usize + 1] += 1);
        accumulate(&mut starts);
        let (mut next, mut indices) = (starts.clone(), vec![0; self.found.len()]);
        for (row, column) in self.found {
            let at = &mut next[row as usize];
            indices[*at as usize] = column;
            *at += 1;
        }
        sort(&mut starts, &mut indices);
        Pattern::new(self.columns, starts, indices)
    }
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
