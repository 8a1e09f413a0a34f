//! Bounds-check elimination, scalar promotion and CSE (`bounds_checks`, `scalar_replacement`, `cse`): loops that read several elements an
//! iteration, sums into one element beside others of its array, and operations that are written twice.

use diffi::prelude::*;

// ---- pairs of bodies: one element of the outer iteration, others of the inner ----

#[differentiable]
fn earlier(x: &[f64], m: &[f64]) -> Vec<f64> {
    let n = m.len();
    let mut a = vec![0.5; 3 * n];
    for i in 0..n {
        for j in 0..i {
            let dx = x[3 * i] - x[3 * j];
            let dy = x[3 * i + 1] - x[3 * j + 1];
            let dz = x[3 * i + 2] - x[3 * j + 2];
            let pull = 1.0 / (dx * dx + dy * dy + dz * dz + 0.5);
            a[3 * i] -= m[j] * pull * dx;
            a[3 * i + 1] -= m[j] * pull * dy;
            a[3 * i + 2] -= m[j] * pull * dz;
            a[3 * j] += m[i] * pull * dx;
            a[3 * j + 1] += m[i] * pull * dy;
            a[3 * j + 2] += m[i] * pull * dz;
        }
    }
    a
}

/// Outputs that are there already.
#[differentiable]
fn later(x: &[f64], f: &mut [f64]) {
    let n = x.len() / 2;
    for i in 0..n {
        for j in i + 1..n {
            let d = [x[2 * i] - x[2 * j], x[2 * i + 1] - x[2 * j + 1]];
            let s = d[0] * d[1];
            f[2 * i] += s * d[0];
            f[i * 2 + 1] += s * x[2 * j];
            f[2 * j] -= s * d[0];
            f[2 * j + 1] -= s * x[2 * i];
        }
    }
}

/// The inner loop comes to the element of the outer iteration, too.
#[differentiable]
fn itself(x: &[f64], y: &mut [f64]) {
    let n = x.len() / 2;
    for i in 0..n {
        for j in 0..=i {
            y[2 * i] += x[2 * j] * y[2 * j + 1];
            y[2 * j] -= x[2 * i + 1] * x[2 * j];
            y[2 * j + 1] += x[2 * j + 1] * 0.5;
        }
    }
}

/// Steps of two lengths meet.
#[differentiable]
fn two_steps(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            y[i] += x[j] * x[i];
            y[2 * j] -= x[i];
            y[2 * j + 1] += x[j] * x[j];
        }
    }
}

/// One element under two names, to which both add.
#[differentiable]
fn two_names(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            y[2 * i] += x[j] * x[i];
            y[i * 2] -= x[j];
            y[2 * j] += x[i] * x[i];
            y[2 * j + 1] -= x[i];
        }
    }
}

/// What has been added so far is looked at.
#[differentiable]
fn looked_at(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        for j in 0..i {
            y[i] += x[j] * x[i];
            y[j] += y[i] * x[j];
        }
    }
}

/// Not in all iterations, and not for all of them.
#[differentiable]
fn sometimes(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        for j in 0..i {
            if i % 2 == 1 {
                y[i] -= x[j] * x[i];
            }
            if j % 2 == 1 {
                y[j] += x[i] * x[j];
            }
        }
    }
}

#[differentiable]
fn left_early(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        for j in 0..i {
            y[i] += x[j] * x[i];
            if x[j] > 1.2 {
                break;
            }
            y[j] *= x[i];
        }
    }
}

// ---- triangular systems ----

#[differentiable]
fn forwards(l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        for j in 0..i {
            x[i] -= l[i * n + j] * x[j];
        }
        x[i] /= 2.0 + l[i * n + i];
    }
}

#[differentiable]
fn backwards(u: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in (0..n).rev() {
        let (from, to) = (i + 1, n);
        for j in from..to {
            x[i] -= u[i * n + j] * x[j];
        }
        x[i] /= 2.0 + u[i * n + i];
    }
}

// ---- several elements an iteration ----

#[differentiable]
fn complex_products(a: &[f64], b: &[f64], y: &mut [f64]) {
    for k in 0..y.len() / 2 {
        y[2 * k] = a[2 * k] * b[2 * k] - a[2 * k + 1] * b[2 * k + 1];
        y[2 * k + 1] = a[2 * k] * b[2 * k + 1] + a[2 * k + 1] * b[2 * k];
    }
}

/// Overwritten, upwards and downwards.
#[differentiable]
fn turned(z: &mut [f64], c: f64) {
    let n = z.len() / 2;
    for k in 0..n {
        let re = z[k * 2];
        z[k * 2] = c * re - z[1 + k * 2];
        z[1 + k * 2] = re * z[1 + k * 2];
    }
    for k in (1..n).rev() {
        z[2 * k] *= z[2 * k + 1] + z[2 * k - 2];
    }
}

/// The last three are not all there, and no iteration asks for the missing one.
#[differentiable]
fn incomplete(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..n {
        s += x[3 * k] * x[3 * k + 1];
    }
    s
}

#[differentiable]
fn incomplete_at_last(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for k in 0..n {
        s += x[3 * k] * x[3 * k + 1];
        if k + 1 < n {
            s += x[3 * k + 2] * x[3 * k];
        }
    }
    s
}

#[differentiable]
fn not_from_the_first(x: &[f64], y: &mut [f64], from: usize, to: usize) {
    for k in from..to {
        y[3 * k] += x[3 * k + 2];
        y[3 * k + 1] += x[3 * k + 1] * x[3 * k];
        y[3 * k + 2] = y[3 * k] * x[3 * k];
    }
}

#[differentiable(constant(w))]
fn weighted(w: &[f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..x.len() {
        s += (w[2 * k] - x[k]) * (x[k] * w[2 * k + 1]);
    }
    s
}

/// Two slices of one array, each in steps.
#[differentiable]
fn two_parts(x: &mut [f64]) {
    let half = x.len() / 2;
    let (a, b) = x.split_at_mut(half);
    for k in 0..half / 2 {
        a[2 * k] += b[2 * k + 1] * a[2 * k + 1];
        b[2 * k] = a[2 * k] * b[2 * k + 1];
        b[2 * k + 1] *= 0.5;
    }
}

// ---- operations that are written twice ----

#[differentiable]
fn twice(x: &[f64], p: f64) -> f64 {
    let mut y = x.to_vec();
    let before = y[0] * p + (x[1] * p).sin();
    y[0] = before + (x[1] * p).sin();
    let after = y[0] * p;
    let again = y[0] * p + (x[1] * p).sin();
    before * after + again * again
}

/// The operands have other values the second time.
#[differentiable]
fn twice_of_others(x: &[f64], p: f64) -> f64 {
    let mut w = vec![1.5, 0.5];
    let mut k = 0;
    let mut s = x[k] * p + p * w[0];
    k += 1;
    s += x[k] * p;
    w[0] = 2.5;
    s *= p * w[0];
    for i in 0..x.len() {
        s += x[i] * p;
        let t = x[i] * p;
        s *= t.cos();
    }
    s
}

/// In branches, and before them.
#[differentiable]
fn twice_in_branches(x: f64, p: f64) -> f64 {
    let mut y = x * p;
    if x > 0.5 {
        y *= x * p;
        y += x * p;
    } else {
        y -= x * p;
    }
    y + x * p
}

/// So many numbers that no pattern is in.
fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|k| 0.8 + 0.6 * (1.7 * k as f64 + 0.4).sin()).collect()
}

#[test]
fn values_are_the_functions_own_to_the_last_bit() {
    let bits = |y: &[f64]| y.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    let (x, m) = (numbers(12), numbers(4));
    let (y, _) = value_and_pullback(earlier::D, AutoReverse, (&x, &m), &vec![1.0; 12]).unwrap();
    assert_eq!(bits(&y), bits(&earlier(&x, &m)));
    let l = numbers(25);
    let (mut expected, mut found) = (numbers(5), numbers(5));
    forwards(&l, &mut expected);
    let _ = pushforward(forwards::D, AutoForward, (&l, &mut found), (&l, &vec![0.5; 5])).unwrap();
    assert_eq!(bits(&found), bits(&expected));
}

mod check {
    use super::numbers;
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        list earlier(at x: Vec<f64>, at m: Vec<f64>):
            [numbers(0), numbers(0)]
            [numbers(3), numbers(1)]
            [numbers(12), numbers(4)];
        writes later(at x: Vec<f64>, inout f: Vec<f64>):
            [numbers(0), numbers(0)]
            [numbers(2), numbers(2)]
            [numbers(9), numbers(8)];
        writes itself(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(6), numbers(6)];
        writes two_steps(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(5), numbers(9)];
        writes two_names(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(4), numbers(8)];
        writes looked_at(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(4), numbers(4)];
        writes sometimes(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(5), numbers(5)];
        writes left_early(at x: Vec<f64>, inout y: Vec<f64>):
            [numbers(5), numbers(5)]
            [vec![0.5, 1.5, 0.7, 0.2], numbers(4)];
        writes forwards(at l: Vec<f64>, inout x: Vec<f64>):
            [numbers(0), numbers(0)]
            [numbers(25), numbers(5)];
        writes backwards(at u: Vec<f64>, inout x: Vec<f64>):
            [numbers(0), numbers(0)]
            [numbers(25), numbers(5)];
        writes complex_products(at a: Vec<f64>, at b: Vec<f64>, out y: Vec<f64>):
            [numbers(6), numbers(6), vec![0.0; 6]];
        writes turned(inout z: Vec<f64>, by c: f64):
            [numbers(8), 0.7]
            [numbers(1), 0.7];
        number incomplete(at x: Vec<f64>, fixed n: usize):
            [numbers(8), 3]
            [numbers(0), 0];
        number incomplete_at_last(at x: Vec<f64>, fixed n: usize):
            [numbers(8), 3]
            [numbers(2), 1];
        writes not_from_the_first(at x: Vec<f64>, inout y: Vec<f64>, fixed from: usize, fixed to: usize):
            [numbers(12), numbers(12), 1, 4]
            [numbers(12), numbers(12), 0, 2]
            [numbers(3), numbers(3), 3, 2]
            [numbers(3), numbers(3), 4, 4];
        number weighted(fixed_at w: Vec<f64>, at x: Vec<f64>):
            [numbers(8), numbers(4)];
        writes two_parts(inout x: Vec<f64>):
            [numbers(8)];
        number twice(at x: Vec<f64>, by p: f64):
            [numbers(2), 0.7];
        number twice_of_others(at x: Vec<f64>, by p: f64):
            [numbers(3), 0.7];
        number twice_in_branches(by x: f64, by p: f64):
            [0.8, 0.7]
            [0.2, 0.7];
    }
}
