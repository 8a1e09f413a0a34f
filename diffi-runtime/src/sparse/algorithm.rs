//! What there is to color, and who colors it.

use super::Pattern;
use crate::error::Result;

/// What gets colors, and by which entries each color's sum may be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColoringProblem {
    /// Columns, so that no two of one color meet in a row: Jacobians by pushforwards.
    Column,
    /// Rows, so that no two of one color meet in a column: Jacobians by pullbacks.
    Row,
    /// Columns of a symmetric matrix, whose every entry may be read on either side of the diagonal: Hessians.
    Symmetric,
    /// Some columns and some rows, so that every entry can be read from a sum of columns or from a sum of rows: Jacobians by
    /// pushforwards and pullbacks.
    Bidirectional,
}

impl ColoringProblem {
    /// How many columns and how many rows get colors.
    pub(super) fn colored(self, pattern: &Pattern) -> (usize, usize) {
        let (rows, columns) = pattern.shape();
        match self {
            ColoringProblem::Column | ColoringProblem::Symmetric => (columns, 0),
            ColoringProblem::Row => (0, rows),
            ColoringProblem::Bidirectional => (columns, rows),
        }
    }
}

/// How entries are recovered from sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Recover {
    /// Each is read from a sum where it is alone.
    #[default]
    Directly,
    /// Some are alone only after others were subtracted, which were found before: fewer colors, and rounding errors add up.
    /// Columns or rows alone have no use for it.
    BySubstitution,
}

/// Colors from 1; 0 is neutral: a column or row that is in no sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colors {
    /// Of the columns; none if the problem colors rows.
    pub columns: Vec<u32>,
    /// Of the rows; none unless the problem colors rows.
    pub rows: Vec<u32>,
}

impl Colors {
    /// No color for anything: right where there is nothing to recover.
    pub(super) fn neutral(pattern: &Pattern, problem: ColoringProblem) -> Colors {
        let (columns, rows) = problem.colored(pattern);
        Colors { columns: vec![0; columns], rows: vec![0; rows] }
    }

    /// The number of colors, columns' and rows' together.
    pub fn count(&self) -> usize {
        let most = |colors: &[u32]| colors.iter().copied().max().unwrap_or(0) as usize;
        most(&self.columns) + most(&self.rows)
    }
}

/// Finds colors for a pattern.
///
/// [`coloring`](super::coloring()) checks what it finds, so that an algorithm of one's own can be wrong, but never a matrix.
pub trait ColoringAlgorithm {
    /// Colors that solve a problem.
    ///
    /// # Errors
    /// [`Error::NotSymmetric`](crate::error::Error::NotSymmetric), where symmetry is asked for; what else the algorithm says.
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors>;

    /// How entries are to be recovered from the sums.
    fn recover(&self) -> Recover {
        Recover::Directly
    }
}

impl<A: ColoringAlgorithm + ?Sized> ColoringAlgorithm for &A {
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors> {
        (**self).colors(pattern, problem)
    }

    fn recover(&self) -> Recover {
        (**self).recover()
    }
}
