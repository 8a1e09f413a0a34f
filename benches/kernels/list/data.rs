//! The constants of the kernels.

use super::finance::{Bond, Market};
use super::networks::{Graph, Reaction};
use super::particles::{Mesh, Neighbours, Truss};
use super::statistics::{Ratings, Sparse};

pub use super::random;

pub fn scaled(by: f64, v: Vec<f64>) -> Vec<f64> {
    v.into_iter().map(|v| by * v).collect()
}

pub fn shifted(by: f64, v: Vec<f64>) -> Vec<f64> {
    v.into_iter().map(|v| by + v).collect()
}

/// Integers below a bound.
pub fn labels(n: usize, below: usize) -> Vec<usize> {
    random(n, 61).into_iter().map(|v| (v * below as f64) as usize).collect()
}

/// Points of space, none near another.
pub fn spaced(n: usize) -> Vec<f64> {
    let noise = random(3 * n, 62);
    (0..3 * n)
        .map(|k| 1.2 * (k / 3 / 4usize.pow(k as u32 % 3) % 4) as f64 + 0.2 * noise[k] + (k / 192) as f64)
        .collect()
}

pub fn neighbours(n: usize) -> Neighbours {
    Neighbours { lists: (0..n).map(|i| (1..6).map(|k| (i + k) % n).collect()).collect() }
}

pub fn bars(n: usize) -> Truss {
    let bars = (0..3 * n).map(|k| (k / 3, (k / 3 + k % 3 + 1) % n, 1.0 + 0.1 * (k % 7) as f64)).collect();
    Truss { bars, loads: random(2 * n, 63) }
}

pub fn mesh(n: usize) -> Mesh {
    let points = (0..n * n).map(|k| [(k % n) as f64, (k / n) as f64]).collect();
    let cells = (0..(n - 1) * (n - 1)).map(|k| k / (n - 1) * n + k % (n - 1));
    Mesh { points, triangles: cells.flat_map(|k| [[k, k + 1, k + n], [k + 1, k + n + 1, k + n]]).collect() }
}

pub fn springs(n: usize) -> Vec<(usize, usize)> {
    (0..2 * n).map(|k| (k / 2, (k / 2 + 1 + 4 * (k % 2)) % n)).collect()
}

pub fn market(bonds: usize) -> Market {
    let times = (0..10).map(|k| 0.5 + 3.0 * k as f64).collect();
    let bond = |k: usize| Bond {
        coupon: 1.0 + 0.1 * k as f64,
        dates: (0..8 + k % 5).map(|d| 1.0 + 1.1 * d as f64).collect(),
        price: 7.0,
    };
    Market { times, bonds: (0..bonds).map(bond).collect() }
}

pub fn paths(n: usize) -> Vec<Vec<(f64, f64)>> {
    let noise = |k: usize, seed| random(20, seed + k as u64).into_iter().map(|v| 3.0 * v - 1.5);
    (0..n).map(|k| noise(k, 100).zip(noise(k, 900)).collect()).collect()
}

pub fn rows(n: usize) -> Vec<Vec<f64>> {
    (0..n).map(|k| random(n, 64 + k as u64)).collect()
}

pub fn sparse(rows: usize, columns: usize) -> Sparse {
    let each = 5;
    Sparse {
        indptr: (0..=rows).map(|r| r * each).collect(),
        indices: labels(rows * each, columns),
        values: random(rows * each, 65),
        labels: (0..rows).map(|r| if r % 3 == 0 { 1.0 } else { -1.0 }).collect(),
    }
}

pub fn ratings(users: usize) -> Ratings {
    let seen = (0..6 * users).map(|k| (k % users, 7 * k % users, 1.0 + (k % 5) as f64)).collect();
    Ratings { rank: 4, users, seen }
}

pub fn knots(n: usize) -> Vec<(usize, f64)> {
    (0..2 * n).map(|k| (5 * k % (n - 1), 0.1 + 0.2 * (k % 4) as f64)).collect()
}

pub fn samples(n: usize) -> Vec<(Vec<f64>, f64)> {
    (0..n).map(|k| (random(8, 66 + k as u64), 0.1 * (k % 7) as f64)).collect()
}

pub fn graph(nodes: usize) -> Graph {
    Graph { width: 4, edges: (0..nodes).map(|i| (1..4 + i % 2).map(|k| (i + 3 * k) % nodes).collect()).collect() }
}

pub fn links(nodes: usize) -> Vec<(usize, usize)> {
    (0..4 * nodes).map(|k| (k / 4, (k / 4 + 1 + 3 * (k % 4)) % nodes)).collect()
}

pub fn reactions() -> Vec<Reaction> {
    let reaction = |a: usize, b: usize| Reaction {
        reactants: vec![(a, 1), (b, 2)],
        products: vec![((a + 1) % 6, 1.0), ((b + 2) % 6, 2.0)],
    };
    vec![reaction(0, 1), reaction(2, 3), reaction(4, 5), reaction(3, 0)]
}
