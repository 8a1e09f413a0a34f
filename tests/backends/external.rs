//! Packages that nobody here wrote: first derivatives against the generated code, and where their conventions differ.

use crate::functions::*;
use diffi::prelude::*;

macro_rules! rows {
    ($($(#[$cfg:meta])? $name:ident: $backend:expr, $abs_at_zero:expr, $root_of_constant_zero:expr;)+) => { $(
        $(#[$cfg])?
        mod $name {
            use super::*;

            #[test]
            fn first_order() {
                for n in [3, 8, 13, 30] {
                    let x = point(n);
                    let v: Vec<f64> = x.iter().map(|x| 1.0 - x).collect();
                    let (expected, by_scale) = energy_gradient(&x, 0.4);
                    let (y, (g, s)) = value_and_gradient(energy::D, $backend, (&x, 0.4)).unwrap();
                    close(&[y], &[energy(&x, 0.4)], 1e-14);
                    close(&g, &expected, 1e-12);
                    close(&[s], &[by_scale], 1e-12);
                    let product: f64 = expected.iter().zip(&v).map(|(g, v)| g * v).sum();
                    close(&[pushforward(energy::D, $backend, (&x, Constant(0.4)), &v).unwrap()], &[product], 1e-12);
                    let two = pullback(energy::D, $backend, (&x, Constant(0.4)), [1.0, 0.5]).unwrap();
                    close(&two[0], &expected, 1e-12);
                    close(&two[1], &expected.iter().map(|g| 0.5 * g).collect::<Vec<_>>(), 1e-12);
                }
            }

            /// One preparation, points on other sides of the branches.
            #[test]
            fn prepared() {
                let mut prepared = prepare_gradient(energy::D, $backend, (&[0.5; 9], 0.1)).unwrap();
                for k in 0..4 {
                    let x: Vec<f64> = (0..9).map(|i| (1.7 * (i * k) as f64 + 0.2).sin()).collect();
                    let (g, s) = prepared.gradient((&x, 0.4)).unwrap();
                    let (expected, by_scale) = energy_gradient(&x, 0.4);
                    close(&g, &expected, 1e-12);
                    close(&[s], &[by_scale], 1e-12);
                }
            }

            #[test]
            fn functions_that_write() {
                let mut y = [0.0; 2];
                let found = jacobian(rotate::D, $backend, (&[0.3, -1.2], Constant(0.5), &mut y)).unwrap();
                let (s, c) = 0.5f64.sin_cos();
                close(found.as_slice().unwrap(), &[c, -s, s, c], 1e-15);
                close(&y, &[0.3 * c + 1.2 * s, 0.3 * s - 1.2 * c], 1e-15);
            }

            #[test]
            fn every_function_of_the_table() {
                let found = gradient(everything::D, $backend, &[0.3, 0.7]).unwrap();
                close(&found, &gradient(everything::D, AutoReverse, &[0.3, 0.7]).unwrap(), 1e-12);
            }

            /// The table of the packages' own conventions.
            #[test]
            fn conventions() {
                let found = derivative(absolute::D, $backend, 0.0).unwrap();
                assert_eq!(found, $abs_at_zero);
                let found = gradient(root_of_other::D, $backend, &[1.0, 0.0]).unwrap()[0];
                assert_eq!(found.is_nan(), $root_of_constant_zero);
            }

            #[test]
            fn second_order_by_differences() {
                let x = point(4);
                let found = hessian(energy::D, SecondOrder(AutoFiniteDiff, $backend), (&x, Constant(0.4))).unwrap();
                let expected = hessian(energy::D, AutoReverse, (&x, Constant(0.4))).unwrap();
                close(found.as_slice().unwrap(), expected.as_slice().unwrap(), 1e-6);
            }
        }
    )+ };
}

// name: backend, the derivative of `abs` at 0 (0 in the derivative table), whether `sqrt` of a constant 0 gives NaN (never in the table)
rows! {
    num_dual: AutoNumDual, 1.0, false;
    hyperdual: AutoHyperdualCrate, 1.0, false;
    autodiff: AutoAutodiff, 1.0, false;
    echidna: AutoEchidna, 0.0, false;
    echidna_replayed: AutoEchidna.replayed(), 0.0, false;
    #[cfg(feature = "ad-trait")] ad_trait: AutoAdTrait, 1.0, false;
}

#[differentiable]
fn absolute(x: f64) -> f64 {
    x.abs()
}

#[differentiable(constant(zero))]
fn shifted_root(x: f64, zero: f64) -> f64 {
    x * x + zero.sqrt()
}

#[differentiable]
fn root_of_other(x: &[f64]) -> f64 {
    shifted_root(x[0], 0.0)
}

/// The package's own tape would go on with the old branch.
#[test]
fn replayed_tapes_notice_branches() {
    let mut prepared = prepare_gradient(bent::D, AutoEchidna.replayed(), (1.0, 2.0)).unwrap();
    for (x, y) in [(1.0, 2.0), (1.5, -0.5), (-1.5, 0.5), (0.25, 3.75), (2.5, 2.5), (-3.5, 1.25)] {
        let (value, slopes) = value_and_gradient(bent::D, AutoReverse, (x, y)).unwrap();
        assert_eq!(prepared.value_and_gradient((x, y)).unwrap(), (value, slopes), "{x} {y}");
    }
}

#[differentiable]
fn bent(x: f64, y: f64) -> f64 {
    let larger = if x > y { x * x } else { y + y };
    larger * x.floor() + x.max(y) + (7.0 * y) % 2.0
}

fn energy_of(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0] * w[0]).powi(2)).sum()
}

/// As the attribute would make it: adds to the shadow, and gives the value.
fn d_energy_of(x: &[f64], dx: &mut [f64], dy: f64) -> f64 {
    for i in 0..x.len() - 1 {
        let step = x[i + 1] - x[i] * x[i];
        dx[i + 1] += 2.0 * step * dy;
        dx[i] -= 4.0 * step * x[i] * dy;
    }
    energy_of(x)
}

#[test]
fn enzyme() {
    let x = point(9);
    let f = |x: &[f64]| energy_of(x);
    let mut prepared = prepare_gradient(Enzyme(energy_of, d_energy_of), AutoEnzyme, &x).unwrap();
    for x in [point(9), vec![0.5; 9]] {
        let (y, g) = prepared.value_and_gradient(&x).unwrap();
        assert_eq!(y, energy_of(&x));
        close(&g, &gradient(f, AutoFiniteDiff, &x).unwrap(), 1e-8);
    }
}

/// What is built without a flag answers 0.
#[test]
fn enzyme_that_answers_nothing_is_found_out() {
    let nothing = |x: &[f64], _: &mut [f64], _: f64| energy_of(x);
    let error = prepare_gradient(Enzyme(energy_of, nothing), AutoEnzyme, &point(5)).unwrap_err();
    assert!(matches!(error, Error::WrongDerivative { .. }), "{error}");
    assert!(gradient(Enzyme(energy_of, nothing), AutoEnzyme, &point(5)).is_err());
}
