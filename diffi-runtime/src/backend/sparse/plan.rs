//! What preparation finds out: the pattern, the colors, and where each value is read.

use super::check::Probe;
use super::products::Sides;
use crate::base::Base;
use crate::error::{Error, Result};
use crate::lanes::Lanes;
use crate::list::List;
use crate::operators::entries::{Entries, Groups, count};
use crate::sparse::{
    Coloring, ColoringAlgorithm, ColoringProblem, Compressed, Decompressor, Pattern, Storage, Triangle,
};
use crate::tape::Recorder;
use sprs::CsMat;

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
    pub(super) all: Compressed<F>,
    pub(super) probe: Option<Probe<F>>,
}

impl<F: Base> Sums<F> {
    pub(super) fn new(coloring: &Coloring, probe: Option<Probe<F>>) -> Self {
        Sums { all: Compressed::zeros(coloring), probe }
    }

    /// Which columns and rows share a seed.
    pub(super) fn sides(&self, coloring: &Coloring) -> Sides<F> {
        let by_rows = coloring.column_groups().is_empty() && !coloring.row_groups().is_empty();
        let weights = |rows: bool| self.probe.as_ref().filter(|_| rows == by_rows).map(|probe| probe.weights.clone());
        Sides {
            columns: Groups {
                of: coloring.column_colors().to_vec(),
                count: coloring.column_groups().len(),
                probe: weights(false),
            },
            rows: Groups {
                of: coloring.row_colors().to_vec(),
                count: coloring.row_groups().len(),
                probe: weights(true),
            },
        }
    }

    /// Receives sums of columns, and sums of rows.
    pub(super) fn receive(&mut self) -> (Received<'_, F>, Received<'_, F>) {
        let (m, n) = (self.all.columns.nrows(), self.all.rows.ncols());
        let (width, height) = (self.all.columns.ncols(), self.all.rows.nrows());
        let mut columns = Received { rows: m, sums: slice(&mut self.all.columns), width, probe: None };
        let mut rows = Received { rows: m, sums: slice(&mut self.all.rows), width: n, probe: None };
        if let Some(probe) = &mut self.probe {
            match probe.by_rows {
                true => rows.probe = Some((height, &mut probe.found)),
                false => columns.probe = Some((width, &mut probe.found)),
            }
        }
        (columns, rows)
    }
}

fn slice<F>(matrix: &mut ndarray::Array2<F>) -> &mut [F] {
    matrix.as_slice_mut().expect("it was made in standard order")
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
    pub(super) fn column(&mut self, row: usize, group: usize, value: F) {
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

/// Sums of columns, as they come.
pub(super) struct OfColumns<'a, F>(pub(super) Received<'a, F>);
/// Sums of rows, as they come.
pub(super) struct OfRows<'a, F>(pub(super) Received<'a, F>);

macro_rules! entries {
    ($Of:ident, $put:ident) => {
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
        }
    };
}
entries!(OfColumns, column);
entries!(OfRows, row);

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
    /// All values, if they are cut or checked.
    all: Vec<F>,
    blocks: Vec<Block<F>>,
}

/// The columns that belong to one input.
struct Block<F> {
    matrix: CsMat<F>,
    /// Which of the values belong to it.
    values: std::ops::Range<usize>,
    /// The same matrix by rows, and where its values stand; made when it is first asked for.
    by_rows: Option<(CsMat<F>, Vec<usize>)>,
}

impl<F: Base> Values<F> {
    /// For blocks of so many columns each.
    pub(super) fn new(coloring: &Coloring, triangle: Triangle, widths: &[usize]) -> Result<Self> {
        let decompressor = Decompressor::new(coloring, Storage::CSC, triangle)?;
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
        Ok(Values { all: vec![<F as Base>::ZERO; whole.nnz()], decompressor, blocks })
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
        let (columns, rows) = (sums.all.columns.view(), sums.all.rows.view());
        if let ([_], [Some(only), ..], None) = (&self.blocks[..], &mut *views, &sums.probe)
            && only.is_csc()
        {
            return self.decompressor.values_into(only.data_mut(), columns, rows);
        }
        self.decompressor.values_into(&mut self.all, columns, rows)?;
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
