//! Greedy coloring: one vertex after the other, each with the least color that it can have.

use super::algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
use super::graph::Graph;
use super::neutral::{neutralize, renumber};
use super::order::{Meeting, Ties};
use super::{Order, Pattern, acyclic, bounds, columns, star};
use crate::error::Result;

/// Colors one vertex after the other, each with the least color that it can have.
///
/// | problem | algorithm |
/// |---|---|
/// | columns, rows | partial distance-2 coloring: Gebremedhin, Manne, Pothen 2005, algorithm 3.2 |
/// | symmetric, directly | star coloring: Gebremedhin, Tarafdar, Manne, Pothen 2007, algorithm 4.1 |
/// | symmetric, by substitution | acyclic coloring: the same, algorithm 3.1 |
/// | bidirectional | either, of the bipartite graph: Montoison, Dalle, Gebremedhin 2025 |
///
/// The order matters: of several, what has the fewest colors is kept. By default these are orders that suit the problem:
/// [`Natural`](Order::Natural) and [`SmallestLast`](Order::SmallestLast), for bidirectional problems
/// [`AscendingDegree`](Order::AscendingDegree) and `Natural`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreedyColoring {
    /// None: those that suit the problem.
    orders: Vec<Order>,
    recover: Recover,
    neutral: bool,
}

impl Default for GreedyColoring {
    fn default() -> Self {
        GreedyColoring { orders: Vec::new(), recover: Recover::Directly, neutral: true }
    }
}

impl GreedyColoring {
    /// Colors in one order.
    pub fn new(order: Order) -> GreedyColoring {
        GreedyColoring::best_of([order])
    }

    /// Colors in each of these orders, and keeps what has the fewest colors: the first of several.
    pub fn best_of(orders: impl IntoIterator<Item = Order>) -> GreedyColoring {
        GreedyColoring { orders: orders.into_iter().collect(), ..GreedyColoring::default() }
    }

    /// Lets symmetric and bidirectional problems be solved by substitution: fewer colors.
    #[must_use]
    pub fn substitution(self) -> GreedyColoring {
        GreedyColoring { recover: Recover::BySubstitution, ..self }
    }

    /// Whether colors that nothing is read from become neutral, in symmetric and bidirectional problems. They do, unless one says no.
    #[must_use]
    pub fn postprocessing(self, yes: bool) -> GreedyColoring {
        GreedyColoring { neutral: yes, ..self }
    }

    /// The orders that are tried, one after the other.
    fn orders(&self, problem: ColoringProblem) -> impl Iterator<Item = (Order, Ties)> {
        let orders: &[Order] = match problem {
            _ if !self.orders.is_empty() => &self.orders,
            ColoringProblem::Bidirectional => &[Order::AscendingDegree, Order::Natural],
            _ => &[Order::Natural, Order::SmallestLast],
        };
        orders.iter().flat_map(|order| order.ties().iter().map(move |ties| (*order, *ties)))
    }

    /// Colors of lines, nothing if there must be `limit` or more.
    fn lines(&self, lines: &Pattern, crossings: &Pattern, problem: ColoringProblem, limit: u32) -> Option<Vec<u32>> {
        let least = (0..crossings.rows()).map(|i| crossings.row(i).len()).max().unwrap_or(0) as u32;
        let mut best = Found { colors: Vec::new(), count: limit };
        for (order, ties) in self.orders(problem) {
            if best.count <= least {
                break;
            }
            let order = order.vertices(Meeting::new(lines, crossings), ties);
            best.improve(columns::color(lines, &order, best.count));
        }
        (best.count < limit).then_some(best.colors)
    }

    fn symmetric(&self, graph: &Graph) -> Found {
        let least = bounds::least(graph, self.recover);
        let mut best = Found::none(graph.vertices());
        for order in self.orders(ColoringProblem::Symmetric) {
            best.improve(self.vertices(graph, order, graph.vertices(), best.count));
            // a color may be neutral only where no diagonal entry needs it
            if best.count <= least && (!self.neutral || graph.diagonal().len() == graph.vertices()) {
                break;
            }
        }
        best
    }

    /// With neutral colors, columns or rows alone are among what is tried, and preferred.
    fn bidirectional(&self, pattern: &Pattern) -> Result<Colors> {
        let graph = Graph::bipartite(pattern)?;
        let (rows, columns) = pattern.shape();
        let mut best = Found::none(columns + rows);
        for order in self.orders(ColoringProblem::Bidirectional) {
            let found = self.vertices(&graph, order, columns, best.count).map(|mut colors| {
                let (by_columns, by_rows) = colors.split_at_mut(columns);
                let count = renumber(by_columns) + renumber(by_rows);
                Found { colors, count }
            });
            if let Some(found) = found.filter(|found| found.count < best.count) {
                best = found;
            }
        }
        if self.neutral {
            best.count += 1;
            let transposed = pattern.transpose();
            let by_rows = self.lines(pattern, &transposed, ColoringProblem::Row, best.count);
            best.improve(by_rows.map(|colors| [vec![0; columns], colors].concat()));
            let by_columns = self.lines(&transposed, pattern, ColoringProblem::Column, best.count);
            best.improve(by_columns.map(|colors| [colors, vec![0; rows]].concat()));
        }
        let rows = best.colors.split_off(columns);
        Ok(Colors { columns: best.colors, rows })
    }

    /// Colors in one order, nothing if there must be `limit` or more.
    fn vertices(&self, graph: &Graph, (order, ties): (Order, Ties), rows: usize, limit: u32) -> Option<Vec<u32>> {
        // Colors may become neutral afterwards; but an order that nobody asked for is given up where it does very badly.
        let limit = match (self.neutral, self.orders.is_empty()) {
            (false, _) => limit,
            (true, false) => u32::MAX,
            (true, true) => limit.saturating_mul(4).saturating_add(64),
        };
        let order = order.vertices(graph, ties);
        let mut colors = match self.recover {
            Recover::Directly => star::color(graph, &order, limit)?,
            Recover::BySubstitution => acyclic::color(graph, &order, limit)?,
        };
        if self.neutral {
            neutralize(graph, &mut colors, rows);
            renumber(&mut colors);
        }
        Some(colors)
    }
}

/// The fewest colors so far.
struct Found {
    colors: Vec<u32>,
    count: u32,
}

impl Found {
    fn none(vertices: usize) -> Found {
        Found { colors: vec![0; vertices], count: u32::MAX }
    }

    fn improve(&mut self, colors: Option<Vec<u32>>) {
        let Some(colors) = colors else { return };
        let count = colors.iter().copied().max().unwrap_or(0);
        if count < self.count {
            *self = Found { colors, count };
        }
    }
}

impl ColoringAlgorithm for GreedyColoring {
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors> {
        if pattern.nnz() == 0 {
            return Ok(Colors::neutral(pattern, problem));
        }
        match problem {
            ColoringProblem::Column => {
                let columns = self.lines(&pattern.transpose(), pattern, problem, u32::MAX).unwrap_or_default();
                Ok(Colors { columns, rows: Vec::new() })
            }
            ColoringProblem::Row => {
                let rows = self.lines(pattern, &pattern.transpose(), problem, u32::MAX).unwrap_or_default();
                Ok(Colors { columns: Vec::new(), rows })
            }
            ColoringProblem::Symmetric => {
                let graph = Graph::symmetric(pattern)?;
                Ok(Colors { columns: self.symmetric(&graph).colors, rows: Vec::new() })
            }
            ColoringProblem::Bidirectional => self.bidirectional(pattern),
        }
    }

    fn recover(&self) -> Recover {
        self.recover
    }
}
