//! Loop interchange (`interchange`): recurrences along the rows of a matrix that are written column by column, for any number of rows
//! and columns. And nests whose indices leave their rows.

use diffi::prelude::*;

/// A tridiagonal system for each row, forwards and back.
#[differentiable(constant(f, m, n))]
fn substituted(x: &[f64], f: &[f64], m: usize, n: usize) -> f64 {
    let mut u = x.to_vec();
    for k in 1..n {
        for i in 0..m {
            u[i * n + k] = (u[i * n + k] + 0.4 * u[i * n + k - 1]) * f[k];
        }
    }
    for k in (0..n.saturating_sub(1)).rev() {
        for i in (0..m).rev() {
            u[i * n + k] += 0.4 * f[k] * u[i * n + k + 1];
        }
    }
    u.iter().map(|v| v * v * v).sum()
}

/// From one array to another, not from the first row on, and bounds that are found in the outer loop.
#[differentiable(constant(f, m, n))]
fn from_another(x: &[f64], f: &[f64], m: usize, n: usize) -> f64 {
    let mut u = vec![1.0; x.len()];
    for k in 2..n {
        for i in 1..m - 1 {
            let before = u[n * i + (k - 2)] - 0.3 * x[k - 1 + i * n];
            u[i * n + k] = x[i * n + k] * f[i] + before * f[k];
            u[i * n] += 0.1 * before;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// The elements are both halves of one step: what an iteration sets, it reads again.
#[differentiable(constant(n))]
fn again(x: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    let m = if n == 0 { 0 } else { x.len() / n };
    for k in 0..n.saturating_sub(2) {
        for i in 0..m {
            let old = u[i * n + k + 1];
            u[i * n + k + 1] = 0.5 * u[i * n + k] - old;
            u[i * n + k] = 2.0 * u[i * n + k + 1] + u[i * n + k + 2] / 3.0;
            u[i * n + k + 2] -= old;
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// A row may have more columns than it is long: it has elements in common with the next.
#[differentiable(constant(m, n, width))]
fn overlapping(x: &[f64], m: usize, n: usize, width: usize) -> f64 {
    let mut u = x.to_vec();
    for k in 1..n {
        for i in 0..m {
            u[i * width + k] = 0.5 * u[i * width + k] + u[i * width + k - 1];
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Before the first column lies the last one of the row above, which has been changed in this very iteration.
#[differentiable(constant(n))]
fn from_above(x: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    let m = if n == 0 { 0 } else { x.len() / n };
    for k in 0..n {
        for i in 1..m {
            u[i * n + k] += 0.5 * u[i * n + k - 1];
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// The last row is not there to its end.
#[differentiable(constant(m, n, last))]
fn cut_short(x: &[f64], m: usize, n: usize, last: usize) -> f64 {
    let mut u = x.to_vec();
    for k in 0..last {
        for i in 0..m {
            u[i * n + k + 1] = 2.0 * u[i * n + k + 1] - u[i * n + k];
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// Factors that carry derivatives, and products of elements, of which records are kept.
#[differentiable(constant(n))]
fn factors(x: &[f64], f: &[f64], n: usize) -> f64 {
    let mut u = x.to_vec();
    for k in 1..n {
        for i in 0..x.len() / n {
            u[i * n + k] = (u[i * n + k] + u[i * n + k - 1]) * f[k] + 0.1 * u[i * n] * u[i * n + k - 1];
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// A sum through all iterations, whose order counts.
#[differentiable(constant(n))]
fn with_a_sum(x: &[f64], n: usize) -> f64 {
    let (mut u, mut sum) = (x.to_vec(), 0.0);
    for k in 1..n {
        for i in 0..x.len() / n {
            sum += u[i * n + k - 1];
            u[i * n + k] += 0.5 * u[i * n + k - 1];
        }
    }
    sum * sum + u.iter().map(|v| v * v).sum::<f64>()
}

/// Columns that go on inside of a loop over layers, with a row of its own that all of them read.
#[differentiable(constant(n, steps))]
fn repeated(x: &[f64], n: usize, steps: usize) -> f64 {
    let mut u = x.to_vec();
    let first: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    for step in 0..steps {
        for k in (1..n).rev() {
            for i in 0..x.len() / n {
                u[i * n + k] += first[k] - (1.0 + step as f64) * u[i * n + k - 1] * 0.3;
            }
        }
    }
    u.iter().map(|v| v * v).sum()
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.7 + (1.9 * i as f64).sin()).collect()
}

/// Products of the Jacobian's transpose agree with those of the Jacobian, which goes another way; the value is the function's to the last
/// bit.
macro_rules! agree {
    ($f:ident, $($args:expr),*; $($plain:expr),*) => {{
        let (value, reverse) = value_and_gradient($f::D, AutoReverse, ($($args),*)).unwrap();
        let forward = gradient($f::D, AutoForward, ($($args),*)).unwrap();
        assert_eq!(value.to_bits(), $f($($plain),*).to_bits(), "{}: the value", stringify!($f));
        for (r, f) in reverse.iter().zip(&forward) {
            assert!((r - f).abs() <= 1e-12 * f.abs().max(1.0), "{}: {r}, {f}", stringify!($f));
        }
    }};
}

#[test]
fn all_sizes() {
    for n in 0..9 {
        for m in 0..6 {
            let (x, f) = (wave(m * n), wave(m.max(n)));
            agree!(substituted, &x, Constant(&f), Constant(m), Constant(n); &x, &f, m, n);
            agree!(again, &x, Constant(n); &x, n);
            agree!(from_above, &x, Constant(n); &x, n);
            if m > 0 {
                agree!(from_another, &x, Constant(&f), Constant(m), Constant(n); &x, &f, m, n);
            }
            if n > 0 {
                agree!(with_a_sum, &x, Constant(n); &x, n);
                agree!(repeated, &x, Constant(n), Constant(2); &x, n, 2);
            }
        }
    }
}

#[test]
fn rows_that_overlap() {
    for width in 0..7 {
        for (m, n) in [(0, 3), (1, 4), (2, 3), (3, 5), (4, 2)] {
            let x = wave(m * width + n);
            agree!(overlapping, &x, Constant(m), Constant(n), Constant(width); &x, m, n, width);
        }
    }
}

#[test]
fn rows_that_are_not_there_to_their_end() {
    for last in 0..5 {
        let x = wave(2 * 6 + last + 1);
        agree!(cut_short, &x, Constant(3), Constant(6), Constant(last); &x, 3, 6, last);
    }
}

/// What is out of range is found, as it is by the function itself.
#[test]
#[should_panic(expected = "index out of bounds")]
fn rows_that_are_missing() {
    let _ = gradient(cut_short::D, AutoReverse, (&wave(8), Constant(3), Constant(6), Constant(4)));
}

mod rows {
    use super::wave;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number substituted(at x: Vec<f64>, fixed_at f: Vec<f64>, fixed m: usize, fixed n: usize):
            [wave(8), wave(4), 2, 4] [wave(15), wave(5), 3, 5];
        number from_another(at x: Vec<f64>, fixed_at f: Vec<f64>, fixed m: usize, fixed n: usize): [wave(20), wave(5), 4, 5];
        number again(at x: Vec<f64>, fixed n: usize): [wave(10), 5] [wave(12), 4];
        number overlapping(at x: Vec<f64>, fixed m: usize, fixed n: usize, fixed width: usize): [wave(12), 3, 5, 2] [wave(18), 3, 5, 5];
        number from_above(at x: Vec<f64>, fixed n: usize): [wave(12), 4];
        number cut_short(at x: Vec<f64>, fixed m: usize, fixed n: usize, fixed last: usize): [wave(15), 3, 6, 2];
        number factors(at x: Vec<f64>, at f: Vec<f64>, fixed n: usize): [wave(8), wave(4), 4] [wave(15), wave(5), 5];
        number with_a_sum(at x: Vec<f64>, fixed n: usize): [wave(12), 4];
        number repeated(at x: Vec<f64>, fixed n: usize, fixed steps: usize): [wave(12), 4, 2];
    }
}
