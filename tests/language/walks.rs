//! Pointer walks (`bounds_checks`): loops whose adjoints go downwards along several slices, and such loops inside of a condition.

use diffi::prelude::*;

/// Two arrays are carried in one loop, of which one is seen by some arguments only.
#[differentiable]
fn two_windows(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len();
    let mut c = vec![0.0; n];
    let mut d = vec![0.0; n];
    c[0] = y[0];
    d[0] = x[0] * y[0];
    for i in 1..n {
        let pivot = 3.0 - y[i] * c[i - 1];
        c[i] = y[i] / pivot;
        d[i] = (x[i] - y[i] * d[i - 1]) / pivot;
    }
    d.iter().zip(&c).map(|(a, b)| a * b).sum()
}

/// Both windows lie over parameters, where there may be no iteration at all.
#[differentiable]
fn windows_of_parameters(x: &[f64], y: &[f64], from: usize) -> f64 {
    let mut s = 0.0;
    for i in from..x.len() - 1 {
        s += (x[i + 1] - x[i]) * (x[i + 1] - x[i]) * (y[i + 1] + y[i]).sin();
    }
    s
}

/// A loop that keeps only some of its states has windows too.
#[differentiable]
fn kept_now_and_then(x: &[f64], c: f64, steps: usize) -> Vec<f64> {
    let n = x.len();
    let mut u = x.to_vec();
    #[checkpoint(every = 3)]
    for _ in 0..steps {
        for i in 1..n - 1 {
            u[i] = u[i] + c * u[i] * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
        }
    }
    u
}

/// The number of the iteration is a factor as well as an index.
#[differentiable]
fn numbered(x: &[f64], w: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    for _ in 0..steps {
        for i in 2..n {
            u[i - 1] = u[i - 1] * u[i - 2] + w[i] * (i as f64) * u[i] / n as f64;
        }
    }
    u.iter().sum()
}

/// Literal ends, and a power of the number.
#[differentiable]
fn literal_ends(x: &[f64; 6]) -> f64 {
    let mut u = x.to_vec();
    for i in 1..5 {
        u[i] = u[i] * u[i - 1] + 0.1 * u[i + 1] * (i.pow(2) as f64);
    }
    u[4] * u[2]
}

/// The state is declared first and set in the loop.
#[differentiable]
fn set_inside(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut last;
    for _ in 0..steps {
        last = u[0];
        for i in 1..n {
            let old = u[i];
            u[i] = old * last;
            last = old.sin();
        }
        u[0] = last;
    }
    u.iter().map(|v| v * v).sum()
}

/// The ways in which people write such a loop.
macro_rules! spellings {
    ($($name:ident |$u:ident, $c:ident| { $($step:tt)* })+) => { $(
        #[differentiable]
        fn $name(x: &[f64], $c: f64) -> f64 {
            let mut $u = x.to_vec();
            for _ in 0..3 { $($step)* }
            $u.iter().map(|v| v * v).sum()
        }
    )+ };
}
spellings! {
    by_index |u, c| { for i in 1..u.len() { u[i] -= c * u[i] * u[i - 1]; } }
    by_shifted_index |u, c| { for i in 0..u.len() - 1 { u[i + 1] -= c * u[i + 1] * u[i]; } }
    downwards |u, c| { for i in (1..u.len()).rev() { u[i] -= c * u[i] * u[i - 1]; } }
    by_carried_value |u, c| {
        let mut left = u[0];
        for i in 1..u.len() {
            let old = u[i];
            u[i] = old - c * old * left;
            left = old;
        }
    }
    by_reference |u, c| {
        let mut left = 1.0;
        for v in u.iter_mut() {
            let old = *v;
            *v = old - c * old * left;
            left = old;
        }
    }
    by_while |u, c| {
        let mut i = 1;
        while i < u.len() {
            u[i] -= c * u[i] * u[i - 1];
            i += 1;
        }
    }
}

/// Two rows of a matrix, of which the second is overwritten.
#[differentiable]
fn rows_of_a_matrix(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    for i in 1..n {
        let factor = a[n * i] / a[n * (i - 1)];
        for j in 0..n {
            a[n * i + j] -= factor * a[n * (i - 1) + j] * a[n * i + j];
        }
    }
    a.iter().map(|v| v * v).sum()
}

/// Methods of elements that are overwritten.
#[differentiable]
fn methods_of_elements(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    for i in 1..n {
        for j in 0..n {
            a[i * n + j] = a[i * n + j].sin() * a[i * n + j - n].cos().powi(2);
        }
    }
    for i in 0..a.len() {
        a[i] = a[i].exp() * x[i].tanh();
    }
    a.iter().sum()
}

/// Two rows that are the same in some iterations.
#[differentiable]
fn a_row_onto_itself(x: &[f64], n: usize) -> Vec<f64> {
    let mut a = x.to_vec();
    for i in 0..n {
        let k = i / 2 * 2;
        for j in 1..n {
            a[i * n + j] += a[k * n + j - 1] * a[j - 1 + i * n];
        }
    }
    a
}

/// Towards the neighbours in a row and in the next, with terms in any order.
#[differentiable]
fn between_rows(x: &[f64], w: &[f64], n: usize) -> f64 {
    let m = x.len() / n;
    let mut u = x.to_vec();
    for i in 0..m - 1 {
        for j in 1..n {
            u[j + i * n] = u[j + i * n] * w[j] + u[n + i * n + j] * u[i * n + j - 1];
        }
    }
    u[0] + u[x.len() / 2] * u[1]
}

/// Through a reference, with a row that no iteration reaches in full.
#[differentiable]
fn below_the_diagonal(a: &mut [f64], n: usize) {
    for i in 1..n {
        for j in 0..n {
            if j < i {
                a[i * n + j] *= a[(i - 1) * n + j];
            }
        }
    }
    for i in (1..n).rev() {
        for j in (1..n).rev() {
            a[(i - 1) * n + j] += a[i * n + j] * a[i * n + j - 1];
        }
    }
}

/// One cotangent goes from iteration to iteration, and others are added to on the way.
#[differentiable]
fn one_chain(x: f64, p: &[f64], q: f64) -> f64 {
    let mut y = x;
    let mut i = 0;
    while i < p.len() && y.abs() < 50.0 {
        let t = y * p[i] + q;
        y -= 0.1 * (t * t * y.sin() + q * t) / (1.0 + y * y);
        i += 1;
    }
    y * q
}

/// The chain is cut where an iteration forgets what it got.
#[differentiable]
fn broken_chain(x: f64, p: &[f64]) -> f64 {
    let mut y = x;
    for i in 0..p.len() {
        y = p[i] * p[i] * p[i].sin();
        y = y * y * p[i];
    }
    y * x
}

/// Newton's method, left when the step is small.
#[differentiable]
fn newton(p: f64, q: f64) -> f64 {
    let mut x = 1.0;
    for _ in 0..50 {
        let step = (x * x * x + p * x - q) / (3.0 * x * x + p);
        x -= step;
        if step.abs() < 1e-13 {
            break;
        }
    }
    x
}

mod check {
    use super::*;
    use crate::check::rows;

    const X: [f64; 5] = [0.6, -0.4, 0.3, 0.5, 0.7];
    const M: [f64; 9] = [0.9, -0.4, 0.3, 0.5, 0.7, -0.2, 0.6, 1.1, 0.8];
    const Y: [f64; 5] = [0.2, 0.4, -0.3, 0.1, 0.5];

    rows! {
        number two_windows(at x: Vec<f64>, at y: Vec<f64>): [X.to_vec(), Y.to_vec()] [vec![0.5], vec![0.3]];
        number windows_of_parameters(at x: Vec<f64>, at y: Vec<f64>, fixed from: usize):
            [X.to_vec(), Y.to_vec(), 0] [X.to_vec(), Y.to_vec(), 2] [X.to_vec(), Y.to_vec(), 4];
        list kept_now_and_then(at x: Vec<f64>, by c: f64, fixed steps: usize): [X.to_vec(), 0.2, 7] [X.to_vec(), 0.2, 0];
        number numbered(at x: Vec<f64>, at w: Vec<f64>, fixed steps: usize): [X.to_vec(), Y.to_vec(), 3];
        number literal_ends(at x: [f64; 6]): [[0.6, -0.4, 0.3, 0.5, 0.7, 0.2]];
        number set_inside(at x: Vec<f64>, fixed steps: usize): [X.to_vec(), 3] [X.to_vec(), 0];
        number by_index(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
        number by_shifted_index(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
        number downwards(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
        number by_carried_value(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
        number by_reference(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
        number rows_of_a_matrix(at x: Vec<f64>, fixed n: usize): [M.to_vec(), 3] [X.to_vec(), 1];
        number methods_of_elements(at x: Vec<f64>, fixed n: usize): [M.to_vec(), 3];
        list a_row_onto_itself(at x: Vec<f64>, fixed n: usize): [M.to_vec(), 3];
        number between_rows(at x: Vec<f64>, at w: Vec<f64>, fixed n: usize): [M.to_vec(), X.to_vec(), 3];
        writes below_the_diagonal(inout a: Vec<f64>, fixed n: usize): [M.to_vec(), 3];
        number one_chain(by x: f64, at p: Vec<f64>, by q: f64): [0.7, X.to_vec(), 0.4] [0.7, vec![], 0.4];
        number broken_chain(by x: f64, at p: Vec<f64>): [0.7, X.to_vec()];
        number newton(by p: f64, by q: f64): [0.8, 2.5];
        number by_while(at x: Vec<f64>, by c: f64): [X.to_vec(), 0.3];
    }
}
