//! What preparation finds out: the pattern, the colors, and where each value is read.

use super::check::Probe;
use super::products::Sides;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::lanes::Lanes;
use crate::list::List;
use crate::operators::entries::{Entries, Groups, Products, count, lanes};
use crate::sparse::{Coloring, ColoringAlgorithm, ColoringProblem, Decompressor, Pattern, Recover, Storage, Triangle};
use crate::tape::Recorder;
use ndarray::{ArrayView2, ShapeBuilder};
use sprs::CsMat;
use std::ops::Range;

/// What a sparse operator keeps between calls. It is made by the first call, for patterns can fail to be found.
pub struct Sparse<P, F>(pub(super) Option<Plan<P, F>>);

impl<P: Recorder, F> Recorder for Sparse<P, F> {
    fn tape_bytes(&self) -> usize {
        self.0.as_ref().map_or(0, |plan| plan.products.tape_bytes())
    }
}

impl<P, F> Sparse<P, F> {
    /// What was made.
    pub(super) fn plan(&self) -> &Plan<P, F> {
        self.0.as_ref().expect("preparation makes it")
    }
}

/// The colors, the memory of products, and that of their sums.
pub(super) struct Plan<P, F> {
    pub(super) coloring: Coloring,
    pub(super) products: P,
    pub(super) sums: Sums<F>,
    pub(super) matrix: Values<F>,
}

/// The sums of columns and of rows, and what they are compared with.
pub(super) struct Sums<F> {
    /// Row by row, those of a row's columns side by side.
    columns: Vec<F>,
    /// How many numbers there are for each row: some more than there are colors, if that fills the lanes of a single pass.
    width: usize,
    /// Color by color.
    rows: Vec<F>,
    /// How many rows and columns the matrix has, and how many colors there are for its columns and rows.
    shape: (usize, usize),
    colors: (usize, usize),
    pub(super) probe: Option<Probe<F>>,
}

impl<F: Base> Sums<F> {
    /// For passes with so many groups at once.
    pub(super) fn new(coloring: &Coloring, probe: Option<Probe<F>>, batch: impl Fn(usize) -> usize) -> Self {
        let shape = coloring.sparsity_pattern().shape();
        let colors = (coloring.column_groups().len(), coloring.row_groups().len());
        let width = match colors.0 {
            single if single > 0 && probe.is_none() && batch(single) >= single => lanes(single),
            several => several,
        };
        let zero = <F as Base>::ZERO;
        let (columns, rows) = (vec![zero; shape.0 * width], vec![zero; colors.1 * shape.1]);
        Sums { columns, width, rows, shape, colors, probe }
    }

    /// Which columns and rows share a seed.
    pub(super) fn sides(&self, coloring: &Coloring) -> Sides<F> {
        let by_rows = coloring.column_groups().is_empty() && !coloring.row_groups().is_empty();
        let weights = |rows: bool| self.probe.as_ref().filter(|_| rows == by_rows).map(|probe| probe.weights.clone());
        Sides {
            columns: Groups { of: coloring.column_colors().to_vec(), count: self.colors.0, probe: weights(false) },
            rows: Groups { of: coloring.row_colors().to_vec(), count: self.colors.1, probe: weights(true) },
        }
    }

    /// Receives sums of columns, and sums of rows.
    pub(super) fn receive(&mut self) -> (Received<'_, F>, Received<'_, F>) {
        let (m, n) = self.shape;
        let mut columns = Received { rows: m, sums: &mut self.columns, width: self.width, probe: None };
        let mut rows = Received { rows: m, sums: &mut self.rows, width: n, probe: None };
        if let Some(probe) = &mut self.probe {
            match probe.by_rows {
                true => rows.probe = Some((self.colors.1, &mut probe.found)),
                false => columns.probe = Some((self.colors.0, &mut probe.found)),
            }
        }
        (columns, rows)
    }
}

/// The sums as matrices, of whatever numbers.
fn matrices<'a, T, F>(sums: &Sums<F>, columns: &'a [T], rows: &'a [T]) -> (ArrayView2<'a, T>, ArrayView2<'a, T>) {
    let ((m, n), (across, down)) = (sums.shape, sums.colors);
    let columns = match across {
        0 => ArrayView2::from_shape((m, 0), &[]),
        _ => ArrayView2::from_shape((m, across).strides((sums.width, 1)), columns),
    };
    let rows = ArrayView2::from_shape((down, n), rows);
    (columns.expect("as many as there are places"), rows.expect("as many as there are places"))
}

/// A matrix of sums that is being found.
pub(super) struct Received<'a, F> {
    /// How many outputs there must be.
    rows: usize,
    sums: &'a mut [F],
    width: usize,
    /// The group that is none, and where its product goes.
    probe: Option<(usize, &'a mut Vec<F>)>,
}

impl<F: Copy> Received<'_, F> {
    /// Of a sum of columns.
    #[inline]
    fn column(&mut self, row: usize, group: usize, value: F) {
        match &mut self.probe {
            Some((probe, found)) if *probe == group => found[row] = value,
            _ => self.sums[row * self.width + group] = value,
        }
    }

    /// Of a sum of rows.
    #[inline]
    fn row(&mut self, group: usize, column: usize, value: F) {
        match &mut self.probe {
            Some((probe, found)) if *probe == group => found[column] = value,
            _ => self.sums[group * self.width + column] = value,
        }
    }
}

impl<F: Base> Products<F> for Received<'_, F> {
    #[inline(always)]
    fn lanes<A: Lanes<F>>(&mut self, row: usize, groups: Range<usize>, a: &A) {
        let at = row * self.width + groups.start;
        if self.width == A::LANES {
            let sums = &mut self.sums[at..at + A::LANES];
            sums.iter_mut().enumerate().for_each(|(k, sum)| *sum = a.lane(k));
        } else if self.probe.is_none() {
            let sums = &mut self.sums[at..at + groups.len()];
            sums.iter_mut().enumerate().for_each(|(k, sum)| *sum = a.lane(k));
        } else {
            groups.clone().for_each(|group| self.column(row, group, a.lane(group - groups.start)));
        }
    }
}

/// Sums of columns, as they come.
pub(super) struct OfColumns<'a, F>(pub(super) Received<'a, F>);
/// Sums of rows, as they come.
pub(super) struct OfRows<'a, F>(pub(super) Received<'a, F>);

macro_rules! entries {
    ($Of:ident, $put:ident, $($lanes:item)?) => {
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
                $lanes
            )?
        }
    };
}
entries! {
    OfColumns, column,
    fn lanes<A: Lanes<L::Base>>(&mut self, row: usize, groups: Range<usize>, a: &A) {
        Products::lanes(&mut self.0, row, groups, a);
    }
}
entries!(OfRows, row,);

/// Colors a pattern: by the first problem, or by the one that needs the fewest colors.
pub(super) fn color(
    pattern: Pattern,
    problems: &[ColoringProblem],
    fewest: bool,
    algorithm: &impl ColoringAlgorithm,
) -> Result<Coloring> {
    let tried = if fewest { problems } else { &problems[..1] };
    let mut best: Option<Coloring> = None;
    for problem in tried {
        let colors = algorithm.colors(&pattern, *problem)?;
        let coloring = Coloring::new(pattern.clone(), *problem, algorithm.recover(), colors)?;
        if best.as_ref().is_none_or(|best| coloring.ncolors() <= best.ncolors()) {
            best = Some(coloring);
        }
    }
    Ok(best.expect("every backend colors something"))
}

/// The values of the whole matrix, by columns, and how they are cut into blocks.
pub(super) struct Values<F> {
    decompressor: Decompressor,
    /// Where each value stands among the sums, if nothing is subtracted: those of columns first.
    sources: Option<Vec<u32>>,
    /// All values, if they are cut or checked.
    all: Vec<F>,
    blocks: Vec<Block<F>>,
}

/// The columns that belong to one input.
struct Block<F> {
    matrix: CsMat<F>,
    /// Which of the values belong to it.
    values: Range<usize>,
    /// The same matrix by rows, and where its values stand; made when it is first asked for.
    by_rows: Option<(CsMat<F>, Vec<usize>)>,
}

impl<F: Base> Values<F> {
    /// For blocks of so many columns each.
    pub(super) fn new(
        coloring: &Coloring,
        recover: Recover,
        triangle: Triangle,
        widths: &[usize],
        sums: &Sums<F>,
    ) -> Result<Self> {
        let decompressor = Decompressor::new(coloring, Storage::CSC, triangle)?;
        let sources = if recover == Recover::Directly { sources(&decompressor, sums)? } else { None };
        let whole: CsMat<F> = decompressor.matrix();
        let starts = whole.indptr();
        let starts = starts.raw_storage();
        let mut first = 0;
        let blocks = widths.iter().map(|width| {
            let values = starts[first]..starts[first + width];
            let own = starts[first..=first + width].iter().map(|start| start - values.start).collect();
            let indices = whole.indices()[values.clone()].to_vec();
            let zeros = vec![<F as Base>::ZERO; indices.len()];
            first += width;
            Block { matrix: CsMat::new_csc((whole.rows(), *width), own, indices, zeros), values, by_rows: None }
        });
        let blocks = blocks.collect();
        Ok(Values { all: vec![<F as Base>::ZERO; whole.nnz()], decompressor, sources, blocks })
    }

    /// New matrices with these entries, which are zero.
    pub(super) fn blank(&self) -> impl Iterator<Item = CsMat<F>> + '_ {
        self.blocks.iter().map(|block| block.matrix.clone())
    }

    /// Whether matrices have these entries.
    pub(super) fn check(&mut self, views: &[Option<&mut CsMat<F>>]) -> Result<()> {
        let mut pairs = self.blocks.iter_mut().zip(views);
        pairs.try_for_each(|(block, view)| view.as_ref().map_or(Ok(()), |view| block.check(view)))
    }

    /// Reads the values from the sums into matrices that were checked.
    pub(super) fn put(&mut self, sums: &Sums<F>, views: &mut [Option<&mut CsMat<F>>]) -> Result<()> {
        if let ([_], [Some(only), ..], None) = (&self.blocks[..], &mut *views, &sums.probe)
            && only.is_csc()
        {
            return read(&self.decompressor, self.sources.as_deref(), sums, only.data_mut());
        }
        read(&self.decompressor, self.sources.as_deref(), sums, &mut self.all)?;
        if let Some(probe) = &sums.probe {
            probe.check(self.blocks.iter().map(|block| (&block.matrix, &self.all[block.values.clone()])))?;
        }
        for (block, view) in self.blocks.iter().zip(views) {
            if let Some(view) = view {
                block.put(&self.all[block.values.clone()], view);
            }
        }
        Ok(())
    }
}

/// Reads all values.
fn read<F: Base>(decompressor: &Decompressor, sources: Option<&[u32]>, sums: &Sums<F>, values: &mut [F]) -> Result<()> {
    match sources {
        Some(sources) if sums.rows.is_empty() => {
            values.iter_mut().zip(sources).for_each(|(value, source)| *value = sums.columns[*source as usize]);
            Ok(())
        }
        Some(sources) => {
            let first = sums.columns.len();
            values.iter_mut().zip(sources).for_each(|(value, source)| {
                let source = *source as usize;
                *value = if source < first { sums.columns[source] } else { sums.rows[source - first] };
            });
            Ok(())
        }
        None => {
            let (columns, rows) = matrices(sums, &sums.columns, &sums.rows);
            decompressor.values_into(values, columns, rows)
        }
    }
}

/// Where values stand among the sums: what is read if each sum is its own number.
fn sources<F: Base>(decompressor: &Decompressor, sums: &Sums<F>) -> Result<Option<Vec<u32>>> {
    let first = sums.columns.len() as u64;
    let numbers: Vec<u64> = (0..first + sums.rows.len() as u64).collect();
    let (columns, rows) = numbers.split_at(sums.columns.len());
    let (columns, rows) = matrices(sums, columns, rows);
    let mut values = vec![0; decompressor.nnz()];
    decompressor.values_into(&mut values, columns, rows)?;
    Ok(values.into_iter().map(|source| u32::try_from(source).ok()).collect())
}

impl<F: Base> Block<F> {
    fn check(&mut self, found: &CsMat<F>) -> Result<()> {
        let expected = match found.is_csc() {
            true => &self.matrix,
            false => &self.by_rows.get_or_insert_with(|| by_rows(&self.matrix)).0,
        };
        if expected.shape() != found.shape() {
            return Err(Error::pattern_shapes(expected.shape(), found.shape()));
        }
        if expected.indptr() != found.indptr() || expected.indices() != found.indices() {
            return Err(Error::PatternMismatch {
                expected: format!("its {} entries", expected.nnz()),
                found: format!("{} entries, not all in the same places", found.nnz()),
            });
        }
        Ok(())
    }

    fn put(&self, values: &[F], into: &mut CsMat<F>) {
        match &self.by_rows {
            Some((_, places)) if into.is_csr() => {
                into.data_mut().iter_mut().zip(places).for_each(|(value, place)| *value = values[*place]);
            }
            _ => into.data_mut().copy_from_slice(values),
        }
    }
}

/// A matrix by rows, and which of the values by columns each of its values is.
fn by_rows<F: Base>(matrix: &CsMat<F>) -> (CsMat<F>, Vec<usize>) {
    let numbers = CsMat::new_csc(
        matrix.shape(),
        matrix.indptr().raw_storage().to_vec(),
        matrix.indices().to_vec(),
        (0..matrix.nnz()).collect(),
    );
    let turned: CsMat<usize> = numbers.to_csr();
    let (starts, indices, places) = turned.into_raw_storage();
    let zeros = vec![<F as Base>::ZERO; places.len()];
    (CsMat::new(matrix.shape(), starts, indices, zeros), places)
}

/// What preparation found out.
macro_rules! shows_coloring {
    ($Prep:ident where $($bounds:tt)+) => {
        /// What preparation found out.
        impl<B, D, C, F: Func<G>, G: Sig, R: Call<G>> $Prep<F, AutoSparse<B, D, C>, G, R>
        where
            $($bounds)+
        {
            /// The colors.
            pub fn coloring(&self) -> &Coloring {
                &self.parts.state.plan().coloring
            }

            /// Where there are entries, in all blocks side by side.
            pub fn sparsity_pattern(&self) -> &Pattern {
                self.coloring().sparsity_pattern()
            }

            /// The color of each column, from 1, or 0 where a column is in no sum; empty if rows alone were colored.
            pub fn column_colors(&self) -> &[u32] {
                self.coloring().column_colors()
            }

            /// The color of each row, from 1, or 0 where a row is in no sum; empty if columns alone were colored, as they are where
            /// symmetry is used.
            pub fn row_colors(&self) -> &[u32] {
                self.coloring().row_colors()
            }

            /// How many colors there are, and so how many seeds.
            pub fn ncolors(&self) -> usize {
                self.coloring().ncolors()
            }
        }
    };
}
pub(super) use shows_coloring;
