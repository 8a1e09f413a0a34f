//! A whole Jacobian, for products with seeds that come later.

use crate::error::Result;
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::number::shape::Shape;
use crate::operators::entries::{Entries, count};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use crate::stack::tape::Recorder;

/// A whole Jacobian, row by row, and room for one seed.
#[derive(Clone, Debug)]
pub struct Dense<F> {
    pub(super) rows: Shape,
    columns: usize,
    entries: Vec<F>,
    pub(super) seed: Vec<F>,
}

/// The Jacobian is all that is left.
impl<F> Recorder for Dense<F> {
    fn kept(&self, note: &mut Note<'_>) {
        self.rows.kept(note);
        note(names::RESULTS, memory_report::vector(&self.entries));
        note(names::NUMBERS, memory_report::vector(&self.seed));
    }
}

impl<F: Base> Dense<F> {
    /// For so many inputs.
    pub(super) fn new(columns: usize) -> Self {
        Dense { rows: Shape::of(|_| ()), columns, entries: Vec::new(), seed: Vec::new() }
    }

    /// An entry of the product with the seed.
    pub(super) fn row_times_seed(&self, row: usize) -> F {
        let row = &self.entries[row * self.columns..][..self.columns];
        row.iter().zip(&self.seed).map(|(j, v)| *j * *v).sum()
    }

    /// An entry of the product of the transposed Jacobian with the seed.
    pub(super) fn column_times_seed(&self, column: usize) -> F {
        let column = self.entries[column..].iter().step_by(self.columns);
        column.zip(&self.seed).map(|(j, v)| *j * *v).sum()
    }
}

impl<L: List> Entries<L> for Dense<L::Base> {
    fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
        self.rows = Shape::of(|dim| L::shape(&outputs, dim));
        self.entries.resize(self.columns * count::<L, A>(outputs), <L::Base as Base>::ZERO);
        Ok(())
    }

    fn set(&mut self, row: usize, column: usize, value: L::Base) {
        self.entries[row * self.columns + column] = value;
    }
}
