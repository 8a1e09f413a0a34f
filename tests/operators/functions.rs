//! The functions of the grid: numbers, vectors and matrices as arguments and as results, returned and written.

use diffi::prelude::*;
use ndarray::{Array2, ArrayView2};

#[differentiable]
pub fn wave(x: f64) -> f64 {
    x * x.sin()
}

#[differentiable]
pub fn wave_single(x: f32) -> f32 {
    x * x.sin()
}

#[differentiable(output(y))]
pub fn wave_written(x: f64, y: &mut f64) {
    *y = x.sin();
    *y *= x;
}

#[differentiable]
pub fn wave_in_place(x: &mut f64) {
    *x *= x.sin();
}

#[differentiable]
pub fn overtones(x: f64) -> Vec<f64> {
    vec![x.sin(), (2.0 * x).sin()]
}

#[differentiable]
pub fn overtones_single(x: f32) -> [f32; 2] {
    [x.sin(), (2.0 * x).sin()]
}

#[differentiable(output(y))]
pub fn overtones_written(x: f64, y: &mut [f64]) {
    y[0] = x.sin();
    y[1] = 2.0 * y[0] * x.cos();
}

#[differentiable]
pub fn powers(x: f64) -> [[f64; 2]; 2] {
    [[x, x * x], [x * x * x, x.powi(4)]]
}

#[differentiable(output(y))]
pub fn powers_written(x: f64, y: &mut Array2<f64>) {
    y[[0, 0]] = x;
    y[[0, 1]] = x * y[[0, 0]];
    y[[1, 0]] = x * y[[0, 1]];
    y[[1, 1]] = x * y[[1, 0]];
}

#[differentiable]
pub fn ring(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * x[(i + 1) % x.len()];
    }
    sum
}

#[differentiable]
pub fn ring_single(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * x[(i + 1) % x.len()];
    }
    sum
}

#[differentiable(output(y))]
pub fn ring_written(x: &[f64], y: &mut f64) {
    *y = 0.0;
    for i in 0..x.len() {
        *y += x[i] * x[i] * x[(i + 1) % x.len()];
    }
}

/// The terms are written besides.
#[differentiable(output(terms))]
pub fn ring_with_terms(x: &[f64], terms: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        terms[i] = x[i] * x[i] * x[(i + 1) % x.len()];
        sum += terms[i];
    }
    sum
}

/// As [`ring`], of six numbers in an array.
macro_rules! ring_of_array {
    ($($(#[$doc:meta])* $name:ident $X:ty;)+) => { $(
        $(#[$doc])*
        #[differentiable]
        pub fn $name(x: $X) -> f64 {
            let mut sum = 0.0;
            for i in 0..6 {
                let k = (i + 1) % 6;
                sum += x[[i / 3, i % 3]] * x[[i / 3, i % 3]] * x[[k / 3, k % 3]];
            }
            sum
        }
    )+ };
}
ring_of_array! {
    ring_of_matrix &Array2<f64>;
    ring_of_view ArrayView2<'_, f64>;
    /// The view's lifetime is left out.
    ring_of_lent_view &ArrayView2<f64>;
}

/// An array by value.
#[differentiable]
pub fn ring_of_three(x: [f64; 3]) -> f64 {
    x[0] * x[0] * x[1] + x[1] * x[1] * x[2] + x[2] * x[2] * x[0]
}

#[differentiable(cache(scratch))]
pub fn ring_with_scratch(x: &[f64], scratch: &mut [f64]) -> f64 {
    for (s, v) in scratch.iter_mut().zip(x) {
        *s = v * v;
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += scratch[i] * x[(i + 1) % x.len()];
    }
    sum
}

#[differentiable]
pub fn neighbours(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[0] * w[1]).collect()
}

#[differentiable(output(y))]
pub fn neighbours_written(x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] = x[i] * x[i + 1];
    }
}

#[differentiable]
pub fn neighbours_in_place(x: &mut [f64]) {
    for i in 1..x.len() {
        x[i - 1] *= x[i];
    }
}

#[differentiable]
pub fn squares_of_matrix(x: &Array2<f64>) -> Vec<f64> {
    let mut y = vec![0.0; 2];
    for i in 0..2 {
        for j in 0..3 {
            y[i] += x[[i, j]] * x[[i, j]];
        }
    }
    y
}

#[differentiable(output(y))]
pub fn transposed_squares(x: &Array2<f64>, y: &mut Array2<f64>) {
    for i in 0..2 {
        for j in 0..3 {
            y[[j, i]] = x[[i, j]] * x[[i, j]];
        }
    }
}

#[differentiable]
pub fn products_of_vector(x: &[f64]) -> [[f64; 2]; 2] {
    let mut y = [[0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            y[i][j] = x[i] * x[j];
        }
    }
    y
}

#[differentiable]
pub fn power_sum(x: &[f64], scale: f64, power: usize) -> f64 {
    let mut sum = 0.0;
    for v in x {
        let mut term = 1.0;
        for _ in 0..power {
            term *= *v;
        }
        sum += scale * term;
    }
    sum
}

/// The scaled vector, and what it was scaled by.
#[differentiable]
pub fn normed(x: &[f64], scale: f64) -> (Vec<f64>, f64) {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
    }
    let y = x.iter().map(|v| v * scale).collect();
    (y, sum * scale)
}
