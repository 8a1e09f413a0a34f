//! Options whose contents change, or whose places do, between where they are made and where they are asked.

use diffi::prelude::*;

/// A copy of an element that is set later.
#[differentiable]
fn copied_before(x: f64) -> f64 {
    let mut pair = [x, x * x];
    let first = pair.get(0).copied();
    pair[0] = 3.0;
    pair[1] + first.unwrap_or(0.5)
}

/// A closure's value, by a variable that changes later.
#[differentiable]
fn mapped_before(x: f64) -> f64 {
    let pair = [x, x * x];
    let mut k = x;
    let first = pair.first().map(|v| v * k);
    k = pair[1] * k;
    k + first.unwrap_or(0.5) + first.unwrap_or(0.1)
}

/// An element at an index that changes later.
#[differentiable]
fn indexed_before(x: f64) -> f64 {
    let pair = [x, x * x];
    let mut i = 0;
    let found = pair.get(i);
    i += 1;
    pair[i] * found.unwrap()
        + match found {
            Some(v) => *v,
            None => 1.0,
        }
}

/// What a search found in a list that changes.
#[differentiable]
fn found_before(x: f64) -> f64 {
    let mut v = vec![x, x * x, x.sin()];
    let last = v.last().copied();
    v[2] = 0.3;
    v.push(x);
    let first = v.iter().copied().find(|w| *w > 0.6);
    v[0] = 3.0;
    let k = v.iter().position(|w| *w > 0.6);
    v[0] = 0.1;
    last.unwrap() * first.unwrap() + v[k.unwrap()] + v[1]
}

/// Two at once.
#[differentiable]
fn ends_before(x: f64) -> f64 {
    let mut v = vec![x, x * x, x.sin()];
    let ends = v.first().copied().zip(v.last().copied());
    v[0] = 0.0;
    v[2] = 0.3;
    if let Some((a, b)) = ends { a * b * v[1] } else { 0.0 }
}

/// A result, and what a closure makes of its clone.
#[differentiable]
fn results_before(x: f64) -> f64 {
    let mut a = x;
    let r: Result<f64, String> = if a > 0.0 { Ok(a * a) } else { Err("no".to_string()) };
    a = a.sin();
    let s = r.clone().map(|v| v * a);
    a = 5.0 * x;
    a + s.unwrap_or(1.0) + r.unwrap_or(2.0)
}

/// A copy of an option that is set later.
#[differentiable]
fn options_before(x: f64) -> f64 {
    let mut best: Option<f64> = None;
    for w in [x, x * x].iter() {
        if best.is_none_or(|b| *w > b) {
            best = Some(*w);
        }
    }
    let before = best;
    best = Some(3.0 * x);
    before.unwrap() * x + best.unwrap()
}

/// An array that is walked through as it was.
#[differentiable]
fn array_before(x: f64) -> f64 {
    let mut pair = [x, x * x];
    let all = pair.into_iter();
    pair[0] = 3.0;
    all.sum::<f64>() * pair[0]
}

/// The same by a loop, which changes what is still to come.
#[differentiable]
fn array_before_the_loop(x: f64) -> f64 {
    let mut pair = [x, x * x];
    let mut s = 0.0;
    for v in pair {
        pair[1] = 3.0 * x;
        s += v * pair[0];
    }
    s * pair[1]
}

#[differentiable]
fn changed_constant(x: f64) -> Option<f64> {
    let mut v = Some((f64::from(0.125) - 0.6875) * f64::from(0.75).tanh())?;
    v = v.sin();
    Some(v * x)
}

/// What patterns bind of constants has other names, which change.
#[differentiable]
fn constants_bound_and_changed(x: &[f64]) -> f64 {
    let table: std::collections::BTreeMap<usize, f64> = [(0, 0.5), (1, 0.7)].into();
    let mut s = changed_constant(x[0]).unwrap_or(0.0);
    for (i, v) in x.iter().enumerate() {
        let mut w = match table.get(&i) {
            Some(w) => *w,
            None => 1.0,
        };
        if *v > 0.35 {
            w *= 2.0;
        }
        s += w * v * v;
    }
    s
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number constants_bound_and_changed(at x: Vec<f64>): [vec![0.3, 0.4, 0.6]];
        number copied_before(by x: f64): [0.7];
        number mapped_before(by x: f64): [0.7];
        number indexed_before(by x: f64): [0.7];
        number found_before(by x: f64): [0.7];
        number ends_before(by x: f64): [0.7];
        number results_before(by x: f64): [0.7] [-0.7];
        number options_before(by x: f64): [0.7] [1.7];
        number array_before(by x: f64): [0.7];
        number array_before_the_loop(by x: f64): [0.7];
    }
}
