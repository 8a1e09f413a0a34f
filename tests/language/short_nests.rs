//! The smallest programs that a mistake in a pass of loops, arrays or the tape makes wrong: what is legal stands beside what is not.

use diffi::prelude::*;

/// A loop that does not reach the last element.
#[differentiable]
fn most(x: &[f64]) -> f64 {
    let mut v = vec![0.0; x.len()];
    let n = v.len();
    for i in 0..x.len() {
        v[i] = x[i] * x[i];
    }
    let mut s = 0.0;
    for i in 0..n - 1 {
        s += v[i] * v[i];
    }
    s.sin()
}

/// Elements that several iterations set.
#[differentiable]
fn over_each_other(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        let k = (i + 1) % 2;
        y[i + k] = x[i] * x[i];
    }
}

#[differentiable]
fn made_in_branches(x: &[f64]) -> f64 {
    let mut s = x[0];
    #[checkpoint(every = 2)]
    for i in 0..6 {
        let v;
        if i % 2 == 0 {
            v = vec![s, x[0]];
        } else {
            v = vec![s * s, x[1]];
        }
        s = v[0].sin() * v[1];
    }
    s
}

#[differentiable]
fn guarded(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() + 1 {
        let ok = i < x.len() && x[i] > 0.0;
        if ok {
            s += x[i] * x[i];
        }
    }
    s
}

/// The inner loop reads what it writes ahead.
#[differentiable]
fn ahead(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = x.to_vec();
    for i in 0..n - 2 {
        for j in i + 1..n {
            a[i + 2] += a[j] * x[j];
        }
    }
    a.iter().sum()
}

/// A length that only iterations may ask for.
#[differentiable]
fn inner_part(x: &[f64], m: usize) -> f64 {
    let mut s = 0.0;
    for _ in 0..m {
        let mut v = vec![0.0; x.len() - 2];
        for i in 0..x.len() - 2 {
            v[i] = x[i] * x[i + 2];
        }
        for i in 0..x.len() - 2 {
            s += v[i] * v[i];
        }
    }
    s
}

#[differentiable]
fn twice_set(x: &[f64]) -> f64 {
    let n = x.len();
    let mut a = vec![1.0; n];
    for i in 1..n {
        a[i] = a[i - 1] * x[i];
        a[i] += x[i];
    }
    a[n - 1]
}

#[differentiable]
fn by_two_conditions(x: &[f64], k: usize, c: bool, d: bool) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        if c {
            s += x[k] * i as f64;
        }
        if d {
            s += x[k] * x[k];
        }
    }
    s.sin()
}

/// What is added twice has changed in between.
#[differentiable]
fn summed(x: &[f64], w: f64) -> f64 {
    let mut s = x[1];
    s += x[0];
    s = s * w;
    s += x[0];
    s * s
}

#[differentiable]
fn mixed(w: &[f64], m: &[f64], p: &[f64], n: usize, d: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let mut x = vec![0.0; d];
        let mut y = vec![0.0; d];
        for i in 0..d {
            let v = p[k * d + i] - m[i];
            x[i] = v;
            total += v * v;
        }
        for i in 0..d {
            for j in 0..d {
                y[j] += w[i * d + j] * x[i];
            }
        }
        for j in 0..d {
            total += y[j] * y[j];
        }
    }
    total
}

/// A coefficient whose cotangent reads what a recurrence adds to.
#[differentiable]
fn passed_on(x: &[f64]) -> f64 {
    let n = x.len();
    let c = x[0];
    let mut v = vec![0.0; n];
    for k in 0..n {
        v[k] = x[k] * x[k];
    }
    let mut p = vec![0.0; n];
    p[0] = 1.0;
    for k in 1..n - 1 {
        p[k] = 0.5 * p[k - 1] + c * (v[k - 1] + v[k + 1]);
    }
    p[n - 2]
}

/// Rows that are wider than the loop.
#[differentiable]
fn part_of_rows(a: &[f64], b: &[f64], n: usize, w: usize, v: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..b[0..v].len() {
            s += a[w * i + j] * b[j];
        }
    }
    s
}

#[differentiable]
fn narrow(a: &[f64], b: &[f64], n: usize, w: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        for j in 0..b.len() {
            s += a[w * i + j] * b[j];
        }
    }
    s
}

/// A candidate that is used whether it is selected or not.
#[differentiable]
fn least_and_sum(x: &[f64]) -> f64 {
    let (mut least, mut s) = (1e9, 0.0);
    for k in 0..3 {
        let mut c = 0.0;
        for j in 0..2 {
            c += x[2 * k + j] * x[2 * k + j];
        }
        s += c;
        least = c.min(least);
    }
    s * least
}

#[differentiable]
fn fed(x: &[f64]) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut v = vec![0.0; n];
    for i in 0..n {
        v[i] = x[i] * x[i];
    }
    let mut left = u[0];
    for i in 1..n - 1 {
        let old = u[i];
        u[i] = old + 0.1 * (u[i + 1] - 2.0 * old + left) + v[i];
        left = old;
    }
    u.iter().map(|w| w * w).sum()
}

#[differentiable]
fn columns(x: &[f64], n: usize, w: usize) -> f64 {
    let mut s = 0.0;
    for j in 0..w {
        for i in 0..n {
            s += x[i * w + j] * x[i * w + j];
        }
    }
    s.sin()
}

#[differentiable]
fn abreast(w: &[f64], x: &[f64], n: usize, d: usize) -> f64 {
    let mut total = 0.0;
    for p in 0..n {
        let mut y = vec![0.0; d];
        for i in 0..d {
            let a = 2.0 * x[p * d + i];
            for j in 0..i {
                y[j] += w[i * d + j] * a;
            }
        }
        for j in 0..d {
            total += y[j] * y[j];
        }
    }
    total
}

/// Inner loops of any lengths.
#[differentiable]
fn ragged(x: &[f64], lens: &[usize]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        let m = lens[i];
        for k in 0..m {
            s += x[i..][k];
        }
    }
    s.sin()
}

#[differentiable]
fn last_row(x: &[f64], m: usize) -> Vec<f64> {
    let n = x.len();
    let mut v = vec![0.0; n];
    for t in 0..m {
        for i in 0..n {
            v[i] = x[i] * t as f64;
        }
    }
    v
}

/// A result that is filled twice.
#[differentiable]
fn refilled(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut v = vec![0.0; n];
    for i in 0..n {
        v[i] = x[i] * x[i];
    }
    let mut s = 0.0;
    for i in 0..n {
        s += v[i];
    }
    for i in 0..n {
        v[i] = x[i] * s;
    }
    v
}

#[differentiable]
fn by_a_table_that_changes(x: &[f64]) -> f64 {
    let mut p = [0usize, 1];
    let y = x[p[0]] * x[p[0]];
    p[0] = 1;
    y * x[p[0]]
}

#[differentiable]
fn root_and_more(x: f64) -> (f64, f64) {
    let r = x.sqrt();
    let mut s = 0.0;
    if x > 1.0 {
        s = r * 2.0;
    }
    (r, s)
}

#[differentiable]
fn every_other(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        let mut k = i * 2;
        if i > 0 {
            k += 1;
        }
        s += x[k] * x[k];
    }
    s
}

#[differentiable]
fn alternating(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s = -(s + x[i] + 0.5);
    }
    s.sin()
}

#[differentiable]
fn declared_under_a_checkpoint(x: f64) -> f64 {
    let mut y = x;
    let mut t;
    #[checkpoint(every = 2)]
    for i in 0..6 {
        if i % 2 == 0 {
            t = y.sin();
        } else {
            t = y.cos();
        }
        y = t * t;
    }
    y
}

/// Values that have to vanish where they are not asked for, though their slopes are infinite or no numbers.
#[differentiable]
fn larger_square(x: f64, y: f64) -> f64 {
    (x * x).max(y * y).sqrt()
}

#[differentiable]
fn square_times_positive(x: f64, y: f64) -> f64 {
    (x * x * (1.0 + y * y).abs()).sqrt()
}

#[differentiable]
fn unused_remainder(x: f64, y: f64) -> f64 {
    let r = x % y;
    if y > 0.0 { r } else { 2.0 * x }
}

#[differentiable]
fn dropped_by_a_maximum(a: f64, x: f64, k: usize) -> f64 {
    let v = [x.ln(), 1.0];
    let t = a * v[k];
    let u = t + 1.0;
    u.max(5.0)
}

#[differentiable]
fn grown_and_unused(x: f64) -> f64 {
    let r = x.exp();
    let q = r * x;
    if x < 100.0 { q } else { x }
}

#[differentiable]
fn roots_of_nothing(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = (s * 2.0).sqrt() * 0.5;
    }
    s.min(-1.0)
}

#[test]
fn what_is_not_asked_for_is_zero() {
    assert_eq!(gradient(larger_square::D, AutoReverse, (0.0, 0.0)), Ok((0.0, 0.0)));
    assert_eq!(gradient(square_times_positive::D, AutoReverse, (0.0, 1.0)), Ok((0.0, 0.0)));
    assert_eq!(gradient(unused_remainder::D, AutoReverse, (1.0, 0.0)), Ok((2.0, 0.0)));
    assert_eq!(gradient(dropped_by_a_maximum::D, AutoReverse, (2.0, Constant(0.0), Constant(0))), Ok(0.0));
    assert_eq!(gradient(grown_and_unused::D, AutoReverse, 1000.0), Ok(1.0));
    assert_eq!(gradient(roots_of_nothing::D, AutoReverse, (0.0, Constant(3))), Ok(0.0));
}

mod check {
    use super::*;
    use crate::check::rows;

    fn wave(n: usize) -> Vec<f64> {
        (0..n).map(|k| 0.6 + (1.7 * k as f64).sin() * 0.5).collect()
    }

    rows! {
        number most(at x: Vec<f64>): [wave(3)] [wave(1)];
        writes over_each_other(at x: Vec<f64>, out y: Vec<f64>): [wave(2), wave(3)];
        number made_in_branches(at x: Vec<f64>): [wave(2)];
        number guarded(at x: Vec<f64>): [vec![1.0, -1.0]] [vec![]];
        number ahead(at x: Vec<f64>): [wave(3)] [wave(6)];
        number inner_part(at x: Vec<f64>, fixed m: usize): [wave(5), 2] [wave(1), 0];
        number twice_set(at x: Vec<f64>): [wave(3)];
        number by_two_conditions(at x: Vec<f64>, fixed k: usize, fixed c: bool, fixed d: bool):
            [vec![0.5], 0, true, false] [vec![0.5], 0, false, true] [vec![0.5], 0, true, true] [vec![0.5], 0, false, false];
        number summed(at x: Vec<f64>, by w: f64): [vec![1.0, 2.0], 3.0];
        number mixed(at w: Vec<f64>, at m: Vec<f64>, fixed_at p: Vec<f64>, fixed n: usize, fixed d: usize):
            [wave(9), wave(3), wave(6), 2, 3];
        number passed_on(at x: Vec<f64>): [wave(4)] [wave(8)];
        number part_of_rows(at a: Vec<f64>, fixed_at b: Vec<f64>, fixed n: usize, fixed w: usize, fixed v: usize):
            [wave(6), wave(3), 2, 3, 2];
        number narrow(at a: Vec<f64>, fixed_at b: Vec<f64>, fixed n: usize, fixed w: usize): [wave(6), wave(2), 2, 3];
        number least_and_sum(at x: Vec<f64>): [vec![1.0, 1.1, 2.0, 2.1, 3.0, 3.1]] [vec![3.0, 3.1, 2.0, 2.1, 1.0, 1.1]];
        number fed(at x: Vec<f64>): [wave(8)];
        number columns(at x: Vec<f64>, fixed n: usize, fixed w: usize): [wave(12), 3, 4];
        number abreast(at w: Vec<f64>, at x: Vec<f64>, fixed n: usize, fixed d: usize): [wave(9), wave(24), 8, 3];
        number ragged(at x: Vec<f64>, fixed_at lens: Vec<usize>): [wave(6), vec![1, 3, 2, 0]];
        list last_row(at x: Vec<f64>, fixed m: usize): [wave(3), 2] [wave(3), 0];
        list refilled(at x: Vec<f64>): [vec![1.0, 2.0]];
        number by_a_table_that_changes(at x: Vec<f64>): [vec![2.0, 3.0]];
        list root_and_more(by x: f64): [2.0] [0.5];
        number every_other(at x: Vec<f64>): [wave(4)];
        number alternating(at x: Vec<f64>): [wave(4)];
        number declared_under_a_checkpoint(by x: f64): [0.7];
    }
}
