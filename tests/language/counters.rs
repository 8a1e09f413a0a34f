//! Induction variables: passive variables that change from iteration to iteration, and local arrays whose cotangents a loop fills.

use diffi::prelude::*;

// ---- what a loop counts along ----

/// The packed rows of a triangle: `start` grows by another number in each iteration.
#[differentiable]
fn packed(l: &[f64], x: &[f64], n: usize) -> f64 {
    let mut y = 0.3;
    let mut start = 0;
    for i in 0..n {
        let row = &l[start..start + i + 1];
        let z: f64 = row.iter().zip(x).map(|(l, x)| l * x).sum();
        y += z * z;
        start += i + 1;
    }
    y * y
}

/// A generator of integers, whose type its methods need.
#[differentiable]
fn generated(x: &[f64]) -> f64 {
    let mut seed: u32 = 7;
    let mut y = 0.1;
    for v in x {
        let weight = (seed % 13) as f64;
        y *= 1.0 + 0.1 * (v * weight).sin();
        seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
    }
    y
}

/// The counter starts from what another loop left, and is read afterwards.
#[differentiable]
fn handed_on(x: &[f64], n: usize) -> f64 {
    let mut at = 1;
    let mut y = 0.2;
    for i in 0..n {
        y += (x[at] * y).sin() * i as f64;
        at += 2;
    }
    for _ in 0..n {
        at -= 1;
        y *= x[at].cos();
    }
    y * x[at]
}

/// One counter through two loops, one inside the other.
#[differentiable]
fn through_both(x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    let mut at = 0;
    for i in 0..n {
        let mut z = 1.0;
        for _ in 0..i + 1 {
            z *= 0.5 + x[at];
            at += 1;
        }
        y[i] = z * z;
    }
    y
}

/// It starts again in each outer iteration, from another number.
#[differentiable]
fn from_the_row(x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut at = i;
        let mut z = 0.7;
        for k in 0..n {
            z += (z * x[at]).sin() * (k + 1) as f64;
            at += n;
        }
        y[i] = z;
    }
    y
}

/// Only some iterations change it.
#[differentiable]
fn now_and_then(x: &[f64], keep: &[bool]) -> Vec<f64> {
    let mut y = vec![0.0; keep.len()];
    let mut at = 0;
    for i in 0..keep.len() {
        y[i] = (x[at] * x[i]).exp();
        if keep[i] {
            at += 1;
        }
    }
    y
}

/// It is read after it is changed, and the loop ends early.
#[differentiable]
fn until(x: &[f64], most: f64) -> f64 {
    let mut at = 0;
    let mut y = 1.0;
    for i in 0..x.len() {
        at += i;
        if at >= x.len() {
            break;
        }
        y += y * x[at].sin();
        if y > most {
            break;
        }
    }
    y
}

/// Every iteration sets its own element, so that the reverse loop may go the same way.
#[differentiable]
fn two_steps(x: &[f64], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    let (mut at, mut step) = (0, 1);
    for i in 0..n {
        y[i] = x[at] * x[at + 1] * step as f64;
        at += step;
        step = 3 - step;
    }
    y
}

// ---- cotangents without zeros ----

/// The first loop backwards adds to all elements; the last one takes them all.
#[differentiable]
fn filled(x: &[f64], a: &[f64]) -> f64 {
    let n = x.len();
    let mut s = vec![0.0; n];
    for i in 0..n {
        s[i] = a[i] * x[i].sin();
    }
    let mut y = 0.0;
    for i in 0..n {
        y += s[i] * s[i];
    }
    y.sqrt()
}

/// Only some elements are used.
#[differentiable]
fn partly(x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for j in 0..n {
        let mut s = vec![0.0; n];
        for i in 0..n {
            s[i] = x[i] * x[j];
        }
        let mut z = 0.5;
        for i in 1..n {
            z += s[i] * s[i];
        }
        y *= z;
    }
    y
}

/// Under a condition, and with the other sign.
#[differentiable]
fn in_two_ways(x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for j in 0..n {
        let mut s = vec![0.0; n];
        let mut t = vec![0.0; n];
        for i in 0..n {
            s[i] = x[i] * x[j];
            t[i] = x[i] + x[j];
        }
        let mut z = 0.5;
        for i in 0..n {
            if x[i] > 0.0 {
                z += s[i] * s[i];
            }
            z -= t[i].cos();
        }
        y *= z;
    }
    y
}

/// Sums within an inner loop, of which every element has one.
#[differentiable]
fn inner_sums(a: &[f64], x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for j in 0..n {
        let mut s = vec![0.0; n];
        for i in 0..n {
            s[i] = x[i] * x[j] + 0.1;
        }
        let mut z = 0.5;
        for i in 0..n {
            for k in i..n {
                z += a[k] * s[i];
            }
        }
        y *= z;
    }
    y
}

/// The same elements are used twice.
#[differentiable]
fn twice(a: &[f64], x: &[f64], n: usize) -> f64 {
    let mut y = 1.0;
    for j in 0..n {
        let mut s = vec![0.0; n];
        for i in 0..n {
            s[i] = x[i] * x[j] + 0.1;
        }
        let (mut z, mut w) = (0.5, 0.25);
        for i in 0..n {
            z += a[i] * s[i];
        }
        for i in 0..n {
            w += s[i] * s[n - 1 - i];
        }
        y *= z * w;
    }
    y
}

/// Numbers without a pattern.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| (1.7 * k as f64 + 0.3).sin() + 0.1 * (0.9 * k as f64).cos()).collect()
}

/// The integers beside elements are of the types that rustc infers from their uses.
#[differentiable]
fn narrow(x: &[f64]) -> f64 {
    let weighted: f64 = x.iter().zip(1..).map(|(c, w)| c * c * f64::from(w)).sum();
    let mut powers = 0.0;
    for (c, k) in x.iter().rev().zip((0..).step_by(2)) {
        powers += c.powi(k);
    }
    let unsigned: f64 = (1u32..).zip(x).map(|(k, c)| c.sin() / f64::from(k)).sum();
    let few: f64 = x.iter().zip((1..=3).rev()).map(|(c, w)| c * f64::from(w)).sum();
    let places: f64 = x.iter().zip(0..).map(|(c, i)| c * x[i]).sum();
    weighted + powers + unsigned * few + places
}

mod check {
    use super::numbers;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number packed(at l: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(0), numbers(0), 0]
            [numbers(10), numbers(4), 4]
            [numbers(21), numbers(6), 6];
        number generated(at x: Vec<f64>):
            [numbers(6)];
        number handed_on(at x: Vec<f64>, fixed n: usize):
            [numbers(8), 3];
        list through_both(at x: Vec<f64>, fixed n: usize):
            [numbers(10), 4];
        list from_the_row(at x: Vec<f64>, fixed n: usize):
            [numbers(9), 3];
        list now_and_then(at x: Vec<f64>, fixed_at keep: Vec<bool>):
            [numbers(4), vec![true, false, true, true]];
        number until(at x: Vec<f64>, fixed most: f64):
            [numbers(8), 100.0]
            [numbers(8), 1.1];
        list two_steps(at x: Vec<f64>, fixed n: usize):
            [numbers(9), 5];
        number filled(at x: Vec<f64>, at a: Vec<f64>):
            [numbers(3), numbers(3)];
        number partly(at x: Vec<f64>, fixed n: usize):
            [numbers(3), 3];
        number in_two_ways(at x: Vec<f64>, fixed n: usize):
            [numbers(4), 4];
        number inner_sums(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(3), numbers(3), 3]
            [numbers(6), numbers(6), 6];
        number narrow(at x: Vec<f64>):
            [numbers(5)];
        number twice(at a: Vec<f64>, at x: Vec<f64>, fixed n: usize):
            [numbers(3), numbers(3), 3];
    }
}
