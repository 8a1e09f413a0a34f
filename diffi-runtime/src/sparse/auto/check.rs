//! Whether the derivative still has its entries where they were found: its product with one vector, compared with the matrix's.
//!
//! An entry outside of the pattern is added to another one by compression, but to its own place by the product. The vector's
//! numbers are all different, so that what is wrong in one place does not cancel what is wrong in another.

use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::sparse::{Coloring, Pattern};
use crate::stack::memory_report;

/// A product with a vector: of the matrix, or of the transposed matrix where rows are added up.
pub(crate) struct Probe<F> {
    pub(crate) by_rows: bool,
    pub(crate) weights: Vec<F>,
    /// The product.
    pub(crate) found: Vec<F>,
    /// Whether the values are approximations.
    inexact: bool,
    /// Whether the matrix has one triangle of a symmetric one.
    half: bool,
}

impl<F: Base> Probe<F> {
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.weights) + memory_report::vector(&self.found)
    }

    pub(crate) fn new(coloring: &Coloring, inexact: bool, half: bool) -> Self {
        let (m, n) = coloring.sparsity_pattern().shape();
        let by_rows = coloring.column_groups().is_empty() && !coloring.row_groups().is_empty();
        let (from, to) = if by_rows { (m, n) } else { (n, m) };
        let zero = <F as Base>::ZERO;
        Probe { by_rows, weights: weights(from), found: vec![zero; to], inexact, half }
    }

    /// Compares the product with that of the blocks of a matrix, each as the rows of its columns' entries, with their values.
    pub(crate) fn check<'a>(&self, blocks: impl Iterator<Item = (&'a Pattern, &'a [F])>) -> Result<()>
    where
        F: 'a,
    {
        let mut sums = vec![(0.0f64, 0.0f64); self.found.len()];
        let mut first = 0;
        for (columns, values) in blocks {
            for column in 0..columns.rows() {
                let start = columns.starts()[column] as usize;
                for (row, value) in columns.row(column).iter().zip(&values[start..]) {
                    let (row, column) = (*row as usize, first + column);
                    let (from, to) = if self.by_rows { (row, column) } else { (column, row) };
                    let mut add = |from: usize, to: usize| {
                        let part = value.as_f64() * self.weights[from].as_f64();
                        sums[to].0 += part;
                        sums[to].1 += part.abs();
                    };
                    add(from, to);
                    if self.half && from != to {
                        add(to, from);
                    }
                }
            }
            first += columns.rows();
        }
        let epsilon = F::EPSILON.as_f64();
        let tolerance = if self.inexact { epsilon.powf(0.3) } else { epsilon.powf(0.75) };
        let largest = sums.iter().fold(0.0f64, |largest, (_, size)| largest.max(*size));
        let floor = if self.inexact { largest.max(1.0) } else { 0.0 };
        let drifted = sums.iter().zip(&self.found).position(|((sum, size), found)| {
            let (found, scale) = (found.as_f64(), size.max(floor));
            (sum - found).abs() > tolerance * scale.max(found.abs())
        });
        match drifted {
            None => Ok(()),
            Some(line) => {
                Err(Error::PatternDrift { line: format!("{} {line}", if self.by_rows { "column" } else { "row" }) })
            }
        }
    }
}

/// Numbers from 0.5 to 1.5, without a pattern of their own: Weyl's sequence of the golden ratio.
fn weights<F: Base>(n: usize) -> Vec<F> {
    (1..=n).map(|i| F::lit(0.5 + (i as f64 * 0.618_033_988_749_894_9).fract())).collect()
}
