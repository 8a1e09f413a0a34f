//! Constants that change after they were used: lists that were walked, pairs that calls gave, values taken out.

use crate::check::number;
use diffi::prelude::*;
use ndarray::{Array1, array};

/// Nothing here is active; the list is the function's value all the same.
#[differentiable]
fn falling(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 / (1.0 + i as f64)).collect()
}

/// The list's type is not written, and the walk ends before it is sorted.
#[differentiable]
fn walked_and_sorted(x: &[f64]) -> f64 {
    let mut weights = falling(3);
    let mut sum = 0.5 * weights.iter().copied().map(|w| x[0] * x[1] * w).sum::<f64>();
    weights.sort_by(|a, b| a.total_cmp(b));
    sum += weights[0] * x[1] * x[1];
    sum
}

/// Beside a range, in a loop, with an element changed in between.
#[differentiable]
fn walked_again(x: &[f64]) -> f64 {
    let mut pairs = (0..2).map(|i| (0.25 * (x.len() as f64), i)).collect::<Vec<_>>();
    let mut sum = 1.0;
    for turn in 0..3 {
        for (k, pair) in (0..2).zip(pairs.iter()) {
            sum *= x[pair.1] * x[k] + pair.0;
        }
        pairs[1].0 += 2.0 * turn as f64;
    }
    sum * pairs[1].0
}

#[differentiable]
fn double_and_sine(a: f64) -> (f64, f64) {
    (2.0 * a, a.sin())
}

/// The pair has to be kept for each turn, and is no word of the tape.
#[differentiable]
fn pairs_of_calls(x: &[f64]) -> f64 {
    let (mut s, mut a) = (x[0], 0.3);
    for k in 0..4 {
        if k > 1 {
            let y = double_and_sine(a);
            s = s * x[1] * y.1 + s.sin() * y.0;
        }
        a += 0.1;
    }
    s
}

/// What each turn takes out of the list is taken out again from where the states were kept.
#[differentiable]
fn drained(x: &[f64]) -> f64 {
    let mut steps = falling(7);
    let mut s = x[0];
    #[checkpoint(every = 2)]
    for _ in 0..5 {
        let step: Vec<f64> = steps.drain(..1).collect();
        s += x[0] * x[1] * step[0];
        s = s * s;
    }
    s * steps[0]
}

/// The borrow is of the product, not of its first factor.
#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut scale = Array1::from_vec(vec![1.0, f64::from(0.5), 0.25]);
    let old = std::mem::replace(&mut scale, array![0.5, f64::from(0.25), 2.0]);
    scale *= &((&old) * 0.5);
    scale[0] * x[0] + old[1] * x[1] * x[1]
}

#[test]
fn constants_that_change() {
    number!(walked_and_sorted::D, [0.3, 0.7], |x| x, |x| walked_and_sorted(x));
    number!(walked_again::D, [0.3, 0.7], |x| x, |x| walked_again(x));
    number!(pairs_of_calls::D, [0.3, 0.7], |x| x, |x| pairs_of_calls(x));
    number!(drained::D, [0.3, 0.7], |x| x, |x| drained(x));
    number!(exchanged::D, [0.3, 0.7], |x| x, |x| exchanged(x));
}

#[differentiable]
fn appended(out: &mut [f64], x: f64) -> usize {
    out[0] = x;
    out[1] = x * x;
    2
}

/// A count whose type nothing tells but the `0` that it begins with.
#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let mut buffer = vec![0.0; 2 * x.len() + 2];
    let mut n = 0;
    for v in x {
        n += appended(&mut buffer[n..], *v);
    }
    let last = n;
    n = appended(&mut buffer[n..], x[0] * x[1]);
    let mut sum = 0.0;
    for i in 0..last + n {
        sum += buffer[i] * buffer[i] * i as f64;
    }
    sum
}

#[test]
fn counts_that_begin_with_a_literal() {
    let plain = |x: f64, y: f64| {
        let z = x * y;
        x.powi(4) + 2.0 * y * y + 3.0 * y.powi(4) + 4.0 * z * z + 5.0 * z.powi(4)
    };
    number!(counted::D, [1.3, 0.7], |x| x, |x| plain(x[0], x[1]));
}
