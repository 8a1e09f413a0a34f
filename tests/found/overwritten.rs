//! What a call has changed and the caller overwrites, or throws away: nothing goes back through the call that did not come from it.

use diffi::prelude::*;

#[differentiable]
fn set(by: f64, state: &mut f64) {
    *state = (0.3 + by).tanh();
}

#[differentiable]
fn scaled(by: f64, state: &mut f64) {
    *state *= by;
}

#[differentiable]
fn after_a_call(x: &[f64], k: f64) -> f64 {
    let mut state = -0.875;
    set(k, &mut state);
    state = x[0];
    state + 0.3
}

#[differentiable]
fn beside_a_parameter(x: &[f64], mut k: f64) -> f64 {
    k *= k;
    if x[0] > 0.75 {
        return k;
    }
    let mut state = -0.875;
    set(k, &mut state);
    k = x[0];
    state = x[0];
    state + k
}

#[differentiable]
fn in_every_iteration(x: &[f64], k: f64) -> f64 {
    let mut state = x[1];
    let mut sum = 0.0;
    for v in x {
        scaled(k, &mut state);
        state = v * k;
        scaled(*v, &mut state);
        sum += state;
        state = *v;
    }
    sum
}

#[differentiable]
fn on_one_side(x: &[f64], k: f64) -> f64 {
    let mut state = x[1];
    scaled(k, &mut state);
    if k > 0.1 {
        state = x[0] * k;
    }
    let seen = state;
    scaled(k, &mut state);
    state = 0.3 * k;
    seen * state
}

#[differentiable]
fn scaled_all(by: f64, list: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for v in list.iter_mut() {
        sum += v.sin();
        *v *= by;
    }
    sum
}

#[differentiable]
fn thrown_away(list: &mut Vec<f64>, k: f64) -> f64 {
    let sum = scaled_all(k, &mut list[1..]);
    list.truncate(0);
    sum * k
}

#[differentiable]
fn shortened(x: &[f64], k: f64) -> f64 {
    let mut list = x.to_vec();
    let sum = scaled_all(k, &mut list[1..3]);
    let last = list.pop().unwrap();
    list.truncate(1);
    sum * last + list[0]
}

#[test]
fn parts_of_lists_that_are_gone() {
    let x = [0.3, 0.4, 0.5];
    for backend in 0..2 {
        let mut list = x.to_vec();
        let at = (&mut list, 0.7);
        let (y, bars) = match backend {
            0 => value_and_jacobian(thrown_away::D, AutoReverse, at).unwrap(),
            _ => value_and_jacobian(thrown_away::D, AutoForward, at).unwrap(),
        };
        let sum = x[1].sin() + x[2].sin();
        assert!((y - 0.7 * sum).abs() < 1e-14 && list.is_empty());
        let expected = [0.0, 0.7 * x[1].cos(), 0.7 * x[2].cos()];
        assert!(bars.0.iter().zip(expected).all(|(bar, e)| (bar - e).abs() < 1e-14), "{:?}", bars.0);
        assert!((bars.1[[0, 0]] - sum).abs() < 1e-14);
    }
}

#[differentiable]
fn squared(x: &mut [f64]) {
    for v in x.iter_mut() {
        *v = *v * *v;
    }
}

/// The sum's terms depend on elements that a call changes later.
#[differentiable]
fn after_a_sum(x: &[f64], k: f64) -> f64 {
    let mut y = x.to_vec();
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += k * y[i] * y[i];
    }
    squared(&mut y);
    for v in &y {
        sum += v * v;
    }
    sum
}

mod tests {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number after_a_call(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7];
        number beside_a_parameter(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7] [vec![0.8, 0.4], 0.7];
        number in_every_iteration(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4, 0.5], 0.7];
        number shortened(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4, 0.5], 0.7] [vec![0.3, 0.4, 0.5, 0.6], -0.7];
        number after_a_sum(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4, -0.5], 0.7];
        number on_one_side(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7] [vec![0.3, 0.4], -0.7];
    }
}
