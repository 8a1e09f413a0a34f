//! Dual numbers and their kin: ForwardDiff's, PolyesterForwardDiff's and HyperHessians' rows.

use crate::functions::*;
use diffi::prelude::*;
use diffi::{Dual, Real, ScalarFn};
use ndarray::array;

#[test]
fn forward_diff_gradients_in_chunks_of_every_size() {
    for n in [2, 3, 7, 8, 9, 12, 13, 25] {
        let x = point(n);
        let (expected, by_scale) = energy_gradient(&x, 0.4);
        for backend in (1..=12).map(|size| AutoDual.chunk_size(size)).chain([AutoDual]) {
            let (y, (g, s)) = value_and_gradient(energy::D, backend, (&x, 0.4)).unwrap();
            close(&[y], &[energy(&x, 0.4)], 1e-14);
            close(&g, &expected, 1e-13);
            close(&[s], &[by_scale], 1e-13);
            close(&gradient(energy::D, backend, (&x, Constant(0.4))).unwrap(), &expected, 1e-13);
            close(&[gradient(energy::D, backend, (Constant(&x), 0.4)).unwrap()], &[by_scale], 1e-13);
        }
    }
}

/// `n` inputs go in `ceil(n / 12)` chunks of nearly the same size.
#[test]
fn forward_diff_chunk_rule() {
    let sizes = [(0, 1), (1, 1), (5, 5), (12, 12), (13, 7), (24, 12), (25, 9), (100, 12)];
    for (n, size) in sizes {
        assert_eq!(AutoDual.batch_size_of(n), size, "{n}");
    }
    assert_eq!(AutoDual.chunk_size(5).batch_size_of(100), 5);
}

#[test]
fn forward_diff_functions_that_write() {
    let (x, mut y) = ([0.3, -1.2], [9.0, 9.0]);
    let (s, c) = 0.5f64.sin_cos();
    let (by_x, by_angle) = jacobian(rotate::D, AutoDual, (&x, 0.5, &mut y)).unwrap();
    assert_eq!(by_x, array![[c, -s], [s, c]]);
    close(by_angle.as_slice().unwrap(), &[-x[0] * s - x[1] * c, x[0] * c - x[1] * s], 1e-15);
    close(&y, &[x[0] * c - x[1] * s, x[0] * s + x[1] * c], 1e-15);
    let derivative = derivative(rotate::D, AutoDual, (Constant(&x), 0.5, &mut y)).unwrap();
    close(&derivative, by_angle.as_slice().unwrap(), 1e-15);
}

/// A parameter that is read and written is an input of every pass.
#[test]
fn forward_diff_functions_that_overwrite_an_input() {
    let start = point(15);
    for backend in [AutoDual, AutoDual.chunk_size(4)] {
        let mut x = start.clone();
        let found = jacobian(damp::D, backend, (&mut x, 0.5)).unwrap();
        let (mut forward_x, mut y) = (start.clone(), start.clone());
        let expected = jacobian(damp::D, AutoForward, (&mut forward_x, 0.5)).unwrap();
        damp(&mut y, 0.5);
        close(found.0.as_slice().unwrap(), expected.0.as_slice().unwrap(), 1e-14);
        close(found.1.as_slice().unwrap(), expected.1.as_slice().unwrap(), 1e-14);
        close(&x, &y, 1e-15);
    }
}

/// Memory for scratch arrays is kept from iteration to iteration where no iteration decides how much it is.
#[test]
fn forward_diff_functions_with_scratch_arrays() {
    let x = point(26);
    for (width, lengths) in [(3, &[4][..]), (1, &[2]), (26, &[3]), (27, &[])] {
        let call = (&x, Constant(width), Constant(lengths));
        let expected = gradient(windows::D, AutoForward, call).unwrap();
        for backend in [AutoDual, AutoDual.chunk_size(3), AutoDual.chunk_size(1)] {
            close(&gradient(windows::D, backend, call).unwrap(), &expected, 1e-13);
        }
        close(&gradient(windows::D, AutoTape, call).unwrap(), &expected, 1e-13);
        close(&gradient(windows::D, AutoTape.replayed(), call).unwrap(), &expected, 1e-13);
        let curved = hvp(windows::D, AutoHyperDual, call, &x).unwrap();
        close(&curved, &hvp(windows::D, AutoReverse, call, &x).unwrap(), 1e-11);
    }
}

#[test]
fn forward_diff_all_operators() {
    let (x, v) = (point(9), point(9).iter().map(|v| 1.0 - v).collect::<Vec<_>>());
    close(
        &[pushforward(energy::D, AutoDual, (&x, Constant(0.4)), &v).unwrap()],
        &[pushforward(energy::D, AutoReverse, (&x, Constant(0.4)), &v).unwrap()],
        1e-13,
    );
    let two = pushforward(energy::D, AutoDual, (&x, Constant(0.4)), [&v, &x]).unwrap();
    close(&two, &pushforward(energy::D, AutoReverse, (&x, Constant(0.4)), [&v, &x]).unwrap(), 1e-13);
    close(
        &pullback(energy::D, AutoDual, (&x, Constant(0.4)), 2.0).unwrap(),
        &pullback(energy::D, AutoReverse, (&x, Constant(0.4)), 2.0).unwrap(),
        1e-13,
    );
    let found = hessian(energy::D, AutoDual, (&x, 0.4)).unwrap();
    close(found.as_slice().unwrap(), hessian(energy::D, AutoReverse, (&x, 0.4)).unwrap().as_slice().unwrap(), 1e-12);
    close(
        &hvp(energy::D, AutoDual, (&x, Constant(0.4)), &v).unwrap(),
        &hvp(energy::D, AutoReverse, (&x, Constant(0.4)), &v).unwrap(),
        1e-12,
    );
    let (y, first, second) = value_derivative_and_second_derivative(bell::D, AutoDual, 0.7).unwrap();
    let e = (-0.49f64).exp();
    close(&[y, first, second], &[e, -1.4 * e, (4.0 * 0.49 - 2.0) * e], 1e-15);
}

#[test]
fn forward_diff_second_order_with_others() {
    let x = point(6);
    let expected = hessian(energy::D, AutoReverse, (&x, Constant(0.4))).unwrap();
    let expected = expected.as_slice().unwrap();
    let duals = hessian(energy::D, SecondOrder(AutoDual, AutoDual), (&x, Constant(0.4))).unwrap();
    close(duals.as_slice().unwrap(), expected, 1e-12);
    let over_reverse = hessian(energy::D, SecondOrder(AutoDual, AutoReverse), (&x, Constant(0.4))).unwrap();
    close(over_reverse.as_slice().unwrap(), expected, 1e-12);
    let differences = hessian(energy::D, SecondOrder(AutoFiniteDiff, AutoDual), (&x, Constant(0.4))).unwrap();
    close(differences.as_slice().unwrap(), expected, 1e-6);
}

/// `d/dx [x * d/dy (x y²) at y = 2]` at 3: the inner derivative does not see the outer variable.
#[test]
fn forward_diff_perturbations_are_not_confused() {
    struct Outer;
    impl ScalarFn for Outer {
        type Input = f64;
        type Output = f64;
        fn call<S: Real<Base = f64>>(&self, x: &S) -> S {
            let y = Dual::<S, 1>::variable(S::lit(2.0), 0);
            *x * (Dual::constant(*x) * y * y).partial(0)
        }
    }
    assert_eq!(derivative(Outer, AutoDual, 3.0).unwrap(), 24.0);
    assert_eq!(second_derivative(Outer, AutoDual, 3.0).unwrap(), 8.0);
}

/// `0 * inf` is 0 where the 0 is a derivative that is not there.
#[test]
fn forward_diff_nan_safe_mode() {
    struct Masked;
    impl ScalarFn for Masked {
        type Input = [f64];
        type Output = f64;
        fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
            x[0] * S::lit(f64::INFINITY)
        }
    }
    let plain = gradient(Masked, AutoDual, &[1.0, 2.0]).unwrap();
    assert!(plain[1].is_nan());
    assert_eq!(gradient(Masked, AutoDual.nan_safe(), &[1.0, 2.0]).unwrap(), [f64::INFINITY, 0.0]);
    assert_eq!(format!("{:?}", AutoDual.nan_safe().chunk_size(3)), "AutoDual.nan_safe().chunk_size(3)");
}

struct Spring {
    stiffness: f64,
}

impl ScalarFn for Spring {
    type Input = [f64];
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
        (x[1] - x[0]).powi(2).scale(0.5 * self.stiffness)
    }
}

#[test]
fn forward_diff_functions_written_over_any_number_type() {
    let spring = || Spring { stiffness: 3.0 };
    assert_eq!(gradient(spring(), AutoDual, &[1.0, 3.0]).unwrap(), [-6.0, 6.0]);
    assert_eq!(hessian(spring(), AutoHyperDual, &[1.0, 3.0]).unwrap(), array![[3.0, -3.0], [-3.0, 3.0]]);
    let differences = gradient(spring(), AutoFiniteDiff, &[1.0, 3.0]).unwrap();
    assert!((differences[0] + 6.0).abs() < 1e-8);
}

#[test]
fn forward_diff_either_float() {
    let g: [f32; 2] = gradient(mean_square::D, AutoDual, &[3.0f32, 4.0]).unwrap().try_into().unwrap();
    assert_eq!(g, [3.0, 4.0]);
    assert_eq!(gradient(mean_square::D, AutoDual, &[3.0f64, 4.0]).unwrap(), [3.0, 4.0]);
}

#[test]
fn hyper_hessians_whole_hessians_in_one_evaluation() {
    for n in [2, 4, 8, 9, 20] {
        let x = point(n);
        let expected = value_gradient_and_hessian(energy::D, AutoReverse, (&x, Constant(0.4))).unwrap();
        let (y, g, h) = value_gradient_and_hessian(energy::D, AutoHyperDual, (&x, Constant(0.4))).unwrap();
        close(&[y], &[expected.0], 1e-14);
        close(&g, &expected.1, 1e-13);
        close(h.as_slice().unwrap(), expected.2.as_slice().unwrap(), 1e-12);
    }
}

#[test]
fn hyper_hessians_products_and_curvatures() {
    let (x, v) = (point(9), point(9).iter().map(|v| 1.0 - v).collect::<Vec<_>>());
    let expected = hvp(energy::D, AutoReverse, (&x, 0.4), (&v, 0.3)).unwrap();
    let found = hvp(energy::D, AutoHyperDual, (&x, 0.4), (&v, 0.3)).unwrap();
    close(&found.0, &expected.0, 1e-12);
    close(&[found.1], &[expected.1], 1e-12);
    let e = (-0.49f64).exp();
    close(&[second_derivative(bell::D, AutoHyperDual, 0.7).unwrap()], &[(4.0 * 0.49 - 2.0) * e], 1e-15);
    close(&gradient(energy::D, AutoHyperDual, (&x, Constant(0.4))).unwrap(), &energy_gradient(&x, 0.4).0, 1e-13);
}

/// Calls, tuples, conditions on elements, vectors of arrays: what generic bodies are made of.
#[test]
fn generic_bodies_of_every_kind() {
    let x = point(10);
    for (found, expected) in [
        (gradient(calls::D, AutoDual, &x).unwrap(), gradient(calls::D, AutoReverse, &x).unwrap()),
        (gradient(tuples::D, AutoDual, &x).unwrap(), gradient(tuples::D, AutoReverse, &x).unwrap()),
        (gradient(tables::D, AutoDual, &x).unwrap(), gradient(tables::D, AutoReverse, &x).unwrap()),
        (gradient(largest::D, AutoDual, &x).unwrap(), gradient(largest::D, AutoReverse, &x).unwrap()),
    ] {
        close(&found, &expected, 1e-13);
    }
}

/// What is prepared holds other sizes after `resize`, and gives the value beside derivatives.
#[test]
fn forward_diff_prepared_for_other_sizes() {
    let mut prepared = prepare_gradient(energy::D, AutoDual, (&point(4), Constant(0.4))).unwrap();
    for n in [4, 15, 2] {
        let x = point(n);
        prepared.resize((&x, Constant(0.4))).unwrap();
        let (value, g) = prepared.value_and_gradient((&x, Constant(0.4))).unwrap();
        assert_eq!(value, energy(&x, 0.4));
        close(&g, &energy_gradient(&x, 0.4).0, 1e-13);
    }
}
