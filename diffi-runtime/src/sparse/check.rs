//! Whether colors tell entries apart, by definition: slow, and of no part of the algorithms.

use super::Pattern;
use super::algorithm::{ColoringProblem, Colors, Recover};

/// Whether every entry can be recovered from the sums of each color.
///
/// Directly, an entry must be the only one in its row among the columns of its color, or, where rows are colored or the matrix is
/// symmetric, the only one in its column among the rows of its color (Gebremedhin, Manne, Pothen 2005, definitions of structurally
/// orthogonal and symmetrically orthogonal partitions). By substitution, the others must have been recovered before (Powell and
/// Toint 1979; Coleman and Moré 1984).
///
/// ```
/// # extern crate diffi_runtime as diffi;
/// use diffi::sparse::{ColoringProblem, Colors, Pattern, Recover, check_coloring};
///
/// let tridiagonal = Pattern::from_rows(4, [vec![0, 1], vec![0, 1, 2], vec![1, 2, 3], vec![2, 3]])?;
/// let two = Colors { columns: vec![1, 2, 1, 2], rows: vec![] };
/// assert!(!check_coloring(&tridiagonal, ColoringProblem::Symmetric, Recover::Directly, &two));
/// assert!(check_coloring(&tridiagonal, ColoringProblem::Symmetric, Recover::BySubstitution, &two));
/// # Ok::<(), diffi::error::Error>(())
/// ```
pub fn check_coloring(pattern: &Pattern, problem: ColoringProblem, recover: Recover, colors: &Colors) -> bool {
    if (colors.columns.len(), colors.rows.len()) != problem.colored(pattern) {
        return false;
    }
    let symmetric = problem == ColoringProblem::Symmetric;
    if symmetric && !pattern.is_symmetric() {
        return false;
    }
    let sums = Sums {
        pattern,
        transposed: pattern.transpose(),
        columns: &colors.columns,
        rows: if symmetric { &colors.columns } else { &colors.rows },
    };
    let mut unknown: Vec<(usize, usize)> = pattern.iter().collect();
    match recover {
        Recover::Directly => unknown.into_iter().all(|(i, j)| sums.reveal(i, j, |_, _| false)),
        Recover::BySubstitution => {
            // What can be recovered is, until nothing can.
            loop {
                let before = unknown.clone();
                let known = |i: usize, j: usize| before.binary_search(&(i, j)).is_err();
                // A symmetric matrix's entry is known with its mirror image.
                let revealed = |i: usize, j: usize| sums.reveal(i, j, known) || symmetric && sums.reveal(j, i, known);
                unknown.retain(|&(i, j)| !revealed(i, j));
                if unknown.is_empty() || unknown.len() == before.len() {
                    return unknown.is_empty();
                }
            }
        }
    }
}

struct Sums<'a> {
    pattern: &'a Pattern,
    transposed: Pattern,
    columns: &'a [u32],
    rows: &'a [u32],
}

impl Sums<'_> {
    /// Whether an entry is the only one that is not known, in a sum of columns or in a sum of rows.
    fn reveal(&self, i: usize, j: usize, known: impl Fn(usize, usize) -> bool) -> bool {
        let color = |colors: &[u32], at: usize| colors.get(at).copied().unwrap_or(0);
        let alone = |colors: &[u32], line: &[u32], at: usize, known: &dyn Fn(usize) -> bool| {
            let own = color(colors, at);
            own != 0 && line.iter().all(|&k| k as usize == at || color(colors, k as usize) != own || known(k as usize))
        };
        alone(self.columns, self.pattern.row(i), j, &|k| known(i, k))
            || alone(self.rows, self.transposed.row(j), i, &|k| known(k, j))
    }
}

/// Whether a coloring of a symmetric pattern is a star coloring: neighbors differ, and no path of four vertices has two colors.
pub fn is_star_coloring(pattern: &Pattern, colors: &[u32]) -> bool {
    let color = |v: u32| colors[v as usize];
    let neighbors = |v: u32| pattern.row(v as usize).iter().copied().filter(move |w| *w != v);
    (0..pattern.rows() as u32).all(|v| {
        neighbors(v).all(|w| {
            color(v) != color(w)
                && neighbors(w).filter(|x| *x != v && color(*x) == color(v)).all(|x| {
                    // v, w, x, y
                    neighbors(x).all(|y| y == w || color(y) != color(w))
                })
        })
    })
}

/// Whether a coloring of a symmetric pattern is acyclic: neighbors differ, and no cycle has two colors.
pub fn is_acyclic_coloring(pattern: &Pattern, colors: &[u32]) -> bool {
    let color = |v: u32| colors[v as usize];
    let neighbors = |v: u32| pattern.row(v as usize).iter().copied().filter(move |w| *w != v);
    let n = pattern.rows() as u32;
    if (0..n).any(|v| neighbors(v).any(|w| color(v) == color(w))) {
        return false;
    }
    // From each vertex through two colors: nobody is reached twice.
    (0..n).all(|start| {
        let mut others: Vec<u32> = neighbors(start).map(color).collect();
        others.sort_unstable();
        others.dedup();
        others.into_iter().all(|other| {
            let mut reached = vec![start];
            let mut path = vec![(start, start)];
            while let Some((v, from)) = path.pop() {
                for w in neighbors(v).filter(|w| *w != from && (color(*w) == other || color(*w) == color(start))) {
                    if reached.contains(&w) {
                        return false;
                    }
                    reached.push(w);
                    path.push((w, v));
                }
            }
            true
        })
    })
}
