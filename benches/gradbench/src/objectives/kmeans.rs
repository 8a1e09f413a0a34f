//! The sum of squared distances of points to their nearest centroids.

use diffi::prelude::*;

/// How many points look for their centroids together.
const TOGETHER: usize = 8;

/// The search finds out which centroid it is; the distance that counts is computed once more, so that derivatives follow no other.
#[differentiable(constant(points, d))]
pub fn within_clusters(centroids: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    let mut columns = vec![[0.0; TOGETHER]; d];
    for together in points.chunks(TOGETHER * d) {
        for (lane, point) in together.chunks_exact(d).enumerate() {
            for (column, x) in columns.iter_mut().zip(point) {
                column[lane] = *x;
            }
        }
        let (mut nearest, mut least) = ([0; TOGETHER], [f64::INFINITY; TOGETHER]);
        for (k, centroid) in centroids.chunks_exact(d).enumerate() {
            let mut distances = [0.0; TOGETHER];
            for (column, c) in columns.iter().zip(centroid) {
                for lane in 0..TOGETHER {
                    distances[lane] += (c - column[lane]) * (c - column[lane]);
                }
            }
            for lane in 0..TOGETHER {
                let nearer = distances[lane] < least[lane];
                nearest[lane] = if nearer { k } else { nearest[lane] };
                least[lane] = if nearer { distances[lane] } else { least[lane] };
            }
        }
        for (point, nearest) in together.chunks_exact(d).zip(&nearest) {
            total += squared_distance(&centroids[nearest * d..(nearest + 1) * d], point);
        }
    }
    total
}

/// Two sums side by side, so that one addition need not wait for the other.
#[differentiable(constant(b))]
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    let (mut even, mut odd) = (0.0, 0.0);
    for (a, b) in a.chunks_exact(2).zip(b.chunks_exact(2)) {
        even += (a[0] - b[0]) * (a[0] - b[0]);
        odd += (a[1] - b[1]) * (a[1] - b[1]);
    }
    if a.len() % 2 == 1 {
        let last = a.len() - 1;
        even += (a[last] - b[last]) * (a[last] - b[last]);
    }
    even + odd
}
