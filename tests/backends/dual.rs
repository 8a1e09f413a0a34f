//! `AutoDual`.

use diffi::prelude::*;
use diffi::{Real, ScalarFn};
use ndarray::array;

#[differentiable]
fn energy(x: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let step = x[i + 1] - x[i] * x[i];
        sum += if step > 0.0 { step * step } else { scale * step.sin() };
    }
    sum
}

/// By hand.
fn energy_gradient(x: &[f64], scale: f64) -> (Vec<f64>, f64) {
    let (mut g, mut by_scale) = (vec![0.0; x.len()], 0.0);
    for i in 0..x.len() - 1 {
        let step = x[i + 1] - x[i] * x[i];
        let slope = if step > 0.0 { 2.0 * step } else { scale * step.cos() };
        g[i + 1] += slope;
        g[i] -= slope * 2.0 * x[i];
        by_scale += if step > 0.0 { 0.0 } else { step.sin() };
    }
    (g, by_scale)
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (0.7 * i as f64).sin() * 1.3).collect()
}

#[track_caller]
fn close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-13 * (1.0 + b.abs()), "{found:?}, expected {expected:?}");
    }
}

#[test]
fn gradients_in_chunks_of_every_size() {
    for n in [2, 3, 7, 8, 9, 25] {
        let x = point(n);
        let (expected, by_scale) = energy_gradient(&x, 0.4);
        for backend in (1..=8).map(|size| AutoDual.chunk_size(size)).chain([AutoDual]) {
            let (y, (g, s)) = value_and_gradient(energy::D, backend, (&x, 0.4)).unwrap();
            close(&[y], &[energy(&x, 0.4)]);
            close(&g, &expected);
            close(&[s], &[by_scale]);
            close(&gradient(energy::D, backend, (&x, Constant(0.4))).unwrap(), &expected);
            close(&[gradient(energy::D, backend, (Constant(&x), 0.4)).unwrap()], &[by_scale]);
        }
    }
}

#[differentiable]
fn rotate(x: &[f64], angle: f64, y: &mut [f64]) {
    y[0] = x[0] * angle.cos() - x[1] * angle.sin();
    y[1] = x[0] * angle.sin() + x[1] * angle.cos();
}

#[test]
fn outputs_among_the_parameters() {
    let (x, mut y) = ([0.3, -1.2], [9.0, 9.0]);
    let (s, c) = 0.5f64.sin_cos();
    let (by_x, by_angle) = jacobian(rotate::D, AutoDual, (&x, 0.5, &mut y)).unwrap();
    assert_eq!(by_x, array![[c, -s], [s, c]]);
    close(by_angle.as_slice().unwrap(), &[-x[0] * s - x[1] * c, x[0] * c - x[1] * s]);
    close(&y, &[x[0] * c - x[1] * s, x[0] * s + x[1] * c]);
}

struct Spring {
    stiffness: f64,
}

impl ScalarFn for Spring {
    type Input = [f64];
    type Output = f64;
    fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
        (x[1] - x[0]).powi(2).scale(0.5 * self.stiffness)
    }
}

#[test]
fn functions_over_any_number_type_written_by_hand() {
    let spring = Spring { stiffness: 3.0 };
    assert_eq!(gradient(spring, AutoDual, &[1.0, 3.0]).unwrap(), [-6.0, 6.0]);
    let differences = gradient(Spring { stiffness: 3.0 }, AutoFiniteDiff, &[1.0, 3.0]).unwrap();
    assert!((differences[0] + 6.0).abs() < 1e-8);
}
