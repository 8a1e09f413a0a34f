//! Acyclic coloring: neighbors differ, and every cycle has three colors.
//!
//! A. H. Gebremedhin, A. Tarafdar, F. Manne, A. Pothen, *New acyclic and star coloring algorithms with application to computing
//! Hessians*, SIAM J. Sci. Comput. 29 (2007), algorithm 3.1. Edges between two colors make trees; a vertex cannot have a color of a
//! neighbor, nor one by which it would stand beside one tree twice.

use super::graph::Graph;

const NOBODY: u32 = u32::MAX;

struct Forest<'a> {
    graph: &'a Graph,
    /// 0 before a vertex has its color.
    colors: Vec<u32>,
    /// Colors of neighbors modulo 64: who is not in there is not beside the vertex.
    beside: Vec<u64>,
    /// For which vertex a color is forbidden.
    forbidden: Vec<u32>,
    /// The first edge to a color: (from whom, edge).
    first: Vec<(u32, u32)>,
    trees: Vec<Tree>,
}

/// A tree as a set of edges, at one of them.
#[derive(Clone, Copy)]
struct Tree {
    /// Another edge of the same tree; of the root, itself.
    parent: u32,
    /// Of the root, from whom the tree was visited last, and by which neighbor first.
    visitor: u32,
    by: u32,
}

/// The colors of all vertices; nothing if there would be `limit` colors or more.
pub(super) fn color(graph: &Graph, order: &[u32], limit: u32) -> Option<Vec<u32>> {
    let n = graph.vertices();
    let mut forest = Forest {
        graph,
        colors: vec![0; n],
        beside: vec![0; n],
        forbidden: vec![NOBODY; n + 1],
        first: vec![(NOBODY, 0); n + 1],
        trees: (0..graph.edge_count() as u32).map(|parent| Tree { parent, visitor: NOBODY, by: 0 }).collect(),
    };
    for &v in order {
        forest.forbid(v);
        let free = (1..=n).find(|&c| forest.forbidden[c] != v).unwrap_or(n) as u32;
        if free >= limit {
            return None;
        }
        forest.give(v, free);
    }
    Some(forest.colors)
}

impl Forest<'_> {
    fn forbid(&mut self, v: u32) {
        let graph = self.graph;
        for &w in graph.neighbors(v) {
            self.forbidden[self.colors[w as usize] as usize] = v; // color 0 is not looked at
        }
        self.forbidden[0] = v;
        for &w in graph.neighbors(v) {
            if self.colors[w as usize] == 0 {
                continue;
            }
            for (x, edge) in graph.neighbors_and_edges(w) {
                let color = self.colors[x as usize] as usize;
                if self.forbidden[color] == v {
                    continue;
                }
                let root = self.root(edge) as usize;
                let tree = &mut self.trees[root];
                if tree.visitor != v {
                    (tree.visitor, tree.by) = (v, w);
                } else if tree.by != w {
                    self.forbidden[color] = v;
                }
            }
        }
    }

    fn give(&mut self, v: u32, color: u32) {
        self.colors[v as usize] = color;
        let graph = self.graph;
        let bit = 1 << (color % 64);
        for (w, edge) in graph.neighbors_and_edges(v) {
            let known = self.beside[w as usize] & bit != 0;
            self.beside[w as usize] |= bit;
            let neighbor_color = self.colors[w as usize] as usize;
            if neighbor_color == 0 {
                continue;
            }
            let (whose, first) = self.first[neighbor_color];
            if whose == v {
                self.unite(edge, first);
            } else {
                self.first[neighbor_color] = (v, edge);
            }
            if known {
                // all edges from w to this color are one tree
                let other = graph.neighbors_and_edges(w).find(|(x, _)| *x != v && self.colors[*x as usize] == color);
                if let Some((_, other)) = other {
                    self.unite(edge, other);
                }
            }
        }
    }

    /// The root of an edge's tree; the way there is halved.
    #[inline]
    fn root(&mut self, mut edge: u32) -> u32 {
        loop {
            let parent = self.trees[edge as usize].parent;
            let grandparent = self.trees[parent as usize].parent;
            if parent == grandparent {
                return parent;
            }
            self.trees[edge as usize].parent = grandparent;
            edge = grandparent;
        }
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.trees[a as usize].parent = b;
    }
}
