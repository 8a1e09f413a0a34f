//! The values of the matrix: where they are read, and the matrices that they go to.

use crate::error::{Error, Result};
use crate::number::float::Base;
use crate::operators::entries::lanes;
use crate::sparse::auto::direct_recovery::{Passes, Straight};
use crate::sparse::auto::repeated_rows::{Stretch, Stretches};
use crate::sparse::auto::sums::Sums;
use crate::sparse::{Coloring, ColoringProblem, Decompressor, Pattern, Recover, Storage, Triangle};
use crate::stack::memory_report;
use crate::stack::memory_report::{Note, names};
use sprs::CsMat;
use std::ops::Range;

/// The values of the whole matrix, by columns, and how they are cut into blocks.
pub(crate) struct Values<F> {
    reading: Reading,
    count: usize,
    /// All values, if they are cut, checked, or kept.
    all: Vec<F>,
    blocks: Vec<Block>,
    constant: Constant,
}

/// Where the values are read.
enum Reading {
    /// From the passes.
    Straight(Passes),
    /// Among the sums, those of columns first.
    Sums(Vec<u32>),
    /// Among the sums, and some are subtracted from others.
    Decompressed(Decompressor),
}

/// Whether the values are the same at every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Constant {
    /// Or nobody knows.
    No,
    /// They will be, when they are found.
    Awaited,
    /// Here they are.
    Known,
}

/// The columns that belong to one input.
struct Block {
    /// The rows of each column's entries.
    columns: Pattern,
    stretches: Stretches,
    /// Which of the values belong to it.
    values: Range<usize>,
    /// The same by rows, and which value each entry is; made when it is first asked for.
    by_rows: Option<(Pattern, Vec<u32>)>,
}

/// What is to be overwritten.
pub(crate) enum Target<'a, 'v, F> {
    /// Matrices, one for each block; none where it is not wanted.
    Matrices(&'a mut [Option<&'v mut CsMat<F>>]),
    /// The values of all blocks, one after the other, each by columns.
    Values(&'a mut [F]),
}

impl<F: Base> Values<F> {
    pub(crate) fn kept(&self, note: &mut Note<'_>) {
        let Values { reading, all, blocks, .. } = self;
        note(names::DECOMPRESSION, reading.bytes());
        note(names::RESULTS, memory_report::vector(all));
        note(names::PATTERNS, memory_report::vector(blocks) + blocks.iter().map(Block::bytes).sum::<usize>());
    }

    /// For blocks of so many columns each, and passes that find so many colors at once.
    pub(crate) fn new(
        coloring: &Coloring,
        recover: Recover,
        triangle: Triangle,
        widths: &[usize],
        batch: usize,
        constant: Constant,
    ) -> Result<Self> {
        let decompressor = Decompressor::new(coloring, Storage::CSC, triangle)?;
        let count = decompressor.nnz();
        let mut first = 0;
        let block = |width: &usize| {
            let (columns, values) = decompressor.lines(first..first + width);
            first += width;
            Block { stretches: Stretches::new(&columns), columns, values, by_rows: None }
        };
        let blocks: Vec<Block> = widths.iter().map(block).collect();
        let reading = Reading::new(decompressor, coloring, recover, batch, &blocks);
        Ok(Values { reading, count, all: Vec::new(), blocks, constant })
    }

    /// New matrices with these entries, which are zero.
    pub(crate) fn blank(&self) -> impl Iterator<Item = CsMat<F>> + '_ {
        let zero = <F as Base>::ZERO;
        self.blocks.iter().map(move |block| block.columns.to_transposed(zero))
    }

    /// Whether matrices have these entries, or whether there are as many values.
    pub(crate) fn check(&mut self, target: &Target<'_, '_, F>) -> Result<()> {
        match target {
            Target::Matrices(views) => {
                let mut pairs = self.blocks.iter_mut().zip(&**views);
                pairs.try_for_each(|(block, view)| view.as_ref().map_or(Ok(()), |view| block.check(view)))
            }
            Target::Values(values) if values.len() == self.count => Ok(()),
            Target::Values(values) => Err(Error::PatternMismatch {
                expected: format!("{} values", self.count),
                found: values.len().to_string(),
            }),
        }
    }

    /// Whether the values are known before any pass.
    pub(crate) fn is_known(&self) -> bool {
        self.constant == Constant::Known
    }

    /// Reads the values from the passes into what was checked, if that can be.
    pub(crate) fn straight<'a>(
        &'a mut self,
        sums: &Sums<F>,
        target: &'a mut Target<'_, '_, F>,
    ) -> Option<Straight<'a, F>> {
        let Values { reading: Reading::Straight(passes), all, count, .. } = self else { return None };
        if sums.probe.is_some() {
            return None;
        }
        let values = match only(&self.blocks, self.constant, target) {
            Some(values) => values,
            None => {
                all.resize(*count, <F as Base>::ZERO);
                all
            }
        };
        Some(Straight::new(passes, values))
    }

    /// Puts the values into what was checked: from the sums, unless they have been read.
    pub(crate) fn put(&mut self, sums: &Sums<F>, read: bool, target: &mut Target<'_, '_, F>) -> Result<()> {
        if sums.probe.is_none()
            && let Some(values) = only(&self.blocks, self.constant, target)
        {
            return if read { Ok(()) } else { self.reading.read(sums, values) };
        }
        if !read {
            self.all.resize(self.count, <F as Base>::ZERO);
            self.reading.read(sums, &mut self.all)?;
        }
        if let Some(probe) = &sums.probe {
            probe.check(self.blocks.iter().map(|block| (&block.columns, &self.all[block.values.clone()])))?;
        }
        if self.constant == Constant::Awaited {
            self.constant = Constant::Known;
            let Values { blocks, all, .. } = self;
            blocks.iter_mut().for_each(|block| block.stretches.look(&block.columns, &all[block.values.clone()]));
        }
        self.put_known(target);
        Ok(())
    }

    /// Puts the values that are known into what was checked.
    pub(crate) fn put_known(&self, target: &mut Target<'_, '_, F>) {
        for (k, block) in self.blocks.iter().enumerate() {
            let known = &self.all[block.values.clone()];
            match target {
                Target::Matrices(views) => {
                    if let Some(view) = &mut views[k] {
                        block.put(known, view);
                    }
                }
                Target::Values(values) => {
                    block.stretches.put(&block.columns, known, &mut values[block.values.clone()]);
                }
            }
        }
    }
}

/// All values in their order, if they are to be overwritten there, and nobody else needs them.
fn only<'a, F>(blocks: &[Block], constant: Constant, target: &'a mut Target<'_, '_, F>) -> Option<&'a mut [F]> {
    if constant != Constant::No {
        return None;
    }
    match (blocks, target) {
        (_, Target::Values(values)) => Some(values),
        ([_], Target::Matrices([Some(only), ..])) if only.is_csc() => Some(only.data_mut()),
        _ => None,
    }
}

impl Reading {
    fn bytes(&self) -> usize {
        match self {
            Reading::Straight(passes) => passes.bytes(),
            Reading::Sums(places) => memory_report::vector(places),
            Reading::Decompressed(decompressor) => decompressor.bytes(),
        }
    }

    fn new(
        decompressor: Decompressor,
        coloring: &Coloring,
        recover: Recover,
        batch: usize,
        blocks: &[Block],
    ) -> Reading {
        if recover == Recover::BySubstitution {
            return Reading::Decompressed(decompressor);
        }
        let (rows, columns) = coloring.sparsity_pattern().shape();
        let colors = coloring.column_groups().len();
        let lanes = lanes(batch);
        let straight = match coloring.problem() {
            ColoringProblem::Column | ColoringProblem::Symmetric => {
                Passes::new(&decompressor, colors, batch.min(lanes), lanes, blocks.iter().flat_map(Block::stretches))
            }
            ColoringProblem::Row | ColoringProblem::Bidirectional => None,
        };
        if let Some(passes) = straight {
            return Reading::Straight(passes);
        }
        let place = |(color, at): (usize, usize)| match color.checked_sub(colors) {
            None => at * colors + color,
            Some(color) => rows * colors + color * columns + at,
        };
        let places: Option<Vec<u32>> = decompressor.places().map(|at| u32::try_from(place(at)).ok()).collect();
        places.map_or(Reading::Decompressed(decompressor), Reading::Sums)
    }

    /// Reads all values from the sums.
    fn read<F: Base>(&self, sums: &Sums<F>, values: &mut [F]) -> Result<()> {
        match self {
            Reading::Straight(passes) => passes.read(sums, values),
            Reading::Sums(places) => {
                let (columns, rows) = sums.flat();
                let at = |place: usize| place.checked_sub(columns.len()).map_or_else(|| columns[place], |at| rows[at]);
                values.iter_mut().zip(places).for_each(|(value, place)| *value = at(*place as usize));
            }
            Reading::Decompressed(decompressor) => {
                let (columns, rows) = sums.matrices();
                decompressor.values_into(values, columns, rows)?;
            }
        }
        Ok(())
    }
}

impl Block {
    fn bytes(&self) -> usize {
        let by_rows =
            self.by_rows.as_ref().map_or(0, |(pattern, places)| pattern.bytes() + memory_report::vector(places));
        self.columns.bytes() + self.stretches.bytes() + by_rows
    }

    /// Stretches, and which value is the first of each.
    fn stretches(&self) -> impl Iterator<Item = (usize, &Stretch)> {
        let first = |stretch: &Stretch| self.values.start + self.columns.starts()[stretch.lines.start] as usize;
        self.stretches.iter().map(move |stretch| (first(stretch), stretch))
    }

    fn check<F>(&mut self, found: &CsMat<F>) -> Result<()> {
        let (rows, columns) = (self.columns.columns(), self.columns.rows());
        if (rows, columns) != found.shape() {
            return Err(Error::pattern_shapes((rows, columns), found.shape()));
        }
        let starts = found.indptr();
        let (starts, indices) = (starts.raw_storage(), found.indices());
        let same = match found.is_csc() {
            true => self.stretches.same(&self.columns, starts, indices),
            false => {
                let (by_rows, _) = self.by_rows.get_or_insert_with(|| self.columns.transpose_and_origins());
                Stretches::default().same(by_rows, starts, indices)
            }
        };
        if !same {
            return Err(Error::PatternMismatch {
                expected: format!("its {} entries", self.columns.nnz()),
                found: format!("{} entries, not all in the same places", found.nnz()),
            });
        }
        Ok(())
    }

    fn put<F: Copy>(&self, values: &[F], into: &mut CsMat<F>) {
        match &self.by_rows {
            Some((_, places)) if into.is_csr() => {
                into.data_mut().iter_mut().zip(places).for_each(|(value, place)| *value = values[*place as usize]);
            }
            _ => self.stretches.put(&self.columns, values, into.data_mut()),
        }
    }
}
