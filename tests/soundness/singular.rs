//! Infinite slopes beside zeros: what does not change has no part in them, nor has what has no slope itself. In both modes and at second order.

use diffi::prelude::*;

/// `singular!`: the gradients of functions, and their Hessians times ones.
macro_rules! singular {
    ($($f:ident at $at:expr, $gradient:expr, $product:expr, |$x:ident| $body:block)*) => {
        $(#[differentiable]
        fn $f($x: &[f64]) -> f64 $body)*

        #[test]
        fn singular() {
            $({
                let (at, name) = ($at, stringify!($f));
                let reverse = gradient($f::D, AutoReverse, &at[..]).unwrap();
                crate::check::close(&format!("{name}, reverse"), &reverse, &$gradient, 1e-12);
                let forward = gradient($f::D, AutoForward, &at[..]).unwrap();
                crate::check::close(&format!("{name}, forward"), &forward, &$gradient, 1e-12);
                let product = hvp($f::D, AutoReverse, &at[..], &[1.0; 2][..]).unwrap();
                crate::check::close(&format!("{name}, second order"), &product, &$product, 1e-12);
            })*
        }
    };
}

#[differentiable]
fn root(v: f64) -> f64 {
    v.sqrt()
}

#[differentiable]
fn both(v: f64) -> (f64, f64) {
    (v.sqrt(), v * v)
}

#[derive(Clone, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

singular! {
    other_branch at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (if x[1] > 5.0 { x[0] } else { 0.0 }).sqrt() }
    empty_sum at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { x.iter().filter(|v| **v > 5.0).sum::<f64>().sqrt() }
    other_arm at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (match x[0] > 5.0 { true => x[0], false => 0.0 }).powf(0.5) }
    nothing at [2.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let found = if x[0] < 1.0 { Some(x[1]) } else { None };
        found.map_or(0.0, |v| v * 2.0).sqrt()
    }
    bound at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0] - 5.0).max(0.0).sqrt() }
    power_of_bound at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0] - 5.0).max(0.0).powf(1.5) }
    clamped at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { x[0].clamp(0.0, 0.0).sqrt() }
    element at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let m = [x[0], 0.0]; m[1].sqrt() }
    field at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let p = Pair { a: 0.0, b: x[0] }; p.a.sqrt() }
    argument at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { root(if x[1] > 5.0 { x[0] } else { 0.0 }) }
    angles at [2.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let d = if x[0] < 1.0 { x[1] } else { 1.0 };
        d.acos() + d.asin() + d.acosh()
    }
    two_roots at [2.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let mut t = 0.0;
        if x[0] < 1.0 {
            t = x[1];
        }
        let r = t.sqrt();
        (r * r).sqrt()
    }
    norm at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0].powi(2) + x[1] * x[1]).powf(1.5) }
    summed_norm at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { let n = x.iter().map(|v| v * v).sum::<f64>().sqrt(); n * n * n }
    length at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0] * x[0] + x[1].powi(2)).sqrt() }
    length_in_a_loop at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let mut sum = 0.0;
        for v in x {
            sum += v * v;
        }
        sum.sqrt()
    }
    softened_by_nothing at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { let e = 0.0 * 2.0; (x[0] * x[0] + x[1] * x[1] + e * e).sqrt() }
    weighted_length at [0.0, 3.0], [0.0, 0.0], [0.0, 0.0], |x| { let d = x[0] * (x[1] - 1.0); (2.0 * (d * d)).sqrt() }
    scaled_length at [0.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let r = (x[0] * x[0]).sqrt(); x[1] * r }
    root_of_length at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0] * x[0] + x[1] * x[1]).sqrt().sqrt() }
    larger_square at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[0] * x[0]).max(x[1] * x[1]).sqrt() }
    length_elsewhere at [3.0, 4.0], [0.6, 0.8], [0.032, -0.024], |x| { (x[0] * x[0] + x[1] * x[1]).sqrt() }
    inverse_distance at [3.0, 4.0], [-0.024, -0.032], [0.01216, 0.01888], |x| { 1.0 / (x[0] * x[0] + x[1] * x[1]).sqrt() }
    difference at [1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let d = x[0] - 1.0; (d * d).powf(1.5) * x[1] }
    factor at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { x[1] * x[1] * x[0].sqrt() }
    power at [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], |x| { x[1].powi(3) * x[0].sqrt() }
    undefined_call at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (x[1] * root(x[0])).max(0.5) }
    undefined_calls at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { (root(x[0]) * root(x[0])).max(0.5) }
    undefined_member at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let (a, _) = both(x[0]); (x[1] * a).max(0.5) }
    undefined_element at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| { let a = [x[0].sqrt(), x[1]]; (a[1] * a[0]).max(0.5) }
    undefined_field at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let p = Pair { a: x[0].sqrt(), b: x[1] };
        (p.a * p.b).max(0.5)
    }
    undefined_product at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let a: Vec<f64> = x.iter().map(|v| v.ln()).collect();
        a.iter().zip(x).map(|(p, q)| p * q).sum::<f64>().max(0.5)
    }
    undefined_branch at [-1.0, 2.0], [0.0, 0.0], [0.0, 0.0], |x| {
        let r = root(x[0]) * x[1];
        if x[1] > 5.0 { r } else { 0.0 }
    }
    no_share at [3.0, 1.0], [0.0, 1.0], [0.0, 0.0], |x| {
        let n = x.iter().filter(|v| **v > 5.0).count();
        (x[0] / n as f64).min(x[1])
    }
    no_length at [0.0, 1.0], [0.0, 1.0], [0.0, 0.0], |x| {
        let n = x.len() as f64 - 2.0;
        (x[0] / n).max(x[1])
    }
}
