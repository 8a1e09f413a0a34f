//! An iterator chain over windows: the energy of a path.

use diffi::prelude::*;

#[differentiable]
pub fn squared_steps(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

pub fn gradient_by_hand(x: &[f64], gradient: &mut [f64]) {
    let mut carried = 0.0;
    let (last, rest) = gradient.split_last_mut().expect("at least one point");
    for (g, pair) in rest.iter_mut().zip(x.windows(2)) {
        let step = 2.0 * (pair[1] - pair[0]);
        *g = carried - step;
        carried = step;
    }
    *last = carried;
}
