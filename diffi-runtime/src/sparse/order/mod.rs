//! In which order vertices are colored.

mod dynamic;
mod row;

use super::Pattern;
use super::graph::Graph;

/// In which order a greedy algorithm colors.
///
/// Degrees count neighbors: in the adjacency graph of a symmetric matrix, in the bipartite graph of a matrix whose rows and columns
/// are colored, or else the lines that a line meets (at distance 2 in the bipartite graph). Ties go to the first vertex, or as
/// ColPack has it for dynamic degrees: A. H. Gebremedhin, D. Nguyen, M. M. A. Patwary, A. Pothen, *ColPack: software for graph
/// coloring and related problems in scientific computing*, ACM Trans. Math. Softw. 40 (2013), section 5. Where the greatest dynamic
/// degree comes first, they are also resolved as SparseMatrixColorings.jl has it, and what has fewer colors is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// First to last.
    #[default]
    Natural,
    /// A permutation drawn from this seed, always the same.
    Random(u64),
    /// The greatest degree first (Welsh and Powell 1967).
    LargestFirst,
    /// The least degree first: for bidirectional problems, where those with the greatest degree should be left to the end.
    AscendingDegree,
    /// From the end: who has the fewest neighbors among those that are left (Matula 1968).
    SmallestLast,
    /// Who has the most neighbors among those before (Coleman and Moré 1983).
    ///
    /// On graphs this is maximum cardinality search (Tarjan and Yannakakis 1984): if the graph is chordal, as that of a band matrix in
    /// whatever order, the acyclic coloring has the fewest colors that are possible.
    IncidenceDegree,
    /// Who has the most neighbors among those that are left.
    ///
    /// Often worse than no order at all, for those with few neighbors left come last, however many colors are around them: a band
    /// with ten diagonals off the main one needs 17 colors instead of 11.
    DynamicLargestFirst,
    /// Any of those that look at dynamic degrees.
    DynamicDegree {
        /// Which neighbors count.
        degree: Degree,
        /// From which end vertices are placed.
        direction: Direction,
    },
}

/// Which neighbors a dynamic degree counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Degree {
    /// Those that come before in the order.
    Back,
    /// Those that come after.
    Forward,
}

/// From which end of an order vertices are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the first, whose degree is the greatest among those that are left.
    LowToHigh,
    /// From the last, whose degree is the least among those that are left.
    HighToLow,
}

/// Who comes first of those that have the same dynamic degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ties {
    /// Who came to it last.
    Last,
    /// Who is at the end of a bucket where those whose degree grows join at the beginning, others at the end.
    BothEnds,
}

/// A graph in which each vertex knows its neighbors.
pub(super) trait Neighborhood {
    /// Whether the greatest degree comes first, as long as no dynamic degree is known: ColPack has it so for graphs, not for lines.
    const GREATEST_FIRST: bool;

    fn vertices(&self) -> usize;

    /// How many neighbors each vertex has.
    fn degrees(&self) -> Vec<u32>;

    /// All vertices, before any is placed.
    fn waiting(&self) -> impl Waiting;
}

/// Vertices that are not placed, and perhaps others.
pub(super) trait Waiting {
    /// Places a vertex, and gives each neighbor that waits, once; perhaps others.
    fn place(&mut self, v: u32) -> &[u32];
}

impl Neighborhood for &Graph {
    const GREATEST_FIRST: bool = true;

    fn vertices(&self) -> usize {
        Graph::vertices(self)
    }

    fn degrees(&self) -> Vec<u32> {
        (0..Graph::vertices(self) as u32).map(|v| self.degree(v)).collect()
    }

    fn waiting(&self) -> impl Waiting {
        *self
    }
}

impl Waiting for &Graph {
    fn place(&mut self, v: u32) -> &[u32] {
        self.neighbors(v)
    }
}

/// Lines are neighbors where they cross the same line.
#[derive(Clone, Copy)]
pub(super) struct Meeting<'a> {
    lines: &'a Pattern,
    crossings: &'a Pattern,
}

impl<'a> Meeting<'a> {
    /// The rows of `lines`; `crossings` is its transpose.
    pub(super) fn new(lines: &'a Pattern, crossings: &'a Pattern) -> Self {
        Meeting { lines, crossings }
    }
}

impl Neighborhood for Meeting<'_> {
    const GREATEST_FIRST: bool = false;

    fn vertices(&self) -> usize {
        self.lines.rows()
    }

    /// Each pair is met at the first of the two.
    fn degrees(&self) -> Vec<u32> {
        #[derive(Clone, Copy)]
        struct Line {
            degree: u32,
            met: u32,
        }
        let mut lines = vec![Line { degree: 0, met: PLACED }; self.lines.rows()];
        let mut passed: Vec<u32> = self.crossings.starts()[..self.crossings.rows()].to_vec();
        for v in 0..self.lines.rows() as u32 {
            let mut degree = 0;
            for &crossing in self.lines.row(v as usize) {
                passed[crossing as usize] += 1;
                let end = self.crossings.starts()[crossing as usize + 1];
                for &w in &self.crossings.indices()[passed[crossing as usize] as usize..end as usize] {
                    let line = &mut lines[w as usize];
                    let new = u32::from(line.met != v);
                    line.met = v;
                    line.degree += new;
                    degree += new;
                }
            }
            lines[v as usize].degree += degree;
        }
        lines.into_iter().map(|line| line.degree).collect()
    }

    fn waiting(&self) -> impl Waiting {
        let starts = self.crossings.starts();
        WaitingLines {
            lines: self.lines,
            crossings: self.crossings,
            left: self.crossings.indices().to_vec(),
            ends: starts[1..].to_vec(),
            met: vec![PLACED - 1; self.lines.rows()],
            near: vec![0; self.lines.rows() + 1],
        }
    }
}

const PLACED: u32 = u32::MAX;

/// Lines leave what they cross when they are placed: at the next who looks there.
struct WaitingLines<'a> {
    lines: &'a Pattern,
    crossings: &'a Pattern,
    left: Vec<u32>,
    ends: Vec<u32>,
    /// By whom each line was met last.
    met: Vec<u32>,
    /// Whom the line that was placed last has met, from the first on.
    near: Vec<u32>,
}

impl Waiting for WaitingLines<'_> {
    /// Nothing is decided by branches, for nobody could foresee them: what is not wanted is overwritten.
    #[inline]
    fn place(&mut self, v: u32) -> &[u32] {
        self.met[v as usize] = PLACED;
        let mut count = 0;
        for &crossing in self.lines.row(v as usize) {
            let (start, end) = (self.crossings.starts()[crossing as usize], &mut self.ends[crossing as usize]);
            let waiting = &mut self.left[start as usize..*end as usize];
            let mut kept = 0;
            for k in 0..waiting.len() {
                let w = waiting[k];
                let met = &mut self.met[w as usize];
                let (waits, new) = (*met != PLACED, *met != v);
                *met = if waits { v } else { PLACED };
                waiting[kept] = w;
                kept += usize::from(waits);
                self.near[count] = w;
                count += usize::from(waits & new);
            }
            *end = start + kept as u32;
        }
        &self.near[..count]
    }
}

impl Order {
    /// In which ways ties are resolved. From the end, where the order takes long, ColPack's way has been the better one.
    pub(super) fn ties(self) -> &'static [Ties] {
        match self {
            Order::IncidenceDegree
            | Order::DynamicLargestFirst
            | Order::DynamicDegree { direction: Direction::LowToHigh, .. } => &[Ties::Last, Ties::BothEnds],
            _ => &[Ties::Last],
        }
    }

    /// All vertices in this order.
    pub(super) fn vertices(self, graph: impl Neighborhood, ties: Ties) -> Vec<u32> {
        use {Degree::*, Direction::*};
        let natural = 0..graph.vertices() as u32;
        match self {
            Order::Natural => natural.collect(),
            Order::Random(seed) => shuffled(natural.collect(), seed),
            Order::LargestFirst => {
                let degrees = graph.degrees();
                sorted(natural, |v| u32::MAX - degrees[v as usize])
            }
            Order::AscendingDegree => {
                let degrees = graph.degrees();
                sorted(natural, |v| degrees[v as usize])
            }
            Order::SmallestLast => dynamic::order(graph, Back, HighToLow, ties),
            Order::IncidenceDegree => dynamic::order(graph, Back, LowToHigh, ties),
            Order::DynamicLargestFirst => dynamic::order(graph, Forward, LowToHigh, ties),
            Order::DynamicDegree { degree, direction } => dynamic::order(graph, degree, direction, ties),
        }
    }
}

fn sorted(vertices: impl Iterator<Item = u32>, key: impl Fn(u32) -> u32) -> Vec<u32> {
    let mut keyed: Vec<(u32, u32)> = vertices.map(|v| (key(v), v)).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, v)| v).collect()
}

/// Fisher and Yates' shuffle.
fn shuffled(mut vertices: Vec<u32>, mut seed: u64) -> Vec<u32> {
    for k in (1..vertices.len()).rev() {
        let below = ((u128::from(split_mix(&mut seed)) * (k as u128 + 1)) >> 64) as usize;
        vertices.swap(k, below);
    }
    vertices
}

/// S. Vigna's SplitMix64.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
