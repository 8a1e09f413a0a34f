use diffi::prelude::*;

/// One descent step with a backtracking line search, labelled outer loop.
#[differentiable]
pub fn backtracking(a: f64, b: f64, start: f64) -> f64 {
    let f = |x: f64| a * x.powi(4) - b * x + 0.5 * x * x;
    let mut x = start;
    'outer: for _ in 0..30 {
        let g = 4.0 * a * x.powi(3) - b + x;
        let mut t = 0.5;
        while f(x - t * g) > f(x) - 0.3 * t * g * g {
            t *= 0.5;
            if t < 1e-6 {
                break 'outer;
            }
        }
        if g.abs() < 1e-3 {
            break;
        }
        x -= t * g;
    }
    f(x) + x
}
