//! Annotated functions of many shapes under every lint that code of a user may have switched on. What matters is that this
//! compiles, under clippy too; the test sees to it that the derivatives are instantiated.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused_qualifications, clippy::all)]

use ad::prelude::*;

/// A formula.
#[must_use]
#[differentiable(constant(n))]
pub fn formula(x: f64, y: f64, n: i32) -> f64 {
    let (s, c) = x.sin_cos();
    (s * y).mul_add(c, x.powi(n)) / (1.0 + y * y).sqrt()
}

/// A chain.
#[must_use]
#[differentiable]
pub fn chain(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b.exp()).sum()
}

/// Loops, branches, mutation, a local `Vec`, and a call.
#[must_use]
#[differentiable]
pub fn steps(x: &[f64], rate: f64) -> f64 {
    let mut state = x.to_vec();
    let mut total = 0.0;
    for round in 0..3 {
        for i in 1..state.len() {
            state[i] = if state[i] > state[i - 1] { state[i] * rate } else { square(state[i - 1]) };
        }
        if round == 1 {
            total += state[0];
        }
    }
    while total < 10.0 {
        total = total * rate + 1.0;
    }
    total + state.iter().sum::<f64>()
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

/// A vector.
#[must_use]
#[differentiable]
pub fn vector(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v.tanh()).collect()
}

/// An output.
#[differentiable(output(y))]
pub fn output(x: &[f64], y: &mut [f64]) {
    for (out, v) in y.iter_mut().zip(x) {
        *out = v * v;
    }
}

/// Single precision.
#[must_use]
#[differentiable]
pub fn single(x: f32) -> f32 {
    x.ln_1p()
}

/// What a generic parameter fixes.
#[must_use]
#[differentiable]
pub fn norm<const N: usize>(x: [f64; N]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt()
}

/// Loops that keep some of their states, and a parameter that nothing else mentions.
#[must_use]
#[differentiable]
pub fn rests(x: &[f64], every: usize) -> f64 {
    let mut state = x.to_vec();
    #[checkpoint(every = every)]
    for round in 0..9 {
        for i in 1..state.len() {
            state[i] = (state[i] * state[i - 1]).sin() + f64::from(round);
        }
    }
    let mut y = state[0];
    #[checkpoint]
    while y < 10.0 {
        y = y * y + 1.0;
    }
    #[checkpoint(snapshots = 2)]
    for v in &state {
        y = (y * v).cos();
    }
    y
}

/// Statements that are there by conditions.
#[must_use]
#[differentiable]
pub fn conditional(x: f64, #[cfg(target_pointer_width = "16")] y: f64, z: f64) -> f64 {
    #[cfg(not(target_pointer_width = "16"))]
    let mut sum = vec![x];
    #[cfg(target_pointer_width = "16")]
    let mut sum = vec![y];
    #[cfg(target_pointer_width = "16")]
    sum.push(y);
    #[cfg(not(target_pointer_width = "16"))]
    sum.push(z * z);
    #[cfg(target_pointer_width = "16")]
    return y;
    #[cfg(not(target_pointer_width = "16"))]
    {
        sum.iter().product()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_are_instantiated() -> Result<()> {
        let x = [0.3, 0.8, 0.5];
        let mut y = [0.0; 3];
        assert!(gradient(formula::D, AutoReverse, (0.5, 2.0, Constant(3)))?.0.is_finite());
        assert!(gradient(chain::D, AutoReverse, (&x, &x))?.0.iter().all(|g| g.is_finite()));
        assert!(gradient(steps::D, AutoReverse, (&x, 1.5))?.1.is_finite());
        assert!(gradient(steps::D, AutoForward, (&x, 1.5))?.1.is_finite());
        assert!(hessian(steps::D, SecondOrder(AutoForward, AutoReverse), (&x, 1.5))?.iter().all(|h| h.is_finite()));
        assert!(gradient(rests::D, AutoReverse, (&x, Constant(2)))?.iter().all(|g| g.is_finite()));
        assert!(hessian(rests::D, AutoReverse, (&x, Constant(2)))?.iter().all(|h| h.is_finite()));
        assert!(jacobian(vector::D, AutoReverse, &x)?.iter().all(|j| j.is_finite()));
        assert!(jacobian(output::D, AutoReverse, (&x, &mut y))?.iter().all(|j| j.is_finite()));
        assert!(derivative(single::D, AutoForward, 0.5)?.is_finite());
        assert!(gradient(norm::D, AutoReverse, x)?.iter().all(|g| g.is_finite()));
        assert!(gradient(conditional::D, AutoReverse, (0.5, 2.0))?.1.is_finite());
        Ok(())
    }
}
