//! The sum of squared distances of points to their nearest centroids.

use diffi::prelude::*;

#[differentiable(constant(points, d))]
pub fn within_clusters(centroids: &[f64], points: &[f64], d: usize) -> f64 {
    let mut total = 0.0;
    for point in points.chunks_exact(d) {
        let mut closest = f64::INFINITY;
        for centroid in centroids.chunks_exact(d) {
            let mut distance = 0.0;
            for i in 0..d {
                distance += (point[i] - centroid[i]) * (point[i] - centroid[i]);
            }
            closest = closest.min(distance);
        }
        total += closest;
    }
    total
}
