//! Star coloring: neighbors differ, and every path of four vertices has three colors.
//!
//! A. H. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen, *New acyclic and star coloring algorithms with application to computing
//! Hessians*, SIAM J. Sci. Comput. 29 (2007), algorithm 4.1. Two colors make stars: a hub of one color, spokes of the other. A vertex
//! cannot have a color
//!
//! - of a neighbor,
//! - of a neighbor's neighbor, where another neighbor has the color of this one (case 1: it will be the hub),
//! - of a hub whose spoke is a neighbor (case 2).

mod bits;
mod marks;

use super::graph::Graph;

/// What came of coloring with a limit to the number of colors.
enum Attempt {
    Done(Vec<u32>),
    /// There would be `limit` colors or more.
    TooMany,
    /// There are not enough bits.
    Full,
}

/// The colors of all vertices; nothing if there would be `limit` colors or more.
pub(super) fn color(graph: &Graph, order: &[u32], limit: u32) -> Option<Vec<u32>> {
    for attempt in [bits::color::<1>, bits::color::<2>, bits::color::<4>, bits::color::<8>, marks::color] {
        match attempt(graph, order, limit) {
            Attempt::Done(colors) => return Some(colors),
            Attempt::TooMany => return None,
            Attempt::Full => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::Pattern;

    fn done(attempt: Attempt) -> Vec<u32> {
        match attempt {
            Attempt::Done(colors) => colors,
            _ => panic!("there are enough bits and colors"),
        }
    }

    #[test]
    fn bits_and_marks_agree() {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for n in [1, 2, 5, 20, 60] {
            for density in [1, 3, 8] {
                let places: Vec<_> = (0..n * density)
                    .map(|_| (random(n) as usize, random(n) as usize))
                    .flat_map(|(i, j)| [(i, j), (j, i)])
                    .collect();
                let pattern = Pattern::from_triplets(n as usize, n as usize, places).expect("inside");
                let graph = Graph::symmetric(&pattern).expect("symmetric");
                let order: Vec<u32> = (0..n as u32).rev().collect();
                let colors = done(bits::color::<1>(&graph, &order, u32::MAX));
                assert_eq!(colors, done(marks::color(&graph, &order, u32::MAX)));
                assert_eq!(colors, done(bits::color::<2>(&graph, &order, u32::MAX)));
            }
        }
    }

    /// Columns come first and have one color; then no two rows that share a column may have the same.
    #[test]
    fn more_colors_than_bits() {
        let n = 600;
        let arrowhead = Pattern::from_rows(n, (0..n).map(|i| if i == 0 { (0..n).collect() } else { vec![0, i] }));
        let graph = Graph::bipartite(&arrowhead.expect("inside")).expect("small");
        let order: Vec<u32> = (0..2 * n as u32).collect();
        let colors = color(&graph, &order, u32::MAX).expect("no limit");
        assert_eq!(colors[..n], [1; 600]);
        assert_eq!(colors[n..], (2..=n as u32 + 1).collect::<Vec<_>>());
        assert_eq!(color(&graph, &order, 601), None);
        assert_eq!(color(&graph, &order, 10), None);
    }
}
