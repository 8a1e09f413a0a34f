//! How few colors can be hoped for.

use super::Recover;
use super::graph::Graph;

/// A number of colors that no star or acyclic coloring of all vertices is below.
pub(super) fn least(graph: &Graph, recover: Recover) -> u32 {
    let (n, edges) = (graph.vertices() as u64, graph.edge_count() as u64);
    if n == 0 {
        return 0;
    }
    // Two colors of a and b vertices share at most a + b - 1 edges; so k colors have at most (k - 1) n - k (k - 1) / 2.
    let forests = (1..=n).find(|k| (k - 1) * n >= edges + k * (k - 1) / 2).unwrap_or(n) as u32;
    match recover {
        Recover::Directly => forests.max(if has_inner_edge(graph) { 3 } else { 0 }),
        Recover::BySubstitution => forests,
    }
}

/// Whether some edge has neighbors at both ends: a path of four vertices or a triangle, which take three colors.
fn has_inner_edge(graph: &Graph) -> bool {
    let inner = |v: u32| graph.degree(v) > 1;
    (0..graph.vertices() as u32).any(|v| inner(v) && graph.neighbors(v).iter().any(|&w| inner(w)))
}
