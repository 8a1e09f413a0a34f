//! The fewest colors that are possible, for small problems.

mod both;

use super::algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
use super::graph::Graph;
use super::order::{Meeting, Ties};
use super::{GreedyColoring, Order, Pattern, bounds};
use crate::error::{Error, Result};

/// The fewest colors that are possible: for columns, for rows, for star or acyclic colorings in which every vertex has a color, and for
/// columns and rows together, some of them neutral.
///
/// This is branch and bound, from the best greedy coloring on: each vertex takes each of the colors in use and a new one, as long as
/// there are fewer than in the best coloring so far. It takes time that grows exponentially, and gives up after a number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalColoring {
    steps: u64,
    recover: Recover,
}

impl Default for OptimalColoring {
    fn default() -> Self {
        OptimalColoring { steps: 10_000_000, recover: Recover::Directly }
    }
}

impl OptimalColoring {
    /// Gives up after so many steps: a step tries one color for one vertex.
    #[must_use]
    pub fn steps(self, steps: u64) -> OptimalColoring {
        OptimalColoring { steps, ..self }
    }

    /// Lets symmetric and bidirectional problems be solved by substitution: acyclic instead of star colorings.
    #[must_use]
    pub fn substitution(self) -> OptimalColoring {
        OptimalColoring { recover: Recover::BySubstitution, ..self }
    }

    fn lines(&self, lines: &Pattern, crossings: &Pattern, greedy: Vec<u32>) -> Result<Vec<u32>> {
        let least = (0..crossings.rows()).map(|i| crossings.row(i).len()).max().unwrap_or(0);
        let order = Order::SmallestLast.vertices(Meeting::new(lines, crossings), Ties::Last);
        let apart = |colors: &[u32], v: u32, color: u32| {
            let mut met = lines.row(v as usize).iter().flat_map(|&crossing| crossings.row(crossing as usize));
            met.all(|&w| w == v || colors[w as usize] != color)
        };
        Search { order: &order, least: least as u32, steps: self.steps }.run(greedy, apart)
    }

    fn symmetric(&self, graph: &Graph, greedy: Vec<u32>) -> Result<Vec<u32>> {
        let order = Order::SmallestLast.vertices(graph, Ties::Last);
        let search = Search { order: &order, least: bounds::least(graph, self.recover), steps: self.steps };
        match self.recover {
            Recover::Directly => search.run(greedy, |colors, v, color| keeps_stars(graph, colors, v, color)),
            Recover::BySubstitution => search.run(greedy, |colors, v, color| keeps_trees(graph, colors, v, color)),
        }
    }
}

impl ColoringAlgorithm for OptimalColoring {
    /// # Errors
    /// [`Error::UnsupportedColoring`] where the steps do not suffice.
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors> {
        if pattern.nnz() == 0 {
            return Ok(Colors::neutral(pattern, problem));
        }
        let greedy = match problem {
            ColoringProblem::Bidirectional => GreedyColoring::default(),
            _ => GreedyColoring::best_of(ORDERS).postprocessing(false),
        };
        let greedy = if self.recover == Recover::BySubstitution { greedy.substitution() } else { greedy };
        let greedy = greedy.colors(pattern, problem)?;
        match problem {
            ColoringProblem::Column => {
                let columns = self.lines(&pattern.transpose(), pattern, greedy.columns)?;
                Ok(Colors { columns, rows: Vec::new() })
            }
            ColoringProblem::Row => {
                let rows = self.lines(pattern, &pattern.transpose(), greedy.rows)?;
                Ok(Colors { columns: Vec::new(), rows })
            }
            ColoringProblem::Symmetric => {
                let columns = self.symmetric(&Graph::symmetric(pattern)?, greedy.columns)?;
                Ok(Colors { columns, rows: Vec::new() })
            }
            ColoringProblem::Bidirectional => both::search(pattern, self.recover, self.steps, greedy),
        }
    }

    fn recover(&self) -> Recover {
        self.recover
    }
}

/// What greedy algorithms try first.
const ORDERS: [Order; 4] = [Order::Natural, Order::LargestFirst, Order::SmallestLast, Order::IncidenceDegree];

/// The steps did not suffice.
fn given_up(steps: u64, least: u32, found: u32) -> Error {
    let reason = format!(
        "no optimal coloring was found within {steps} steps, and none has less than {least} colors; \
         GreedyColoring found one of {found}"
    );
    Error::UnsupportedColoring { reason }
}

struct Search<'a> {
    order: &'a [u32],
    /// A number of colors that is known to be needed.
    least: u32,
    steps: u64,
}

impl Search<'_> {
    /// The fewest colors, where a color may be given to a vertex if those before allow it.
    fn run(&self, mut best: Vec<u32>, allowed: impl Fn(&[u32], u32, u32) -> bool) -> Result<Vec<u32>> {
        let n = self.order.len();
        let mut count = best.iter().copied().max().unwrap_or(0);
        let mut colors = vec![0; n];
        let mut used = vec![0; n + 1]; // the number of colors among the first so many
        let mut next = vec![1; n + 1];
        let (mut at, mut steps) = (0, 0);
        while count > self.least {
            if at == n {
                (best, count) = (colors.clone(), used[n]);
                at -= 1;
                continue;
            }
            let v = self.order[at];
            colors[v as usize] = 0;
            let color: u32 = next[at];
            if color > used[at] + 1 || color >= count || used[at] >= count {
                if at == 0 {
                    break;
                }
                at -= 1;
                continue;
            }
            steps += 1;
            if steps > self.steps {
                return Err(given_up(self.steps, self.least, count));
            }
            next[at] = color + 1;
            if allowed(&colors, v, color) {
                colors[v as usize] = color;
                used[at + 1] = used[at].max(color);
                at += 1;
                next[at] = 1;
            }
        }
        Ok(best)
    }
}

/// Whether a vertex may have a color without a path of four vertices in two colors, among those that have one.
fn keeps_stars(graph: &Graph, colors: &[u32], v: u32, color: u32) -> bool {
    let color_of = |w: u32| colors[w as usize];
    let colored = |v: u32| graph.neighbors(v).iter().copied().filter(move |w| color_of(*w) != 0);
    colored(v).all(|w| {
        color_of(w) != color
            && colored(w).filter(|x| color_of(*x) == color).all(|x| {
                // v, w, x and a neighbor of x; a neighbor of v, then v, w, x
                let ends = |at: u32| colored(at).any(|y| y != w && color_of(y) == color_of(w));
                !ends(x) && !ends(v)
            })
    })
}

/// Whether a vertex may have a color without a cycle in two colors, among those that have one.
fn keeps_trees(graph: &Graph, colors: &[u32], v: u32, color: u32) -> bool {
    let color_of = |w: u32| colors[w as usize];
    let beside: Vec<u32> = graph.neighbors(v).iter().copied().filter(|w| color_of(*w) != 0).collect();
    if beside.iter().any(|&w| color_of(w) == color) {
        return false;
    }
    // From each neighbor through two colors: no other neighbor is reached.
    beside.iter().all(|&start| {
        let other = color_of(start);
        let mut reached = vec![start];
        let mut k = 0;
        while let Some(&w) = reached.get(k) {
            k += 1;
            let pair = |x: &u32| color_of(*x) == other || color_of(*x) == color;
            for &x in graph.neighbors(w).iter().filter(|x| pair(x)) {
                if beside.contains(&x) && x != start {
                    return false;
                }
                if !reached.contains(&x) {
                    reached.push(x);
                }
            }
        }
        true
    })
}
