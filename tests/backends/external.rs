//! Packages that nobody here wrote: first derivatives against the generated code, and where their conventions differ.

use crate::functions::*;
use diffi::prelude::*;
use diffi::{AutoAutodiff, AutoHyperdualCrate, AutoNumDual};

macro_rules! rows {
    ($($name:ident: $backend:expr, $abs_at_zero:expr, $root_of_constant_zero:expr;)+) => { $(
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

#[differentiable]
fn everything(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let powers = a.recip() + a.sqrt() + a.cbrt() + a.powi(3) + a.powf(b) + a.hypot(b) + a.mul_add(b, a);
    let exponentials = a.exp() + a.exp2() + a.exp_m1() + a.ln() + a.ln_1p() + a.log2() + a.log10() + a.log(b + 2.0);
    let angles =
        a.sin() + a.cos() + a.tan() + a.asin() + a.acos() + a.atan() + a.atan2(b) + a.to_degrees() + a.to_radians();
    let hyperbolic = a.sinh() + a.cosh() + a.tanh() + a.asinh() + (a + 1.5).acosh() + a.atanh();
    let kinks =
        (a - b).abs() + a.copysign(-b) + a.max(b) + a.min(b) + a.clamp(0.1, 0.2) + a.midpoint(b) + (7.0 * a).fract();
    let jumps = (7.0 * b).rem_euclid(a)
        + (7.0 * b).div_euclid(a)
        + (5.0 * b) % a
        + a.floor()
        + b.ceil()
        + a.round()
        + b.trunc();
    powers + 2.0 * exponentials + angles * b + hyperbolic * a + kinks * b + jumps
}
