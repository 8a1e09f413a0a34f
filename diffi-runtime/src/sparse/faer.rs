//! Sparse matrices and patterns to and from faer.

use super::Pattern;
use crate::error::Result;
use faer::sparse::{SparseColMat, SymbolicSparseColMat, SymbolicSparseColMatRef};
use sprs::CsMat;

/// The same matrix, in faer's compressed columns: for its factorizations.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{Pattern, Storage, to_faer};
///
/// let pattern = Pattern::from_rows(3, [vec![0, 2], vec![1]])?;
/// let matrix = to_faer(&pattern.to_sparse(Storage::CSR, 2.0));
/// assert_eq!((matrix.nrows(), matrix.ncols()), (2, 3));
/// assert_eq!(matrix.get(0, 2), Some(&2.0));
/// assert_eq!(Pattern::from_faer(matrix.symbolic())?, pattern);
/// # Ok::<(), diffi::error::Error>(())
/// ```
pub fn to_faer<T: Copy + Default>(matrix: &CsMat<T>) -> SparseColMat<usize, T> {
    let columns = matrix.to_csc();
    let (rows, count) = columns.shape();
    let (starts, indices, values) = columns.into_raw_storage();
    SparseColMat::new(SymbolicSparseColMat::new_checked(rows, count, starts, None, indices), values)
}

impl Pattern {
    /// The pattern of all entries that a matrix of faer stores.
    ///
    /// # Errors
    /// [`Error::InvalidPattern`](crate::error::Error::InvalidPattern) if there are more than 2³² of anything.
    pub fn from_faer(matrix: SymbolicSparseColMatRef<'_, usize>) -> Result<Pattern> {
        let columns = (0..matrix.ncols()).map(|j| matrix.row_idx_of_col_raw(j).iter().copied());
        Ok(Pattern::from_rows(matrix.nrows(), columns)?.transpose())
    }
}
