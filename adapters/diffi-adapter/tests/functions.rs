//! What each kind of function gives, beside closed forms.

use diffi::prelude::*;
use diffi_adapter::{
    Objective, Point, Residuals, ScalarFunction, SecondOrderFunction, SecondOrderObjective, System, SystemFunction,
    VectorFunction,
};
use ndarray::{Array2, array};

#[differentiable(constant(scale))]
fn cubes(x: &[f64], scale: &[f64]) -> f64 {
    x.iter().zip(scale).map(|(x, s)| s * x * x * x).sum::<f64>() + x[0] * x[1]
}

#[differentiable]
fn products(x: &[f64]) -> Vec<f64> {
    vec![x[0] * x[1], x[0] + 2.0 * x[1], x[0] * x[0]]
}

/// Reads what it wrote.
#[differentiable(output(y))]
fn reaction(x: &[f64], p: &[f64], t: f64, y: &mut [f64]) {
    y[0] = p[0] * x[0] * x[1] + t;
    y[1] = -y[0] + p[1] * x[1];
}

#[differentiable(constant(names))]
fn forced(x: &[f64], p: &[f64], t: f64, names: &Names, y: &mut [f64]) {
    y[0] = p[0] * x[0] * names.force + x[1] * t;
}

/// Data that hold more than numbers.
struct Names {
    force: f64,
    #[expect(dead_code)]
    name: String,
}

#[test]
fn scalar_functions_have_gradients_and_hessians() {
    let scale = vec![1.0, 2.0];
    let mut f = SecondOrderFunction::with_data(cubes::D, AutoReverse, &[0.0; 2], scale.clone()).unwrap();
    let (x, mut gradient, mut product) = ([0.5, -1.5], [0.0; 2], [0.0; 2]);
    // twice, since the second call finds what the first one prepared
    for _ in 0..2 {
        assert_eq!(f.value_and_gradient(&x, &mut gradient), Ok(cubes(&x, &scale)));
        assert_eq!(gradient, [3.0 * 0.25 - 1.5, 6.0 * 2.25 + 0.5]);
        let mut hessian = Array2::zeros((2, 2));
        f.hessian(&x, &mut hessian).unwrap();
        assert_eq!(hessian, array![[3.0, 1.0], [1.0, -18.0]]);
        f.hvp(&x, &[1.0, 2.0], &mut product).unwrap();
        assert_eq!(product, [5.0, -35.0]);
    }
    assert!(f.value_and_gradient(&[1.0], &mut gradient).is_err());
    assert_eq!(ScalarFunction::with_data(cubes::D, AutoForward, &x, scale).unwrap().value(&x), -6.625 - 0.75);
}

#[test]
fn vector_functions_have_jacobians() {
    let mut f = VectorFunction::new(products::D, AutoForward, &[0.0; 2]).unwrap();
    let (value, jacobian) = f.value_and_jacobian(&[3.0, 4.0]).unwrap();
    assert_eq!(value, f.value(&[3.0, 4.0]));
    assert_eq!((value, jacobian), (vec![12.0, 11.0, 9.0], array![[4.0, 3.0], [1.0, 2.0], [6.0, 0.0]]));
}

#[test]
fn systems_have_products_of_both_jacobians() {
    let mut f = SystemFunction::new(reaction::D, MixedMode(AutoForward, AutoReverse), 2);
    products_fit(&mut f, array![[8.0, 6.0], [-8.0, -1.0]], array![[12.0, 0.0], [-12.0, 4.0]]);
    products_fit(
        &mut SystemFunction::new(reaction::D, AutoReverse, 2),
        array![[8.0, 6.0], [-8.0, -1.0]],
        array![[12.0, 0.0], [-12.0, 4.0]],
    );
    let names = Names { force: 10.0, name: "wind".to_owned() };
    let mut f = SystemFunction::with_data(forced::D, MixedMode(AutoForward, AutoReverse), 1, names);
    products_fit(&mut f, array![[20.0, 0.5]], array![[30.0, 0.0]]);
}

/// At the state `[3, 4]`, parameters `[2, 5]`, time 0.5.
fn products_fit(f: &mut impl System, by_state: Array2<f64>, by_params: Array2<f64>) {
    let at = Point { x: &[3.0, 4.0], p: &[2.0, 5.0], t: 0.5 };
    let (v, w) = (array![0.5, -2.0], array![3.0, 0.25]);
    let rows = by_state.nrows();
    let w = w.slice(ndarray::s![..rows]).to_owned();
    for _ in 0..2 {
        let (mut forward, mut backward, mut jacobian) = (vec![0.0; rows], vec![0.0; 2], Array2::zeros((rows, 2)));
        f.jvp(at, v.as_slice().unwrap(), &mut forward).unwrap();
        assert_eq!(forward, by_state.dot(&v).to_vec());
        f.vjp(at, w.as_slice().unwrap(), &mut backward).unwrap();
        assert_eq!(backward, by_state.t().dot(&w).to_vec());
        f.parameter_jvp(at, v.as_slice().unwrap(), &mut forward).unwrap();
        assert_eq!(forward, by_params.dot(&v).to_vec());
        f.parameter_vjp(at, w.as_slice().unwrap(), &mut backward).unwrap();
        assert_eq!(backward, by_params.t().dot(&w).to_vec());
        f.jacobian(at, &mut jacobian).unwrap();
        assert_eq!(jacobian, by_state);
    }
}
