//! Factors of products, whose elements lie side by side. A view that is turned round has to be written down and read again; this is not.

use ndarray::ArrayView2;

/// A matrix whose elements lie side by side.
#[derive(Clone, Copy, Debug)]
pub struct Factor<'a, F> {
    /// Its elements.
    pub elements: &'a [F],
    /// How many rows it has.
    pub rows: usize,
    /// How many columns it has.
    pub columns: usize,
    /// By columns, or by rows.
    pub by_columns: bool,
}

impl<'a, F> Factor<'a, F> {
    /// The matrix, if its elements lie so; a vector is one by rows.
    #[inline(always)]
    pub fn of(matrix: &'a ArrayView2<'_, F>) -> Option<Self> {
        let (rows, columns) = matrix.dim();
        let by_columns = || matrix.t().to_slice().map(|elements| (elements, true));
        let (elements, by_columns) = matrix.as_slice().map(|elements| (elements, false)).or_else(by_columns)?;
        Some(Factor { elements, rows, columns, by_columns })
    }

    /// The transpose.
    #[inline(always)]
    pub fn turned(self) -> Self {
        Factor { rows: self.columns, columns: self.rows, by_columns: !self.by_columns, ..self }
    }

    /// The matrix or its transpose.
    #[inline(always)]
    pub fn seen(self, turned: bool) -> Self {
        if turned { self.turned() } else { self }
    }

    /// From one row to the next.
    pub fn down(&self) -> usize {
        if self.by_columns { 1 } else { self.columns }
    }

    /// From one column to the next.
    pub fn step(&self) -> usize {
        if self.by_columns { self.rows } else { 1 }
    }
}
