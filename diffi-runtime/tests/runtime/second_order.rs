//! Second derivatives of hand-expanded functions against closed forms.

use crate::hand::*;
use diffi_runtime::backend::second_order::SecondOrder;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use diffi_runtime::operators::hessian::*;
use diffi_runtime::operators::hvp::*;
use diffi_runtime::operators::second_derivative::*;
use diffi_runtime::signature::arguments::Constant;
use ndarray::{Array2, array};

const X: [f64; 3] = [1.2, -0.5, 2.0];

fn rosenbrock_hessian(x: &[f64]) -> Array2<f64> {
    let mut h = Array2::zeros((x.len(), x.len()));
    for i in 0..x.len() - 1 {
        h[[i, i]] += 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0;
        h[[i, i + 1]] -= 400.0 * x[i];
        h[[i + 1, i]] -= 400.0 * x[i];
        h[[i + 1, i + 1]] += 200.0;
    }
    h
}

/// Runs the same lines with every backend, and how close it has to come.
macro_rules! all {
    ($(fn $name:ident($backend:ident, $tolerance:ident) $body:block)+) => { $(
        mod $name {
            use super::*;
            all!(@ exact: AutoReverse, 1e-13; $backend $tolerance $body);
            all!(@ forward: AutoForward, 1e-13; $backend $tolerance $body);
            all!(@ forward_over_reverse: SecondOrder(AutoForward, AutoReverse), 1e-13; $backend $tolerance $body);
            all!(@ differences_of_reverse: SecondOrder(AutoFiniteDiff, AutoReverse), 1e-8; $backend $tolerance $body);
            all!(@ differences_of_forward: SecondOrder(AutoFiniteDiff, AutoForward), 1e-8; $backend $tolerance $body);
            all!(@ differences: AutoFiniteDiff, 1e-5; $backend $tolerance $body);
        }
    )+ };
    (@ $case:ident: $value:expr, $close:expr; $backend:ident $tolerance:ident $body:block) => {
        #[test]
        fn $case() {
            let ($backend, $tolerance) = ($value, $close);
            $body
        }
    };
}

#[track_caller]
fn close<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>, tolerance: f64) {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    let scale = b.iter().fold(1.0f64, |m, b| m.max(b.abs()));
    assert_eq!(a.len(), b.len(), "{a:?} {b:?}");
    assert!(a.iter().zip(&b).all(|(a, b)| (**a - **b).abs() <= tolerance * scale), "{a:?} {b:?}");
}

all! {
    fn hessians(backend, tolerance) {
        let expected = rosenbrock_hessian(&X);
        close(&hessian(rosenbrock::D, backend, &X).unwrap(), &expected, tolerance);
        let x: Vec<f64> = (0..13).map(|i| f64::from(i) * 0.2 - 1.0).collect();
        close(&hessian(rosenbrock::D, backend, &x).unwrap(), &rosenbrock_hessian(&x), tolerance);
        let (y, g, h) = value_gradient_and_hessian(rosenbrock::D, backend, &X).unwrap();
        assert_eq!(y, rosenbrock(&X));
        close(&g, &diffi_runtime::operators::gradient::gradient(rosenbrock::D, AutoReverse, &X).unwrap(), tolerance);
        close(&h, &expected, tolerance);
        let mut prep = prepare_hessian(rosenbrock::D, backend, &[0.0; 3]).unwrap();
        let (mut g2, mut h2) = ([0.0; 3], Array2::zeros((3, 3)));
        prep.value_gradient_and_hessian_into(&mut g2, &mut h2, &X).unwrap();
        assert_eq!((g2.to_vec(), &h2), (g, &h));
        prep.hessian_into(&mut h2, &X).unwrap();
        assert_eq!(h2, h);
        assert!(prep.hessian_into(&mut Array2::zeros((2, 3)), &X).is_err());
    }

    fn hessians_of_several_arguments(backend, tolerance) {
        let h = hessian(power_sum::D, backend, (&[1.5, 2.0], 0.5, Constant(3))).unwrap();
        let expected = array![[4.5, 0.0, 6.75], [0.0, 6.0, 12.0], [6.75, 12.0, 0.0]];
        close(&h, &expected, tolerance);
        let h = hessian(power_sum::D, backend, (&[1.5, 2.0], Constant(0.5), Constant(3))).unwrap();
        close(&h, &array![[4.5, 0.0], [0.0, 6.0]], tolerance);
    }

    fn products_with_hessians(backend, tolerance) {
        let v = [0.3, -1.0, 2.0];
        let expected = rosenbrock_hessian(&X).dot(&ndarray::arr1(&v));
        close(&hvp(rosenbrock::D, backend, &X, &v).unwrap(), &expected, tolerance);
        let [one, other] = hvp(rosenbrock::D, backend, &X, [&v, &[0.0, 0.0, 1.0]]).unwrap();
        close(&one, &expected, tolerance);
        close(&other, &rosenbrock_hessian(&X).column(2).to_vec(), tolerance);
        let (gx, gc) = gradient_and_hvp(power_sum::D, backend, (&[1.5, 2.0], 0.5, Constant(3)), (&[1.0, 0.0], 2.0)).unwrap().0;
        close(&gx, &[3.375, 6.0], tolerance);
        close(&[gc], &[11.375], tolerance);
        let (mut g, mut hv) = ([0.0; 3], [0.0; 3]);
        let mut prep = prepare_hvp(rosenbrock::D, backend, &X, &v).unwrap();
        prep.gradient_and_hvp_into(&mut g, &mut hv, &X, &v).unwrap();
        close(&hv, &expected, tolerance);
        prep.hvp_into(&mut hv, &X, &[0.0; 3]).unwrap();
        close(&hv, &[0.0; 3], tolerance);
        assert!(prep.hvp(&X, &[0.0; 2]).is_err());
    }

    fn second_derivatives(backend, tolerance) {
        close(&[second_derivative(cube::D, backend, 2.0).unwrap()], &[12.0], tolerance);
        let (y, d, dd) = value_derivative_and_second_derivative(circle::D, backend, 0.7).unwrap();
        let (sin, cos) = f64::sin_cos(0.7);
        close(&y, &[cos, sin], 0.0);
        close(&d, &[-sin, cos], tolerance);
        close(&dd, &[-cos, -sin], tolerance);
        let (mut d2, mut dd2) = ([0.0; 2], [0.0; 2]);
        let mut prep = prepare_second_derivative(circle::D, backend, 0.0).unwrap();
        let y2 = prep.value_derivative_and_second_derivative_into(&mut d2, &mut dd2, 0.7).unwrap();
        assert_eq!((y2, d2, dd2), (y, d, dd));
        prep.second_derivative_into(&mut dd2, 0.7).unwrap();
        assert_eq!(dd2, dd);
    }
}
