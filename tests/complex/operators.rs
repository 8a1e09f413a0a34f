//! `+ - * /` of complex numbers and of reals, in every combination; sums and products.

use crate::check::rows;
use diffi::prelude::*;
use num_complex::{Complex, Complex64};

/// A product of pairs.
fn times(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]]
}

fn over(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let square = b[0] * b[0] + b[1] * b[1];
    times(a, [b[0] / square, -b[1] / square])
}

/// `|z³ - 2z + c|`.
#[differentiable]
fn polynomial(x: &[f64]) -> f64 {
    let z = Complex::new(x[0], x[1]);
    let p = z * z * z - 2.0 * z + Complex::new(0.5, -0.3);
    p.norm()
}

fn polynomial_in_reals(x: &[f64]) -> f64 {
    let (x, y) = (x[0], x[1]);
    let (re, im) = (x.powi(3) - 3.0 * x * y * y - 2.0 * x + 0.5, 3.0 * x * x * y - y.powi(3) - 2.0 * y - 0.3);
    re.hypot(im)
}

/// Reals on either side, and `-`.
#[differentiable]
fn with_reals(x: &[f64]) -> f64 {
    let (z, r) = (Complex64::new(x[0], x[1]), x[2]);
    let w = (r + z) * (z - r) / (r - z * r) + (r / z + 1.0) * (z / r - 0.5) - (1.0 - (-z)) * 3.0 / (2.0 + z);
    w.re * w.im
}

fn with_reals_in_reals(x: &[f64]) -> f64 {
    let ([a, b], r) = ([x[0], x[1]], x[2]);
    let first = over(times([r + a, b], [a - r, b]), [r - a * r, -b * r]);
    let by = over([r, 0.0], [a, b]);
    let second = times([by[0] + 1.0, by[1]], [a / r - 0.5, b / r]);
    let third = over([3.0 * (1.0 + a), 3.0 * b], [2.0 + a, b]);
    let w: [f64; 2] = std::array::from_fn(|k| first[k] + second[k] - third[k]);
    w[0] * w[1]
}

/// `+=` and its kind.
#[differentiable]
fn changed(x: &[f64]) -> f64 {
    let (z, i) = (Complex64::new(x[0], x[1]), Complex64::i());
    let mut s = i * x[2] + 1.0;
    s += z;
    s -= 0.5;
    s *= z;
    s /= x[1];
    s *= 2.0;
    s -= i;
    s /= z;
    s += x[0];
    s.im.sin() + s.re
}

fn changed_in_reals(x: &[f64]) -> f64 {
    let z = [x[0], x[1]];
    let mut s = times([0.5 + x[0], x[2] + x[1]], z).map(|v| v / x[1] * 2.0);
    s[1] -= 1.0;
    let s = over(s, z);
    s[1].sin() + s[0] + x[0]
}

/// The inner product of two lists, times a product.
#[differentiable]
fn totals(x: &[f64]) -> f64 {
    let z: Vec<Complex64> = x.iter().map(|v| Complex::new(*v, v * v)).collect();
    let w = [Complex::new(1.0, x[0]), Complex::new(x[1], 2.0), Complex::new(x[2], x[0])];
    let s: Complex64 = z.iter().zip(&w).map(|(a, b)| a.conj() * b).sum();
    let p = z.iter().product::<Complex64>();
    (s * p).re + z.iter().fold(Complex64::new(0.0, 0.0), |a, b| a * b + b).im
}

fn totals_in_reals(x: &[f64]) -> f64 {
    let z = [0, 1, 2].map(|k| [x[k], x[k] * x[k]]);
    let w = [[1.0, x[0]], [x[1], 2.0], [x[2], x[0]]];
    let (mut s, mut p, mut acc) = ([0.0; 2], [1.0, 0.0], [0.0; 2]);
    for (z, w) in z.into_iter().zip(w) {
        let term = times([z[0], -z[1]], w);
        s = [s[0] + term[0], s[1] + term[1]];
        p = times(p, z);
        acc = times(acc, z);
        acc = [acc[0] + z[0], acc[1] + z[1]];
    }
    times(s, p)[0] + acc[1]
}

rows! {
    a_polynomial: polynomial, polynomial_in_reals, [0.7, -1.3];
    reals_on_either_side: with_reals, with_reals_in_reals, [0.7, 0.4, -1.2];
    assignments: changed, changed_in_reals, [0.7, 0.4, -1.2];
    sums_and_products: totals, totals_in_reals, [0.5, 0.7, -0.3];
}
