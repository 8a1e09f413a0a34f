//! Where derivatives do not exist: what the derivative table has for `hypot`, `atan2` and `sqrt`.

use diffi::prelude::*;
use num_complex::Complex64;

const ZERO: Complex64 = Complex64::new(0.0, 0.0);

#[differentiable]
fn norm(z: Complex64) -> f64 {
    z.norm()
}

#[differentiable]
fn angle(z: Complex64) -> f64 {
    z.arg()
}

#[differentiable]
fn root(z: Complex64) -> f64 {
    z.sqrt().re
}

/// `3 z²`, by three powers, whose angles have no derivative at 0; and their exponents.
#[differentiable]
fn squares(z: Complex64, p: f64) -> f64 {
    (z.powi(2) + z.powf(p) + z.powc(Complex64::new(2.0, 0.0))).re
}

#[test]
fn absolute_values_and_angles_have_slope_zero_at_zero() -> Result<()> {
    for g in [gradient(norm::D, AutoReverse, ZERO)?, gradient(norm::D, AutoForward, ZERO)?] {
        assert_eq!(g, ZERO);
    }
    for g in [gradient(angle::D, AutoReverse, ZERO)?, gradient(angle::D, AutoForward, ZERO)?] {
        assert_eq!(g, ZERO);
    }
    Ok(())
}

#[test]
fn roots_have_the_limit_of_the_real_axis() -> Result<()> {
    assert_eq!(gradient(root::D, AutoReverse, ZERO)?.re, f64::INFINITY);
    assert_eq!(pushforward(root::D, AutoForward, ZERO, Complex64::new(1.0, 0.0))?, f64::INFINITY);
    Ok(())
}

#[test]
fn powers_are_smooth_at_zero() -> Result<()> {
    let (by_z, by_p) = gradient(squares::D, AutoReverse, (ZERO, 2.0))?;
    assert_eq!((by_z, by_p), (ZERO, 0.0));
    let hessian = hessian(squares::D, AutoReverse, (ZERO, Constant(2.0)))?;
    assert_eq!(hessian, ndarray::arr2(&[[6.0, 0.0], [0.0, -6.0]]));
    Ok(())
}
