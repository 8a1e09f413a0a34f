//! Clusters, and Newton's step for their centroids.

#[path = "../objectives/kmeans.rs"]
mod clusters;

use super::{Failure, ensure};
use crate::clock::Clock;
use clusters::within_clusters;
use diffi::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
pub struct Input {
    points: Vec<Vec<f64>>,
    centroids: Vec<Vec<f64>>,
}

impl Input {
    /// Centroids, points, and the number of coordinates.
    fn flat(self) -> Result<(Vec<f64>, Vec<f64>, usize), Failure> {
        let d = self.centroids.first().map_or(0, Vec::len);
        let same = self.points.iter().chain(&self.centroids).all(|row| row.len() == d);
        ensure(d > 0 && same, "points and centroids have different numbers of coordinates")?;
        Ok((self.centroids.concat(), self.points.concat(), d))
    }
}

pub fn cost(input: Input, clock: &mut Clock) -> Result<f64, Failure> {
    let (centroids, points, d) = input.flat()?;
    Ok(clock.run(|| within_clusters(&centroids, &points, d)))
}

/// The gradient over the Hessian's diagonal. The Hessian is diagonal, so one product with ones shows all of it.
pub fn dir(input: Input, clock: &mut Clock) -> Result<Vec<Vec<f64>>, Failure> {
    let (centroids, points, d) = input.flat()?;
    let at = (&centroids, Constant(&points), Constant(d));
    let ones = vec![1.0; centroids.len()];
    let backend = SecondOrder(AutoForward::default(), AutoReverse::default());
    let mut prepared = clock.prepare(|| prepare_hvp(within_clusters::D, backend, at, &ones))?;
    let (mut gradient, mut diagonal) = (ones.clone(), ones.clone());
    clock.run(|| {
        prepared.gradient_and_hvp_into(&mut gradient, &mut diagonal, at, &ones)?;
        gradient.iter_mut().zip(&diagonal).for_each(|(g, h)| *g /= h);
        Ok::<_, diffi::Error>(())
    })?;
    Ok(gradient.chunks(d).map(<[f64]>::to_vec).collect())
}
