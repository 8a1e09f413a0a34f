//! What is differentiated, and by hand.

use diffi::prelude::*;

/// Branches by sign.
#[differentiable]
pub fn energy(x: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let step = x[i + 1] - x[i] * x[i];
        sum += if step > 0.0 { step * step * x[0] } else { scale * step.sin() };
    }
    sum
}

/// By hand.
pub fn energy_gradient(x: &[f64], scale: f64) -> (Vec<f64>, f64) {
    let (mut g, mut by_scale) = (vec![0.0; x.len()], 0.0);
    for i in 0..x.len() - 1 {
        let step = x[i + 1] - x[i] * x[i];
        let slope = if step > 0.0 { 2.0 * step * x[0] } else { scale * step.cos() };
        g[i + 1] += slope;
        g[i] -= slope * 2.0 * x[i];
        match step > 0.0 {
            true => g[0] += step * step,
            false => by_scale += step.sin(),
        }
    }
    (g, by_scale)
}

#[differentiable]
pub fn rotate(x: &[f64], angle: f64, y: &mut [f64]) {
    y[0] = x[0] * angle.cos() - x[1] * angle.sin();
    y[1] = x[0] * angle.sin() + x[1] * angle.cos();
}

#[differentiable]
pub fn damp(x: &mut [f64], k: f64) {
    for i in 1..x.len() {
        x[i] = x[i] * k + x[i - 1].sin();
    }
}

#[differentiable]
pub fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[differentiable]
pub fn mean_square<T: num_traits::Float>(x: &[T]) -> T {
    let mut sum = T::zero();
    for v in x {
        sum = sum + *v * *v;
    }
    sum / T::from(x.len()).unwrap()
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn both(x: f64, y: f64) -> (f64, f64) {
    (x * y, x + y * y)
}

#[differentiable]
fn fill(x: &[f64], k: f64, y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * k;
    }
}

#[differentiable(constant(w))]
fn weighted(x: &[f64], w: &[f64]) -> f64 {
    dot(x, w) * w[0]
}

#[differentiable]
pub fn calls(x: &[f64]) -> f64 {
    let weights = [0.5, -1.0, 2.0];
    let (p, q) = both(x[0], x[1]);
    let mut y = vec![0.0; x.len()];
    fill(x, 2.0, &mut y);
    dot(&x[..3], &weights) * p + q.sin() + dot(&y, x) + weighted(&x[1..4], &weights)
}

#[differentiable]
pub fn tuples(x: &[f64]) -> f64 {
    let mut all = Vec::new();
    for (k, v) in x.iter().enumerate() {
        all.push((*v, v * v, k));
    }
    let mut sum = 0.0;
    for (a, b, k) in &all {
        sum += if *k % 2 == 0 { a * b } else { a.exp() };
    }
    sum
}

#[differentiable]
pub fn tables(x: &[f64]) -> f64 {
    let mut rows = vec![vec![0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            rows[i][j] = x[i] * x[j] + x[i + j];
        }
    }
    let mut pairs = [[0.0; 2]; 3];
    for i in 0..3 {
        pairs[i] = [rows[i][0].sin(), rows[2 - i][1]];
    }
    let first = pairs[0];
    rows[1][1] * first[0] + pairs[2][1] * first[1]
}

#[differentiable]
pub fn largest(x: &[f64]) -> f64 {
    let mut best = 0;
    for i in 0..x.len() {
        if x[i] > x[best] && x[i].abs() > 0.1 {
            best = i;
        }
    }
    let below = x.iter().filter(|v| **v < 0.0).count();
    x[best] * x[best] * below as f64
}

/// Every function of the derivative table.
#[differentiable]
pub fn everything(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let powers = a.recip() + a.sqrt() + a.cbrt() + a.powi(3) + a.powf(b) + a.hypot(b) + a.mul_add(b, a);
    let exponentials = a.exp() + a.exp2() + a.exp_m1() + a.ln() + a.ln_1p() + a.log2() + a.log10() + a.log(b + 2.0);
    let angles =
        a.sin() + a.cos() + a.tan() + a.asin() + a.acos() + a.atan() + a.atan2(b) + a.to_degrees() + a.to_radians();
    let hyperbolic = a.sinh() + a.cosh() + a.tanh() + a.asinh() + (a + 1.5).acosh() + a.atanh();
    let kinks =
        (a - b).abs() + a.copysign(-b) + a.max(b) + a.min(b) + a.clamp(0.1, 0.2) + a.midpoint(b) + (7.0 * a).fract();
    let jumps = (7.0 * b).rem_euclid(a)
        + (7.0 * b).div_euclid(a)
        + (5.0 * b) % a
        + a.floor()
        + b.ceil()
        + a.round()
        + b.trunc();
    powers + 2.0 * exponentials + angles * b + hyperbolic * a + kinks * b + jumps
}

/// A point where no branch is near.
pub fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.7 * i as f64 + 0.3).sin() * 1.3).collect()
}

#[track_caller]
pub fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance * (1.0 + b.abs()), "{found:?}, expected {expected:?}");
    }
}

/// Scratch arrays that every iteration sets anew: of one length, of a length that the iteration decides, and of one that is only there if an iteration
/// comes.
#[differentiable]
pub fn windows(x: &[f64], width: usize, lengths: &[usize]) -> f64 {
    let (mut row, mut total) = (vec![0.0; width], 0.0);
    for k in 0..x.len() / width.max(1) {
        for i in 0..width {
            row[i] = x[k * width + i] * x[i];
        }
        let mut sums = vec![0.0; k + 1];
        for i in 0..k + 1 {
            sums[i] = row[i % width] - x[k] * row[0];
        }
        let mut last = vec![0.0; lengths[0] - 1];
        for _ in 0..2 {
            for i in 0..lengths[0] - 1 {
                last[i] = sums[k] + row[i % width];
            }
            total += last[0] * sums[k / 2];
        }
        total += row[width - 1] * last[lengths[0] - 2];
    }
    total
}
