//! Clusters, and Newton's step for their centroids.

#[path = "../gradbench/src/objectives/kmeans.rs"]
pub mod objective;

/// The gradient and the Hessian's diagonal, in closed form: only the nearest centroid of a point feels it.
pub fn newton_by_hand(centroids: &[f64], points: &[f64], d: usize, gradient: &mut [f64], diagonal: &mut [f64]) {
    gradient.fill(0.0);
    diagonal.fill(0.0);
    for point in points.chunks_exact(d) {
        let (mut nearest, mut closest) = (0, f64::INFINITY);
        for (c, centroid) in centroids.chunks_exact(d).enumerate() {
            let distance = point.iter().zip(centroid).fold(0.0, |sum, (p, c)| sum + (p - c) * (p - c));
            if distance < closest {
                (nearest, closest) = (c, distance);
            }
        }
        let own = nearest * d..(nearest + 1) * d;
        let sums = gradient[own.clone()].iter_mut().zip(&mut diagonal[own.clone()]);
        for ((g, h), (p, c)) in sums.zip(point.iter().zip(&centroids[own])) {
            *g -= 2.0 * (p - c);
            *h += 2.0;
        }
    }
}
