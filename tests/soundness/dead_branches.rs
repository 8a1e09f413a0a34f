//! Operations without a derivative where only other branches use their values: these add nothing.

use crate::check::check;
use diffi::prelude::*;

#[differentiable]
fn root_of_a_branch(x: &[f64]) -> f64 {
    let v = x[0] - 5.0;
    let r = v.sqrt();
    if v > 0.0 { r } else { -v * x[1] }
}

fn note(_: f64) {}

/// A result of constants alone, behind a call that is told of an active value.
#[differentiable]
fn level(x: f64) -> (f64, f64) {
    note(x * x);
    let table = [0.5, 1.5];
    (table[1] + table.iter().sum::<f64>(), x)
}

#[differentiable]
fn constant_level(x: f64) -> f64 {
    note(x);
    let table = [0.5, 1.5];
    table[0] + table.iter().sum::<f64>()
}

#[differentiable]
fn constants_behind_a_call(x: &[f64]) -> f64 {
    let (a, b) = level(x[0]);
    a * b * x[1] + constant_level(x[2]) * x[0]
}

#[differentiable]
fn guarded_norm(x: &[f64]) -> f64 {
    let d = [x[0] - 0.7, x[1] - 1.3];
    let norm = (d[0] * d[0] + d[1] * d[1]).sqrt();
    if norm == 0.0 {
        return x[0] * x[1] * x[2];
    }
    x[0] / norm
}

#[differentiable]
fn softplus(x: &[f64]) -> f64 {
    let t = x[0] * 2000.0;
    let e = t.exp();
    let sum = 1.0 + e;
    if t > 30.0 { t * x[1] * x[1] } else { sum.ln() }
}

#[differentiable]
fn arms(x: &[f64]) -> f64 {
    let mut s = x[2];
    for k in 0..4 {
        let v = x[0] - 0.5 * k as f64;
        let (r, l) = (v.sqrt(), v.ln());
        let ratio = r / l;
        s *= match k {
            0 => r * x[1],
            1 => l + r,
            2 => v * x[1],
            _ => {
                if v > 0.0 {
                    ratio
                } else {
                    v * v
                }
            }
        };
    }
    s
}

#[differentiable]
fn mean_of_none(x: &[f64]) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for v in x {
        if *v > 9.0 {
            sum += v * v;
            count += 1;
        }
    }
    let mean = sum / count as f64;
    if count > 0 { mean } else { x[0] * x[1] * x[2] }
}

#[derive(Clone, Copy, Differentiable)]
struct Hit {
    at: f64,
    below: f64,
}

#[differentiable]
fn fields_of_a_struct(x: &[f64]) -> f64 {
    let below = x[1] * x[1] - x[0];
    let root = below.sqrt();
    let hit = Hit { at: -x[1] - root, below };
    let pair = (hit, root);
    if hit.below < 0.0 { x[0] * x[2] } else { pair.0.at * pair.1 * hit.below }
}

#[test]
fn branches_that_are_not_taken_add_nothing() {
    check!(root_of_a_branch at [0.7, 1.3, 0.4]);
    check!(root_of_a_branch at [5.7, 1.3, 0.4]);
    check!(softplus at [0.7, 1.3, 0.4]);
    check!(arms at [1.2, 1.3, 0.4]);
    check!(arms at [1.7, 1.3, 0.4]);
    check!(mean_of_none at [0.7, 1.3, 0.4]);
    check!(mean_of_none at [10.7, 1.3, 9.4]);
    check!(fields_of_a_struct at [2.7, 1.3, 0.4]);
    check!(fields_of_a_struct at [0.7, 1.3, 0.4]);
    check!(guarded_norm at [0.9, 1.4, 0.4]);
    check!(constants_behind_a_call at [0.9, 1.4, 0.4]);
}

#[test]
fn a_guarded_norm_at_its_zero() {
    let g = gradient(guarded_norm::D, AutoReverse, &[0.7, 1.3, 0.4]).unwrap();
    assert_eq!(g, [1.3 * 0.4, 0.7 * 0.4, 0.7 * 1.3]);
}
