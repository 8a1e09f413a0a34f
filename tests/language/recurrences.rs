//! Scalar replacement (`scalar_replacement`, `rotating_scalars`): elements that an iteration sets and the next one reads, upwards and downwards;
//! cotangents that the first loop initialises.

use diffi::prelude::*;

/// Thomas' algorithm: two arrays at once, and back through one of them.
#[differentiable]
fn tridiagonal(lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &[f64]) -> f64 {
    let n = rhs.len();
    let (mut c, mut x) = (vec![0.0; n], vec![0.0; n]);
    c[0] = upper[0] / diagonal[0];
    x[0] = rhs[0] / diagonal[0];
    for i in 1..n {
        let pivot = diagonal[i] - lower[i] * c[i - 1];
        c[i] = upper[i] / pivot;
        x[i] = (rhs[i] - lower[i] * x[i - 1]) / pivot;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
    x.iter().map(|x| x * x).sum()
}

/// A bound that belongs to the range; what was read is read again after the element is set.
#[differentiable]
fn through_the_last(x: &mut [f64], k: f64) {
    let last = x.len() - 1;
    for i in 1..=last {
        let before = x[i - 1];
        x[i] = (x[i] * before).sin() + k;
        x[i] *= x[i - 1] + before;
    }
}

/// The element is set to another one, which changes afterwards.
#[differentiable]
fn set_to_an_element(x: &mut [f64], y: &mut [f64]) {
    for i in 1..x.len() {
        x[i] = y[i];
        y[i] = y[i] * x[i - 1] + x[i];
    }
}

/// Every iteration reads it in a branch only, where there may be nothing before.
#[differentiable]
fn in_a_branch(x: &mut [f64]) {
    for i in 0..x.len() {
        let before = if i > 0 { x[i - 1] } else { 0.5 };
        x[i] = x[i].sin() * before;
    }
}

/// Set on some iterations only.
#[differentiable]
fn sometimes_set(x: &mut [f64]) {
    for i in 1..x.len() {
        let new = x[i - 1] * x[i];
        if new > 0.0 {
            x[i] = new.sin();
        }
    }
}

/// The iteration before is not the one that has set it.
#[differentiable]
fn two_steps_back(x: &mut [f64]) {
    for i in 2..x.len() {
        x[i] = x[i - 1] * x[i - 2] + x[i];
    }
    for i in (0..x.len() - 2).rev() {
        x[i] = x[i + 2] * x[i + 1] - x[i].cos();
    }
    for i in 1..x.len() - 1 {
        x[i + 1] += x[i] * x[i - 1];
        x[i - 1] *= x[i];
    }
}

/// Left in the middle.
#[differentiable]
fn left_early(x: &[f64], limit: f64) -> f64 {
    let mut sums = vec![0.0; x.len() + 1];
    for i in 0..x.len() {
        sums[i + 1] = sums[i] * 0.5 + x[i] * x[i];
        if sums[i + 1] > limit {
            break;
        }
    }
    sums.iter().map(|s| s * s).sum()
}

/// Rows of which each is the next of the one above, and elements of which each is the next of the one on the left.
#[differentiable]
fn rows_and_elements(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; n * n];
    let mut row = vec![0.0; n];
    for i in 0..n {
        row[0] = x[i];
        for j in 1..n {
            row[j] = row[j - 1] * x[j] + a[j];
            a[j] = row[j].sin();
        }
        a[i * n] = row[n - 1];
    }
    a.iter().sum()
}

/// A grid whose elements see their neighbours in the row, and then those in the rows above and below.
#[differentiable]
fn neighbours_in_a_plane(x: &[f64], k: f64, n: usize) -> f64 {
    let mut u = x.to_vec();
    let mut half = vec![0.5; n * n];
    for _ in 0..2 {
        for i in 0..n {
            for j in 1..n - 1 {
                half[i * n + j] = u[i * n + j] + k * (u[i * n + j - 1] - 2.0 * u[i * n + j] + u[i * n + j + 1]);
            }
        }
        for i in 1..n - 1 {
            for j in 0..n {
                let (here, below, above) = (half[i * n + j], half[(i - 1) * n + j], half[(i + 1) * n + j]);
                u[i * n + j] = here + k * here * (below - 2.0 * here + above);
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// A row that starts somewhere, of which an iteration takes two elements.
#[differentiable]
fn pairs_of_a_part(x: &[f64], lo: usize, hi: usize) -> f64 {
    let mut y = x.to_vec();
    for k in 0..hi - lo {
        y[lo + k] += x[lo + k + 1] * x[lo + k];
    }
    for k in (0..hi - lo).rev() {
        y[lo + k + 1] -= y[lo + k] * y[lo + k];
    }
    y.iter().map(|v| v * v).sum()
}

/// Parameters under guards, of which the loop comes to some elements, and twice to some.
#[differentiable]
fn some_elements(a: &[f64], b: &[f64], c: &[f64], lo: usize, hi: usize) -> f64 {
    let mut s = 1.0;
    for i in lo..hi {
        s = s * a[i] + b[i] * b[i] + a[i] * c[2];
    }
    s * a[0]
}

/// `v * v.sqrt()` with the root used elsewhere too, and not.
#[differentiable]
fn powers(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    for v in x {
        let squared = v * v + k;
        let root = squared.sqrt();
        s += squared * squared.sqrt() + root * squared / (1.0 + root);
        let changed = squared.sqrt();
        let mut other = squared;
        other += s;
        s *= other * changed;
    }
    s
}

/// Of a variable that has changed since.
#[differentiable]
fn no_power(x: f64) -> f64 {
    let mut v = x * x;
    let root = v.sqrt();
    v += x;
    v * root
}

#[differentiable]
fn power(x: f64) -> f64 {
    x * x.sqrt()
}

#[differentiable]
fn single_power(x: f32) -> f32 {
    x.sqrt() * x
}

#[test]
fn powers_have_slopes_at_zero() {
    assert_eq!(gradient(power::D, AutoReverse, 0.0).unwrap(), 0.0);
    assert_eq!(gradient(power::D, AutoReverse, 4.0).unwrap(), 3.0);
    assert_eq!(gradient(single_power::D, AutoReverse, 4.0).unwrap(), 3.0);
    assert_eq!(second_derivative(power::D, AutoReverse, 4.0).unwrap(), 0.375);
}

/// A loop over elements behind the index, which may be none: `lo - 2` is then no index.
#[differentiable]
fn elements_behind(x: &[f64], lo: usize, hi: usize) -> f64 {
    let mut s = 1.0;
    for i in lo..hi {
        s *= x[i - 2];
    }
    s
}

/// Pairs behind the index.
#[differentiable]
fn pairs_behind(x: &[f64], lo: usize, hi: usize) -> f64 {
    let mut s = 1.0;
    for i in lo..hi {
        s += x[i - 2] * x[i - 1];
    }
    s
}

/// A ring that the loop does not come round.
#[differentiable]
fn part_of_a_ring(x: &[f64], n: usize) -> f64 {
    let mut taken = Vec::new();
    for i in 0..n {
        taken.push(x[(i + 1) % 4]);
    }
    taken.iter().map(|v| v * v).sum()
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number tridiagonal(at lower: Vec<f64>, at diagonal: Vec<f64>, at upper: Vec<f64>, at rhs: Vec<f64>):
            [vec![0.0, -0.3, 0.2, -0.5], vec![2.1, 2.4, 2.2, 2.5], vec![0.4, -0.6, 0.3, 0.0], vec![0.3, 1.2, -0.4, 0.8]]
            [vec![0.0], vec![2.1], vec![0.4], vec![0.3]];
        writes through_the_last(inout x: Vec<f64>, by k: f64): [vec![0.3, 1.2, -0.4, 0.8], 0.2] [vec![0.3], 0.2];
        writes set_to_an_element(inout x: Vec<f64>, inout y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.9, 0.4, 0.7]];
        writes in_a_branch(inout x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![]];
        writes sometimes_set(inout x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![]];
        writes two_steps_back(inout x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8, 0.6]] [vec![0.3, 0.5, 0.2]];
        number left_early(at x: Vec<f64>, by limit: f64): [vec![0.3, 1.2, -0.4, 0.8], 1.3] [vec![0.3, 1.2], 9.0] [vec![], 1.0];
        number rows_and_elements(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2, -0.4, 0.8], 4] [vec![0.3], 1];
        number some_elements(at a: Vec<f64>, at b: Vec<f64>, at c: Vec<f64>, fixed lo: usize, fixed hi: usize):
            [vec![0.3, 1.2, -0.4, 0.8], vec![0.7, 0.2, 0.9, 0.5], vec![0.1, 0.6, 0.4], 1, 3]
            [vec![0.3, 1.2, -0.4, 0.8], vec![0.7, 0.2, 0.9, 0.5], vec![0.1, 0.6, 0.4], 3, 3];
        number neighbours_in_a_plane(at x: Vec<f64>, by k: f64, fixed n: usize):
            [vec![0.3, 1.2, -0.4, 0.8, 0.6, 0.1, 0.9, -0.2, 0.5, 0.7, 0.2, -0.6, 0.4, 1.1, 0.0, 0.35], 0.2, 4]
            [vec![0.3, 1.2, -0.4, 0.8], 0.2, 2];
        number pairs_of_a_part(at x: Vec<f64>, fixed lo: usize, fixed hi: usize):
            [vec![0.3, 1.2, -0.4, 0.8, 0.6], 1, 4] [vec![0.3, 1.2], 1, 1] [vec![0.3, 1.2], 0, 1];
        number elements_behind(at x: Vec<f64>, fixed lo: usize, fixed hi: usize):
            [vec![0.3, 1.2, -0.4, 0.8], 2, 6] [vec![0.3, 1.2], 1, 1] [vec![0.3], 0, 0] [vec![], 1, 0];
        number pairs_behind(at x: Vec<f64>, fixed lo: usize, fixed hi: usize):
            [vec![0.3, 1.2, -0.4, 0.8], 2, 5] [vec![0.3, 1.2], 1, 1] [vec![0.3], 0, 0] [vec![], 1, 0];
        number part_of_a_ring(at x: Vec<f64>, fixed n: usize):
            [vec![0.3, 1.2, -0.4, 0.8], 2] [vec![0.3, 1.2, -0.4, 0.8], 4] [vec![0.3, 1.2, -0.4, 0.8], 7] [vec![0.3], 0];
        number powers(at x: Vec<f64>, by k: f64): [vec![0.3, 1.2, -0.4], 0.6];
        number no_power(by x: f64): [0.7];
    }
}
