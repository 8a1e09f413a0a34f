//! What a call has changed and the caller overwrites: nothing goes back through the call.

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
fn in_every_trip(x: &[f64], k: f64) -> f64 {
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

mod tests {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number after_a_call(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7];
        number beside_a_parameter(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7] [vec![0.8, 0.4], 0.7];
        number in_every_trip(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4, 0.5], 0.7];
        number on_one_side(at x: Vec<f64>, by k: f64): [vec![0.3, 0.4], 0.7] [vec![0.3, 0.4], -0.7];
    }
}
