//! `AutoFiniteDiff`: FiniteDiff's row.

use crate::functions::*;
use diffi::Differences;
use diffi::prelude::*;
use std::cell::{Cell, RefCell};

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static SEEN: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

fn counted(x: &[f64]) -> f64 {
    CALLS.set(CALLS.get() + 1);
    SEEN.with_borrow_mut(|seen| seen.push(x[0]));
    x.iter().map(|v| v * v * v).sum()
}

/// The points where a gradient calls the function, without preparation's.
fn calls(backend: AutoFiniteDiff, x: &[f64]) -> (Vec<f64>, usize) {
    let f = |x: &[f64]| counted(x);
    let mut prepared = prepare_gradient(f, backend, x).unwrap();
    CALLS.set(0);
    SEEN.take();
    let g = prepared.gradient(x).unwrap();
    (g, CALLS.get())
}

/// Forward `n + 1`, central `2 n`.
#[test]
fn finite_diff_call_counts() {
    for n in [1, 3, 8, 13] {
        let x = point(n.max(2));
        let n = x.len();
        let (g, count) = calls(AutoFiniteDiff.differences(Differences::Forward), &x);
        assert_eq!(count, n + 1);
        close(&g, &x.iter().map(|v| 3.0 * v * v).collect::<Vec<_>>(), 1e-6);
        let (g, count) = calls(AutoFiniteDiff, &x);
        assert_eq!(count, 2 * n);
        close(&g, &x.iter().map(|v| 3.0 * v * v).collect::<Vec<_>>(), 1e-9);
    }
}

/// `max(relative * |x|, absolute)`, with the sign of the direction; what the user passes is not changed.
#[test]
fn finite_diff_steps() {
    let forward = AutoFiniteDiff.differences(Differences::Forward);
    let steps = |backend: AutoFiniteDiff, x: f64| {
        calls(backend, &[x]);
        SEEN.take().into_iter().map(|seen| seen - x).filter(|step| *step != 0.0).collect::<Vec<f64>>()
    };
    close(&steps(forward, 100.0), &[100.0 * f64::EPSILON.sqrt()], 1e-12);
    close(&steps(forward, 1e-3), &[f64::EPSILON.sqrt()], 1e-12);
    close(&steps(forward.backward(), 100.0), &[-100.0 * f64::EPSILON.sqrt()], 1e-12);
    close(&steps(forward.relative_step(0.25).absolute_step(0.125), 100.0), &[25.0], 1e-15);
    close(&steps(forward.relative_step(0.25).absolute_step(0.125), 0.1), &[0.125], 1e-15);
    close(&steps(AutoFiniteDiff, 2.0), &[2.0 * f64::EPSILON.cbrt(), -2.0 * f64::EPSILON.cbrt()], 1e-12);
    assert_eq!(format!("{:?}", forward.backward()), "AutoFiniteDiff.differences(Differences::Forward).backward()");
}

/// At the end of a domain only one side can be seen.
#[test]
fn finite_diff_looks_the_other_way() {
    let f = |x: f64| (1.0 - x).sqrt();
    let found =
        derivative(f, AutoFiniteDiff.differences(Differences::Forward).backward().absolute_step(1e-9), 1.0 - 1e-8);
    assert!(found.unwrap().is_finite());
    assert!(
        derivative(f, AutoFiniteDiff.differences(Differences::Forward).absolute_step(1e-7), 1.0 - 1e-8)
            .unwrap()
            .is_nan()
    );
}

/// Differences of differences, and of gradients; what is given stays as it is.
#[test]
fn finite_diff_hessians() {
    let x = [0.3, -1.1, 0.8f64];
    let f = |x: &[f64]| x[0] * x[1] * x[1] + x[2].sin() * x[0];
    let exact = [0.0, 2.0 * x[1], x[2].cos(), 2.0 * x[1], 2.0 * x[0], 0.0, x[2].cos(), 0.0, -x[2].sin() * x[0]];
    close(hessian(f, AutoFiniteDiff, &x).unwrap().as_slice().unwrap(), &exact, 1e-4);
    #[differentiable]
    fn same(x: &[f64]) -> f64 {
        x[0] * x[1] * x[1] + x[2].sin() * x[0]
    }
    let by_gradients = SecondOrder(AutoFiniteDiff, AutoReverse);
    close(hessian(same::D, by_gradients, &x).unwrap().as_slice().unwrap(), &exact, 1e-7);
}

/// A default step is the cube root of the rounding error for central differences, its square root for forward ones, in proportion to the
/// number.
#[test]
fn finite_diff_default_steps() {
    for (differences, power) in [(Differences::Central, 3.0), (Differences::Forward, 2.0)] {
        let x = [8.0, 1.0];
        calls(AutoFiniteDiff.differences(differences), &x);
        let steps = SEEN.with_borrow(|seen| seen.iter().map(|seen| (seen - x[0]).abs()).fold(0.0, f64::max));
        let expected = 8.0 * f64::EPSILON.powf(1.0 / power);
        assert!((steps / expected - 1.0).abs() < 1e-3, "{differences:?}: {steps}, expected {expected}");
    }
}
