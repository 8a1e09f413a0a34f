//! Patterns that hold everywhere, found by derivative code: the same wherever they are asked for, and no less than those of points.

use diffi::prelude::*;
use num_complex::Complex64;

/// The product of two numbers, the modulus of a third, and a term without curvature.
#[differentiable]
fn products(x: &[f64]) -> f64 {
    let (z, w) = (Complex64::new(x[0], x[1]), Complex64::new(x[2], x[3]));
    let v = Complex64::new(x[4], x[5]);
    (z * w).re + v.norm() + x[6]
}

/// Methods that are kinks, poles or cuts at zero.
#[differentiable]
fn methods(x: &[f64]) -> f64 {
    let (z, w) = (Complex64::new(x[0], x[1]), Complex64::new(x[2], x[3]));
    let v = Complex64::new(x[4], x[5]);
    z.powi(3).im + w.sqrt().re + (v.exp() - 1.0).norm_sqr() + z.arg() + x[6] * x[0]
}

/// Both sides of a condition on what is passed.
#[differentiable(everywhere)]
fn chosen(x: &[f64]) -> f64 {
    let mut z = Complex64::new(x[0], x[1]);
    for k in 1..3 {
        let w = Complex64::new(x[2 * k], x[2 * k + 1]);
        z = if z.norm_sqr() > 0.5 { z * w } else { z + w };
    }
    z.re
}

/// At points where nothing is special, and at zero.
const POINTS: [[f64; 7]; 4] = [
    [0.3, -0.4, 0.8, 0.2, 1.1, -0.6, 0.5],
    [-1.3, 0.9, -0.2, 1.2, 0.1, 0.7, -0.5],
    [2.3, 1.9, 1.2, -1.2, 3.1, 2.7, 4.5],
    [0.0; 7],
];

macro_rules! everywhere {
    ($f:ident) => {{
        let all = hessian_sparsity($f::D, TracerSparsityDetector.derivative_code(), &POINTS[0])?;
        for x in &POINTS {
            let found = hessian_sparsity($f::D, TracerSparsityDetector.derivative_code(), x)?;
            assert_eq!(found, all, "{} at {x:?}", stringify!($f));
        }
        for x in &POINTS[..3] {
            let here = hessian_sparsity($f::D, TracerLocalSparsityDetector, x)?;
            let missing: Vec<_> = here.iter().filter(|place| !all.iter().any(|known| known == *place)).collect();
            assert!(missing.is_empty(), "{} at {x:?}: {missing:?}", stringify!($f));
        }
        all
    }};
}

#[test]
fn hessians() -> diffi::Result<()> {
    let products = everywhere!(products);
    // each part of a factor with each of the other, as of any product of two numbers; and the modulus
    assert_eq!(products.nnz(), 8 + 4);
    let methods = everywhere!(methods);
    assert!(methods.iter().any(|place| place == (0, 6)) && !methods.iter().any(|place| place == (0, 2)));
    let chosen = everywhere!(chosen);
    assert!(chosen.iter().any(|place| place == (0, 2)) && chosen.iter().any(|place| place == (2, 4)));
    Ok(())
}
