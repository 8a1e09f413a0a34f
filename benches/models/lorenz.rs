//! Lorenz' system by the classical method of Runge and Kutta: a step calls the right-hand side four times.

use diffi::prelude::*;

/// The sum of squares after some steps.
#[differentiable(constant(h, steps))]
pub fn lorenz(start: [f64; 3], parameters: [f64; 3], h: f64, steps: usize) -> f64 {
    let mut y = start;
    for _ in 0..steps {
        y = runge_kutta(y, parameters, h);
    }
    y[0] * y[0] + y[1] * y[1] + y[2] * y[2]
}

#[differentiable(constant(h))]
pub fn runge_kutta(y: [f64; 3], parameters: [f64; 3], h: f64) -> [f64; 3] {
    let k1 = slope(y, parameters);
    let k2 = slope(along(y, k1, 0.5 * h), parameters);
    let k3 = slope(along(y, k2, 0.5 * h), parameters);
    let k4 = slope(along(y, k3, h), parameters);
    let mut next = y;
    for i in 0..3 {
        next[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    next
}

#[differentiable]
pub fn slope([x, y, z]: [f64; 3], [sigma, rho, beta]: [f64; 3]) -> [f64; 3] {
    [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]
}

#[differentiable(constant(h))]
pub fn along(y: [f64; 3], k: [f64; 3], h: f64) -> [f64; 3] {
    [y[0] + h * k[0], y[1] + h * k[1], y[2] + h * k[2]]
}

/// The state before every step: what is in between is cheap to find again.
pub struct Workspace(Vec<[f64; 3]>);

impl Workspace {
    pub fn new(steps: usize) -> Workspace {
        Workspace(vec![[0.0; 3]; steps])
    }
}

/// The gradients by the start and by the parameters.
pub fn gradient_by_hand(
    start: [f64; 3],
    parameters: [f64; 3],
    h: f64,
    Workspace(states): &mut Workspace,
) -> ([f64; 3], [f64; 3]) {
    let mut y = start;
    for state in states.iter_mut() {
        *state = y;
        let k1 = slope(y, parameters);
        let k2 = slope(along(y, k1, 0.5 * h), parameters);
        let k3 = slope(along(y, k2, 0.5 * h), parameters);
        let k4 = slope(along(y, k3, h), parameters);
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    let (mut y_bar, mut p_bar) = (y.map(|y| 2.0 * y), [0.0; 3]);
    for y in states.iter().rev() {
        let k1 = slope(*y, parameters);
        let y2 = along(*y, k1, 0.5 * h);
        let k2 = slope(y2, parameters);
        let y3 = along(*y, k2, 0.5 * h);
        let k3 = slope(y3, parameters);
        let y4 = along(*y, k3, h);
        let y4_bar = slope_back(y4, parameters, y_bar.map(|b| h / 6.0 * b), &mut p_bar);
        let k3_bar = std::array::from_fn(|i| h / 3.0 * y_bar[i] + h * y4_bar[i]);
        let y3_bar = slope_back(y3, parameters, k3_bar, &mut p_bar);
        let k2_bar = std::array::from_fn(|i| h / 3.0 * y_bar[i] + 0.5 * h * y3_bar[i]);
        let y2_bar = slope_back(y2, parameters, k2_bar, &mut p_bar);
        let k1_bar = std::array::from_fn(|i| h / 6.0 * y_bar[i] + 0.5 * h * y2_bar[i]);
        let y1_bar = slope_back(*y, parameters, k1_bar, &mut p_bar);
        y_bar = std::array::from_fn(|i| y_bar[i] + y1_bar[i] + y2_bar[i] + y3_bar[i] + y4_bar[i]);
    }
    (y_bar, p_bar)
}

fn slope_back([x, y, z]: [f64; 3], [sigma, rho, beta]: [f64; 3], bar: [f64; 3], p_bar: &mut [f64; 3]) -> [f64; 3] {
    p_bar[0] += bar[0] * (y - x);
    p_bar[1] += bar[1] * x;
    p_bar[2] -= bar[2] * z;
    [
        bar[1] * (rho - z) + bar[2] * y - bar[0] * sigma,
        bar[0] * sigma - bar[1] + bar[2] * x,
        -bar[1] * x - bar[2] * beta,
    ]
}
