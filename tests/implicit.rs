//! Functions that solve equations: derivatives of the solution in closed form, whatever the solver does.

use diffi::prelude::*;

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{got} should be {expected}");
}

/// By bisection, whose own derivative is zero almost everywhere.
#[differentiable(root_of = power)]
fn root(a: f64, n: u32) -> f64 {
    let (mut lo, mut hi) = (0.0, a.max(1.0));
    for _ in 0..200 {
        let middle = 0.5 * (lo + hi);
        if power(middle, a, n) > 0.0 { hi = middle } else { lo = middle }
    }
    0.5 * (lo + hi)
}

#[differentiable]
fn power(y: f64, a: f64, n: u32) -> f64 {
    y.powi(n as i32) - a
}

/// Kepler's equation.
#[differentiable(root_of = kepler)]
fn eccentric_anomaly(mean: f64, e: f64) -> f64 {
    let mut y = mean;
    while kepler(y, mean, e).abs() > 1e-15 {
        y -= kepler(y, mean, e) / (1.0 - e * y.cos());
    }
    y
}

#[differentiable]
fn kepler(y: f64, mean: f64, e: f64) -> f64 {
    y - e * y.sin() - mean
}

#[differentiable(fixed_point_of = kepler_step)]
fn anomaly_by_steps(mean: f64, e: f64) -> f64 {
    let mut y = mean;
    for _ in 0..500 {
        y = kepler_step(y, mean, e);
    }
    y
}

#[differentiable]
fn kepler_step(y: f64, mean: f64, e: f64) -> f64 {
    mean + e * y.sin()
}

/// The distance from the focus, in a caller that is differentiated as ever.
#[differentiable]
fn radius(axis: f64, mean: f64, e: f64) -> f64 {
    axis * (1.0 - e * eccentric_anomaly(mean, e).cos())
}

/// A number with an equation of slices.
#[differentiable(root_of = moment)]
fn weighted_mean(x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w).map(|(x, w)| x * w).sum::<f64>() / w.iter().sum::<f64>()
}

#[differentiable]
fn moment(y: f64, x: &[f64], w: &[f64]) -> f64 {
    x.iter().zip(w).map(|(x, w)| w * (x - y)).sum()
}

#[test]
fn roots() {
    let (a, n) = (3.7_f64, 3);
    let slope = a.powf(1.0 / 3.0) / (3.0 * a);
    close(derivative(root::D, AutoForward, (a, Constant(n))).unwrap(), slope);
    close(gradient(root::D, AutoReverse, (a, Constant(n))).unwrap(), slope);
}

#[test]
fn kepler_by_root_and_fixed_point() {
    let (mean, e) = (0.9, 0.3);
    let y = eccentric_anomaly(mean, e);
    let (by_mean, by_e) = (1.0 / (1.0 - e * y.cos()), y.sin() / (1.0 - e * y.cos()));
    for (m, d) in [
        gradient(eccentric_anomaly::D, AutoReverse, (mean, e)).unwrap(),
        gradient(eccentric_anomaly::D, AutoForward, (mean, e)).unwrap(),
        gradient(anomaly_by_steps::D, AutoReverse, (mean, e)).unwrap(),
        gradient(anomaly_by_steps::D, AutoForward, (mean, e)).unwrap(),
    ] {
        close(m, by_mean);
        close(d, by_e);
    }
}

#[test]
fn in_a_caller() {
    let (axis, mean, e) = (1.7, 0.9, 0.3);
    let y = eccentric_anomaly(mean, e);
    let by_y = axis * e * y.sin();
    let expected =
        (1.0 - e * y.cos(), by_y / (1.0 - e * y.cos()), -axis * y.cos() + by_y * y.sin() / (1.0 - e * y.cos()));
    for got in [
        gradient(radius::D, AutoReverse, (axis, mean, e)).unwrap(),
        gradient(radius::D, AutoForward, (axis, mean, e)).unwrap(),
    ] {
        close(got.0, expected.0);
        close(got.1, expected.1);
        close(got.2, expected.2);
    }
}

#[test]
fn parameters_that_are_slices() {
    let (x, w) = ([1.0, 2.5, -0.7], [0.3, 0.5, 0.9]);
    let (total, mean) = (w.iter().sum::<f64>(), weighted_mean(&x, &w));
    for (by_x, by_w) in [
        gradient(weighted_mean::D, AutoReverse, (&x, &w)).unwrap(),
        gradient(weighted_mean::D, AutoForward, (&x, &w)).unwrap(),
    ] {
        for i in 0..3 {
            close(by_x[i], w[i] / total);
            close(by_w[i], (x[i] - mean) / total);
        }
    }
}

#[cfg(feature = "nalgebra")]
mod several_unknowns {
    use super::*;

    /// Where the hyperbola `u v = p` meets the line `u + v = q`.
    #[differentiable(root_of = meeting)]
    fn crossing(p: f64, q: f64) -> Vec<f64> {
        let root = (q * q / 4.0 - p).sqrt();
        vec![q / 2.0 + root, q / 2.0 - root]
    }

    #[differentiable]
    fn meeting(y: &[f64], p: f64, q: f64) -> Vec<f64> {
        vec![y[0] * y[1] - p, y[0] + y[1] - q]
    }

    /// The solution of a linear equation, by sweeps through it: `y = D⁻¹ (b - R y)`.
    #[differentiable(fixed_point_of = jacobi_step)]
    fn jacobi(a: &[f64], b: &[f64; 2]) -> [f64; 2] {
        let mut y = [0.0; 2];
        for _ in 0..400 {
            let next = jacobi_step(&y, a, b);
            y.copy_from_slice(&next);
        }
        y
    }

    #[differentiable]
    fn jacobi_step(y: &[f64], a: &[f64], b: &[f64; 2]) -> Vec<f64> {
        vec![(b[0] - a[1] * y[1]) / a[0], (b[1] - a[2] * y[0]) / a[3]]
    }

    #[differentiable]
    fn energy(a: &[f64], b: &[f64; 2]) -> f64 {
        let y = jacobi(a, b);
        0.5 * (b[0] * y[0] + b[1] * y[1])
    }

    #[test]
    fn a_crossing() {
        let (p, q) = (1.5, 3.0);
        let root = (q * q / 4.0 - p as f64).sqrt();
        let (by_p, by_q) = (-0.5 / root, 0.5 + q / (4.0 * root));
        for (p_block, q_block) in
            [jacobian(crossing::D, AutoReverse, (p, q)).unwrap(), jacobian(crossing::D, AutoForward, (p, q)).unwrap()]
        {
            close(p_block[[0, 0]], by_p);
            close(p_block[[1, 0]], -by_p);
            close(q_block[[0, 0]], by_q);
            close(q_block[[1, 0]], 1.0 - by_q);
        }
    }

    /// `E = b' A⁻¹ b / 2` has `dE/db = (y + z) / 2` and `dE/dA = -z y' / 2` with `A' z = b`.
    #[test]
    fn a_linear_equation() {
        let (a, b) = ([4.0, 1.0, 2.0, 5.0], [1.0, -2.0]);
        let y = jacobi(&a, &b);
        let z = jacobi(&[a[0], a[2], a[1], a[3]], &b);
        for (by_a, by_b) in [
            gradient(energy::D, AutoReverse, (&a[..], &b)).unwrap(),
            gradient(energy::D, AutoForward, (&a[..], &b)).unwrap(),
        ] {
            for i in 0..2 {
                close(by_b[i], 0.5 * (y[i] + z[i]));
                for j in 0..2 {
                    close(by_a[2 * i + j], -0.5 * z[i] * y[j]);
                }
            }
        }
    }
}
