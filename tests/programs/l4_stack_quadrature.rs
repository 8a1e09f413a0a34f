use diffi::prelude::*;

/// Adaptive trapezoid with an explicit stack of intervals.
#[differentiable]
pub fn stack_quadrature(upper: f64, sharp: f64) -> f64 {
    let f = |x: f64| 1.0 / (1.0 + sharp * x * x);
    let mut stack: Vec<(f64, f64, u32)> = vec![(0.0, upper, 0)];
    let mut integral = 0.0;
    while let Some((a, b, depth)) = stack.pop() {
        let m = 0.5 * (a + b);
        let coarse = 0.5 * (b - a) * (f(a) + f(b));
        let fine = 0.25 * (b - a) * (f(a) + 2.0 * f(m) + f(b));
        if (fine - coarse).abs() < 1e-3 || depth > 12 {
            integral += fine + (fine - coarse) / 3.0;
        } else {
            stack.push((a, m, depth + 1));
            stack.push((m, b, depth + 1));
        }
    }
    integral
}
