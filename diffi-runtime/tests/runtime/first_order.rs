//! Gradients, pushforwards and pullbacks of hand-expanded functions against closed forms.

use crate::hand::*;
use diffi_runtime::backend::{AutoForward, AutoReverse};
use diffi_runtime::error::Error;
use diffi_runtime::operators::derivative::*;
use diffi_runtime::operators::gradient::*;
use diffi_runtime::operators::jacobian::*;
use diffi_runtime::operators::pullback::*;
use diffi_runtime::operators::pushforward::*;
use diffi_runtime::signature::arguments::{Cache, Constant};
use ndarray::{Array2, array};

const X: [f64; 3] = [1.2, -0.5, 2.0];

fn rosenbrock_gradient(x: &[f64]) -> Vec<f64> {
    let mut g = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let u = x[i + 1] - x[i] * x[i];
        g[i] += -400.0 * x[i] * u - 2.0 * (1.0 - x[i]);
        g[i + 1] += 200.0 * u;
    }
    g
}

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0)), "{a:?} {b:?}");
}

/// Runs the same lines with both backends.
macro_rules! both {
    ($(fn $name:ident($backend:ident) $body:block)+) => { $(
        mod $name {
            use super::*;
            #[test]
            fn forward() {
                let $backend = AutoForward;
                $body
            }
            #[test]
            fn reverse() {
                let $backend = AutoReverse;
                $body
            }
        }
    )+ };
}

both! {
    fn gradients_look_like_the_argument(backend) {
        let expected = rosenbrock_gradient(&X);
        close(&gradient(rosenbrock::D, backend, &X).unwrap(), &expected);
        close(&gradient(rosenbrock::D, backend, &X.to_vec()).unwrap(), &expected);
        close(&gradient(rosenbrock::D, backend, &X[..]).unwrap(), &expected);
        close(&gradient(rosenbrock::D, backend, &[1.0, 2.0]).unwrap(), &rosenbrock_gradient(&[1.0, 2.0]));
        let (y, g) = value_and_gradient(rosenbrock::D, backend, &X).unwrap();
        close(&g, &expected);
        assert_eq!(y, rosenbrock(&X));
    }

    fn gradients_of_many_arguments(backend) {
        let x: Vec<f64> = (0..21).map(|i| f64::from(i) * 0.1 - 1.0).collect();
        close(&gradient(rosenbrock::D, backend, &x).unwrap(), &rosenbrock_gradient(&x));
    }

    fn gradients_with_several_roles(backend) {
        let by_x: Vec<f64> = X.iter().map(|x| 0.7 * 3.0 * x * x).collect();
        let by_c: f64 = X.iter().map(|x| x.powi(3)).sum();
        let (gx, gc) = gradient(power_sum::D, backend, (&X, 0.7, Constant(3))).unwrap();
        close(&gx, &by_x);
        close(&[gc], &[by_c]);
        close(&gradient(power_sum::D, backend, (&X, Constant(0.7), Constant(3usize))).unwrap(), &by_x);
        let gc: f64 = gradient(power_sum::D, backend, (Constant(&X[..]), 0.7, Constant(&3))).unwrap();
        close(&[gc], &[by_c]);
    }

    fn gradients_into_buffers(backend) {
        let (mut gx, mut gc) = (vec![7.0; 3], 7.0);
        let y = value_and_gradient_into(power_sum::D, backend, (&mut gx, &mut gc), (&X, 0.7, Constant(3))).unwrap();
        assert_eq!(y, 0.7 * X.iter().map(|x| x.powi(3)).sum::<f64>());
        close(&gx, &X.map(|x| 2.1 * x * x));
        let mut both = ([0.0; 3], 0.0);
        gradient_into(power_sum::D, backend, &mut both, (&X, 0.7, Constant(3))).unwrap();
        assert_eq!((both.0.to_vec(), both.1), (gx, gc));
        let mut slice = [0.0; 5];
        gradient_into(rosenbrock::D, backend, &mut slice[1..4], &X).unwrap();
        close(&slice[1..4], &rosenbrock_gradient(&X));
    }

    fn gradient_of_a_number(backend) {
        let g: f64 = gradient(cube::D, backend, 2.0).unwrap();
        assert_eq!(g, 12.0);
    }

    fn scratch_carries_derivatives(backend) {
        let mut buffer = vec![9.0; 3];
        close(&gradient(scratch::D, backend, (&X, Cache(&mut buffer))).unwrap(), &X.map(|x| 8.0 * x));
    }

    fn pushforwards(backend) {
        let dx = [0.3, 1.0, -2.0];
        let dy = pushforward(products::D, backend, &X, &dx).unwrap();
        close(&dy, &[0.3 * X[1] + X[0], X[2] - 2.0 * X[1]]);
        let [d1, d2] = pushforward(products::D, backend, &X, [&dx, &[0.0, 1.0, 0.0]]).unwrap();
        close(&d1, &dy);
        close(&d2, &[X[0], X[2]]);
        let (y, dy) = value_and_pushforward(cube::D, backend, 2.0, [1.0, 10.0, 0.5]).unwrap();
        assert_eq!((y, dy), (8.0, [12.0, 120.0, 6.0]));
        let mut into = vec![0.0; 2];
        let y = value_and_pushforward_into(products::D, backend, &mut into, &X, dx).unwrap();
        close(&into, &d1);
        close(&y, &products(&X));
    }

    fn pushforwards_of_several_arguments_and_results(backend) {
        let (a, b) = ([1.0, 2.0], [3.0, -1.0]);
        let (dot, square) = pushforward(norms::D, backend, (&a, &b), ([1.0, 0.0], &vec![0.0, 1.0])).unwrap();
        assert_eq!((dot, square), (3.0 + 2.0, 2.0));
        assert_eq!(pushforward(norms::D, backend, (&a, Constant(&b)), &[0.0, 1.0]).unwrap(), (-1.0, 4.0));
    }

    fn pullbacks(backend) {
        let dx = pullback(products::D, backend, &X, &[1.0, 10.0]).unwrap();
        close(&dx, &[X[1], X[0] + 10.0 * X[2], 10.0 * X[1]]);
        let [d1, d2] = pullback(products::D, backend, &X, [vec![1.0, 10.0], vec![0.0, 1.0]]).unwrap();
        close(&d1, &dx);
        close(&d2, &[0.0, X[2], X[1]]);
        let (y, dx) = value_and_pullback(norms::D, backend, (&[1.0, 2.0], &[3.0, -1.0]), (1.0, 0.5)).unwrap();
        assert_eq!(y, (1.0, 5.0));
        assert_eq!(dx, (vec![4.0, 1.0], vec![1.0, 2.0]));
        assert_eq!(pullback(circle::D, backend, 0.0, [3.0, 2.0]).unwrap(), 2.0);
        let (mut into, mut other) = ([0.0; 3], [0.0; 3]);
        pullback_into(products::D, backend, [&mut into, &mut other], &X, [[1.0, 10.0], [0.0, 1.0]]).unwrap();
        close(&into, &d1);
        close(&other, &d2);
    }

    fn outputs_are_written(backend) {
        let mut y = vec![9.0; 3];
        let dy = pushforward(cubes::D, backend, (&X, &mut y), &[1.0, 0.0, 1.0]).unwrap();
        close(&dy, &[3.0 * X[0] * X[0], 0.0, 3.0 * X[2] * X[2]]);
        close(&y, &X.map(|x| x * x * x));
        let mut y = [9.0; 3];
        let ((), dx) = value_and_pullback(cubes::D, backend, (&X, &mut y), &[1.0, 0.0, 1.0]).unwrap();
        close(&dx, &dy);
        close(&y, &X.map(|x| x * x * x));
    }

    fn inputs_are_overwritten_once(backend) {
        let mut x = X;
        let (sum, dy) = value_and_pushforward(advance::D, backend, (&mut x, 0.5), (&[1.0, 0.0, 0.0], 2.0)).unwrap();
        close(&[sum, dy.0], &[X.iter().sum(), 1.0]);
        close(&dy.1, &[X[0] + 2.0 * X[0] * X[0], 2.0 * X[1] * X[1], 2.0 * X[2] * X[2]]);
        close(&x, &X.map(|x| 0.5 * x * x));
        let mut x = X;
        let (dx, dk) = pullback(advance::D, backend, (&mut x, 0.5), (1.0, &[0.0, 1.0, 0.0])).unwrap();
        close(&dx, &[1.0, 1.0 + X[1], 1.0]);
        close(&[dk], &[X[1] * X[1]]);
        close(&x, &X.map(|x| 0.5 * x * x));
    }

    fn sizes_that_do_not_fit_are_errors(backend) {
        assert!(pushforward(products::D, backend, &X, &[1.0, 2.0]).is_err());
        assert!(pullback(products::D, backend, &X, &[1.0, 2.0, 3.0]).is_err());
        let error = gradient_into(rosenbrock::D, backend, &mut vec![0.0; 2], &X).unwrap_err();
        assert_eq!(error.to_string(), "expected a result buffer of size 3, found 2");
        let mut prep = prepare_gradient(power_sum::D, backend, (&X, 1.0, Constant(2))).unwrap();
        let error = prep.gradient((&[1.0, 2.0], 1.0, Constant(2))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "prepared for arguments of size (3, a number), called with size (2, a number): argument 1 differs; prepare again, or call `resize` first"
        );
        assert!(matches!(error, Error::PreparationMismatch { argument: 1, .. }));
        let mut beside = prepare_jacobian(norms::D, backend, (Constant(&[1.0]), &[1.0])).unwrap();
        let error = beside.jacobian((Constant(&[1.0, 2.0]), &[1.0, 2.0])).unwrap_err();
        assert!(matches!(error, Error::PreparationMismatch { argument: 2, .. }), "{error}");
        prep.resize((&[1.0, 2.0], 1.0, Constant(2))).unwrap();
        close(&prep.gradient((&[1.0, 2.0], 1.0, Constant(2))).unwrap().0, &[2.0, 4.0]);
    }

    fn prepared_objects_are_used_again(backend) {
        let mut prep = prepare_gradient(rosenbrock::D, backend, &[0.0; 3]).unwrap();
        close(&prep.gradient(&X).unwrap(), &rosenbrock_gradient(&X));
        let mut g = [0.0; 3];
        prep.gradient_into(&mut g, &X).unwrap();
        close(&g, &rosenbrock_gradient(&X));
        let mut prep = prepare_pullback(products::D, backend, &[0.0; 3], &[0.0; 2]).unwrap();
        prep.pullback_into(&mut g, &X, &[1.0, 10.0]).unwrap();
        close(&g, &[X[1], X[0] + 10.0 * X[2], 10.0 * X[1]]);
        let mut prep = prepare_pushforward(products::D, backend, &[0.0; 3], [[0.0; 3]; 2]).unwrap();
        let [dy, _] = prep.pushforward(&X, [[0.0, 1.0, 0.0], [0.0; 3]]).unwrap();
        close(&dy, &[X[0], X[2]]);
    }

    fn derivatives(backend) {
        assert_eq!(derivative(cube::D, backend, 2.0).unwrap(), 12.0);
        let (y, d) = value_and_derivative(circle::D, backend, 0.0).unwrap();
        assert_eq!((y, d), ([1.0, 0.0], [-0.0, 1.0]));
        let by_c: f64 = derivative(power_sum::D, backend, (Constant(&X), 0.3, Constant(3))).unwrap();
        close(&[by_c], &[X.iter().map(|x| x.powi(3)).sum()]);
        let mut prep = prepare_derivative(circle::D, backend, 1.0).unwrap();
        let mut d = [0.0; 2];
        prep.derivative_into(&mut d, 2.0).unwrap();
        close(&d, &[-f64::sin(2.0), f64::cos(2.0)]);
    }

    fn jacobians(backend) {
        let expected = array![[X[1], X[0], 0.0], [0.0, X[2], X[1]]];
        assert_eq!(jacobian(products::D, backend, &X).unwrap(), expected);
        let (y, j) = value_and_jacobian(products::D, backend, &X).unwrap();
        assert_eq!((y, j), (products(&X), expected.clone()));
        let mut prep = prepare_jacobian(products::D, backend, &[0.0; 3]).unwrap();
        let mut j = Array2::zeros((2, 3));
        prep.jacobian_into(&mut j, &X).unwrap();
        assert_eq!(j, expected);
        assert!(prep.jacobian_into(&mut Array2::zeros((3, 3)), &X).is_err());
        let gradient = jacobian(rosenbrock::D, backend, &X).unwrap();
        close(gradient.as_slice().unwrap(), &rosenbrock_gradient(&X));
    }

    fn jacobians_of_many_numbers(backend) {
        let x: Vec<f64> = (0..21).map(f64::from).collect();
        let expected = Array2::from_shape_fn((20, 21), |(i, j)| match j {
            _ if j == i => x[i + 1],
            _ if j == i + 1 => x[i],
            _ => 0.0,
        });
        assert_eq!(jacobian(products::D, backend, &x).unwrap(), expected);
    }

    fn jacobians_in_blocks(backend) {
        let (a, b) = ([1.0, 2.0], [3.0, -1.0]);
        let expected = (array![[3.0, -1.0], [2.0, 4.0]], array![[1.0, 2.0], [0.0, 0.0]]);
        assert_eq!(jacobian(norms::D, backend, (&a, &b)).unwrap(), expected);
        let (mut ja, mut jb) = (Array2::zeros((2, 2)), Array2::zeros((2, 2)));
        let y = value_and_jacobian_into(norms::D, backend, (&mut ja, &mut jb), (&a, &b)).unwrap();
        assert_eq!((y, (ja, jb)), (norms(&a, &b), expected.clone()));
        let mut both = (Array2::zeros((2, 2)), Array2::zeros((2, 2)));
        jacobian_into(norms::D, backend, &mut both, (&a, &b)).unwrap();
        assert_eq!(both, expected);
    }

    fn jacobians_in_place(backend) {
        let (mut y, mut x) = (vec![9.0; 3], X);
        let j = jacobian(cubes::D, backend, (&X, &mut y)).unwrap();
        assert_eq!(j, Array2::from_diag(&ndarray::arr1(&X.map(|x| 3.0 * x * x))));
        close(&y, &X.map(|x| x * x * x));
        let (jx, jk) = jacobian(advance::D, backend, (&mut x, 0.5)).unwrap();
        assert_eq!(jx, array![[1.0, 1.0, 1.0], [X[0], 0.0, 0.0], [0.0, X[1], 0.0], [0.0, 0.0, X[2]]]);
        assert_eq!(jk, array![[0.0], [X[0] * X[0]], [X[1] * X[1]], [X[2] * X[2]]]);
        close(&x, &X.map(|x| 0.5 * x * x));
    }
}
