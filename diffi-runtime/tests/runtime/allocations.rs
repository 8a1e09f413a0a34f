//! Prepared in-place calls allocate nothing: counted.

use crate::counting::requests;
use crate::hand::*;
use diffi_runtime::backend::second_order::SecondOrder;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use diffi_runtime::operators::{derivative::*, gradient::*, hessian::*, hvp::*, jacobian::*};
use diffi_runtime::operators::{pullback::*, pushforward::*, second_derivative::*};
use diffi_runtime::signature::arguments::{Cache, Constant};
use ndarray::Array2;

#[track_caller]
fn allocates(expected: usize, f: impl FnOnce()) {
    let before = requests();
    f();
    assert_eq!(requests() - before, expected);
}

const X: [f64; 3] = [1.2, -0.5, 2.0];

macro_rules! none {
    ($(fn $name:ident($backend:ident) in [$($value:expr),+] $body:block)+) => { $(
        #[test]
        fn $name() {
            $({
                let $backend = $value;
                $body
            })+
        }
    )+ };
}

none! {
    fn gradients(backend) in [AutoForward, AutoReverse, AutoFiniteDiff] {
        let mut prep = prepare_gradient(power_sum::D, backend, (&X, 0.5, Constant(3))).unwrap();
        let (mut gx, mut gc) = ([0.0; 3], 0.0);
        allocates(0, || prep.gradient_into((&mut gx, &mut gc), (&X, 0.5, Constant(3))).unwrap());
        let mut prep = prepare_gradient(rosenbrock::D, backend, &X).unwrap();
        allocates(0, || assert!(prep.value_and_gradient_into(&mut gx, &X).is_ok()));
        let mut buffer = [0.0; 3];
        let mut prep = prepare_gradient(scratch::D, backend, (&X, Cache(&mut buffer))).unwrap();
        allocates(0, || prep.gradient_into(&mut gx, (&X, Cache(&mut buffer))).unwrap());
    }

    fn derivatives(backend) in [AutoForward, AutoReverse, AutoFiniteDiff] {
        let mut prep = prepare_derivative(circle::D, backend, 1.0).unwrap();
        let mut d = [0.0; 2];
        allocates(0, || prep.derivative_into(&mut d, 2.0).unwrap());
    }

    fn products_in_place(backend) in [AutoForward, AutoReverse, AutoFiniteDiff] {
        let (mut y, mut d, mut e) = ([0.0; 3], [0.0; 3], [0.0; 3]);
        let mut prep = prepare_pushforward(cubes::D, backend, (&X, &mut y), &X).unwrap();
        allocates(0, || prep.pushforward_into(&mut d, (&X, &mut y), &X).unwrap());
        let mut prep = prepare_pushforward(cubes::D, backend, (&X, &mut y), [&X, &X]).unwrap();
        allocates(0, || prep.pushforward_into([&mut d, &mut e], (&X, &mut y), [&X, &X]).unwrap());
        let mut prep = prepare_pullback(cubes::D, backend, (&X, &mut y), &X).unwrap();
        allocates(0, || prep.pullback_into(&mut d, (&X, &mut y), &X).unwrap());
        let mut prep = prepare_pullback(cubes::D, backend, (&X, &mut y), [&X, &X]).unwrap();
        allocates(0, || prep.pullback_into([&mut d, &mut e], (&X, &mut y), [&X, &X]).unwrap());
    }

    fn jacobians_in_place(backend) in [AutoForward, AutoReverse, AutoFiniteDiff] {
        let (mut y, mut j) = ([0.0; 3], Array2::zeros((3, 3)));
        let mut prep = prepare_jacobian(cubes::D, backend, (&X, &mut y)).unwrap();
        allocates(0, || prep.jacobian_into(&mut j, (&X, &mut y)).unwrap());
    }

    fn second_order(backend) in [AutoReverse, SecondOrder(AutoFiniteDiff, AutoReverse), AutoFiniteDiff] {
        let (mut g, mut hv, mut h) = ([0.0; 3], [0.0; 3], Array2::zeros((3, 3)));
        let mut prep = prepare_hvp(rosenbrock::D, backend, &X, &X).unwrap();
        allocates(0, || prep.hvp_into(&mut hv, &X, &X).unwrap());
        allocates(0, || prep.gradient_and_hvp_into(&mut g, &mut hv, &X, &X).unwrap());
        let mut prep = prepare_hessian(rosenbrock::D, backend, &X).unwrap();
        allocates(0, || assert!(prep.value_gradient_and_hessian_into(&mut g, &mut h, &X).is_ok()));
        let mut prep = prepare_second_derivative(circle::D, backend, 1.0).unwrap();
        let (mut d, mut dd) = ([0.0; 2], [0.0; 2]);
        allocates(0, || assert!(prep.value_derivative_and_second_derivative_into(&mut d, &mut dd, 1.0).is_ok()));
    }
}

/// The function's own vector, and nothing else.
#[test]
fn returned_vectors_are_the_functions_own() {
    let mut dx = [0.0; 3];
    let mut prep = prepare_pullback(products::D, AutoReverse, &X, &[0.0; 2]).unwrap();
    allocates(1, || prep.pullback_into(&mut dx, &X, &[1.0, 2.0]).unwrap());
    let mut dy = vec![0.0; 2];
    let mut prep = prepare_pushforward(products::D, AutoForward, &X, &X).unwrap();
    allocates(1, || prep.pushforward_into(&mut dy, &X, &X).unwrap());
}
