use diffi::prelude::*;

/// Fixed point of x = cos(a x) / b to a tolerance.
#[differentiable]
pub fn fixed_point(a: f64, b: f64) -> f64 {
    let mut x = 0.5;
    let mut err = f64::INFINITY;
    let mut count = 0;
    while err > 1e-14 && count < 500 {
        let next = (a * x).cos() / b;
        err = (next - x).abs();
        x = next;
        count += 1;
    }
    x
}
