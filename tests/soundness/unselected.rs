//! Values that nothing passes on, where their own derivatives are infinite or NaN: they have no part in the derivative, in any mode.

use diffi::prelude::*;

/// `unselected!`: the gradients of functions in forward and reverse mode, and what they should be.
macro_rules! unselected {
    ($($f:ident at $at:expr, $gradient:expr, |$x:ident| $body:block)*) => {
        $(#[differentiable]
        fn $f($x: &[f64]) -> f64 $body)*

        #[test]
        fn unselected() {
            $({
                let (at, expected) = ($at, $gradient);
                let reverse = gradient($f::D, AutoReverse, &at[..]).unwrap();
                crate::check::close(concat!(stringify!($f), ", reverse"), &reverse, &expected, 1e-12);
                let forward = gradient($f::D, AutoForward, &at[..]).unwrap();
                crate::check::close(concat!(stringify!($f), ", forward"), &forward, &expected, 1e-12);
            })*
        }
    };
}

#[differentiable]
fn root(v: f64) -> f64 {
    v.sqrt()
}

#[differentiable]
fn three(v: f64) -> [f64; 3] {
    [v.sqrt(), v * v, v.ln()]
}

unselected! {
    beside at [0.0, 2.0], [f64::INFINITY, 1.0], |x| { x[0].sqrt() + x[1] }
    loser_of_max at [0.0, 3.0], [0.0, 1.0], |x| { x[0].sqrt().max(x[1]) }
    second_loser_of_max at [-1.0, 3.0], [0.0, 1.0], |x| { x[1].max(x[0].sqrt()) }
    loser_of_min at [0.0, 2.0], [0.0, 1.0], |x| { (x[1] / x[0]).min(x[1]) }
    out_of_bounds at [0.0], [0.0], |x| { x[0].ln().clamp(-5.0, 2.0) }
    bound at [0.0, 0.3], [0.0, 1.0], |x| { x[1].clamp(x[0].sqrt(), 2.0) }
    kink at [0.0], [0.0], |x| { x[0].sqrt().abs() }
    factor at [0.0, 0.0], [0.0, 0.0], |x| { x[1] * x[1] * x[0].sqrt() }
    element at [0.0], [0.0], |x| { let a = [x[0].sqrt(), x[0] * x[0]]; a[1] }
    row at [0.0, 2.0], [0.0, 1.0], |x| { let p = [[x[0].sqrt(), x[1]], [x[0].ln(), 1.0]]; p[0][1] }
    collected at [0.0, 2.0], [0.0, 0.5], |x| { let b: Vec<f64> = x.iter().map(|v| v.ln()).collect(); b[1] }
    filled at [0.0, 2.0], [0.0, 0.5], |x| {
        let mut b = [0.0; 2];
        for i in 0..2 {
            b[i] = x[i].ln();
        }
        let mut s = 0.0;
        for i in 0..2 {
            if x[i] > 0.0 {
                s += b[i];
            }
        }
        s
    }
    sorted at [0.0, 2.0], [0.0, 0.5], |x| {
        let mut b: Vec<f64> = x.iter().map(|v| v.ln()).collect();
        b.sort_by(|a, b| b.partial_cmp(a).unwrap());
        b[0]
    }
    pushed at [0.0, 4.0], [0.0, 0.25], |x| {
        let mut v = Vec::new();
        for i in 0..2 {
            v.push(x[i].sqrt());
        }
        v.pop().unwrap()
    }
    branch at [0.0, 1.0], [0.0, 1.0], |x| {
        let r = x[0].sqrt();
        let q = r * 2.0;
        if x[1] > 2.0 { q } else { x[1] }
    }
    overwritten at [0.0, 2.0], [0.0, 1.0], |x| {
        let mut y = x[0].sqrt();
        if x[1] > 1.0 {
            y = x[1];
        }
        y
    }
    last_iteration at [0.0, 4.0], [0.0, 0.25], |x| {
        let (mut i, mut r) = (0, 0.0);
        while i < 2 {
            r = x[i].sqrt();
            i += 1;
        }
        r
    }
    no_iteration at [0.0, 4.0], [1.0, 1.0], |x| {
        let r = x[0].sqrt();
        let mut s = x[0] + x[1];
        for i in 2..x.len() {
            s += r * x[i];
        }
        s
    }
    largest at [0.0, 2.0], [0.0, 1.0], |x| { x.iter().map(|v| v.sqrt()).fold(x[1], f64::max) }
    sum_of_largest at [0.0, 4.0], [0.0, 0.25], |x| { x.iter().map(|v| v.sqrt().max(0.5)).sum() }
    call at [0.0, 1.0], [0.0, 1.0], |x| { (root(x[0]) * 2.0).max(x[1]) }
    result_of_call at [0.0], [0.0], |x| { three(x[0])[1] }
    closure at [0.0, 4.0], [0.0, 0.25], |x| { let f = |v: f64| v.sqrt().max(0.5); f(x[0]) + f(x[1]) }
    not_a_number at [-1.0, 2.0], [0.0, 0.0], |x| { (x[1] * x[0].sqrt()).max(0.5) }
    sine_of_none at [-1.0, 2.0], [0.0, 0.0], |x| { (x[1] + x[0].sqrt().sin()).max(0.5) }
    square_of_none at [-1.0], [0.0], |x| { (x[0].ln() * x[0].ln()).max(0.5) }
    over_none at [-1.0, 2.0], [0.0, 0.0], |x| { (x[1] / x[0].sqrt()).max(0.5) }
    power at [-1.0, 2.0], [0.0, 0.0], |x| { x[0].powf(x[1] - 1.5).max(0.5) }
    inverse_power at [0.0], [0.0], |x| { x[0].powi(-2).min(0.5) }
    norm at [0.0, 0.0], [0.0, 0.0], |x| { x.iter().map(|v| v * v).sum::<f64>().sqrt().max(0.5) }
    overflow at [1000.0], [0.0], |x| { x[0].exp().min(10.0) }
    remainder at [0.0, 2.0], [0.0, 1.0], |x| { (x[1] % x[0]).max(x[1]) }
    euclidean_remainder at [0.0, 2.0], [0.0, 1.0], |x| { if x[1] > 1.0 { x[1] } else { x[1].rem_euclid(x[0]) } }
    remainder_by_none at [0.0, 2.0], [0.0, 1.0], |x| { x[1] % x[0].ln() }
    exponential_of_logarithm at [0.0], [0.0], |x| { x[0].ln().exp() }
    angle_of_inverse at [0.0], [0.0], |x| { 1.0f64.atan2(x[0].powi(-1)) }
    over_zero at [3.0], [1.0], |x| { let q = x[0] / 0.0; if x[0] > 1.0 { x[0] } else { q } }
    saturated at [-1000.0, 2.0], [0.0, 0.0], |x| { x[1] / (1.0 + (-x[0]).exp()) }
}

/// The same where number types overload arithmetic.
macro_rules! of_numbers {
    ($($f:ident)*) => {
        #[test]
        fn of_numbers() {
            $({
                let at = &AT[..];
                let expected = gradient($f::D, AutoReverse, at).unwrap();
                assert!(expected.iter().all(|d| d.is_finite()), "{}: {expected:?}", stringify!($f));
                let same = |backend: &str, found: diffi::Result<Vec<f64>>| {
                    assert_eq!(found.unwrap(), expected, "{}, {backend}", stringify!($f));
                };
                same("dual", gradient($f::D, AutoDual::default(), at));
                same("chunks", gradient($f::D, AutoDual::default().chunk_size(1), at));
                same("safe", gradient($f::D, AutoDual::default().nan_safe(), at));
                same("hyper-dual", gradient($f::D, AutoHyperDual, at));
                same("Taylor", gradient($f::D, AutoTaylor::default(), at));
                same("tape", gradient($f::D, AutoTape::default(), at));
                same("symbolic", gradient($f::D, AutoSymbolic::default(), at));
                let curved = hessian($f::D, AutoReverse, at).unwrap();
                assert_eq!(hessian($f::D, AutoDual::default(), at).unwrap(), curved, "{}", stringify!($f));
                assert_eq!(hessian($f::D, AutoHyperDual, at).unwrap(), curved, "{}", stringify!($f));
            })*
        }
    };
}

/// At the end of the square root's domain, beyond it, and inside.
const AT: [f64; 3] = [0.0, -1.0, 3.0];

macro_rules! of_three {
    ($($f:ident |$x:ident| $body:expr;)*) => {
        $(#[differentiable]
        fn $f($x: &[f64]) -> f64 {
            $body
        })*
        of_numbers! { $($f)* }
    };
}

of_three! {
    max_first |x| x[0].sqrt().max(x[2] * x[2]) + x[1].sqrt().max(x[2]);
    max_last |x| x[2].max(x[0].sqrt()) + (x[2] * x[2]).max(x[1].ln());
    min_both |x| x[0].ln().abs().min(x[2]) + x[2].min(x[1].sqrt());
    max_constant |x| x[0].sqrt().max(0.5) + x[1].sqrt().max(0.5) * x[2] * x[2];
    clamp_number |x| x[0].ln().clamp(-5.0, 2.0) * x[2];
    clamp_bounds |x| x[2].clamp(x[0].sqrt(), 7.0) + x[2].clamp(1.0, 3.5 + x[0].sqrt()) * x[2];
    abs_at_zero |x| x[0].sqrt().abs() + x[0].sqrt().copysign(x[2]) + x[2] * x[2];
    copysign_sign |x| x[2].copysign(x[0].sqrt()) * x[2];
}
