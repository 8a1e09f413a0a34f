//! Preaccumulation (`preaccumulate`): loops that propagate one cotangent; divisors that are factored out of sums, signs, several sums into
//! one number; cubes.

use diffi::prelude::*;

/// Newton's method: the divisor's inverse is in every slope.
#[differentiable]
fn roots(p: f64, q: f64, n: usize) -> f64 {
    let mut x = 1.0;
    for _ in 0..n {
        let step = (x * x * x + p * x - q) / (3.0 * x * x + p);
        x -= step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    x
}

/// Newton's method for a function that is no polynomial, with signs and a factor that is not a whole number.
#[differentiable]
fn logarithm(p: f64, k: f64, n: usize) -> f64 {
    let (mut x, mut y) = (k, k);
    for _ in 0..n {
        let grown = x.exp();
        x = -((grown - p) / grown - x);
    }
    for _ in 0..n {
        let slope = 2.5 * (y * y) + k * 0.25;
        y += -(slope * y - p * y * 3.0) / slope;
    }
    x - y
}

/// Steps whose slopes cancel: what is left is nothing, a number, or its opposite.
#[differentiable]
fn at_once(p: f64, k: f64, n: usize) -> f64 {
    let (mut x, mut y, mut z) = (k, p, k * p);
    for _ in 0..n {
        x -= (p * x - k) / p;
        y -= (p * y - y - k) / (p - 2.0 * k);
        z = ((p - k) * z + p * k) / (p - k) - z;
    }
    x + y * 2.0 + z
}

/// Two divisors, and what is not divided beside them.
#[differentiable]
fn divisors(p: &[f64], k: f64, n: usize) -> f64 {
    let mut x = k;
    for i in 0..n {
        x = p[i] - x * p[0] / (k + x * x) - (x - k).sin() / (2.0 + p[i] * x) - k * x;
    }
    x
}

/// An inverse that is written, once and twice, and under a sign.
#[differentiable]
fn inverses(p: f64, k: f64, n: usize) -> f64 {
    let mut x = k;
    for _ in 0..n {
        let inverse = (p + x * x).recip();
        x = -(x * inverse - inverse * k * x) - p * (x * inverse * inverse);
    }
    x
}

/// An iteration that starts over from a parameter, and one that hands nothing on.
#[differentiable]
fn cut_off(p: f64, k: f64, n: usize) -> f64 {
    let (mut x, mut sum) = (k, 0.0);
    for i in 0..n {
        x = x / (1.0 + p * x * x) - p;
        sum += x;
        x = p / (k + 0.5 * i as f64);
    }
    x + sum
}

#[differentiable]
fn cubes(x: &[f64], k: f64) -> f64 {
    let square = x[1] * x[1];
    let mut v = x[0] * k;
    let of_v = v * v;
    v += 1.0;
    let a = k * x[0] * x[0] * x[0] + x[0] * (x[0] * x[0]);
    a + square * x[1] - square + of_v * v - v * v * v + x[1] * x[1] * x[0]
}

#[differentiable]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[test]
fn cubes_have_second_derivatives() {
    assert_eq!(gradient(cube::D, AutoReverse, 2.0).unwrap(), 12.0);
    assert_eq!(second_derivative(cube::D, AutoReverse, 2.0).unwrap(), 12.0);
}

/// Rows that the reverse loop takes one by one, in whichever direction.
#[differentiable]
fn taken_rows(x: &[f64], k: f64, n: usize) -> f64 {
    let mut u = x.to_vec();
    let mut w = vec![0.0; n * n];
    for _ in 0..2 {
        for i in 0..n {
            for j in 1..n - 1 {
                w[i * n + j] = u[i * n + j] + k * (u[i * n + j - 1] - 2.0 * u[i * n + j] + u[i * n + j + 1]);
            }
        }
        for i in 1..n - 1 {
            for j in 0..n {
                u[i * n + j] = w[i * n + j] * k + w[(i - 1) * n + j] - w[(i + 1) * n + j] * w[i * n + j];
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number roots(by p: f64, by q: f64, fixed n: usize): [0.7, 1.3, 0] [0.7, 1.3, 2] [0.7, 1.3, 40];
        number logarithm(by p: f64, by k: f64, fixed n: usize): [1.7, 0.4, 0] [1.7, 0.4, 1] [1.7, 0.4, 3];
        number at_once(by p: f64, by k: f64, fixed n: usize): [0.7, 0.4, 3] [0.7, 0.45, 1];
        number divisors(at p: Vec<f64>, by k: f64, fixed n: usize): [vec![0.3, 1.2, 0.8], 0.6, 3] [vec![0.3], 0.6, 0];
        number inverses(by p: f64, by k: f64, fixed n: usize): [0.7, 0.4, 3] [0.7, 0.4, 1];
        number cut_off(by p: f64, by k: f64, fixed n: usize): [0.7, 0.4, 3] [0.7, 0.4, 0];
        number cubes(at x: Vec<f64>, by k: f64): [vec![0.3, 1.2], 0.6] [vec![-0.8, 0.5], 0.6];
        number taken_rows(at x: Vec<f64>, by k: f64, fixed n: usize):
            [vec![0.3, 1.2, -0.4, 0.8, 0.6, 0.1, 0.9, -0.2, 0.5, 0.7, 0.2, -0.6, 0.4, 1.1, 0.0, 0.35], 0.2, 4]
            [vec![0.3, 1.2, -0.4, 0.8], 0.2, 2];
    }
}
