//! Where a matrix has entries.

use crate::error::{Error, Result};
use crate::stack::memory_report;
use ndarray::{ArrayView2, ArrayViewMut2};
use sprs::{CsMat, CsMatI, SpIndex};

/// The places where a matrix can differ from zero: the compressed rows of a boolean matrix.
///
/// Rows, columns and entries are counted in 32 bits. Within a row the columns ascend, each there once.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::Pattern;
///
/// let pattern = Pattern::from_triplets(2, 3, [(0, 0), (0, 2), (1, 1)])?;
/// assert_eq!((pattern.shape(), pattern.nnz()), ((2, 3), 3));
/// assert_eq!(pattern.row(0), [0, 2]);
/// assert!(pattern.contains(1, 1) && !pattern.contains(1, 2));
/// # Ok::<(), diffi::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    columns: usize,
    /// Where each row starts in `indices`, and the end of the last.
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Pattern {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        memory_report::vector(&self.starts) + memory_report::vector(&self.indices)
    }

    /// A pattern from its compressed rows: `starts` has one more element than there are rows.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if the starts do not ascend from 0 to the number of indices, or if a row's columns do not ascend
    /// below `columns`.
    pub fn new(columns: usize, starts: Vec<u32>, indices: Vec<u32>) -> Result<Pattern> {
        fits("columns", columns)?;
        let ascend = starts.windows(2).all(|w| w[0] <= w[1]);
        if !ascend || starts.first() != Some(&0) || starts.last().is_none_or(|&end| end as usize != indices.len()) {
            return Err(invalid(format!("the starts of its rows must ascend from 0 to {}", indices.len())));
        }
        let pattern = Pattern { columns, starts, indices };
        for i in 0..pattern.rows() {
            let row = pattern.row(i);
            if !row.windows(2).all(|w| w[0] < w[1]) || row.last().is_some_and(|&j| j as usize >= columns) {
                return Err(invalid(format!("the columns of row {i} must ascend, and be less than {columns}")));
            }
        }
        Ok(pattern)
    }

    /// A pattern from the columns of each row, in any order, repeated or not.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if a column is not less than `columns`.
    pub fn from_rows<R: IntoIterator<Item = usize>>(
        columns: usize,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Pattern> {
        fits("columns", columns)?;
        let (mut starts, mut indices) = (vec![0], Vec::new());
        for (i, row) in rows.into_iter().enumerate() {
            let start = indices.len();
            for j in row {
                if j >= columns {
                    return Err(outside(i, j, i + 1, columns));
                }
                indices.push(j as u32);
            }
            sort_and_dedup(&mut indices, start);
            fits("entries", indices.len())?;
            starts.push(indices.len() as u32);
        }
        fits("rows", starts.len() - 1)?;
        Ok(Pattern { columns, starts, indices })
    }

    /// A pattern from places (row, column), in any order, repeated or not.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if a place is outside of the matrix.
    pub fn from_triplets(
        rows: usize,
        columns: usize,
        places: impl IntoIterator<Item = (usize, usize)>,
    ) -> Result<Pattern> {
        fits("rows", rows)?;
        fits("columns", columns)?;
        let mut starts = vec![0u32; rows + 1];
        let mut places: Vec<(u32, u32)> = places
            .into_iter()
            .map(|(i, j)| {
                if i >= rows || j >= columns {
                    return Err(outside(i, j, rows, columns));
                }
                Ok((i as u32, j as u32))
            })
            .collect::<Result<_>>()?;
        places.sort_unstable();
        places.dedup();
        fits("entries", places.len())?;
        for &(i, _) in &places {
            starts[i as usize + 1] += 1;
        }
        accumulate(&mut starts);
        Ok(Pattern { columns, starts, indices: places.into_iter().map(|(_, j)| j).collect() })
    }

    /// The pattern of the elements that are not zero.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if there are more than 2³² of anything.
    pub fn from_dense<T: Default + PartialEq>(matrix: ArrayView2<'_, T>) -> Result<Pattern> {
        let zero = T::default();
        let rows = matrix.rows().into_iter();
        let columns_of = |row: ndarray::ArrayView1<'_, T>| -> Vec<usize> {
            row.iter().enumerate().filter(|(_, v)| **v != zero).map(|(j, _)| j).collect()
        };
        Pattern::from_rows(matrix.ncols(), rows.map(columns_of))
    }

    /// The pattern of all entries that a sparse matrix stores, zeros among them.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if there are more than 2³² of anything.
    pub fn from_sparse<T, I: SpIndex, P: SpIndex>(matrix: &CsMatI<T, I, P>) -> Result<Pattern> {
        fits("rows", matrix.rows())?;
        fits("columns", matrix.cols())?;
        fits("entries", matrix.nnz())?;
        let starts = matrix.indptr().into_raw_storage().iter().map(|s| s.index() as u32).collect();
        let indices = matrix.indices().iter().map(|j| j.index() as u32).collect();
        let stored = Pattern { columns: matrix.inner_dims(), starts, indices };
        Ok(if matrix.is_csr() { stored } else { stored.transpose() })
    }

    /// The pattern that has every place.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`] if there are more than 2³² of anything.
    pub fn dense(rows: usize, columns: usize) -> Result<Pattern> {
        Pattern::from_rows(columns, (0..rows).map(|_| 0..columns))
    }

    /// The number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of columns.
    #[inline]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of rows and that of columns.
    #[inline]
    pub fn shape(&self) -> (usize, usize) {
        (self.rows(), self.columns)
    }

    /// The number of entries.
    #[inline]
    pub fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// The columns of the entries in row `i`, ascending.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, i: usize) -> &[u32] {
        &self.indices[self.starts[i] as usize..self.starts[i + 1] as usize]
    }

    /// Where each row starts in [`indices`](Pattern::indices), and the end of the last.
    #[inline]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The columns of all entries, row by row.
    #[inline]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// All places (row, column), row by row.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.rows()).flat_map(|i| self.row(i).iter().map(move |&j| (i, j as usize)))
    }

    /// Whether there is an entry at row `i` and column `j`.
    pub fn contains(&self, i: usize, j: usize) -> bool {
        i < self.rows() && u32::try_from(j).is_ok_and(|j| self.row(i).binary_search(&j).is_ok())
    }

    /// The pattern of the transposed matrix.
    pub fn transpose(&self) -> Pattern {
        self.transpose_with(|_| {}).0
    }

    /// The transposed pattern, and for each of its entries, in order, which entry of this one it is.
    pub(crate) fn transpose_and_origins(&self) -> (Pattern, Vec<u32>) {
        let mut origins = vec![0; self.nnz()];
        let mut k = 0;
        let (pattern, ()) = self.transpose_with(|to| {
            origins[to] = k;
            k += 1;
        });
        (pattern, origins)
    }

    /// Tells where each entry goes, one after the other.
    fn transpose_with(&self, mut goes: impl FnMut(usize)) -> (Pattern, ()) {
        let mut starts = vec![0u32; self.columns + 1];
        for &j in &self.indices {
            starts[j as usize + 1] += 1;
        }
        accumulate(&mut starts);
        let mut next = starts.clone();
        let mut indices = vec![0; self.nnz()];
        for i in 0..self.rows() {
            for &j in self.row(i) {
                let to = &mut next[j as usize];
                indices[*to as usize] = i as u32;
                goes(*to as usize);
                *to += 1;
            }
        }
        (Pattern { columns: self.rows(), starts, indices }, ())
    }

    /// The first entry that has no mirror image, if the pattern is not symmetric.
    pub fn asymmetry(&self) -> Option<(usize, usize)> {
        self.iter().find(|&(i, j)| !self.contains(j, i))
    }

    /// Whether every entry has its mirror image, in a square matrix.
    pub fn is_symmetric(&self) -> bool {
        self.rows() == self.columns && self.transpose() == *self
    }

    /// A sparse matrix with this pattern, whose entries are all the same.
    pub fn to_sparse<T: Clone>(&self, storage: sprs::CompressedStorage, value: T) -> CsMat<T> {
        match storage {
            sprs::CompressedStorage::CSR => {
                let (starts, indices, values) = self.stored(value);
                CsMat::new(self.shape(), starts, indices, values)
            }
            sprs::CompressedStorage::CSC => self.transpose().to_transposed(value),
        }
    }

    /// A sparse matrix by columns, which has the transposed pattern.
    pub(crate) fn to_transposed<T: Clone>(&self, value: T) -> CsMat<T> {
        let (starts, indices, values) = self.stored(value);
        CsMat::new_csc((self.columns, self.rows()), starts, indices, values)
    }

    /// As sparse matrices are stored: where each row starts, the columns, and values.
    fn stored<T: Clone>(&self, value: T) -> (Vec<usize>, Vec<usize>, Vec<T>) {
        let wide = |narrow: &[u32]| narrow.iter().map(|&k| k as usize).collect();
        (wide(&self.starts), wide(&self.indices), vec![value; self.nnz()])
    }

    /// Writes one value at each place of the pattern.
    ///
    /// # Panics
    /// If the matrix is smaller than the pattern.
    pub fn fill<T: Clone>(&self, mut matrix: ArrayViewMut2<'_, T>, value: T) {
        for (i, j) in self.iter() {
            matrix[[i, j]] = value.clone();
        }
    }
}

/// From the sizes of parts to where they start.
pub(super) fn accumulate(starts: &mut [u32]) {
    let mut sum = 0;
    for start in starts {
        sum += *start;
        *start = sum;
    }
}

fn sort_and_dedup(indices: &mut Vec<u32>, start: usize) {
    if indices[start..].windows(2).all(|w| w[0] < w[1]) {
        return;
    }
    indices[start..].sort_unstable();
    let mut kept = start;
    for k in start..indices.len() {
        if k == start || indices[k] != indices[kept - 1] {
            indices[kept] = indices[k];
            kept += 1;
        }
    }
    indices.truncate(kept);
}

fn fits(what: &str, count: usize) -> Result<()> {
    if count >= u32::MAX as usize {
        return Err(invalid(format!("{count} {what} are more than 32 bits count")));
    }
    Ok(())
}

fn outside(i: usize, j: usize, rows: usize, columns: usize) -> Error {
    invalid(format!("the entry ({i}, {j}) is outside of its {rows}x{columns} places"))
}

fn invalid(reason: String) -> Error {
    Error::InvalidPattern { reason }
}
