//! Patterns as graphs: vertices, and who stands beside whom.

use super::Pattern;
use super::recovery::{Equations, NONE, Numbers};
use crate::error::{Error, Result};

/// An undirected graph without loops, as compressed rows of neighbors.
///
/// Every edge has a number, and so has every diagonal entry after them: these are the unknowns of [`Equations`].
pub(super) struct Graph {
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    edges: Vec<u32>,
    edge_count: usize,
    /// The vertices whose diagonal entry is there, ascending.
    diagonal: Vec<u32>,
}

impl Graph {
    /// The adjacency graph of a symmetric matrix: columns, and the entries above the diagonal as edges.
    pub(super) fn symmetric(pattern: &Pattern) -> Result<Graph> {
        let Unknowns { of_entries, edge_count } = Unknowns::symmetric(pattern)?;
        let diagonal_count = pattern.nnz() - 2 * edge_count;
        let mut diagonal = Vec::with_capacity(diagonal_count);
        if diagonal_count == 0 {
            let (starts, neighbors) = (pattern.starts().to_vec(), pattern.indices().to_vec());
            return Ok(Graph { starts, neighbors, edges: of_entries, edge_count, diagonal });
        }
        let mut starts = Vec::with_capacity(pattern.rows() + 1);
        let mut neighbors = Vec::with_capacity(2 * edge_count);
        let mut edges = Vec::with_capacity(2 * edge_count);
        starts.push(0);
        for i in 0..pattern.rows() {
            let start = pattern.starts()[i] as usize;
            for (k, &j) in (start..).zip(pattern.row(i)) {
                if j as usize == i {
                    diagonal.push(j);
                } else {
                    neighbors.push(j);
                    edges.push(of_entries[k]);
                }
            }
            starts.push(neighbors.len() as u32);
        }
        Ok(Graph { starts, neighbors, edges, edge_count, diagonal })
    }

    /// The bipartite graph of any matrix: its columns, then its rows, and its entries as edges.
    ///
    /// It is the adjacency graph of the matrix `[0 Aᵀ; A 0]`: A. Montoison, G. Dalle, A. Gebremedhin, *Revisiting sparse matrix
    /// coloring and bicoloring* (2025), reduce bicoloring to symmetric coloring by it.
    pub(super) fn bipartite(pattern: &Pattern) -> Result<Graph> {
        let nnz = pattern.nnz();
        if 2 * nnz >= u32::MAX as usize || pattern.rows() + pattern.columns() >= u32::MAX as usize {
            return Err(Error::InvalidPattern {
                reason: format!("{nnz} entries are too many to color in both directions"),
            });
        }
        let (transposed, origins) = pattern.transpose_and_origins();
        let columns = pattern.columns() as u32;
        let mut starts = transposed.starts().to_vec();
        starts.extend(pattern.starts()[1..].iter().map(|start| nnz as u32 + start));
        let mut neighbors: Vec<u32> = transposed.indices().iter().map(|i| columns + i).collect();
        neighbors.extend_from_slice(pattern.indices());
        let mut edges = origins;
        edges.extend(0..nnz as u32);
        Ok(Graph { starts, neighbors, edges, edge_count: nnz, diagonal: Vec::new() })
    }

    #[inline]
    pub(super) fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(super) fn neighbors(&self, v: u32) -> &[u32] {
        &self.neighbors[self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize]
    }

    #[inline]
    pub(super) fn degree(&self, v: u32) -> u32 {
        self.starts[v as usize + 1] - self.starts[v as usize]
    }

    /// The neighbors of a vertex, and the edges to them.
    #[inline]
    pub(super) fn neighbors_and_edges(&self, v: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.starts[v as usize] as usize..self.starts[v as usize + 1] as usize;
        self.neighbors[range.clone()].iter().copied().zip(self.edges[range].iter().copied())
    }

    pub(super) fn edge_count(&self) -> usize {
        self.edge_count
    }

    pub(super) fn diagonal(&self) -> &[u32] {
        &self.diagonal
    }

    /// The equations that colors of the vertices make: at each vertex one for each color beside it.
    ///
    /// An edge's first is at its smaller end.
    pub(super) fn equations(&self, colors: &[u32]) -> Equations {
        let mut of = vec![[NONE; 2]; self.edge_count + self.diagonal.len()];
        let mut numbers = Numbers::new(colors);
        let mut diagonal = self.diagonal.iter().zip(self.edge_count..).peekable();
        for v in 0..self.vertices() as u32 {
            for (w, edge) in self.neighbors_and_edges(v) {
                of[edge as usize][usize::from(v > w)] = numbers.equation(v, colors[w as usize]);
            }
            if let Some((_, unknown)) = diagonal.next_if(|(at, _)| **at == v) {
                of[unknown][0] = numbers.equation(v, colors[v as usize]);
            }
        }
        Equations { count: numbers.count as usize, of }
    }
}

/// The unknown values of a symmetric pattern: those above the diagonal, row by row, then those on it.
pub(super) struct Unknowns {
    /// Which of them each entry is.
    pub(super) of_entries: Vec<u32>,
    pub(super) edge_count: usize,
}

impl Unknowns {
    pub(super) fn symmetric(pattern: &Pattern) -> Result<Unknowns> {
        if pattern.rows() != pattern.columns() {
            let (rows, columns) = pattern.shape();
            return Err(Error::NotSymmetric { reason: format!("it is {rows}x{columns}") });
        }
        let alone =
            |i: usize, j: usize| Error::NotSymmetric { reason: format!("({i}, {j}) is there, and ({j}, {i}) is not") };
        let (starts, indices) = (pattern.starts(), pattern.indices());
        let mut of_entries = vec![0; pattern.nnz()];
        let mut mirrored: Vec<u32> = starts[..pattern.rows()].to_vec(); // the first in each row without an image so far
        let mut diagonal = Vec::new();
        let mut edge = 0;
        for i in 0..pattern.rows() {
            let end = starts[i + 1];
            let first = mirrored[i];
            if first < end && (indices[first as usize] as usize) < i {
                return Err(alone(i, indices[first as usize] as usize));
            }
            for k in first..end {
                let j = indices[k as usize] as usize;
                if i == j {
                    diagonal.push(k);
                    continue;
                }
                let image = mirrored[j];
                if image >= starts[j + 1] || indices[image as usize] as usize != i {
                    return Err(alone(i, j));
                }
                of_entries[k as usize] = edge;
                of_entries[image as usize] = edge;
                edge += 1;
                mirrored[j] += 1;
            }
        }
        for (k, unknown) in diagonal.into_iter().zip(edge..) {
            of_entries[k as usize] = unknown;
        }
        let edge_count = edge as usize;
        Ok(Unknowns { of_entries, edge_count })
    }
}

impl Unknowns {
    /// The equations that colors of the columns make: in each row one for each color.
    ///
    /// The first of an unknown above the diagonal is in its own row, the second in its mirror image's.
    pub(super) fn equations(&self, pattern: &Pattern, colors: &[u32]) -> Equations {
        let mut of = vec![[NONE; 2]; pattern.nnz() - self.edge_count];
        let mut numbers = Numbers::new(colors);
        for i in 0..pattern.rows() as u32 {
            let start = pattern.starts()[i as usize] as usize;
            let row = pattern.row(i as usize);
            for (&j, &unknown) in row.iter().zip(&self.of_entries[start..start + row.len()]) {
                of[unknown as usize][usize::from(i > j)] = numbers.equation(i, colors[j as usize]);
            }
        }
        Equations { count: numbers.count as usize, of }
    }
}
