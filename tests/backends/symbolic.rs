//! `AutoSymbolic`: values, and the expressions themselves.

use crate::functions;
use diffi::prelude::*;
use diffi::{symbolic_gradient, symbolic_jacobian};
use ndarray::array;

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    functions::close(found, expected, 1e-13);
}

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
}

#[test]
fn the_same_derivatives_at_every_point() {
    let mut prepared = prepare_gradient(rosenbrock::D, AutoSymbolic, &[0.0; 5]).unwrap();
    let mut second = prepare_hessian(rosenbrock::D, AutoSymbolic, &[0.0; 5]).unwrap();
    for k in 0..4 {
        let x: Vec<f64> = (0..5).map(|i| (1.3 * i as f64 + k as f64).sin()).collect();
        let (y, g, h) = value_gradient_and_hessian(rosenbrock::D, AutoReverse, &x).unwrap();
        let (found, slope) = prepared.value_and_gradient(&x).unwrap();
        close(&[found], &[y]);
        close(&slope, &g);
        close(second.hessian(&x).unwrap().as_slice().unwrap(), h.as_slice().unwrap());
    }
}

#[differentiable]
fn rotate(x: &[f64], angle: f64, y: &mut [f64]) {
    y[0] = x[0] * angle.cos() - x[1] * angle.sin();
    y[1] = x[0] * angle.sin() + x[1] * angle.cos();
}

#[test]
fn outputs_and_constants() {
    let (x, mut y) = ([0.3, -1.2], [9.0, 9.0]);
    let mut prepared = prepare_jacobian(rotate::D, AutoSymbolic, (&x, Constant(0.5), &mut y)).unwrap();
    for angle in [0.5, 1.2f64] {
        let (s, c) = angle.sin_cos();
        assert_eq!(prepared.jacobian((&x, Constant(angle), &mut y)).unwrap(), array![[c, -s], [s, c]]);
        close(&y, &[x[0] * c - x[1] * s, x[0] * s + x[1] * c]);
    }
}

#[differentiable]
fn kinked(x: &[f64]) -> f64 {
    x[0].abs() * x[1] + x[0].max(x[1])
}

#[test]
fn second_derivatives_beside_kinks() {
    let mut prepared = prepare_hessian(bent::D, AutoSymbolic, &[1.0, 2.0]).unwrap();
    for x in [[1.0, 2.0], [-1.0, 2.0], [-1.5, -2.0], [2.0, -1.0]] {
        close(
            prepared.hessian(&x).unwrap().as_slice().unwrap(),
            hessian(bent::D, AutoReverse, &x).unwrap().as_slice().unwrap(),
        );
    }
}

#[differentiable]
fn bent(x: &[f64]) -> f64 {
    x[0].abs() * x[1] * x[0] + x[0].max(x[1]).powi(3)
}

/// Slopes at kinks are worked out again on the other side.
#[test]
fn kinks() {
    let mut prepared = prepare_gradient(kinked::D, AutoSymbolic, &[1.0, 2.0]).unwrap();
    for (x, g) in
        [([1.0, 2.0], [2.0, 2.0]), ([-1.0, 2.0], [-2.0, 2.0]), ([3.0, 2.0], [3.0, 3.0]), ([-1.0, -2.0], [3.0, 1.0])]
    {
        assert_eq!(prepared.gradient(&x).unwrap(), g, "{x:?}");
    }
}

#[differentiable]
fn branching(x: f64) -> f64 {
    if x > 0.0 { x * x } else { x }
}

#[test]
fn branches_are_refused() {
    for error in [
        gradient(branching::D, AutoSymbolic, 1.0).unwrap_err(),
        prepare_gradient(branching::D, AutoSymbolic, 1.0).unwrap_err(),
        hvp(branching::D, AutoSymbolic, 1.0, 1.0).unwrap_err(),
        symbolic_gradient(branching::D, 1.0).unwrap_err(),
    ] {
        assert_eq!(error, diffi::Error::ActiveBranch);
    }
}

#[differentiable]
fn plane(x: &[f64], shift: f64) -> [f64; 2] {
    [x[0] * x[0] * x[1], (x[2] - shift).exp()]
}

#[test]
fn expressions() {
    let jacobian = symbolic_jacobian(plane::D, (&[1.0, 2.0, 3.0], Constant(0.5))).unwrap();
    assert_eq!(jacobian.zeros(), [false, false, true, true, true, false]);
    assert_eq!(
        jacobian.to_string(),
        "{\n    let t7 = x[0] * x[1];\n    [t7 + t7, x[0] * x[0], 0.0, 0.0, 0.0, (x[2] - c[0]).exp()]\n}"
    );
    let gradient = symbolic_gradient(rosenbrock::D, &[0.0, 0.0]).unwrap();
    assert!(gradient.operations() < 14, "{gradient}");
}

/// A prepared pullback of a function that writes its results: nothing of the point before is left.
#[test]
fn outputs_at_other_points() {
    let mut y = [0.0; 2];
    let seed = [1.0, -2.0];
    let mut prepared = prepare_pullback(rotate::D, AutoSymbolic, (&[0.1, 0.2], 0.1, &mut y), seed).unwrap();
    for angle in [0.5, 1.2f64, 0.5] {
        let (s, c) = angle.sin_cos();
        let (by_x, by_angle) = prepared.pullback((&[0.3, -1.2], angle, &mut y), seed).unwrap();
        close(&by_x, &[c - 2.0 * s, -s - 2.0 * c]);
        close(&[by_angle], &[-0.3 * s + 1.2 * c - 2.0 * (0.3 * c + 1.2 * s)]);
    }
}

/// Without the entries that are zero everywhere, in as few products as there are colors.
#[test]
fn sparse_matrices() {
    let x: Vec<f64> = (0..12).map(|i| (0.7 * i as f64).sin()).collect();
    let backend = AutoSparse::new(AutoSymbolic);
    let mut prepared = prepare_hessian(rosenbrock::D, backend.clone(), &x).unwrap();
    let found = prepared.hessian(&x).unwrap();
    assert_eq!((found.nnz(), prepared.ncolors() <= 3), (12 + 2 * 11, true));
    let expected = hessian(rosenbrock::D, AutoReverse, &x).unwrap();
    close(found.to_dense().as_slice().unwrap(), expected.as_slice().unwrap());
    let found = jacobian(differences::D, backend, &x).unwrap();
    assert_eq!(found.nnz(), 22);
    close(found.to_dense().as_slice().unwrap(), jacobian(differences::D, AutoReverse, &x).unwrap().as_slice().unwrap());
}

#[differentiable]
fn differences(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[1] * w[1] - w[0].exp()).collect()
}

/// Products with the Jacobian, its transpose and the Hessian, each from expressions.
#[test]
fn products() {
    let (x, v) = ([0.4, -0.2, 0.9], [1.0, 2.0, -0.5]);
    let (j, h) = (jacobian(differences::D, AutoReverse, &x).unwrap(), hessian(rosenbrock::D, AutoReverse, &x).unwrap());
    let v = ndarray::arr1(&v);
    let found = pushforward(differences::D, AutoSymbolic, &x, v.as_slice().unwrap()).unwrap();
    close(&found, j.dot(&v).as_slice().unwrap());
    let w = array![0.5, -2.0];
    let found = pullback(differences::D, AutoSymbolic, &x, w.as_slice().unwrap()).unwrap();
    close(&found, j.t().dot(&w).as_slice().unwrap());
    let found = hvp(rosenbrock::D, AutoSymbolic, &x, v.as_slice().unwrap()).unwrap();
    close(&found, h.dot(&v).as_slice().unwrap());
}
