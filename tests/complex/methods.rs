//! Every method of one complex number: tangents by the difference quotient of the crate's own function, cotangents by the
//! conjugate of the slope, and constructors.

use crate::check::{rows, slope};
use diffi::prelude::*;
use num_complex::{Complex, Complex64};

fn assert_near(what: &str, got: Complex64, expected: Complex64) {
    assert!((got - expected).norm() <= 1e-8 * (1.0 + expected.norm()), "{what}: {got} should be {expected}");
}

/// Points in every quadrant, and beside the branch cuts.
const POINTS: [Complex64; 6] = [
    Complex64::new(0.7, 0.4),
    Complex64::new(-0.6, 1.3),
    Complex64::new(-1.7, -0.2),
    Complex64::new(0.3, -0.8),
    Complex64::new(2.0, 1e-3),
    Complex64::new(-0.5, -1e-2),
];

/// `method(args);` for functions of `z` whose value is complex.
macro_rules! methods {
    ($($name:ident: $method:ident($($arg:expr)?);)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            #[differentiable]
            fn f(z: Complex64) -> Complex64 {
                z.$method($($arg)?)
            }
            for z in POINTS {
                for direction in [Complex64::new(1.0, 0.0), Complex64::new(0.3, -0.9)] {
                    let along = |h: f64| f(z + h * direction);
                    let expected = Complex64::new(slope(|h| along(h).re), slope(|h| along(h).im));
                    let what = format!("{} at {z} along {direction}", stringify!($method));
                    assert_near(&what, pushforward(f::D, AutoForward, z, direction)?, expected);
                    // the cotangent of a holomorphic function is multiplied by the conjugate of the slope
                    let bar = Complex64::new(0.4, 1.1);
                    let by_slope = (expected / direction).conj() * bar;
                    assert_near(&what, pullback(f::D, AutoReverse, z, bar)?, by_slope);
                }
            }
            Ok(())
        }
    )+ };
}
methods! {
    exponential: exp();
    logarithm: ln();
    root: sqrt();
    sine: sin();
    cosine: cos();
    tangent: tan();
    hyperbolic_sine: sinh();
    hyperbolic_cosine: cosh();
    hyperbolic_tangent: tanh();
    inverse_sine: asin();
    inverse_cosine: acos();
    inverse_tangent: atan();
    inverse_hyperbolic_sine: asinh();
    inverse_hyperbolic_cosine: acosh();
    inverse_hyperbolic_tangent: atanh();
    power_of_two: exp2();
    logarithm_to_base_two: log2();
    logarithm_to_base_ten: log10();
    inverse: inv();
    cube: powi(3);
    inverse_square: powi(-2);
    no_power: powi(0);
    fourth_power: powu(4);
    real_power: powf(1.7);
    complex_power: powc(Complex64::new(0.8, -0.3));
    scaled: scale(0.3);
    unscaled: unscale(0.3);
}

/// Second derivatives of the same, exponents as variables, and what is not holomorphic.
#[differentiable]
fn all(x: &[f64]) -> f64 {
    let z = Complex64::new(x[0], x[1]);
    let w = z.exp() + z.sin() * z.cos() / z.tan() - z.sinh().cosh() + z.tanh() + z.sqrt() + z.ln();
    let v = w.conj() * z.inv() + z.powi(3) + z.powi(-2) + z.powf(1.5) + z.powf(x[2]);
    let u = v + z.powc(Complex::new(x[2], 0.3)) + z.scale(x[0]) + z.unscale(x[1]) + z.asin() * z.acos() - z.atan();
    let t = u + z.asinh() / z.acosh() - z.atanh() + z.exp2() * z.log2() - z.log10() + z.powu(2);
    let (r, angle) = t.to_polar();
    r + angle * t.norm_sqr() * 1e-3 + u.re * w.im * 1e-2 + u.arg()
}

/// Numbers made in every way.
#[differentiable]
fn made(x: &[f64]) -> f64 {
    let z = Complex::from_polar(x[0], x[1]) + Complex64::cis(x[2]) + Complex::from(x[0]);
    let w = Complex { re: z.im, im: x[1] * z.re };
    let Complex { re, im } = z * w;
    re * im
}

fn made_in_reals(x: &[f64]) -> f64 {
    let (a, b) = (x[0] * x[1].cos() + x[2].cos() + x[0], x[0] * x[1].sin() + x[2].sin());
    (a * b - b * (x[1] * a)) * (a * (x[1] * a) + b * b)
}

rows! {
    all_of_them: all, all, [0.7, 0.8, 1.2];
    all_of_them_in_another_quadrant: all, all, [-0.3, -0.9, 0.7];
    constructors: made, made_in_reals, [1.3, 0.4, -0.6];
}
