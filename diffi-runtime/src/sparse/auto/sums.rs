//! Sums of columns and of rows, as passes find them.

use crate::error::{Error, Result};
use crate::number::batch::Lanes;
use crate::number::float::Base;
use crate::number::hlist::List;
use crate::operators::entries::{Entries, Groups, Products, count};
use crate::sparse::Coloring;
use crate::sparse::auto::check::Probe;
use crate::sparse::auto::direct_recovery::Straight;
use crate::sparse::auto::products::Sides;
use crate::stack::memory_report;
use ndarray::ArrayView2;
use std::ops::Range;

/// The sums of columns and of rows, and what they are compared with.
pub(crate) struct Sums<F> {
    /// Row by row, those of a row's columns side by side. Empty as long as values are read straight from the passes.
    columns: Vec<F>,
    /// Color by color.
    rows: Vec<F>,
    /// How many rows and columns the matrix has, and how many colors there are for its columns and rows.
    shape: (usize, usize),
    colors: (usize, usize),
    pub(crate) probe: Option<Probe<F>>,
}

impl<F: Base> Sums<F> {
    pub(crate) fn bytes(&self) -> usize {
        let probe = self.probe.as_ref().map_or(0, Probe::bytes);
        memory_report::vector(&self.columns) + memory_report::vector(&self.rows) + probe
    }

    pub(crate) fn new(coloring: &Coloring, probe: Option<Probe<F>>) -> Self {
        let shape = coloring.sparsity_pattern().shape();
        let colors = (coloring.column_groups().len(), coloring.row_groups().len());
        Sums { columns: Vec::new(), rows: vec![<F as Base>::ZERO; colors.1 * shape.1], shape, colors, probe }
    }

    /// Which columns and rows share a seed.
    pub(crate) fn sides(&self, coloring: &Coloring) -> Sides<F> {
        let by_rows = coloring.column_groups().is_empty() && !coloring.row_groups().is_empty();
        let weights = |rows: bool| self.probe.as_ref().filter(|_| rows == by_rows).map(|probe| probe.weights.clone());
        Sides {
            columns: Groups { of: coloring.column_colors().to_vec(), count: self.colors.0, probe: weights(false) },
            rows: Groups { of: coloring.row_colors().to_vec(), count: self.colors.1, probe: weights(true) },
        }
    }

    /// Receives sums of columns, and sums of rows. Those of columns go straight to the values, if they can.
    pub(crate) fn receive<'a>(&'a mut self, straight: Option<Straight<'a, F>>) -> (Received<'a, F>, Received<'a, F>) {
        let (m, n) = self.shape;
        let across = self.colors.0;
        let mut columns = Received { rows: m, sums: &mut self.columns, across, down: m, probe: None, straight };
        let mut rows =
            Received { rows: m, sums: &mut self.rows, across: n, down: self.colors.1, probe: None, straight: None };
        if let Some(probe) = &mut self.probe {
            match probe.by_rows {
                true => rows.probe = Some((self.colors.1, &mut probe.found)),
                false => columns.probe = Some((self.colors.0, &mut probe.found)),
            }
        }
        (columns, rows)
    }

    /// One after the other: those of columns first.
    pub(crate) fn flat(&self) -> (&[F], &[F]) {
        (&self.columns, &self.rows)
    }

    /// As matrices: a column for each color of the columns, a row for each color of the rows.
    pub(crate) fn matrices(&self) -> (ArrayView2<'_, F>, ArrayView2<'_, F>) {
        let ((m, n), (across, down)) = (self.shape, self.colors);
        let columns = ArrayView2::from_shape((m, across), &self.columns);
        let rows = ArrayView2::from_shape((down, n), &self.rows);
        (columns.expect("as many as there are places"), rows.expect("as many as there are places"))
    }
}

/// A matrix of sums that is being found.
pub(crate) struct Received<'a, F> {
    /// How many outputs there must be.
    rows: usize,
    sums: &'a mut Vec<F>,
    /// The shape of the sums.
    across: usize,
    down: usize,
    /// The group that is none, and where its product goes.
    probe: Option<(usize, &'a mut Vec<F>)>,
    /// Who takes what a pass has found, instead of the sums.
    straight: Option<Straight<'a, F>>,
}

impl<F: Base> Received<'_, F> {
    /// Whether all values have been read, so that there are no sums.
    pub(crate) fn is_read(&self) -> bool {
        self.straight.as_ref().is_some_and(Straight::is_read)
    }

    /// A row of the sums, from one place on.
    #[inline]
    fn sums(&mut self, row: usize, from: usize) -> &mut [F] {
        if self.sums.is_empty() {
            self.sums.resize(self.across * self.down, <F as Base>::ZERO);
        }
        &mut self.sums[row * self.across + from..]
    }

    /// Of a sum of columns.
    #[inline]
    fn column(&mut self, row: usize, group: usize, value: F) {
        match &mut self.probe {
            Some((probe, found)) if *probe == group => found[row] = value,
            _ => self.sums(row, group)[0] = value,
        }
    }

    /// Of a sum of rows.
    #[inline]
    fn row(&mut self, group: usize, column: usize, value: F) {
        match &mut self.probe {
            Some((probe, found)) if *probe == group => found[column] = value,
            _ => self.sums(group, column)[0] = value,
        }
    }
}

impl<F: Base> Products<F> for Received<'_, F> {
    #[inline(always)]
    fn lanes<A: Lanes<F>>(&mut self, row: usize, groups: Range<usize>, a: &A) {
        if self.probe.is_none() {
            let sums = &mut self.sums(row, groups.start)[..groups.len()];
            sums.iter_mut().enumerate().for_each(|(k, sum)| *sum = a.lane(k));
        } else {
            groups.clone().for_each(|group| self.column(row, group, a.lane(group - groups.start)));
        }
    }

    #[inline]
    fn rows<A: Lanes<F>>(&mut self, rows: &[A], groups: Range<usize>) {
        if !self.straight.as_mut().is_some_and(|straight| straight.read(rows, groups.start)) {
            rows.iter().enumerate().for_each(|(row, a)| Products::lanes(self, row, groups.clone(), a));
        }
    }
}

/// Sums of columns, as they come.
pub(crate) struct OfColumns<'a, F>(pub(crate) Received<'a, F>);
/// Sums of rows, as they come.
pub(crate) struct OfRows<'a, F>(pub(crate) Received<'a, F>);

macro_rules! entries {
    ($Of:ident, $put:ident, $($several:item)*) => {
        impl<L: List> Entries<L> for $Of<'_, L::Base> {
            fn open<A: Lanes<L::Base>>(&mut self, outputs: L::Muts<'_, A>) -> Result<()> {
                let found = count::<L, A>(outputs);
                match found == self.0.rows {
                    true => Ok(()),
                    false => Err(Error::PatternMismatch {
                        expected: format!("{} outputs", self.0.rows),
                        found: format!("{found} outputs"),
                    }),
                }
            }

            #[inline]
            fn set(&mut self, row: usize, column: usize, value: L::Base) {
                self.0.$put(row, column, value);
            }

            $(
                #[inline(always)]
                $several
            )*
        }
    };
}
entries! {
    OfColumns, column,
    fn lanes<A: Lanes<L::Base>>(&mut self, row: usize, groups: Range<usize>, a: &A) {
        Products::lanes(&mut self.0, row, groups, a);
    }
    fn rows<A: Lanes<L::Base>>(&mut self, rows: &[A], groups: Range<usize>) {
        Products::rows(&mut self.0, rows, groups);
    }
}
entries!(OfRows, row,);
