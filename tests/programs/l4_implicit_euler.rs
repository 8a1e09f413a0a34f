use diffi::prelude::*;

#[differentiable]
fn rhs(y: &[f64; 2], mu: f64) -> [f64; 2] {
    [y[1], mu * (1.0 - y[0] * y[0]) * y[1] - y[0]]
}

/// Backward Euler for the van der Pol oscillator with a Newton solve in every step.
#[differentiable(constant(dt, steps))]
pub fn implicit_euler(y0: [f64; 2], mu: f64, dt: f64, steps: usize) -> [f64; 2] {
    let mut y = y0;
    for _ in 0..steps {
        let old = y;
        for _newton in 0..20 {
            let f = rhs(&y, mu);
            let r = [y[0] - old[0] - dt * f[0], y[1] - old[1] - dt * f[1]];
            let j = [[1.0, -dt], [dt * (2.0 * mu * y[0] * y[1] + 1.0), 1.0 - dt * mu * (1.0 - y[0] * y[0])]];
            let det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
            let d = [(j[1][1] * r[0] - j[0][1] * r[1]) / det, (j[0][0] * r[1] - j[1][0] * r[0]) / det];
            y[0] -= d[0];
            y[1] -= d[1];
            if d[0].abs() + d[1].abs() < 1e-13 {
                break;
            }
        }
    }
    y
}
