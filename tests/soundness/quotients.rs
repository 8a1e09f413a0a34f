//! Quotients of numbers near the end of the range: a derivative that is a number is found as that number, though `y / b` is infinite.

use diffi::prelude::*;

/// `f = p * (y / r)`, as Bessel functions are scaled.
#[differentiable]
fn scaled(x: &[f64]) -> f64 {
    x[0] * (x[1] / x[2])
}

/// The same with a constant over the bar.
#[differentiable]
fn scaled_constant(x: &[f64]) -> f64 {
    x[0] * (1e-300 / x[2]) + 0.0 * x[1]
}

/// The same by a reciprocal, and by a quotient that is one.
#[differentiable]
fn scaled_reciprocals(x: &[f64]) -> f64 {
    x[0] * x[2].recip() + x[0] * (1.0 / x[2]) + 0.0 * x[1]
}

/// Divisors that change in proportion to their own size.
#[differentiable]
fn small_divisors(x: &[f64]) -> f64 {
    let r = x[2] * 1e-280;
    1e-280 * (x[0] * r.recip() + x[1] * (1.0 / r) + x[0] * (x[1] / r))
}

#[differentiable]
fn scaled_in_place(x: &[f64]) -> f64 {
    let mut y = x[1];
    y /= x[2];
    y *= x[0];
    y
}

/// Over elements, in a loop.
#[differentiable]
fn scaled_sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..x.len() / 3 {
        let q = x[3 * k + 1] / x[3 * k + 2];
        sum += x[3 * k] * q;
    }
    sum
}

fn near(found: f64, expected: f64) -> bool {
    found == expected || (found - expected).abs() <= 1e-12 * expected.abs()
}

#[track_caller]
fn all_near(what: &str, found: &[f64], expected: &[f64]) {
    let near = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| near(*a, *b));
    assert!(near, "{what} is\n{found:?}, but should be\n{expected:?}");
}

/// The points: `p`, `y` and `r`.
const POINTS: [[f64; 3]; 3] = [[0.5, 3e-292, 1e-292], [1.5, 2e-160, -1e-160], [3e-10, 1e-300, 2e-300]];

/// Where `y / r` changes at an infinite rate, and its product with `p` does not: forward mode has to pass through the former.
const STEEP: [[f64; 3]; 2] = [[2e-290, 0.5, 1e-292], [1e-300, 3e-20, 1e-160]];

fn gradient_of_scaled([p, y, r]: [f64; 3]) -> [f64; 3] {
    [y / r, p / r, -(p * (y / r)) / r]
}

macro_rules! gradients {
    ($f:ident, $x:expr, $expected:expr, [$($backend:expr),*]) => {
        $(all_near(
            concat!(stringify!($f), " by ", stringify!($backend)),
            &diffi::gradient($f::D, $backend, &$x[..]).unwrap(),
            &$expected,
        );)*
    };
}

macro_rules! by_cotangents {
    ($f:ident, $x:expr, $expected:expr) => {
        gradients!($f, $x, $expected, [AutoReverse, AutoTape, AutoSymbolic])
    };
}

macro_rules! by_all {
    ($f:ident, $x:expr, $expected:expr) => {
        by_cotangents!($f, $x, $expected);
        gradients!($f, $x, $expected, [AutoForward, AutoDual, AutoHyperDual, AutoTaylor])
    };
}

#[test]
fn first_derivatives_are_numbers() {
    for x in POINTS {
        let expected = gradient_of_scaled(x);
        assert!(expected.iter().all(|v| v.is_finite()));
        by_all!(scaled, x, expected);
        by_all!(scaled_in_place, x, expected);
        let twice = [x, x].concat();
        let (both, expected) = (&twice, [expected, expected].concat());
        by_all!(scaled_sum, both, expected);
    }
}

#[test]
fn steep_quotients_in_reverse() {
    for x in STEEP {
        by_cotangents!(scaled, x, gradient_of_scaled(x));
        by_cotangents!(scaled_in_place, x, gradient_of_scaled(x));
    }
    let [p, r] = [3e-300, 2e-292];
    by_cotangents!(scaled_reciprocals, [p, 0.3, r], [2.0 / r, 0.0, -2.0 * (p / r) / r]);
}

#[test]
fn of_constants_and_reciprocals() {
    for [p, r] in [[1e-8, 1e-292], [1e-20, -3e-280]] {
        by_all!(scaled_constant, [p, 0.3, r], [1e-300 / r, 0.0, -(p * (1e-300 / r)) / r]);
    }
    let [p, q, r] = [2.0, 3.0, 0.5];
    by_all!(small_divisors, [p, q, r], [(1.0 + q) / r, (1.0 + p) / r, -(p + q + p * q) / r / r]);
}

/// `H v` of `p * (y / r)`, by hand and in an order in which nothing overflows.
fn product_of_scaled([p, y, r]: [f64; 3], [dp, dy, dr]: [f64; 3]) -> [f64; 3] {
    let q = y / r;
    let q_dot = (dy - q * dr) / r;
    let flow = p / r;
    let flow_dot = (dp - flow * dr) / r;
    [q_dot, flow_dot, -(flow_dot * q + flow * q_dot)]
}

/// Points, and directions in proportion to the numbers.
const DIRECTIONS: [([f64; 3], [f64; 3]); 3] = [
    ([0.5, 3e-292, 1e-292], [0.3, 2e-292, -1e-292]),
    ([1.5, 2e-160, -1e-160], [0.3, 2e-160, 4e-161]),
    ([3.0, 1e-300, 2e-300], [0.3, 1e-300, -1e-300]),
];

/// Where derivatives along the axes are infinite, and `p` or the direction makes up for it.
const STEEP_DIRECTIONS: [([f64; 3], [f64; 3]); 2] =
    [([1e-292, 0.5, 1e-292], [0.3e-292, 0.7, -1e-293]), ([1e-300, 1e-160, 1e-160], [0.0, 0.0, 1.0])];

macro_rules! products {
    ($f:ident, $x:expr, $v:expr, $expected:expr, [$($backend:expr),*]) => {
        $(all_near(
            concat!(stringify!($f), ", second order by ", stringify!($backend)),
            &diffi::hvp($f::D, $backend, &$x[..], &$v[..]).unwrap(),
            &$expected,
        );)*
    };
}

#[test]
fn second_derivatives_are_numbers() {
    for (x, v) in DIRECTIONS {
        let expected = product_of_scaled(x, v);
        assert!(expected.iter().all(|v| v.is_finite()));
        products!(
            scaled,
            x,
            v,
            expected,
            [AutoReverse, AutoForward, AutoDual, AutoTape, AutoSymbolic, AutoHyperDual, AutoTaylor]
        );
        products!(scaled_in_place, x, v, expected, [AutoReverse, AutoTape]);
    }
    for (x, v) in STEEP_DIRECTIONS {
        let expected = product_of_scaled(x, v);
        products!(scaled, x, v, expected, [AutoReverse, AutoTape, AutoSymbolic]);
        products!(scaled_in_place, x, v, expected, [AutoReverse, AutoTape]);
    }
}

#[differentiable]
fn of_small(t: f64) -> f64 {
    let r = 1e-160 * (1.0 + t);
    let y = 1e-160 * t * t;
    y / r
}

#[test]
fn second_derivatives_of_one_number() {
    // t² / (1 + t)
    let t: f64 = 0.7;
    let expected = 2.0 / (1.0 + t).powi(3);
    macro_rules! each {
        ($($backend:expr),*) => {
            $(all_near(stringify!($backend), &[diffi::second_derivative(of_small::D, $backend, t).unwrap()], &[expected]);)*
        };
    }
    each!(AutoReverse, AutoForward, AutoDual, AutoTape, AutoSymbolic, AutoHyperDual, AutoTaylor);
}

/// Reciprocals in a recurrence, whose second derivatives have a rule of their own.
#[differentiable]
fn reciprocals(x: &[f64]) -> f64 {
    let mut y = 0.3;
    for v in x {
        y = 1.0 / (x[0] + v * y * y) + (v * y + 2.0).recip() / x[1];
    }
    y
}

crate::check::sound!(reciprocals);
