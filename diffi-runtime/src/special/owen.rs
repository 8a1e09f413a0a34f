//! Owen's T.

use super::erf::{erf, erfc};
use std::f64::consts::FRAC_1_SQRT_2;

/// `1/2π ∫ exp(-h² (1 + t²) / 2) / (1 + t²)` from 0 to `a`.
pub fn owen_t(h: f64, a: f64) -> f64 {
    let (size, slope) = (h.abs(), a.abs());
    let value = if slope <= 1.0 { integral(size, slope) } else { reflected(size, slope) };
    value.copysign(a)
}

/// Owen 1956: the other triangle, as slopes above 1 are too far.
fn reflected(h: f64, a: f64) -> f64 {
    let (near, far) = (h * FRAC_1_SQRT_2, a * h * FRAC_1_SQRT_2);
    let both = match near < 0.7 {
        true => 0.25 - 0.25 * erf(near) * erf(far),
        false => 0.25 * (erfc(near) + erfc(far)) - 0.25 * erfc(near) * erfc(far),
    };
    both - if a.is_finite() { integral(a * h, 1.0 / a) } else { 0.0 }
}

/// Gauss and Legendre, as far as the integrand is seen.
fn integral(h: f64, a: f64) -> f64 {
    let end = a.min(9.0 / h);
    let half = 0.5 * end;
    let at = |node: f64, weight: f64| {
        let t = half * (1.0 + node);
        weight * (-0.5 * h * h * (1.0 + t * t)).exp() / (1.0 + t * t)
    };
    let sum: f64 = NODES.iter().map(|[node, weight]| at(*node, *weight) + at(-node, *weight)).sum();
    half * sum / std::f64::consts::TAU
}

const NODES: [[f64; 2]; 16] = [
    [0.9972638618494816, 0.007018610009470096],
    [0.9856115115452684, 0.01627439473090567],
    [0.9647622555875064, 0.02539206530926206],
    [0.9349060759377397, 0.03427386291302143],
    [0.8963211557660521, 0.04283589802222668],
    [0.84936761373257, 0.050998059262376175],
    [0.7944837959679424, 0.058684093478535544],
    [0.7321821187402897, 0.06582222277636185],
    [0.6630442669302152, 0.0723457941088485],
    [0.5877157572407623, 0.07819389578707031],
    [0.5068999089322294, 0.08331192422694675],
    [0.42135127613063533, 0.08765209300440381],
    [0.33186860228212767, 0.09117387869576389],
    [0.23928736225213706, 0.09384439908080457],
    [0.1444719615827965, 0.09563872007927486],
    [0.04830766568773832, 0.0965400885147278],
];
