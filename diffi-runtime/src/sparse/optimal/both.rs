//! The fewest colors for columns and rows together, some of them neutral.

use super::{Pattern, Recover, given_up};
use crate::error::Result;
use crate::sparse::Colors;
use crate::sparse::graph::Graph;

/// No color yet.
const OPEN: u32 = u32::MAX;

/// Branch and bound: each column and each row takes each of the colors in use, a new one, and none.
pub(super) fn search(pattern: &Pattern, recover: Recover, steps: u64, greedy: Colors) -> Result<Colors> {
    let (rows, columns) = pattern.shape();
    let graph = Graph::bipartite(pattern)?;
    let mut order: Vec<u32> = (0..(columns + rows) as u32).collect();
    order.sort_by_key(|v| std::cmp::Reverse(graph.degree(*v)));
    let count = greedy.count() as u32;
    let best = [greedy.columns, greedy.rows].concat();
    let transposed = pattern.transpose();
    let colors = vec![OPEN; columns + rows];
    let mut best = Search { pattern, transposed, graph, recover, order, colors, count, best }.run(steps)?;
    let rows = best.split_off(columns);
    Ok(Colors { columns: best, rows })
}

struct Search<'a> {
    pattern: &'a Pattern,
    transposed: Pattern,
    graph: Graph,
    recover: Recover,
    /// Columns, then rows, by their numbers.
    order: Vec<u32>,
    colors: Vec<u32>,
    /// The fewest colors so far.
    count: u32,
    best: Vec<u32>,
}

impl Search<'_> {
    fn run(mut self, most: u64) -> Result<Vec<u32>> {
        let n = self.order.len();
        let mut used = vec![[0; 2]; n + 1]; // by columns and by rows among the first so many
        let mut next = vec![0; n + 1];
        let (mut at, mut steps) = (0, 0);
        while self.count > 1 {
            if at == n {
                if self.is_solved() {
                    (self.best, self.count) = (self.colors.clone(), used[n].iter().sum());
                }
                at -= 1;
                continue;
            }
            let v = self.order[at];
            let side = usize::from(v as usize >= self.pattern.columns());
            self.colors[v as usize] = OPEN;
            let (choice, in_use) = (next[at], used[at][side]);
            if choice > in_use + 1 {
                if at == 0 {
                    break;
                }
                at -= 1;
                continue;
            }
            steps += 1;
            if steps > most {
                return Err(given_up(most, 1, self.count));
            }
            next[at] = choice + 1;
            let color = if choice > in_use { 0 } else { choice + 1 };
            let mut now = used[at];
            now[side] = in_use.max(color);
            self.colors[v as usize] = color;
            if now.iter().sum::<u32>() < self.count && self.is_possible(v) {
                at += 1;
                (used[at], next[at]) = (now, 0);
            }
        }
        Ok(self.best)
    }

    /// Whether every entry that this column's or row's color matters to may still be recovered.
    fn is_possible(&self, v: u32) -> bool {
        let columns = self.pattern.columns() as u32;
        match v.checked_sub(columns) {
            None => self.transposed.row(v as usize).iter().all(|&i| {
                let mut row = self.pattern.row(i as usize).iter();
                row.all(|&j| self.is_entry_possible(i as usize, j as usize))
            }),
            Some(i) => self.pattern.row(i as usize).iter().all(|&j| {
                let mut column = self.transposed.row(j as usize).iter();
                column.all(|&i| self.is_entry_possible(i as usize, j as usize))
            }),
        }
    }

    fn is_entry_possible(&self, i: usize, j: usize) -> bool {
        let columns = self.pattern.columns();
        let (column, row) = (self.colors[j], self.colors[columns + i]);
        match self.recover {
            Recover::BySubstitution => column != 0 || row != 0,
            Recover::Directly => {
                let alone = |color: u32, mut others: std::slice::Iter<u32>, own: usize, first: usize| {
                    let other = |w: &u32| *w as usize == own || self.colors[first + *w as usize] != color;
                    color == OPEN || (color != 0 && others.all(other))
                };
                alone(column, self.pattern.row(i).iter(), j, 0) || alone(row, self.transposed.row(j).iter(), i, columns)
            }
        }
    }

    /// Whether every entry can be recovered, now that all have their colors.
    fn is_solved(&self) -> bool {
        self.recover == Recover::Directly || self.graph.equations(&self.colors).solve(self.recover).is_ok()
    }
}
