//! `y'[0] = x[0]`, `y'[i] = x[i] y[i - 1]` from zero to the time 2 in `s` steps of the classical Runge-Kutta method.

use diffi::prelude::*;

#[differentiable(output(rate))]
fn rates(x: &[f64], y: &[f64], rate: &mut [f64]) {
    rate[0] = x[0];
    for i in 1..x.len() {
        rate[i] = x[i] * y[i - 1];
    }
}

#[differentiable]
pub fn solve(x: &[f64], s: usize) -> Vec<f64> {
    let n = x.len();
    let h = 2.0 / s as f64;
    let mut y = vec![0.0; n];
    let mut stage = vec![0.0; n];
    let (mut k1, mut k2, mut k3, mut k4) = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for _ in 0..s {
        rates(x, &y, &mut k1);
        for i in 0..n {
            stage[i] = y[i] + h * k1[i] / 2.0;
        }
        rates(x, &stage, &mut k2);
        for i in 0..n {
            stage[i] = y[i] + h * k2[i] / 2.0;
        }
        rates(x, &stage, &mut k3);
        for i in 0..n {
            stage[i] = y[i] + h * k3[i];
        }
        rates(x, &stage, &mut k4);
        for i in 0..n {
            y[i] += h * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]) / 6.0;
        }
    }
    y
}
