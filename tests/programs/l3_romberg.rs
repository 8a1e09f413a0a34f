use diffi::prelude::*;

const LEVELS: usize = 5;

/// Romberg integration of exp(-k x^2) cos(x) over [a, b]; both limits active.
#[differentiable]
pub fn romberg(a: f64, b: f64, k: f64) -> f64 {
    let f = |x: f64| (-k * x * x).exp() * x.cos();
    let mut table = [[0.0; LEVELS]; LEVELS];
    let mut h = b - a;
    table[0][0] = 0.5 * h * (f(a) + f(b));
    let mut panels = 1;
    for i in 1..LEVELS {
        h *= 0.5;
        let mut mid = 0.0;
        for j in 0..panels {
            mid += f(a + (2 * j + 1) as f64 * h);
        }
        panels *= 2;
        table[i][0] = 0.5 * table[i - 1][0] + h * mid;
        let mut factor = 1.0;
        for j in 1..=i {
            factor *= 4.0;
            table[i][j] = table[i][j - 1] + (table[i][j - 1] - table[i - 1][j - 1]) / (factor - 1.0);
        }
    }
    table[LEVELS - 1][LEVELS - 1]
}
