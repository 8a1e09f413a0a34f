//! Loops over elements `a[i][j]` of arrays of arrays and of vectors of vectors: rows that stencils mix, and arrays that are copied.

#![allow(clippy::assign_op_pattern, reason = "the steps are written as equations")]

use diffi::prelude::*;

const N: usize = 7;

/// Diffusion in time.
#[differentiable]
fn diffusion(u: &[[f64; N]; N]) -> f64 {
    let mut now = *u;
    for _ in 0..3 {
        let mut next = [[0.0; N]; N];
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                let around = now[i + 1][j] + now[i - 1][j] + now[i][j + 1] + now[i][j - 1];
                next[i][j] = now[i][j] + 0.1 * (around - 4.0 * now[i][j]);
            }
        }
        now = next;
    }
    let mut total = 0.0;
    for i in 0..N {
        for j in 0..N {
            total += now[i][j].sin() * (i + 2 * j) as f64;
        }
    }
    total
}

/// The same with a coefficient that is looked for.
#[differentiable]
fn diffusion_by(u: &[[f64; N]; N], c: f64) -> f64 {
    let mut now = *u;
    for _ in 0..3 {
        let mut next = now;
        for i in 1..N - 1 {
            for j in 1..N - 1 {
                let around = now[i + 1][j] + now[i - 1][j] + now[i][j + 1] + now[i][j - 1];
                next[i][j] += c * (around - 4.0 * now[i][j]);
            }
        }
        now = next;
    }
    now[2][3] * now[3][2] + now[1][1]
}

/// In place, so that a row waits for the one before.
#[differentiable]
fn swept(u: &[[f64; N]; N]) -> f64 {
    let mut y = *u;
    for i in 1..N - 1 {
        for j in 1..N - 1 {
            y[i][j] = 0.25 * (y[i + 1][j] + y[i - 1][j] + y[i][j + 1] + y[i][j - 1]);
        }
    }
    let mut total = 0.0;
    for i in 0..N {
        for j in 0..N {
            total += y[i][j] * y[j][i] * u[i][N - 1 - j];
        }
    }
    total
}

/// Vectors of vectors.
#[differentiable]
fn in_vectors(u: &[f64], w: f64) -> f64 {
    let mut y: Vec<Vec<f64>> = u.chunks(N).map(|row| row.to_vec()).collect();
    for i in 1..N - 1 {
        for j in 1..N - 1 {
            y[i][j] = y[i][j] + 0.2 * (y[i][j + 1] - 2.0 * y[i][j] + y[i][j - 1]) + w * y[i - 1][j];
        }
    }
    y.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// Two names for one row, and rows by a list.
#[differentiable]
fn the_same_row(u: &[[f64; N]; N], c: f64) -> f64 {
    let mut y = *u;
    let rows = [0, 2, 0, 1];
    for k in 0..3 {
        for j in 1..N - 1 {
            y[rows[k]][j] = 0.5 * y[rows[k + 1]][j + 1] + c * y[rows[k]][j - 1] + y[rows[k]][j];
        }
    }
    let (a, b) = (1, 1);
    for j in 1..N - 1 {
        y[a][j] = 0.5 * y[b][j + 1] + c * y[a][j - 1] + y[b][j];
    }
    let mut total = 0.0;
    for i in 0..3 {
        for j in 0..N {
            total += y[i][j] * y[i][j];
        }
    }
    total
}

/// Rows that change with the element, and a diagonal.
#[differentiable]
fn across_rows(u: &[[f64; N]; N], c: f64) -> f64 {
    let mut y = *u;
    for k in 1..N - 1 {
        y[k][k] = 0.5 * y[k][k + 1] + 0.25 * y[k - 1][k] + y[k][k - 1];
    }
    for j in 1..N - 1 {
        y[j % 3][j] = 0.5 * y[j % 3][j + 1] + c * y[0][j - 1];
    }
    y.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// Parts of a vector: the first loop over the parameter leaves elements out.
#[differentiable]
fn behind_the_first(x: &[f64], w: f64) -> f64 {
    let tail = &x[1..];
    let mut total = 0.0;
    for k in 1..tail.len() - 1 {
        let bend = tail[k + 1] - w * tail[k - 1] + tail[k];
        total += bend * bend;
    }
    total * x[0]
}

/// Copies of an array that are used again, in a branch and after a change.
#[differentiable]
fn copied(u: &[f64; 4], c: f64) -> f64 {
    let mut now = *u;
    let mut total = 0.0;
    for k in 0..4 {
        let old = now;
        if old[k] > 0.5 {
            now = [c * old[1], old[0], old[3] * old[2], old[2]];
        } else {
            now[k] = old[3 - k] * old[k];
        }
        let next = old;
        total += next[1] * now[k] + old[0];
    }
    let t = now;
    now[0] += t[1] * c;
    total + now[0] * t[0]
}

fn grid() -> [[f64; N]; N] {
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 + 0.4 * ((3 * i + 5 * j) as f64).sin()))
}

/// Both modes, and finite differences. `$at` is a point in the direction of the parameters.
macro_rules! agrees {
    ($f:ident($($a:expr),*)) => {{
        let (value, bars) = value_and_gradient($f::D, AutoReverse, ($($a),*)).unwrap();
        let (forward, tangents) = value_and_gradient($f::D, AutoForward, ($($a),*)).unwrap();
        let (plain, differences) = value_and_gradient($f::D, AutoFiniteDiff, ($($a),*)).unwrap();
        assert_eq!(value, plain);
        assert_eq!(value, forward);
        let [bars, tangents, differences] = [format!("{bars:?}"), format!("{tangents:?}"), format!("{differences:?}")]
            .map(|text| numbers(&text));
        assert!(!bars.is_empty() && bars.len() == tangents.len() && bars.len() == differences.len());
        for ((bar, tangent), difference) in bars.iter().zip(&tangents).zip(&differences) {
            assert!((bar - tangent).abs() <= 1e-11 * (1.0 + bar.abs()), "{}: {bar} for {tangent}", stringify!($f));
            assert!((bar - difference).abs() <= 1e-4 * (1.0 + bar.abs()), "{}: {bar} for {difference}", stringify!($f));
        }
    }};
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |c: char| c.is_ascii_digit() || ".-e".contains(c);
    text.split(|c| !is_part(c)).filter_map(|part| part.parse().ok()).collect()
}

#[test]
fn rows_of_nested_arrays() {
    let u = grid();
    let flat: Vec<f64> = u.concat();
    agrees!(diffusion(&u));
    agrees!(diffusion_by(&u, 0.07));
    agrees!(swept(&u));
    agrees!(in_vectors(&flat, 0.3));
    agrees!(the_same_row(&u, 0.4));
    agrees!(across_rows(&u, 0.4));
    agrees!(behind_the_first(&flat, 0.4));
    agrees!(copied(&[0.3, 0.8, -0.4, 1.2], 0.9));
}
