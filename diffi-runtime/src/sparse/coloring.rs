//! Colors that solve a problem, and how the entries are recovered from their sums.

use super::algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
use super::graph::{Graph, Unknowns};
use super::recovery::Recovery;
use super::{Groups, Pattern};
use crate::error::{Error, Result};
use crate::stack::memory_report;

/// Colors a pattern.
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{ColoringProblem, GreedyColoring, Order, Pattern, coloring};
///
/// let pattern = Pattern::from_rows(6, [vec![2, 3, 5], vec![0, 4], vec![1, 4], vec![1, 2]])?;
/// let coloring = coloring(&pattern, ColoringProblem::Column, GreedyColoring::new(Order::Natural))?;
/// assert_eq!(coloring.column_colors(), [1, 1, 2, 1, 2, 3]);
/// assert_eq!(coloring.column_groups().get(1), [0, 1, 3]);
/// assert_eq!(coloring.ncolors(), 3);
/// # Ok::<(), diffi::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotSymmetric`] if the problem asks for a symmetric pattern, [`Error::InvalidColoring`] if the algorithm's colors do not
/// solve it, and what the algorithm says.
pub fn coloring(pattern: &Pattern, problem: ColoringProblem, algorithm: impl ColoringAlgorithm) -> Result<Coloring> {
    let colors = algorithm.colors(pattern, problem)?;
    Coloring::new(pattern.clone(), problem, algorithm.recover(), colors)
}

/// A pattern with colors that solve a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    pattern: Pattern,
    problem: ColoringProblem,
    colors: Colors,
    column_groups: Groups,
    row_groups: Groups,
    /// Which unknown each entry is, if entries are unknown in pairs; else each is one.
    pub(super) unknowns: Vec<u32>,
    /// For problems with a choice of sums to read from.
    pub(super) recovery: Option<Recovery>,
}

impl Coloring {
    /// How much memory is held.
    pub(crate) fn bytes(&self) -> usize {
        let Coloring { pattern, colors, column_groups, row_groups, unknowns, recovery, .. } = self;
        let colors = memory_report::vector(&colors.columns) + memory_report::vector(&colors.rows);
        let groups = column_groups.bytes() + row_groups.bytes();
        let recovery = recovery.as_ref().map_or(0, Recovery::bytes);
        pattern.bytes() + colors + groups + memory_report::vector(unknowns) + recovery
    }

    /// Colors from elsewhere.
    ///
    /// # Errors
    /// [`Error::InvalidColoring`] if they do not solve the problem, or if there are not as many as columns or rows;
    /// [`Error::NotSymmetric`] if the problem asks for a symmetric pattern.
    pub fn new(pattern: Pattern, problem: ColoringProblem, recover: Recover, colors: Colors) -> Result<Coloring> {
        right_counts(&pattern, problem, &colors)?;
        let unreadable = |i: usize, j: usize| Error::InvalidColoring {
            reason: format!("the entry ({i}, {j}) cannot be recovered from the sums"),
        };
        let mut unknowns = Vec::new();
        let recovery = match problem {
            ColoringProblem::Column => {
                columns_apart(&pattern, &colors.columns).map_err(|(i, j)| unreadable(i, j))?;
                None
            }
            ColoringProblem::Row => {
                rows_apart(&pattern, &colors.rows).map_err(|(i, j)| unreadable(i, j))?;
                None
            }
            ColoringProblem::Symmetric => {
                let symmetric = Unknowns::symmetric(&pattern)?;
                let solved = symmetric.equations(&pattern, &colors.columns).solve(recover);
                unknowns = symmetric.of_entries;
                Some(solved.map_err(|unknown| {
                    let entry = pattern.iter().zip(&unknowns).find(|(_, u)| **u as usize == unknown);
                    entry.map_or_else(|| unreadable(0, 0), |((i, j), _)| unreadable(i, j))
                })?)
            }
            ColoringProblem::Bidirectional => {
                let vertices = [&colors.columns[..], &colors.rows].concat();
                let equations = Graph::bipartite(&pattern)?.equations(&vertices);
                Some(equations.solve(recover).map_err(|unknown| {
                    let entry = pattern.iter().nth(unknown);
                    entry.map_or_else(|| unreadable(0, 0), |(i, j)| unreadable(i, j))
                })?)
            }
        };
        let (column_groups, row_groups) = (Groups::new(&colors.columns), Groups::new(&colors.rows));
        Ok(Coloring { pattern, problem, colors, column_groups, row_groups, unknowns, recovery })
    }

    /// The pattern that was colored.
    pub fn sparsity_pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The problem that the colors solve.
    pub fn problem(&self) -> ColoringProblem {
        self.problem
    }

    /// The color of each column, from 1, or 0 where a column is in no sum; empty if rows were colored.
    pub fn column_colors(&self) -> &[u32] {
        &self.colors.columns
    }

    /// The color of each row, from 1, or 0 where a row is in no sum; empty unless rows were colored.
    pub fn row_colors(&self) -> &[u32] {
        &self.colors.rows
    }

    /// The columns of each color.
    pub fn column_groups(&self) -> &Groups {
        &self.column_groups
    }

    /// The rows of each color.
    pub fn row_groups(&self) -> &Groups {
        &self.row_groups
    }

    /// The number of colors: of columns and rows together.
    pub fn ncolors(&self) -> usize {
        self.column_groups.len() + self.row_groups.len()
    }
}

/// A color for everything that the problem colors; no color above the number of those that get one.
fn right_counts(pattern: &Pattern, problem: ColoringProblem, colors: &Colors) -> Result<()> {
    let (rows, columns) = pattern.shape();
    let expected = problem.colored(pattern);
    let found = (colors.columns.len(), colors.rows.len());
    let reason = if found != expected {
        let count = |(columns, rows): (usize, usize)| format!("colors for {columns} columns and {rows} rows");
        format!("expected {}, found {}", count(expected), count(found))
    } else if let Some(color) =
        [&colors.columns, &colors.rows].iter().find_map(|c| c.iter().find(|c| **c as usize > rows + columns))
    {
        format!("color {color} is more than rows and columns together")
    } else {
        return Ok(());
    };
    Err(Error::InvalidColoring { reason })
}

/// No two columns of one color meet in a row, or else the entry where they do.
fn columns_apart(pattern: &Pattern, colors: &[u32]) -> Result<(), (usize, usize)> {
    let most = colors.iter().copied().max().unwrap_or(0) as usize;
    let mut seen = vec![usize::MAX; most + 1];
    for i in 0..pattern.rows() {
        seen[0] = i;
        for &j in pattern.row(i) {
            let color = colors[j as usize] as usize;
            if std::mem::replace(&mut seen[color], i) == i {
                return Err((i, j as usize));
            }
        }
    }
    Ok(())
}

/// No two rows of one color meet in a column, or else the entry where they do.
fn rows_apart(pattern: &Pattern, colors: &[u32]) -> Result<(), (usize, usize)> {
    let mut seen = vec![0; pattern.columns()];
    let neutral = (0..pattern.rows()).find(|&i| colors[i] == 0 && !pattern.row(i).is_empty());
    if let Some(i) = neutral {
        return Err((i, pattern.row(i)[0] as usize));
    }
    for (group, color) in Groups::new(colors).iter().zip(1..) {
        for &i in group {
            for &j in pattern.row(i as usize) {
                if std::mem::replace(&mut seen[j as usize], color) == color {
                    return Err((i as usize, j as usize));
                }
            }
        }
    }
    Ok(())
}
