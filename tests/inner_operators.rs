//! Operators within annotated functions: forces from energies, Newton steps, sensitivities of slopes.
#![allow(clippy::needless_borrows_for_generic_args, reason = "arguments are written as users write them")]

use diffi::prelude::*;

fn close(a: &[f64], b: &[f64]) {
    assert!(
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1.0)),
        "{a:?} {b:?}"
    );
}

#[differentiable]
fn wave(x: f64, k: f64) -> f64 {
    (k * x).sin() * x
}

/// One step of Newton's method; `k` is constant to the operator and active here.
#[differentiable]
fn newton(x: f64, k: f64) -> f64 {
    let slope = derivative(wave::D, AutoForward, (x, Constant(k))).unwrap();
    x - wave(x, k) / slope
}

/// The same, the derivative written out.
#[differentiable]
fn newton_by_hand(x: f64, k: f64) -> f64 {
    let slope = (k * x).sin() + k * x * (k * x).cos();
    x - wave(x, k) / slope
}

#[differentiable]
fn energy(q: &[f64], stiffness: f64) -> f64 {
    let mut e = 0.0;
    for i in 1..q.len() {
        let d = q[i] - q[i - 1];
        e += stiffness * d * d * d * d + q[i].cos();
    }
    e
}

#[differentiable]
fn force(q: &[f64], stiffness: f64) -> Vec<f64> {
    let mut force = vec![0.0; q.len()];
    for i in 1..q.len() {
        let d = q[i] - q[i - 1];
        force[i] += 4.0 * stiffness * d * d * d - q[i].sin();
        force[i - 1] -= 4.0 * stiffness * d * d * d;
    }
    force
}

/// Symplectic Euler: the operator in a loop, of what the loop changes.
#[differentiable]
fn simulated(q: &[f64], stiffness: f64, steps: usize) -> f64 {
    let (mut q, mut p) = (q.to_vec(), vec![0.0; q.len()]);
    for _ in 0..steps {
        let force = gradient(energy::D, AutoReverse, (&q, Constant(stiffness))).expect("an energy");
        for i in 0..q.len() {
            p[i] -= 0.1 * force[i];
            q[i] += 0.1 * p[i];
        }
    }
    q.iter().zip(&p).map(|(q, p)| q * q + p).sum()
}

#[differentiable]
fn simulated_by_hand(q: &[f64], stiffness: f64, steps: usize) -> f64 {
    let (mut q, mut p) = (q.to_vec(), vec![0.0; q.len()]);
    for _ in 0..steps {
        let force = force(&q, stiffness);
        for i in 0..q.len() {
            p[i] -= 0.1 * force[i];
            q[i] += 0.1 * p[i];
        }
    }
    q.iter().zip(&p).map(|(q, p)| q * q + p).sum()
}

/// The value comes with the derivative, by the other argument, and in a branch.
#[differentiable]
fn with_value(x: f64, k: f64) -> f64 {
    if x > 0.0 {
        let (y, dy) = value_and_derivative(wave::D, AutoDual, (Constant(x), k)).unwrap();
        y * dy + dy.sin()
    } else {
        x * k
    }
}

#[differentiable]
fn with_value_by_hand(x: f64, k: f64) -> f64 {
    if x > 0.0 {
        let (y, dy) = ((k * x).sin() * x, x * x * (k * x).cos());
        y * dy + dy.sin()
    } else {
        x * k
    }
}

/// Several active arguments.
#[differentiable]
fn residual(q: &[f64], k: f64) -> f64 {
    let (e, (g, by_k)) = value_and_gradient(energy::D, AutoReverse, (q, k)).unwrap();
    g.iter().map(|g| g * g).sum::<f64>() + e * by_k
}

#[differentiable]
fn residual_by_hand(q: &[f64], k: f64) -> f64 {
    let g = force(q, k);
    let mut by_k = 0.0;
    for i in 1..q.len() {
        by_k += (q[i] - q[i - 1]).powi(4);
    }
    g.iter().map(|g| g * g).sum::<f64>() + energy(q, k) * by_k
}

/// In a loop, with another constant each time.
#[differentiable]
fn twice_inside(x: f64) -> f64 {
    let mut y = 0.0;
    for k in 1..4 {
        let slope = derivative(wave::D, AutoReverse, (x, Constant(f64::from(k)))).unwrap();
        y += slope * slope;
    }
    y
}

#[differentiable]
fn twice_by_hand(x: f64) -> f64 {
    let mut y = 0.0;
    for k in 1..4 {
        let k = f64::from(k);
        let slope = (k * x).sin() + k * x * (k * x).cos();
        y += slope * slope;
    }
    y
}

/// Errors are handed on, and looked at.
#[differentiable]
fn by_results(x: f64) -> Result<f64> {
    let first: Result<f64> = derivative(wave::D, AutoForward, (x, Constant(2.0)));
    let second = match gradient(wave::D, AutoReverse, (x, 2.0)) {
        Ok((by_x, by_k)) => by_x * by_k,
        Err(_) => 0.0,
    };
    let third = derivative(wave::D, AutoDual, (x, Constant(x)))?;
    Ok(first? + second + third * derivative(wave::D, AutoForward, (Constant(2.0), x)).unwrap_or(1.0))
}

#[differentiable]
fn by_results_by_hand(x: f64) -> f64 {
    let by_x = |x: f64, k: f64| (k * x).sin() + k * x * (k * x).cos();
    let by_k = |x: f64, k: f64| x * x * (k * x).cos();
    by_x(x, 2.0) + by_x(x, 2.0) * by_k(x, 2.0) + by_x(x, x) * by_k(2.0, x)
}

#[differentiable]
fn cubed(x: f32) -> f32 {
    x * x * x
}

#[differentiable]
fn slope_in_single_precision(x: f32) -> f32 {
    derivative(cubed::D, AutoForward, x).unwrap() * x
}

const Q: [f64; 4] = [0.1, 0.7, -0.4, 1.2];

/// A row for each backend: values and derivatives of the function with the operator, beside the one by hand.
macro_rules! agree {
    ($($backend:expr),+) => { $(
        for (x, k) in [(0.7, 1.3), (1.9, -0.4), (-0.8, 2.0)] {
            let (found, expected) = (gradient(newton::D, $backend, (x, k))?, gradient(newton_by_hand::D, AutoReverse, (x, k))?);
            close(&[found.0, found.1], &[expected.0, expected.1]);
            let found = gradient(with_value::D, $backend, (x, k))?;
            let expected = gradient(with_value_by_hand::D, AutoReverse, (x, k))?;
            close(&[found.0, found.1], &[expected.0, expected.1]);
            close(&[derivative(twice_inside::D, $backend, x)?], &[derivative(twice_by_hand::D, AutoReverse, x)?]);
        }
        let found = gradient(simulated::D, $backend, (&Q, 0.3, Constant(9)))?;
        let expected = gradient(simulated_by_hand::D, AutoReverse, (&Q, 0.3, Constant(9)))?;
        close(&found.0, &expected.0);
        close(&[found.1], &[expected.1]);
        let found = gradient(residual::D, $backend, (&Q, 0.3))?;
        let expected = gradient(residual_by_hand::D, AutoReverse, (&Q, 0.3))?;
        close(&found.0, &expected.0);
        close(&[found.1], &[expected.1]);
    )+ };
}

#[test]
fn every_backend_differentiates_them() -> Result<()> {
    agree!(AutoForward, AutoReverse, AutoDual, AutoTape, AutoTape.replayed(), AutoTaylor);
    assert_eq!(newton(0.7, 1.3), newton_by_hand(0.7, 1.3));
    let slope = derivative(slope_in_single_precision::D, AutoReverse, 1.5f32)?;
    assert!((slope - 9.0 * 1.5 * 1.5).abs() < 1e-4, "{slope}");
    Ok(())
}

#[test]
fn their_results_are_handed_on() -> Result<()> {
    for x in [0.7, 1.9] {
        assert_eq!(by_results(x)?, by_results_by_hand(x));
        let expected = derivative(by_results_by_hand::D, AutoReverse, x)?;
        close(&[derivative(by_results::D, AutoReverse, x)?.expect("a value")], &[expected]);
        close(&[derivative(by_results::D, AutoForward, x)?.expect("a value")], &[expected]);
    }
    Ok(())
}

#[test]
fn prepared_once_and_several_seeds_at_once() -> Result<()> {
    let mut prepared = prepare_gradient(simulated::D, AutoReverse, (&Q, 1.0, Constant(9)))?;
    let expected = gradient(simulated_by_hand::D, AutoReverse, (&Q, 0.3, Constant(9)))?.0;
    close(&prepared.gradient((&Q, 0.3, Constant(9)))?.0, &expected);
    let seeds: [Vec<f64>; 2] = [vec![1.0, 0.0, 0.0, 0.0], vec![0.0, 0.0, 2.0, 0.0]];
    let pushed = pushforward(simulated::D, AutoForward, (&Q, Constant(0.3), Constant(9)), seeds)?;
    close(&pushed, &[expected[0], 2.0 * expected[2]]);
    Ok(())
}

#[test]
fn second_derivatives_are_differences_of_first_ones() -> Result<()> {
    let backend = SecondOrder(AutoFiniteDiff, AutoReverse);
    let found = second_derivative(twice_inside::D, backend, 0.6)?;
    let expected = second_derivative(twice_by_hand::D, AutoForward, 0.6)?;
    assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found} {expected}");
    Ok(())
}
