//! Functions of `libm` and `num-traits` by their paths.

use diffi::prelude::*;

#[differentiable]
fn single_arguments(x: f64, y: f64) -> f64 {
    let roots = libm::sqrt(x) + libm::cbrt(x) * libm::exp(y) + libm::exp2(x) + libm::exp10(y) + libm::expm1(x);
    let logarithms = libm::log(x) + libm::log2(x) * libm::log10(y) + libm::log1p(y);
    let angles = libm::sin(x) + libm::cos(y) * libm::tan(x) + libm::asin(y) * libm::acos(y) + libm::atan(x);
    let hyperbolic =
        libm::sinh(x) * libm::cosh(y) + libm::tanh(x) + libm::asinh(y) + libm::acosh(x + 1.0) + libm::atanh(y);
    roots * logarithms + angles * hyperbolic
}
#[differentiable]
fn several_arguments(x: f64, y: f64, n: i32) -> f64 {
    let (s, c) = libm::sincos(x * y);
    let powers = libm::pow(x, y) * libm::hypot(x, y) + libm::atan2(y, x) + libm::fma(x, y, s);
    let kinks = libm::fabs(x - 1.0) + libm::fmax(x, y) * libm::fmin(x, y) + libm::fdim(x, y) + libm::copysign(x, -y);
    powers * kinks + c * libm::fmod(x, 0.3 * y) + libm::ldexp(x, n) * libm::scalbn(y, n)
}
#[differentiable]
fn steps(x: f64, y: f64) -> f64 {
    let whole = libm::floor(3.0 * x) + libm::ceil(y) * libm::round(x) + libm::trunc(7.0 * y) + libm::rint(6.0 * x);
    x * (whole + libm::roundeven(9.0 * y)) + y
}
#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let roots: f64 = x.iter().copied().map(libm::sqrt).sum();
    x.iter().fold(roots, |m, v| libm::fmax(m, *v * roots)) * ::libm::exp(-x[0])
}
#[differentiable]
fn traits(x: f64, y: f64) -> f64 {
    let paths = num_traits::Float::sqrt(x) * num_traits::real::Real::sin(y)
        + <f64>::cos(x) * <f64 as num_traits::Float>::exp(y);
    paths + num_traits::pow(x, 3) * num_traits::clamp(y, 0.1, 0.9) + num_traits::abs(x - 2.0) * num_traits::signum(y)
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number single_arguments(by x: f64, by y: f64): [0.7, 0.4];
        number several_arguments(by x: f64, by y: f64, fixed n: i32): [0.7, 0.4, 3] [0.4, 0.7, -1];
        number steps(by x: f64, by y: f64): [0.7, 0.4];
        number handed_on(at x: Vec<f64>): [vec![0.7, 0.4]];
        number traits(by x: f64, by y: f64): [0.7, 0.4];
    }
}
