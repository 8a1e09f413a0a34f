//! `AutoTape`.

use crate::functions;
use diffi::prelude::*;
use diffi::{Branch, Real, ScalarFn};
use ndarray::array;
use std::cell::Cell;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// A chain whose links are stiff on one side.
#[derive(Clone)]
struct Chain;

impl ScalarFn for Chain {
    type Input = [f64];
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
        CALLS.set(CALLS.get() + 1);
        let zero = S::lit(0.0);
        x.windows(2).map(|w| if w[1] - w[0] > zero { (w[1] - w[0]).powi(3) } else { (w[1] - w[0]).sin() }).sum()
    }
}

fn chain_gradient(x: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 1..x.len() {
        let d = x[i] - x[i - 1];
        let slope = if d > 0.0 { 3.0 * d * d } else { d.cos() };
        g[i] += slope;
        g[i - 1] -= slope;
    }
    g
}

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    functions::close(found, expected, 1e-13);
}

#[test]
fn a_replay_records_again_where_a_branch_flips() {
    let start = [0.0, 1.0, 0.5, 2.0];
    let mut prepared = prepare_gradient(Chain, AutoTape.replayed(), &start).unwrap();
    CALLS.set(0);
    for (x, calls) in [
        ([0.1, 1.3, 0.2, 2.5], 0), // the same branches
        ([0.1, 1.4, 0.3, 2.1], 0),
        ([0.1, -1.4, 0.3, 2.1], 1), // others
        ([0.2, -1.0, 0.3, 2.1], 1),
        ([0.1, 1.3, 0.2, 2.5], 2),
    ] {
        close(&prepared.gradient(&x).unwrap(), &chain_gradient(&x));
        assert_eq!(CALLS.get(), calls, "{x:?}");
    }
    let mut anew = prepare_gradient(Chain, AutoTape, &start).unwrap();
    CALLS.set(0);
    for k in 1..4 {
        close(&anew.gradient(&start).unwrap(), &chain_gradient(&start));
        assert_eq!(CALLS.get(), k);
    }
}

/// Where a tape does not hold, and is not to be recorded again, the operator says what it found; then the tape holds again.
fn refuses(backend: AutoTape) {
    let start = [0.0, 1.0, 0.5];
    let mut prepared = prepare_gradient(Chain, backend, &start).unwrap();
    let mut products = prepare_hvp(Chain, backend, &start, [1.0, 0.0, 0.0]).unwrap();
    CALLS.set(0);
    let (mut g, same, other) = ([0.0; 3], [0.1, 1.3, 0.2], [0.1, -1.4, -1.7]);
    for _ in 0..2 {
        prepared.gradient_into(&mut g, &same).unwrap();
        close(&g, &chain_gradient(&same));
        let error = prepared.gradient_into(&mut g, &other).unwrap_err();
        assert!(error.to_string().contains("finds 0.0 < -1.5, which is false"), "{error}");
        close(&g, &chain_gradient(&same));
        products.hvp(&same, [1.0, 0.0, 0.0]).unwrap();
        assert!(matches!(products.hvp(&other, [1.0, 0.0, 0.0]), Err(diffi::Error::OtherBranch { .. })));
    }
    assert_eq!(CALLS.get(), 0);
}

#[test]
fn a_replay_can_refuse_another_branch() {
    refuses(AutoTape.replayed().on_other_branch(Branch::Error));
    let mut by_table =
        prepare_gradient(table::D, AutoTape.replayed().on_other_branch(Branch::Error), (&[2.0, 3.0], 0.5)).unwrap();
    let error = by_table.gradient((&[2.0, 3.0], 1.5)).unwrap_err().to_string();
    assert!(error.contains("a value of 0.5, and finds 1.5"), "{error}");
    let other = AutoTape.replayed().on_other_branch(Branch::Error);
    let mut by_x =
        prepare_gradient(mixed::D, other, (&[0.5, 0.2], Constant(1.5), Constant(2), Constant(true))).unwrap();
    let error = by_x.gradient((&[0.5, 0.2], Constant(1.5), Constant(1), Constant(true))).unwrap_err().to_string();
    assert!(error.contains("arguments without derivatives"), "{error}");
}

#[cfg(feature = "compiled")]
#[test]
fn compiled_tapes_can_refuse_another_branch() {
    refuses(AutoTape.compiled().on_other_branch(Branch::Error));
}

#[differentiable]
fn rotate(x: &[f64], angle: f64, y: &mut [f64]) {
    y[0] = x[0] * angle.cos() - x[1] * angle.sin();
    y[1] = x[0] * angle.sin() + x[1] * angle.cos();
}

#[test]
fn outputs_among_the_parameters() {
    for backend in [AutoTape, AutoTape.replayed()] {
        let (x, mut y) = ([0.3, -1.2], [9.0, 9.0]);
        let mut prepared = prepare_jacobian(rotate::D, backend, (&x, 0.5, &mut y)).unwrap();
        assert_eq!(y, [9.0, 9.0]);
        for angle in [0.5, 1.2f64] {
            let (s, c) = angle.sin_cos();
            let (by_x, by_angle) = prepared.jacobian((&x, angle, &mut y)).unwrap();
            assert_eq!(by_x, array![[c, -s], [s, c]]);
            close(by_angle.as_slice().unwrap(), &[-x[0] * s - x[1] * c, x[0] * c - x[1] * s]);
            close(&y, &[x[0] * c - x[1] * s, x[0] * s + x[1] * c]);
        }
    }
}

/// Passive values decide what is done.
#[differentiable]
fn mixed(x: &[f64], weight: f64, n: usize, fold: bool) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let v = x[i] * weight;
        sum += if fold && v < 0.0 || v > 1.0 { -v } else { v * v };
    }
    sum
}

/// Passive values behind references.
#[differentiable(constant(weights, order, name))]
fn combined(x: &[f64], weights: &[f64], order: &[usize], name: &str) -> f64 {
    let mut sum = 0.0;
    for (w, i) in weights.iter().zip(order) {
        sum += w * x[*i] * x[*i];
    }
    if name == "half" { 0.5 * sum } else { sum }
}

#[test]
fn replays_compare_slices_and_strings() {
    let x = [1.0, 2.0, 3.0];
    let (weights, order) = ([2.0, 5.0], [0usize, 2]);
    let mut prepared = prepare_gradient(
        combined::D,
        AutoTape.replayed(),
        (&x, Constant(&weights[..]), Constant(&order[..]), Constant("whole")),
    )
    .unwrap();
    for (weights, order, name, expected) in [
        (vec![2.0, 5.0], vec![0usize, 2], "whole", [4.0, 0.0, 30.0]),
        (vec![2.0, 4.0], vec![0, 2], "whole", [4.0, 0.0, 24.0]),
        (vec![2.0, 4.0], vec![0, 1], "whole", [4.0, 16.0, 0.0]),
        (vec![2.0, 4.0], vec![0, 1], "half", [2.0, 8.0, 0.0]),
        (vec![2.0], vec![0, 1], "half", [2.0, 0.0, 0.0]),
    ] {
        for _ in 0..2 {
            assert_eq!(
                prepared.gradient((&x, Constant(&weights[..]), Constant(&order[..]), Constant(name))).unwrap(),
                expected
            );
        }
    }
}

fn mixed_gradient(x: &[f64], weight: f64, n: usize, fold: bool) -> (Vec<f64>, f64) {
    let (mut g, mut by_weight) = (vec![0.0; x.len()], 0.0);
    for i in 0..n {
        let v = x[i] * weight;
        let slope = if fold && v < 0.0 || v > 1.0 { -1.0 } else { 2.0 * v };
        g[i] = slope * weight;
        by_weight += slope * x[i];
    }
    (g, by_weight)
}

/// Constants and passive values of later calls are those of the calls, not of the recording.
#[test]
fn replays_see_constants() {
    let x = [0.5, -0.3, 0.9];
    let mut by_x =
        prepare_gradient(mixed::D, AutoTape.replayed(), (&x, Constant(1.5), Constant(2), Constant(true))).unwrap();
    let mut by_all = prepare_gradient(mixed::D, AutoTape.replayed(), (&x, 1.5, Constant(2), Constant(true))).unwrap();
    for (weight, n, fold) in [(1.5, 2, true), (0.7, 2, true), (0.7, 3, true), (3.0, 3, false), (-2.0, 1, true)] {
        let (g, by_weight) = mixed_gradient(&x, weight, n, fold);
        close(&by_x.gradient((&x, Constant(weight), Constant(n), Constant(fold))).unwrap(), &g);
        let (value, (gx, gw)) = by_all.value_and_gradient((&x, weight, Constant(n), Constant(fold))).unwrap();
        close(&gx, &g);
        close(&[value, gw], &[mixed(&x, weight, n, fold), by_weight]);
    }
}

/// A number that an index depends on.
#[differentiable]
fn table(x: &[f64], at: f64) -> f64 {
    x[at as usize] * at
}

#[test]
fn replays_see_indices() {
    let x = [2.0, 3.0, 5.0];
    let mut prepared = prepare_gradient(table::D, AutoTape.replayed(), (&x, 0.5)).unwrap();
    for (at, by_x) in [(0.5, [0.5, 0.0, 0.0]), (1.5, [0.0, 1.5, 0.0]), (2.25, [0.0, 0.0, 2.25])] {
        let (gx, ga) = prepared.gradient((&x, at)).unwrap();
        close(&gx, &by_x);
        close(&[ga], &[x[at as usize]]);
    }
}

#[differentiable]
fn grows(x: &[f32], n: usize) -> Vec<f32> {
    (0..n).map(|i| x[0] * x[1].powi(i as i32)).collect()
}

#[test]
fn results_of_other_lengths_and_of_single_precision() {
    let x = [2.0f32, 3.0];
    let mut prepared = prepare_pullback(grows::D, AutoTape.replayed(), (&x, Constant(3)), [0.0f32, 0.0, 1.0]).unwrap();
    assert_eq!(prepared.pullback((&x, Constant(3)), [0.0f32, 0.0, 1.0]).unwrap(), [9.0, 12.0]);
    assert_eq!(prepared.pullback((&x, Constant(3)), [0.0f32, 1.0, 1.0]).unwrap(), [12.0, 14.0]);
    assert_eq!(pullback(grows::D, AutoTape, (&x, Constant(2)), [1.0f32, 1.0]).unwrap(), [4.0, 2.0]);
}

#[differentiable]
fn fails(x: f64, limit: f64) -> f64 {
    assert!(x < limit, "too large");
    x * x
}

#[test]
fn panics_leave_the_tape_usable() {
    let mut prepared = prepare_gradient(fails::D, AutoTape.replayed(), (1.0, Constant(2.0))).unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| prepared.gradient((3.0, Constant(2.0)))));
    assert!(panicked.is_err());
    assert_eq!(prepared.gradient((1.5, Constant(2.0))).unwrap(), 3.0);
    assert_eq!(gradient(fails::D, AutoTape, (1.5, Constant(2.0))).unwrap(), 3.0);
}

fn cubic(x: &[f64]) -> [[f64; 2]; 2] {
    [[6.0 * x[0] * x[1], 3.0 * x[0] * x[0]], [3.0 * x[0] * x[0], -x[1].sin()]]
}

#[differentiable]
fn hilly(x: &[f64]) -> f64 {
    x[0] * x[0] * x[0] * x[1] + x[1].sin()
}

#[differentiable]
fn helix(t: f64) -> [f64; 3] {
    [t.cos(), t.sin(), t * t * t]
}

#[test]
fn second_derivatives() {
    let x = [0.7, -1.2];
    let h = cubic(&x);
    for backend in [AutoTape, AutoTape.replayed()] {
        close(hessian(hilly::D, backend, &x).unwrap().as_slice().unwrap(), &h.concat());
        let mut prepared = prepare_hvp(hilly::D, backend, &[0.1, 0.2], [1.0, 0.0]).unwrap();
        let (g, hv) = prepared.gradient_and_hvp(&x, [2.0, -1.0]).unwrap();
        close(&g, &[3.0 * x[0] * x[0] * x[1], x[0].powi(3) + x[1].cos()]);
        close(&hv, &[2.0 * h[0][0] - h[0][1], 2.0 * h[1][0] - h[1][1]]);
        let t = 0.4f64;
        let (y, first, second) = value_derivative_and_second_derivative(helix::D, backend, t).unwrap();
        close(&y, &helix(t));
        close(&first, &[-t.sin(), t.cos(), 3.0 * t * t]);
        close(&second, &[-t.cos(), -t.sin(), 6.0 * t]);
    }
    close(hessian(hilly::D, SecondOrder(AutoDual, AutoTape), &x).unwrap().as_slice().unwrap(), &h.concat());
    close(
        hessian(hilly::D, SecondOrder(AutoForward, AutoTape.replayed()), &x).unwrap().as_slice().unwrap(),
        &h.concat(),
    );
}
