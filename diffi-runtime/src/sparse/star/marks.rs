//! Star coloring with a mark for each color, however many there are.

use super::{Attempt, Graph};

const NOBODY: u32 = u32::MAX;

struct Marks<'a> {
    graph: &'a Graph,
    /// 0 before a vertex has its color.
    colors: Vec<u32>,
    /// For which vertex a color is forbidden.
    forbidden: Vec<u32>,
    /// The first neighbor of a color: (of whom, neighbor, edge).
    first: Vec<(u32, u32, u32)>,
    /// By whom a neighbor's neighborhood was forbidden.
    treated: Vec<u32>,
    /// The hub of each edge's star, if it has three vertices or more.
    hub: Vec<u32>,
}

pub(super) fn color(graph: &Graph, order: &[u32], limit: u32) -> Attempt {
    let n = graph.vertices();
    let mut marks = Marks {
        graph,
        colors: vec![0; n],
        forbidden: vec![NOBODY; n + 1],
        first: vec![(NOBODY, 0, 0); n + 1],
        treated: vec![NOBODY; n],
        hub: vec![NOBODY; graph.edge_count()],
    };
    for &v in order {
        marks.forbid(v);
        let free = (1..=n).find(|&c| marks.forbidden[c] != v).unwrap_or(n) as u32;
        if free >= limit {
            return Attempt::TooMany;
        }
        marks.give(v, free);
    }
    Attempt::Done(marks.colors)
}

impl Marks<'_> {
    fn forbid(&mut self, v: u32) {
        let graph = self.graph;
        for (w, edge) in graph.neighbors_and_edges(v) {
            let color = self.colors[w as usize] as usize;
            if color == 0 {
                continue;
            }
            self.forbidden[color] = v;
            let (whose, q, _) = self.first[color];
            if whose == v {
                self.forbid_beside(q, v);
                self.forbid_beside(w, v);
                continue;
            }
            self.first[color] = (v, w, edge);
            for (x, edge) in graph.neighbors_and_edges(w) {
                if self.hub[edge as usize] == x {
                    self.forbidden[self.colors[x as usize] as usize] = v;
                }
            }
        }
    }

    fn forbid_beside(&mut self, w: u32, v: u32) {
        if std::mem::replace(&mut self.treated[w as usize], v) == v {
            return;
        }
        for &x in self.graph.neighbors(w) {
            self.forbidden[self.colors[x as usize] as usize] = v; // color 0 is not looked at
        }
    }

    fn give(&mut self, v: u32, color: u32) {
        self.colors[v as usize] = color;
        let graph = self.graph;
        for (w, edge) in graph.neighbors_and_edges(v) {
            let neighbor_color = self.colors[w as usize] as usize;
            if neighbor_color == 0 {
                continue;
            }
            let other = graph.neighbors_and_edges(w).find(|(x, _)| *x != v && self.colors[*x as usize] == color);
            let (_, q, first) = self.first[neighbor_color];
            if let Some((_, other)) = other {
                self.hub[other as usize] = w;
                self.hub[edge as usize] = w;
            } else if q != w {
                self.hub[first as usize] = v;
                self.hub[edge as usize] = v;
            }
        }
    }
}
