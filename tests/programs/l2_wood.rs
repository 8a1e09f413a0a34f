use diffi::prelude::*;

#[differentiable]
pub fn wood(x: &[f64]) -> f64 {
    let &[a, b, c, d] = x else {
        panic!("wood needs four variables");
    };
    let valley = |u: f64, v: f64, w: f64| w * (v - u * u).powi(2) + (1.0 - u).powi(2);
    valley(a, b, 100.0) + valley(c, d, 90.0) + 10.0 * (b + d - 2.0).powi(2) + 0.1 * (b - d).powi(2)
}
