//! Entries read back from the sums.

use super::by_group::substitute;
use super::compress::{Compressed, Entry};
use super::recovery::NONE;
use super::{Coloring, ColoringProblem, Pattern, Storage};
use crate::error::{Error, Result};
use crate::stack::memory_report;
use ndarray::{ArrayView2, ArrayViewMut2, Axis};
use sprs::CsMat;
use std::borrow::Cow;
use std::ops::Range;

/// Which part of a symmetric matrix is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Triangle {
    /// All of it.
    #[default]
    Full,
    /// The diagonal and what is above it.
    Upper,
    /// The diagonal and what is below it.
    Lower,
}

/// Reads entries back from the sums, for one way to store them: prepared once, and then without allocation.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{
///     Coloring, ColoringProblem, Decompressor, GreedyColoring, Pattern, Storage, Triangle, coloring, compress,
/// };
///
/// let pattern = Pattern::from_rows(3, [vec![0, 1], vec![1, 2], vec![2]])?;
/// let coloring = coloring(&pattern, ColoringProblem::Column, GreedyColoring::default())?;
/// let decompressor = Decompressor::new(&coloring, Storage::CSC, Triangle::Full)?;
/// let mut matrix = decompressor.matrix();
///
/// let sums = compress(&pattern.to_sparse(Storage::CSR, 5.0), &coloring)?;
/// decompressor.decompress_into(&mut matrix, &sums)?;
/// assert_eq!(matrix.get(1, 2), Some(&5.0));
/// # Ok::<(), diffi::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decompressor {
    shape: (usize, usize),
    storage: Storage,
    starts: Vec<usize>,
    indices: Vec<usize>,
    /// Where each value is read, in the order in which they are stored.
    pub(super) sources: Vec<Source>,
    /// What is subtracted from whom after reading, in this order: indices of values.
    pub(super) subtractions: Vec<(u32, u32)>,
    /// Values on the other side of the diagonal that subtractions changed: (from, to).
    pub(super) mirrors: Vec<(u32, u32)>,
    /// The shapes of the sums.
    pub(super) column_colors: usize,
    pub(super) row_colors: usize,
}

/// A number among the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Counted from 0; where rows were added up, after the columns' colors.
    pub(super) color: u32,
    /// The row in a sum of columns, or the column in a sum of rows.
    pub(super) position: u32,
}

impl Decompressor {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        let Decompressor { starts, indices, sources, subtractions, mirrors, .. } = self;
        let places = memory_report::vector(starts) + memory_report::vector(indices);
        places + memory_report::vector(sources) + memory_report::vector(subtractions) + memory_report::vector(mirrors)
    }

    /// Prepares for matrices in compressed columns or rows, of which one triangle may be stored if the problem is symmetric.
    ///
    /// # Errors
    /// [`Error::NotSymmetric`] if one triangle of another problem is asked for.
    pub fn new(coloring: &Coloring, storage: Storage, triangle: Triangle) -> Result<Decompressor> {
        let pattern = coloring.sparsity_pattern();
        let symmetric = coloring.problem() == ColoringProblem::Symmetric;
        if triangle != Triangle::Full && !symmetric {
            return Err(Error::NotSymmetric {
                reason: "one triangle was asked for, of a problem that is not symmetric".into(),
            });
        }
        // Each outer line of the storage, with the unknown that each entry is.
        let (lines, unknowns): (Cow<Pattern>, Cow<[u32]>) = if symmetric {
            (Cow::Borrowed(pattern), Cow::Borrowed(&coloring.unknowns))
        } else if storage == Storage::CSR {
            (Cow::Borrowed(pattern), (0..pattern.nnz() as u32).collect())
        } else {
            let (transposed, origins) = pattern.transpose_and_origins();
            (Cow::Owned(transposed), Cow::Owned(origins))
        };
        let (mut starts, mut indices) = (vec![0], Vec::with_capacity(pattern.nnz()));
        let mut sources = Vec::with_capacity(pattern.nnz());
        let mut places = vec![[NONE; 2]; pattern.nnz()];
        for outer in 0..lines.rows() {
            let first = lines.starts()[outer] as usize;
            for (&inner, &unknown) in lines.row(outer).iter().zip(&unknowns[first..]) {
                let inner = inner as usize;
                let (i, j) = if storage == Storage::CSR { (outer, inner) } else { (inner, outer) };
                if !triangle.has(i, j) {
                    continue;
                }
                let [place, image] = &mut places[unknown as usize];
                *(if *place == NONE { place } else { image }) = indices.len() as u32;
                indices.push(inner);
                sources.push(coloring.source(i as u32, j as u32, unknown as usize));
            }
            starts.push(indices.len());
        }
        let (subtractions, mirrors) = substitution(coloring, &places);
        Ok(Decompressor {
            shape: pattern.shape(),
            storage,
            starts,
            indices,
            sources,
            subtractions,
            mirrors,
            column_colors: coloring.column_groups().len(),
            row_colors: coloring.row_groups().len(),
        })
    }

    /// The color that each value is read from, counted from 0, those of rows after those of columns, and the row or column in it.
    pub(crate) fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.sources.iter().map(|source| (source.color as usize, source.position as usize))
    }

    /// Some columns (or rows, as they are stored), and which of the values are theirs.
    pub(crate) fn lines(&self, lines: Range<usize>) -> (Pattern, Range<usize>) {
        let starts = &self.starts[lines.start..=lines.end];
        let values = starts[0]..starts[starts.len() - 1];
        let starts = starts.iter().map(|start| (start - values.start) as u32).collect();
        let indices = self.indices[values.clone()].iter().map(|index| *index as u32).collect();
        let across = if self.storage == Storage::CSC { self.shape.0 } else { self.shape.1 };
        (Pattern::new(across, starts, indices).expect("a part of a pattern"), values)
    }

    /// The number of values that are stored.
    pub fn nnz(&self) -> usize {
        self.indices.len()
    }

    /// A matrix of zeros that has the pattern.
    pub fn matrix<T: Entry>(&self) -> CsMat<T> {
        let values = vec![T::default(); self.nnz()];
        match self.storage {
            Storage::CSR => CsMat::new(self.shape, self.starts.clone(), self.indices.clone(), values),
            Storage::CSC => CsMat::new_csc(self.shape, self.starts.clone(), self.indices.clone(), values),
        }
    }

    /// Overwrites the values of a matrix that has the pattern.
    ///
    /// # Errors
    /// [`Error::PatternMismatch`] if the matrix does not have the pattern, in the storage that was prepared;
    /// [`Error::BufferMismatch`] if the sums have another shape.
    pub fn decompress_into<T: Entry>(&self, matrix: &mut CsMat<T>, sums: &Compressed<T>) -> Result<()> {
        self.fits(matrix)?;
        self.values_into(matrix.data_mut(), sums.columns.view(), sums.rows.view())
    }

    /// Whether a matrix has this pattern in this storage.
    ///
    /// # Errors
    /// [`Error::PatternMismatch`] if it has not.
    pub fn fits<T>(&self, matrix: &CsMat<T>) -> Result<()> {
        if matrix.shape() != self.shape {
            return Err(Error::pattern_shapes(self.shape, matrix.shape()));
        }
        if matrix.storage() != self.storage {
            let (expected, found) = (format!("{:?} storage", self.storage), format!("{:?} storage", matrix.storage()));
            return Err(Error::PatternMismatch { expected, found });
        }
        let starts = matrix.indptr();
        if starts.raw_storage() != self.starts || matrix.indices() != self.indices {
            return Err(Error::PatternMismatch {
                expected: format!("its {} entries", self.nnz()),
                found: format!("{} entries, not all in the same places", matrix.nnz()),
            });
        }
        Ok(())
    }

    /// Overwrites values that are stored as those of [`matrix`](Decompressor::matrix) are.
    ///
    /// # Errors
    /// [`Error::BufferMismatch`] if there is not the right number of values, or if the sums have another shape.
    pub fn values_into<T: Entry>(
        &self,
        values: &mut [T],
        columns: ArrayView2<'_, T>,
        rows: ArrayView2<'_, T>,
    ) -> Result<()> {
        self.sums_fit(columns.dim(), rows.dim())?;
        if values.len() != self.nnz() {
            return Err(Error::BufferMismatch { expected: self.nnz().to_string(), found: values.len().to_string() });
        }
        if self.row_colors == 0 {
            self.gather(values, columns);
        } else if self.column_colors == 0 {
            self.gather(values, rows.t());
        } else {
            for (value, source) in values.iter_mut().zip(&self.sources) {
                let (color, position) = (source.color as usize, source.position as usize);
                *value = match color.checked_sub(self.column_colors) {
                    None => columns[[position, color]],
                    Some(color) => rows[[color, position]],
                };
            }
        }
        substitute(values, &self.subtractions, &self.mirrors);
        Ok(())
    }

    /// Overwrites a dense matrix, with zeros outside of the pattern.
    ///
    /// # Errors
    /// [`Error::PatternMismatch`] if the matrix has another shape; [`Error::BufferMismatch`] if the sums have.
    pub fn dense_into<T: Entry>(&self, mut matrix: ArrayViewMut2<'_, T>, sums: &Compressed<T>) -> Result<()> {
        if matrix.dim() != self.shape {
            return Err(Error::pattern_shapes(self.shape, matrix.dim()));
        }
        let mut values = vec![T::default(); self.nnz()];
        self.values_into(&mut values, sums.columns.view(), sums.rows.view())?;
        matrix.fill(T::default());
        let mut lines = if self.storage == Storage::CSR { matrix } else { matrix.reversed_axes() };
        for (outer, mut line) in lines.axis_iter_mut(Axis(0)).enumerate() {
            for k in self.starts[outer]..self.starts[outer + 1] {
                line[self.indices[k]] = values[k];
            }
        }
        Ok(())
    }

    fn gather<T: Entry>(&self, values: &mut [T], sums: ArrayView2<'_, T>) {
        for (value, source) in values.iter_mut().zip(&self.sources) {
            *value = sums[[source.position as usize, source.color as usize]];
        }
    }

    fn sums_fit(&self, columns: (usize, usize), rows: (usize, usize)) -> Result<()> {
        let expected = ((self.shape.0, self.column_colors), (self.row_colors, self.shape.1));
        let show = |((m, c), (r, n))| format!("({m}x{c}, {r}x{n})");
        if (columns, rows) != expected {
            return Err(Error::BufferMismatch { expected: show(expected), found: show((columns, rows)) });
        }
        Ok(())
    }
}

impl Triangle {
    fn has(self, i: usize, j: usize) -> bool {
        match self {
            Triangle::Full => true,
            Triangle::Upper => i <= j,
            Triangle::Lower => i >= j,
        }
    }
}

impl Coloring {
    /// Where the entry (i, j) is read, which is the unknown of that number.
    pub(super) fn source(&self, i: u32, j: u32, unknown: usize) -> Source {
        let by_columns = |i: u32, j: u32| Source { color: self.column_colors()[j as usize] - 1, position: i };
        let by_rows = |i: u32, j: u32| Source {
            color: self.column_groups().len() as u32 + self.row_colors()[i as usize] - 1,
            position: j,
        };
        let second = || self.recovery.as_ref().is_some_and(|recovery| recovery.second[unknown]);
        match self.problem() {
            ColoringProblem::Column => by_columns(i, j),
            ColoringProblem::Row => by_rows(i, j),
            ColoringProblem::Symmetric if second() => by_columns(i.max(j), i.min(j)),
            ColoringProblem::Symmetric => by_columns(i.min(j), i.max(j)),
            ColoringProblem::Bidirectional if second() => by_columns(i, j),
            ColoringProblem::Bidirectional => by_rows(i, j),
        }
    }
}

type Pairs = Vec<(u32, u32)>;

/// The subtractions between unknowns as subtractions between values, and the copies of values that they change.
fn substitution(coloring: &Coloring, places: &[[u32; 2]]) -> (Pairs, Pairs) {
    let Some(recovery) = &coloring.recovery else { return (Vec::new(), Vec::new()) };
    let place = |unknown: u32| places[unknown as usize];
    let subtractions = recovery.subtractions.iter().map(|&(u, k)| (place(u)[0], place(k)[0])).collect();
    let mut changed: Vec<u32> = recovery.subtractions.iter().map(|&(u, _)| u).collect();
    changed.dedup();
    let mirrors =
        changed.into_iter().map(place).filter(|image| image[1] != NONE).map(|[from, to]| (from, to)).collect();
    (subtractions, mirrors)
}

/// The matrix, in compressed rows, whose sums these are.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{ColoringProblem, GreedyColoring, Pattern, coloring, compress, decompress};
/// use ndarray::array;
///
/// let matrix = array![[0., 0., 4., 6., 0., 9.], [1., 0., 0., 0., 7., 0.], [0., 2., 0., 0., 8., 0.], [0., 3., 5., 0., 0., 0.]];
/// let coloring = coloring(&Pattern::from_dense(matrix.view())?, ColoringProblem::Column, GreedyColoring::default())?;
/// let sums = compress(&matrix, &coloring)?;
/// assert_eq!(sums.columns, array![[6., 4., 9.], [1., 7., 0.], [2., 8., 0.], [3., 5., 0.]]);
/// assert_eq!(decompress(&sums, &coloring)?.to_dense(), matrix);
/// # Ok::<(), diffi::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::BufferMismatch`] if the sums have another shape than the coloring's.
pub fn decompress<T: Entry>(sums: &Compressed<T>, coloring: &Coloring) -> Result<CsMat<T>> {
    let decompressor = Decompressor::new(coloring, Storage::CSR, Triangle::Full)?;
    let mut matrix = decompressor.matrix();
    decompressor.decompress_into(&mut matrix, sums)?;
    Ok(matrix)
}

/// Overwrites the values of a matrix that has the pattern, in compressed rows or columns; a [`Decompressor`] does this often without
/// allocation.
///
/// # Errors
/// [`Error::PatternMismatch`] if the matrix does not have the pattern; [`Error::BufferMismatch`] if the sums have another shape than
/// the coloring's.
pub fn decompress_into<T: Entry>(matrix: &mut CsMat<T>, sums: &Compressed<T>, coloring: &Coloring) -> Result<()> {
    Decompressor::new(coloring, matrix.storage(), Triangle::Full)?.decompress_into(matrix, sums)
}
