//! Star coloring with sets of colors as bits: each vertex knows what its neighborhood looks like, so that nobody looks further than
//! at neighbors.

use super::{Attempt, Graph};

/// A set of colors, counted from 0.
#[derive(Clone, Copy)]
struct Set<const W: usize>([u64; W]);

impl<const W: usize> Set<W> {
    const EMPTY: Self = Set([0; W]);

    #[inline]
    fn has(&self, color: u32) -> bool {
        self.0[color as usize / 64 % W] >> (color % 64) & 1 == 1
    }

    /// Whether it was there before.
    #[inline]
    fn insert(&mut self, color: u32) -> bool {
        let word = &mut self.0[color as usize / 64 % W];
        let before = *word;
        *word |= 1 << (color % 64);
        before == *word
    }

    #[inline]
    fn insert_all(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    #[inline]
    fn least_missing(&self) -> Option<u32> {
        let (k, word) = self.0.iter().enumerate().find(|(_, word)| **word != u64::MAX)?;
        Some(k as u32 * 64 + word.trailing_ones())
    }
}

const NO_COLOR: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Vertex<const W: usize> {
    /// Colors of neighbors.
    beside: Set<W>,
    /// Colors of two neighbors or more: this is the hub of a star of each.
    twice: Set<W>,
    /// Colors of the hubs of stars that this is a spoke of.
    hubs: Set<W>,
    color: u32,
}

pub(super) fn color<const W: usize>(graph: &Graph, order: &[u32], limit: u32) -> Attempt {
    let blank = Vertex::<W> { beside: Set::EMPTY, twice: Set::EMPTY, hubs: Set::EMPTY, color: NO_COLOR };
    let mut vertices = vec![blank; graph.vertices()];
    for &v in order {
        let Some(color) = forbidden(graph, &vertices, v).least_missing() else { return Attempt::Full };
        if color + 1 >= limit {
            return Attempt::TooMany;
        }
        give(graph, &mut vertices, v, color);
    }
    Attempt::Done(vertices.into_iter().map(|vertex| vertex.color + 1).collect())
}

#[inline]
fn forbidden<const W: usize>(graph: &Graph, vertices: &[Vertex<W>], v: u32) -> Set<W> {
    let twice = vertices[v as usize].twice;
    let mut forbidden = vertices[v as usize].beside;
    for &w in graph.neighbors(v) {
        let neighbor = &vertices[w as usize];
        if neighbor.color != NO_COLOR {
            forbidden.insert_all(if twice.has(neighbor.color) { &neighbor.beside } else { &neighbor.hubs });
        }
    }
    forbidden
}

#[inline]
fn give<const W: usize>(graph: &Graph, vertices: &mut [Vertex<W>], v: u32, color: u32) {
    let Vertex { twice, mut hubs, .. } = vertices[v as usize];
    for &w in graph.neighbors(v) {
        let neighbor = &mut vertices[w as usize];
        let neighbor_color = neighbor.color;
        let known = neighbor.beside.insert(color);
        let first_spoke = known && !neighbor.twice.insert(color);
        if neighbor_color == NO_COLOR {
            continue;
        }
        if twice.has(neighbor_color) {
            neighbor.hubs.insert(color);
        }
        if known {
            hubs.insert(neighbor_color);
        }
        if first_spoke {
            // v is the neighbor's second of this color: the first becomes a spoke as well
            let first = graph.neighbors(w).iter().find(|x| vertices[**x as usize].color == color);
            if let Some(&x) = first {
                vertices[x as usize].hubs.insert(neighbor_color);
            }
        }
    }
    vertices[v as usize].hubs = hubs;
    vertices[v as usize].color = color;
}
