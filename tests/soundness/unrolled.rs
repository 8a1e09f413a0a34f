//! Short loops over arrays that are unrolled: numbers stand for the loop's variable, and elements are variables.

use diffi::prelude::*;

#[differentiable]
fn methods_of_the_index(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let mut b = [0.0; 3];
    for k in 0..3 {
        let (j, m) = (k + 1, k);
        let odd = ((k % 2).min(1) as f64) + (k as f64).sqrt();
        b[k] = a[k] * (k + 1).pow(2) as f64 + a[k].powi(k as i32) * odd + j.pow(2) as f64 * a[m] + m.pow(2) as f64;
    }
    b[0] * b[1] * b[2]
}

#[differentiable]
fn indices_of_other_integers(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let mut b = [0.0; 3];
    for k in 0..3i32 {
        b[k as usize] = a[k as usize] * (k - 1) as f64 + a[(2 - k) as usize].powi(k);
    }
    for k in 0..3u8 {
        b[k as usize] *= (k + 1).pow(2) as f64;
        let q: u8 = k;
        b[0] += q as f64 * a[usize::from(k)];
    }
    b[0] * b[1] * b[2]
}

fn next(k: u8) -> usize {
    (k as usize + 1) % 3
}

#[differentiable]
fn indices_that_functions_give(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let mut b = [0.0; 3];
    for k in 0..3u8 {
        b[next(k)] += a[k as usize] * x[next(k)];
    }
    b[0] * b[1] + b[2]
}

#[differentiable]
fn swaps_with_itself(x: &[f64]) -> f64 {
    let mut m = [x[0], x[1], x[2]];
    for k in 0..3 {
        m.swap(0, k);
        m[k] *= 2.0 + m[0];
    }
    let mut rows = [[x[0], x[1]], [x[2], 1.0]];
    for k in 0..2 {
        rows.swap(0, k);
        rows[k][1 - k] += rows[1 - k][k] * 0.5;
    }
    m[0] * m[1] * m[1] + m[2] * rows[0][1] * rows[1][0]
}

#[derive(Clone, Copy, Differentiable)]
struct P {
    x: f64,
    y: f64,
}

#[differentiable]
fn swaps_structs(x: &[f64]) -> f64 {
    let mut m = [P { x: x[0], y: x[1] }, P { x: x[2], y: 1.0 }];
    for k in 0..2 {
        m.swap(0, k);
        m[k].x *= 2.0 + m[0].y;
    }
    m[0].x * m[1].x * m[1].y
}

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2]];
    for k in 0..3 {
        if k > 0 {
            a[k] *= a[k - 1];
        }
        if k + 1 < 3 {
            a[k] += a[k + 1];
        }
        let l = if k == 0 { 2 } else { k - 1 };
        a[k] += a[l] * a[(k + 1) % 3];
    }
    a[0] * a[1] + a[2]
}

#[differentiable]
fn left_early(x: &[f64]) -> f64 {
    let a = [x[0], x[1], x[2]];
    let mut s = 1.0;
    for k in 0..3 {
        if k == 1 {
            continue;
        }
        s *= a[k];
        if s > 0.9 {
            break;
        }
        s += a[(k + 1) % 3];
    }
    'outer: for i in 0..3 {
        for j in 0..3 {
            if i == j {
                continue;
            }
            if a[i] * a[j] > 0.8 {
                s += a[i];
                continue 'outer;
            }
            if j == 2 {
                break 'outer;
            }
            s += a[i] * a[j];
        }
    }
    s
}

crate::check::sound! { methods_of_the_index indices_of_other_integers indices_that_functions_give swaps_with_itself swaps_structs neighbours left_early }
