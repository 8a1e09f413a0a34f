//! The functions of the cases, as one would write them in Rust.
#![allow(clippy::needless_range_loop, clippy::manual_div_ceil, reason = "loops are among what is tested")]

use diffi::prelude::*;
use diffi::{Dual, Real, ScalarFn};
use ndarray::Array2;

#[differentiable]
pub fn num_to_num(x: f64) -> f64 {
    x.sin()
}

#[differentiable]
pub fn onevec_to_onevec(x: &[f64]) -> Vec<f64> {
    vec![x[0].sin()]
}

#[differentiable]
pub fn num_to_mat_written(x: f64, y: &mut [[f64; 2]; 6]) {
    for (j, factor) in [1.0, 3.0].into_iter().enumerate() {
        for i in 0..3 {
            y[i][j] = (factor * x).sin();
            y[i + 3][j] = (2.0 * factor * x).sin();
        }
    }
}

#[differentiable]
pub fn powers(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for a in x {
        for b in x {
            sum += a.powi(4) * b.powi(6);
        }
    }
    sum
}

#[differentiable]
pub fn powers_of_matrix(x: &Array2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        for j in 0..3 {
            for k in 0..2 {
                for l in 0..3 {
                    sum += x[[i, j]].powi(4) * x[[k, l]].powi(6);
                }
            }
        }
    }
    sum
}

#[differentiable]
pub fn waves(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v.sin()).chain(x.iter().map(|v| v.cos())).collect()
}

/// Column by column, as Julia's `vec` goes.
#[differentiable]
pub fn waves_of_matrix(x: &Array2<f64>) -> Vec<f64> {
    let mut y = vec![0.0; 12];
    for j in 0..3 {
        for i in 0..2 {
            y[2 * j + i] = x[[i, j]].sin();
            y[2 * j + i + 6] = x[[i, j]].cos();
        }
    }
    y
}

#[differentiable]
pub fn wave_columns_of_matrix(x: &Array2<f64>) -> [[f64; 2]; 6] {
    let mut y = [[0.0; 2]; 6];
    for j in 0..3 {
        for i in 0..2 {
            y[2 * j + i][0] = x[[i, j]].sin();
            y[2 * j + i][1] = x[[i, j]].cos();
        }
    }
    y
}

#[differentiable]
pub fn waves_written(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        y[i] = x[i].sin();
        y[i + n] = x[i].cos();
    }
}

#[differentiable]
pub fn wave_columns_written(x: &[f64], y: &mut [[f64; 2]]) {
    for i in 0..x.len() {
        y[i][0] = x[i].sin();
        y[i][1] = x[i].cos();
    }
}

#[differentiable(output(y))]
pub fn waves_of_matrix_written(x: &Array2<f64>, y: &mut [f64]) {
    for j in 0..3 {
        for i in 0..2 {
            y[2 * j + i] = x[[i, j]].sin();
            y[2 * j + i + 6] = x[[i, j]].cos();
        }
    }
}

#[differentiable(output(y))]
pub fn wave_columns_of_matrix_written(x: &Array2<f64>, y: &mut Array2<f64>) {
    for j in 0..3 {
        for i in 0..2 {
            y[[2 * j + i, 0]] = x[[i, j]].sin();
            y[[2 * j + i, 1]] = x[[i, j]].cos();
        }
    }
}

#[differentiable]
pub fn scaled_powers(x: &[f64], a: f64) -> f64 {
    a * powers(x)
}

#[differentiable]
pub fn scaled_squares(x: &[f64], c: f64) -> f64 {
    c * x.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable(cache(buffer))]
pub fn waves_by_cache(x: &[f64], buffer: &mut [f64]) -> Vec<f64> {
    waves_written(x, buffer);
    buffer.to_vec()
}

#[differentiable(cache(buffer))]
pub fn powers_by_cache_and_constants(x: &[f64], buffer: &mut [f64], a: f64, b: &[f64]) -> f64 {
    buffer[0] = powers(x);
    (a + b[0]) * buffer[0]
}

#[differentiable]
pub fn squared_differences(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).collect()
}

#[differentiable]
pub fn cubed_differences(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| (w[1] - w[0]).powi(3)).collect()
}

#[differentiable]
pub fn differences_of_matrix(x: &Array2<f64>) -> [[f64; 2]; 5] {
    let mut y = [[0.0; 2]; 5];
    for k in 0..5 {
        let difference = x[[(k + 1) % 2, (k + 1) / 2]] - x[[k % 2, k / 2]];
        y[k][0] = difference.powi(2);
        y[k][1] = difference.powi(3);
    }
    y
}

#[differentiable]
pub fn sum_of_cubed_differences(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(3)).sum()
}

#[differentiable]
pub fn sum_of_squared_differences(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

#[differentiable]
pub fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

#[differentiable]
pub fn branch(x: f64) -> f64 {
    if x > 0.0 { x * x } else { -x.powi(3) }
}

#[differentiable(output(y))]
pub fn cumulative_product(x: &[f64], y: &mut [f64]) {
    y[0] = x[0];
    for i in 1..x.len() {
        y[i] = y[i - 1] * x[i];
    }
}

#[differentiable]
pub fn sorted_and_weighted(x: &[f64]) -> f64 {
    let mut sorted = x.to_vec();
    sorted.sort_by(|a, b| a.total_cmp(b));
    sorted.iter().enumerate().map(|(k, v)| (k + 1) as f64 * v).sum()
}

#[differentiable]
pub fn polynomial(x: f64) -> f64 {
    let mut y = 0.0;
    for k in (1..=5).rev() {
        y = (y + k as f64) * x;
    }
    1.0 + y
}

#[differentiable]
pub fn rectified(x: &[f64]) -> f64 {
    x.windows(2).map(|w| w[0].max(0.0) * w[1]).sum()
}

#[differentiable]
pub fn lotka_volterra(x: &[f64]) -> Vec<f64> {
    let (u, v) = (x[0], x[1]);
    vec![1.5 * u - u * v, u * v - 3.0 * v]
}

#[differentiable]
pub fn van_der_pol(x: &[f64]) -> Vec<f64> {
    let (u, v) = (x[0], x[1]);
    vec![v, 5.0 * (1.0 - u * u) * v - u]
}

#[differentiable]
pub fn softmax(x: &[f64]) -> Vec<f64> {
    let powers: Vec<f64> = x.iter().map(|v| v.exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.iter().map(|p| p / total).collect()
}

#[differentiable]
pub fn logistic_loss(w: &[f64]) -> f64 {
    let z = [[1.0, 2.0], [-1.0, 0.5], [3.0, -2.0]];
    let t = [1.0, -1.0, 1.0];
    let mut loss = 0.0;
    for k in 0..3 {
        loss += (1.0 + (-t[k] * (w[0] * z[k][0] + w[1] * z[k][1])).exp()).ln();
    }
    loss
}

#[differentiable]
pub fn perceptron(p: &[f64]) -> f64 {
    let input = [0.5, -1.0];
    let mut out = p[8];
    for i in 0..2 {
        let hidden = (p[2 * i] * input[0] + p[2 * i + 1] * input[1] + p[4 + i]).tanh();
        out += p[6 + i] * hidden;
    }
    (out - 1.0).powi(2)
}

#[differentiable]
pub fn product(x: &[f64]) -> f64 {
    x.iter().product()
}

#[differentiable]
pub fn arrowhead(x: &[f64]) -> f64 {
    let n = x.len();
    let mut total = 0.0;
    for i in 0..n {
        let mut ahead = 0.0;
        for j in i + 1..(i + 3).min(n) {
            ahead += x[j];
        }
        total += ahead.cos() + (x[i] + x[0]).powi(2) + (x[i] + x[1]).powi(2);
    }
    total
}

#[differentiable]
pub fn inverse(x: &Array2<f64>) -> [[f64; 2]; 2] {
    let det = x[[0, 0]] * x[[1, 1]] - x[[0, 1]] * x[[1, 0]];
    [[x[[1, 1]] / det, -x[[0, 1]] / det], [-x[[1, 0]] / det, x[[0, 0]] / det]]
}

#[differentiable]
pub fn determinant(x: &Array2<f64>) -> f64 {
    let mut det = 0.0;
    for j in 0..3 {
        let (k, l) = ((j + 1) % 3, (j + 2) % 3);
        det += x[[0, j]] * (x[[1, k]] * x[[2, l]] - x[[1, l]] * x[[2, k]]);
    }
    det
}

#[differentiable]
pub fn polar(x: &[f64]) -> Vec<f64> {
    vec![x[0] * x[1].cos(), x[0] * x[1].sin()]
}

#[differentiable]
pub fn x_to_the_x(x: f64) -> f64 {
    (x * x.ln()).exp()
}

#[differentiable]
pub fn fraction(x: f64) -> f64 {
    x.exp() / (1.0 + x * x)
}

#[differentiable]
pub fn differences_both_ways(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let squares: Vec<f64> = x.iter().map(|v| v * v).collect();
    (0..n - 1).map(|i| squares[i + 1] - squares[i] + squares[n - 2 - i] - squares[n - 1 - i]).collect()
}

#[differentiable]
pub fn copy(x: &[f64]) -> Vec<f64> {
    x.to_vec()
}

#[differentiable]
pub fn no_number(x: f64) -> Vec<f64> {
    vec![x; 0]
}

#[differentiable]
pub fn log_gamma(x: f64) -> f64 {
    // Γ(x + 15) / Γ(x), and Stirling's series.
    let mut product = 1.0;
    for k in 0..15 {
        product *= x + k as f64;
    }
    let z = x + 15.0;
    let series = 1.0 / (12.0 * z) - 1.0 / (360.0 * z.powi(3)) + 1.0 / (1260.0 * z.powi(5)) - 1.0 / (1680.0 * z.powi(7));
    (z - 0.5) * z.ln() - z + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - product.ln()
}

/// One line per function of one number. All are one function, so that rustc makes every backend's code once.
macro_rules! elementary {
    (|$x:ident| $($name:ident = $number:literal: $y:expr;)+) => {
        $(pub const $name: usize = $number;)+

        #[differentiable]
        pub fn elementary($x: f64, which: usize) -> f64 {
            match which {
                $($number => $y,)+
                _ => f64::NAN,
            }
        }
    };
}
elementary! { |x|
    COS = 0: x.cos();
    TAN = 1: x.tan();
    ASIN = 2: x.asin();
    ACOS = 3: x.acos();
    ATAN = 4: x.atan();
    SINH = 5: x.sinh();
    ACOSH = 6: x.acosh();
    ATANH = 7: x.atanh();
    EXP = 8: x.exp();
    LOG = 9: x.ln();
    SQRT = 10: x.sqrt();
    EXPM1 = 11: x.exp_m1();
    LOG2 = 12: x.log2();
    LOG10 = 13: x.log10();
    RECIP = 14: x.recip();
    SOFTPLUS = 15: x.exp().ln_1p();
    SIGMOID = 16: 1.0 / (1.0 + (-x).exp());
}

#[differentiable]
pub fn angle(x: &[f64]) -> f64 {
    x[0].atan2(x[1])
}

#[differentiable]
pub fn quotient(x: &[f64]) -> f64 {
    x[0] / x[1]
}

#[differentiable]
pub fn larger(x: &[f64]) -> f64 {
    x[0].max(x[1])
}

#[differentiable]
pub fn multiply_add(x: &[f64]) -> f64 {
    x[0].mul_add(x[1], x[2])
}

/// Of complex numbers as pairs.
#[differentiable]
pub fn complex_sin(z: &[f64]) -> Vec<f64> {
    vec![z[0].sin() * z[1].cosh(), z[0].cos() * z[1].sinh()]
}

#[differentiable]
pub fn complex_square(z: &[f64]) -> Vec<f64> {
    vec![z[0] * z[0] - z[1] * z[1], 2.0 * z[0] * z[1]]
}

#[differentiable]
pub fn complex_abs2(z: &[f64]) -> f64 {
    z[0] * z[0] + z[1] * z[1]
}

#[differentiable]
fn product_with_square(x: f64, y: f64) -> f64 {
    x * y * y
}

/// A derivative, which has a rule of its own.
#[differentiable(pullback = slope_vjp)]
fn slope(x: f64) -> f64 {
    derivative(product_with_square::D, AutoForward, (Constant(x), 2.0)).unwrap()
}

fn slope_vjp(x: f64, dy: f64) -> f64 {
    hvp(product_with_square::D, AutoReverse, (x, 2.0), (0.0, dy)).unwrap().0
}

#[differentiable]
pub fn slope_times(x: f64) -> f64 {
    x * slope(x)
}

/// The same over any number, which is a constant of the inner derivative.
#[derive(Clone, Copy)]
pub struct SlopeTimes;

impl ScalarFn for SlopeTimes {
    type Input = f64;
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &S) -> S {
        let y = Dual::<S, 1>::variable(S::lit(2.0), 0);
        *x * (Dual::constant(*x) * y * y).partial(0)
    }
}

/// The mixed second derivative of `sin(x y z)` by `x` and `y`.
#[derive(Clone, Copy)]
pub struct MixedSlope;

impl ScalarFn for MixedSlope {
    type Input = f64;
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, z: &S) -> S {
        let y = Dual::<S, 1>::variable(S::lit(0.3), 0);
        let x = Dual::<Dual<S, 1>, 1>::variable(Dual::constant(S::lit(0.2)), 0);
        let product = x * Dual::constant(y) * Dual::constant(Dual::constant(*z));
        product.sin().partial(0).partial(0)
    }
}
