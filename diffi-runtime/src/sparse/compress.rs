//! Sums of the columns and of the rows that have one color.

use super::Coloring;
use crate::error::{Error, Result};
use ndarray::{Array2, ArrayBase, Data, Ix2};
use sprs::{CsMatI, SpIndex};
use std::ops::{Add, Sub};

/// What entries must be capable of: numbers, whose default is zero.
pub trait Entry: Copy + Default + Add<Output = Self> + Sub<Output = Self> {}

impl<T: Copy + Default + Add<Output = T> + Sub<Output = T>> Entry for T {}

/// The sums, as dense matrices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed<T> {
    /// One column for each color of the columns.
    pub columns: Array2<T>,
    /// One row for each color of the rows.
    pub rows: Array2<T>,
}

impl<T: Entry> Compressed<T> {
    /// Zeros, in the shapes that a coloring's sums have.
    pub fn zeros(coloring: &Coloring) -> Compressed<T> {
        let (rows, columns) = coloring.sparsity_pattern().shape();
        Compressed {
            columns: Array2::from_elem((rows, coloring.column_groups().len()), T::default()),
            rows: Array2::from_elem((coloring.row_groups().len(), columns), T::default()),
        }
    }
}

/// A matrix that can be compressed: sparse or dense.
pub trait Entries<T> {
    /// The number of rows and that of columns.
    fn shape(&self) -> (usize, usize);
    /// Calls back with row, column and value of every entry.
    fn each(&self, visit: impl FnMut(usize, usize, T));
}

impl<T: Copy, I: SpIndex, P: SpIndex> Entries<T> for CsMatI<T, I, P> {
    fn shape(&self) -> (usize, usize) {
        self.shape()
    }

    fn each(&self, mut visit: impl FnMut(usize, usize, T)) {
        self.iter().for_each(|(&value, (i, j))| visit(i.index(), j.index(), value));
    }
}

impl<T: Copy, S: Data<Elem = T>> Entries<T> for ArrayBase<S, Ix2> {
    fn shape(&self) -> (usize, usize) {
        self.dim()
    }

    fn each(&self, mut visit: impl FnMut(usize, usize, T)) {
        self.indexed_iter().for_each(|((i, j), &value)| visit(i, j, value));
    }
}

/// Adds up the columns and the rows of each color.
///
/// # Errors
/// [`Error::PatternMismatch`] if the matrix has another shape than the pattern, or an entry that is not zero outside of it.
pub fn compress<T: Entry + PartialEq>(matrix: &impl Entries<T>, coloring: &Coloring) -> Result<Compressed<T>> {
    let pattern = coloring.sparsity_pattern();
    if matrix.shape() != pattern.shape() {
        return Err(Error::pattern_shapes(pattern.shape(), matrix.shape()));
    }
    let mut compressed = Compressed::zeros(coloring);
    let mut stray = None;
    matrix.each(|i, j, value| {
        if value == T::default() {
            return;
        }
        if !pattern.contains(i, j) {
            stray = stray.or(Some((i, j)));
        }
        if let Some(c) = color(coloring.column_colors(), j) {
            let sum = &mut compressed.columns[[i, c]];
            *sum = *sum + value;
        }
        if let Some(c) = color(coloring.row_colors(), i) {
            let sum = &mut compressed.rows[[c, j]];
            *sum = *sum + value;
        }
    });
    match stray {
        None => Ok(compressed),
        Some((i, j)) => Err(Error::PatternMismatch {
            expected: "entries in the pattern".into(),
            found: format!("an entry at ({i}, {j})"),
        }),
    }
}

/// Counted from 0; none if it is neutral.
fn color(colors: &[u32], at: usize) -> Option<usize> {
    (*colors.get(at)? as usize).checked_sub(1)
}
