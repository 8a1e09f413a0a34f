//! Colors that are known.

use super::Pattern;
use super::algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
use crate::error::{Error, Result};

/// Colors that are known beforehand, for patterns of a special structure or from elsewhere.
///
/// They are checked for the pattern that they are used for.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{ColoringProblem, ConstantColoring, Pattern, coloring};
///
/// let tridiagonal = Pattern::from_rows(5, (0..5_usize).map(|i| i.saturating_sub(1)..(i + 2).min(5)))?;
/// let by_three = ConstantColoring::columns([1, 2, 3, 1, 2]);
/// assert_eq!(coloring(&tridiagonal, ColoringProblem::Column, &by_three)?.ncolors(), 3);
/// assert!(coloring(&Pattern::dense(5, 5)?, ColoringProblem::Column, &by_three).is_err());
/// # Ok::<(), diffi::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantColoring {
    colors: Colors,
    recover: Recover,
}

impl ConstantColoring {
    /// Colors of columns, for column and symmetric problems: from 1, or 0 for columns that nothing is read from.
    pub fn columns(colors: impl Into<Vec<u32>>) -> ConstantColoring {
        ConstantColoring::bidirectional(colors, [])
    }

    /// Colors of rows, for row problems.
    pub fn rows(colors: impl Into<Vec<u32>>) -> ConstantColoring {
        ConstantColoring::bidirectional([], colors)
    }

    /// Colors of columns and colors of rows.
    pub fn bidirectional(columns: impl Into<Vec<u32>>, rows: impl Into<Vec<u32>>) -> ConstantColoring {
        ConstantColoring { colors: Colors { columns: columns.into(), rows: rows.into() }, recover: Recover::Directly }
    }

    /// Lets entries be recovered by substitution.
    #[must_use]
    pub fn substitution(self) -> ConstantColoring {
        ConstantColoring { recover: Recover::BySubstitution, ..self }
    }
}

impl ColoringAlgorithm for ConstantColoring {
    /// # Errors
    /// [`Error::InvalidColoring`] if the pattern has not as many columns or rows as there are colors.
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors> {
        let found = (self.colors.columns.len(), self.colors.rows.len());
        let expected = problem.colored(pattern);
        if found != expected {
            let count = |(columns, rows)| format!("colors for {columns} columns and {rows} rows");
            let reason = format!("expected {}, found {}", count(expected), count(found));
            return Err(Error::InvalidColoring { reason });
        }
        Ok(self.colors.clone())
    }

    fn recover(&self) -> Recover {
        self.recover
    }
}
