//! How often operators call the function: as the table of backends says, and never more.

use std::cell::Cell;

use diffi::prelude::*;
use diffi::{Row, TABLE};

thread_local! {
    pub static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// Counts a call.
fn tick() {
    CALLS.set(CALLS.get() + 1);
}

#[differentiable]
pub fn chain(x: &[f64]) -> f64 {
    tick();
    let mut sum = 0.0;
    for w in x.windows(2) {
        sum += w[0] * w[0] * w[1];
    }
    sum
}

#[differentiable]
pub fn neighbours(x: &[f64]) -> Vec<f64> {
    tick();
    x.windows(2).map(|w| w[0] * w[1]).collect()
}

#[differentiable(output(y))]
fn neighbours_written(x: &[f64], y: &mut [f64]) {
    tick();
    for i in 0..y.len() {
        y[i] = x[i] * x[i + 1];
    }
}

#[differentiable]
fn waves(x: f64) -> [f64; 3] {
    tick();
    [x.sin(), x.cos(), x * x]
}

/// What a call gives, and how often it called the function.
macro_rules! counted {
    ($call:expr) => {{
        $crate::evaluations::CALLS.set(0);
        let result = $call.unwrap();
        (result, $crate::evaluations::CALLS.replace(0))
    }};
}
pub(crate) use counted;

fn row(backend: &str) -> &'static Row {
    TABLE.iter().find(|row| row.backend == backend).expect("the backend has a row")
}

/// The calls of a strategy for one column or row of the Jacobian, or for all of `n` by `m`.
fn one(strategy: &str, of_pushes: usize, of_pulls: usize) -> usize {
    match strategy {
        "ByPushes" | "ByForward" => of_pushes.div_ceil(8),
        "ByPulls" | "ByReverse" => of_pulls.div_ceil(8),
        "ByCost" if of_pushes.div_ceil(8) <= 2 * of_pulls.div_ceil(8) => of_pushes.div_ceil(8),
        "ByCost" => of_pulls.div_ceil(8),
        other => panic!("no count is known for {other}"),
    }
}

/// A row is the backend's name in the table, and the backend.
macro_rules! first_order {
    ($($name:ident: $row:literal $backend:expr;)+) => { $(
        #[test]
        fn $name() {
            let (row, b) = (row($row), $backend);
            let x: Vec<f64> = (0..20).map(f64::from).collect();
            let mut y = vec![0.0; 19];
            let (n, m) = (x.len(), y.len());
            let (dx, dy) = (x.clone(), y.clone());

            let once = one(row.pushforward, 1, m);
            assert_eq!(counted!(pushforward(neighbours::D, b, &x, &dx)).1, once);
            assert_eq!(counted!(value_and_pushforward(neighbours::D, b, &x, [&dx, &dx])).1, once);
            assert_eq!(counted!(value_and_pushforward(neighbours_written::D, b, (&x, &mut y), &dx)).1, once);
            assert_eq!(counted!(derivative(waves::D, b, 0.3)).1, one(row.pushforward, 1, 3));
            assert_eq!(counted!(value_and_derivative(waves::D, b, 0.3)).1, one(row.pushforward, 1, 3));

            let once = one(row.pullback, n, 1);
            assert_eq!(counted!(pullback(neighbours::D, b, &x, &dy)).1, once);
            assert_eq!(counted!(value_and_pullback(neighbours::D, b, &x, [&dy, &dy])).1, once);
            assert_eq!(counted!(value_and_pullback(neighbours_written::D, b, (&x, &mut y), &dy)).1, once);
            assert_eq!(counted!(gradient(chain::D, b, &x)).1, one(row.gradient, n, 1));
            assert_eq!(counted!(value_and_gradient(chain::D, b, &x)).1, one(row.gradient, n, 1));

            let all = one(row.jacobian, n, m);
            assert_eq!(counted!(value_and_jacobian(neighbours_written::D, b, (&x, &mut y))).1, all);
            // one call more tells the number of outputs, where that decides
            let told = usize::from(row.jacobian == "ByCost");
            assert_eq!(counted!(value_and_jacobian(neighbours::D, b, &x)).1, all + told);
            assert_eq!(counted!(jacobian(chain::D, b, &x)).1, one(row.jacobian, n, 1));

            let (mut prep, calls) = counted!(prepare_gradient(chain::D, b, &x));
            assert!(calls <= once.max(1), "preparation calls {calls} times");
            assert_eq!(counted!(prep.value_and_gradient(&x)).1, one(row.gradient, n, 1));
            let (mut prep, calls) = counted!(prepare_jacobian(neighbours::D, b, &x));
            assert!(calls <= 1 + told, "preparation calls {calls} times");
            assert_eq!(counted!(prep.value_and_jacobian(&x)).1, all);
        }
    )+ };
}

first_order! {
    forward: "AutoForward" AutoForward;
    reverse: "AutoReverse" AutoReverse;
    mixed_mode: "MixedMode<F, R>" MixedMode(AutoForward, AutoReverse);
    forward_from_primitive: "AutoForwardFromPrimitive<B>" AutoForwardFromPrimitive(AutoForward);
    reverse_from_primitive: "AutoReverseFromPrimitive<B>" AutoReverseFromPrimitive(AutoReverse);
    zero: "AutoZero" AutoZero;
}

macro_rules! second_order {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() {
            let b = $backend;
            let x: Vec<f64> = (0..20).map(f64::from).collect();
            assert_eq!(counted!(hvp(chain::D, b, &x, &x)).1, 1);
            assert_eq!(counted!(gradient_and_hvp(chain::D, b, &x, [&x, &x])).1, 1);
            assert_eq!(counted!(hessian(chain::D, b, &x)).1, 3);
            assert_eq!(counted!(value_gradient_and_hessian(chain::D, b, &x)).1, 3);
            assert_eq!(counted!(second_derivative(waves::D, b, 0.3)).1, 3);
            assert_eq!(counted!(value_derivative_and_second_derivative(waves::D, b, 0.3)).1, 3);
            let (mut at, calls) = counted!(prepare_hvp_same_point(chain::D, b, &x, &x));
            assert_eq!(calls, 1);
            assert_eq!(counted!(at.hvp(&x)).1, 1);
        }
    )+ };
}

second_order! {
    second_order_of_forward: AutoForward;
    second_order_of_reverse: AutoReverse;
    forward_over_reverse: SecondOrder(AutoForward, AutoReverse);
}

#[test]
fn second_order_by_differences() {
    let x: Vec<f64> = (0..20).map(f64::from).collect();
    let b = SecondOrder(AutoFiniteDiff, AutoReverse);
    assert_eq!(counted!(hvp(chain::D, b, &x, &x)).1, 2);
    assert_eq!(counted!(gradient_and_hvp(chain::D, b, &x, &x)).1, 3);
    assert_eq!(counted!(hessian(chain::D, b, &x)).1, 40);
    assert_eq!(counted!(value_gradient_and_hessian(chain::D, b, &x)).1, 41);
    let b = SecondOrder(AutoFiniteDiff, AutoForward);
    assert_eq!(counted!(second_derivative(waves::D, b, 0.3)).1, 2);
    assert_eq!(counted!(value_derivative_and_second_derivative(waves::D, b, 0.3)).1, 3);
}

#[test]
fn a_held_tape_is_recorded_once() {
    let x = [1.0, 2.0, 3.0];
    let (mut at, calls) = counted!(prepare_pullback_same_point(neighbours::D, AutoReverse, &x, &[0.0; 2]));
    assert_eq!(calls, 1);
    for _ in 0..3 {
        assert_eq!(counted!(at.pullback(&[1.0, 0.0])), (vec![2.0, 1.0, 0.0], 0));
    }
}
