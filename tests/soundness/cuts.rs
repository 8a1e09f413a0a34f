//! Users' cuts: the value stays, and derivatives of every order stop.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

fn product(x: &[f64]) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn numbers(x: &[f64]) -> f64 {
    let c = stop_gradient(x[0] * x[1]);
    c * x[0] + x[1] * x[1] * constant!(x[0].sin()) + stop_gradient(product(x))
}

fn numbers_at(x: &[f64], at: &[f64]) -> f64 {
    at[0] * at[1] * x[0] + x[1] * x[1] * at[0].sin() + product(at)
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let v = stop_gradient(x.to_vec());
    let [p, q] = stop_gradient([x[0] * x[0], x[1]]);
    let mut s = 0.0;
    for (w, y) in v.iter().zip(x) {
        s += w * y * y;
    }
    s + p * x[1] + q * x[0] + x.iter().copied().map(stop_gradient).sum::<f64>()
}

fn lists_at(x: &[f64], at: &[f64]) -> f64 {
    at[0] * x[0] * x[0] + at[1] * x[1] * x[1] + at[0] * at[0] * x[1] + at[1] * x[0] + at[0] + at[1]
}

#[differentiable]
fn changing(x: &[f64]) -> f64 {
    let mut state = x[0];
    for k in 0..3 {
        let kept = diffi::stop_gradient(state);
        state = kept * x[1] + state * x[0] / (k + 1) as f64;
        if constant!(state) > 1e9 {
            return state;
        }
    }
    state
}

/// The derivative of `changing` where the cut values are constants.
fn changing_gradient(x: &[f64]) -> [f64; 2] {
    let (mut s, mut d) = (x[0], [1.0, 0.0]);
    for k in 0..3 {
        let n = (k + 1) as f64;
        d = [d[0] * x[0] / n + s / n, s + d[1] * x[0] / n];
        s = s * x[1] + s * x[0] / n;
    }
    d
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let p = Pair { a: x[0] * x[1], b: x[1] };
    let c = stop_gradient(p);
    let whole = stop_gradient(x.to_vec());
    c.a * p.b + p.a * c.b * whole[0]
}

fn structs_at(x: &[f64], at: &[f64]) -> f64 {
    at[0] * at[1] * x[1] + x[0] * x[1] * at[1] * at[0]
}

/// First and second derivatives of one that has its cuts as a second argument.
fn expected(f: fn(&[f64], &[f64]) -> f64, at: &[f64]) -> Vec<f64> {
    crate::check::rows(at, &|x| vec![f(x, at)]).concat()
}

macro_rules! by_all {
    ($f:ident, $expected:expr, [$($backend:expr),+]) => {{
        let at = [0.7, 1.3];
        let expected = $expected(&at);
        $(
            let (value, g) = value_and_gradient($f::D, $backend, &at).unwrap();
            crate::check::close(stringify!($f $backend), &Vec::from(g), &expected, 1e-7);
            crate::check::close("value", &[value], &[$f(&at)], 1e-13);
        )+
    }};
}

macro_rules! backends {
    ($f:ident, $expected:expr) => {
        by_all!($f, $expected, [AutoForward, AutoReverse, AutoDual, AutoTape, AutoHyperDual, AutoComplexStep])
    };
}

#[test]
fn every_backend_stops_at_a_cut() {
    backends!(numbers, |at| expected(numbers_at, at));
    backends!(lists, |at| expected(lists_at, at));
    backends!(changing, |at: &[f64]| changing_gradient(at).to_vec());
    by_all!(structs, |at| expected(structs_at, at), [AutoForward, AutoReverse]);
}

#[test]
fn second_derivatives_stop_too() {
    let at = [0.7, 1.3];
    for h in [hessian(numbers::D, AutoReverse, &at).unwrap(), hessian(numbers::D, AutoHyperDual, &at).unwrap()] {
        assert_eq!((h[(0, 0)], h[(0, 1)], h[(1, 0)]), (0.0, 0.0, 0.0));
        assert!((h[(1, 1)] - 2.0 * 0.7f64.sin()).abs() < 1e-14);
    }
}

#[differentiable]
fn rows(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * stop_gradient(x[1]);
    y[1] = constant!(x[0] * x[1]);
}

#[test]
fn patterns_have_no_entry_behind_a_cut() {
    let pattern = jacobian_sparsity(rows::D, TracerSparsityDetector, (&[1.0, 2.0], &mut [0.0, 0.0])).unwrap();
    assert_eq!(pattern.nnz(), 1);
}

mod own {
    use diffi::prelude::differentiable;

    #[differentiable]
    pub fn through(x: f64) -> f64 {
        let r = diffi::stop_gradient::<f64>(x) * x;
        r * r
    }
}

#[test]
fn a_cut_by_its_path() {
    assert_eq!(derivative(own::through::D, AutoReverse, 2.0).unwrap(), 2.0 * 4.0 * 2.0);
}
