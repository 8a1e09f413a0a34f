//! The chained Rosenbrock function: neighbours are coupled, so each element of the gradient is written twice.

use diffi::prelude::*;

#[differentiable]
pub fn rosenbrock(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() - 1 {
        let valley = x[i + 1] - x[i] * x[i];
        let slope = 1.0 - x[i];
        total += 100.0 * valley * valley + slope * slope;
    }
    total
}

pub fn gradient_by_hand(x: &[f64], gradient: &mut [f64]) {
    let mut carried = 0.0;
    let (last, rest) = gradient.split_last_mut().expect("at least one variable");
    for (g, pair) in rest.iter_mut().zip(x.windows(2)) {
        let t = 200.0 * (pair[1] - pair[0] * pair[0]);
        *g = carried - 2.0 * (1.0 - pair[0]) - 2.0 * t * pair[0];
        carried = t;
    }
    *last = carried;
}
