//! The sum of squares: the smallest gradient there is, so that overhead shows.

use diffi::prelude::*;

#[differentiable]
pub fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

pub fn gradient_by_hand(x: &[f64], gradient: &mut [f64]) {
    for (g, v) in gradient.iter_mut().zip(x) {
        *g = v + v;
    }
}
