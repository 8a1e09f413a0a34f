//! Lists of tuples that functions make: gradients take their memory from the call before.

use super::none;
use diffi::prelude::*;

#[differentiable]
fn transformed(x: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let n = x.len();
    if n == 1 {
        return x.to_vec();
    }
    let even: Vec<(f64, f64)> = x.iter().step_by(2).copied().collect();
    let odd: Vec<(f64, f64)> = x.iter().skip(1).step_by(2).copied().collect();
    let (e, o) = (transformed(&even), transformed(&odd));
    let mut y = vec![(0.0, 0.0); n];
    for k in 0..n / 2 {
        let (s, c) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
        let t = (c * o[k].0 - s * o[k].1, c * o[k].1 + s * o[k].0);
        y[k] = (e[k].0 + t.0, e[k].1 + t.1);
        y[k + n / 2] = (e[k].0 - t.0, e[k].1 - t.1);
    }
    y
}

/// A recursive transform, whose lists are as many as its calls.
#[differentiable]
fn power(x: &[f64]) -> f64 {
    let z: Vec<(f64, f64)> = x.iter().map(|&v| (v, 0.0)).collect();
    transformed(&z).iter().enumerate().map(|(k, (re, im))| (re * re + im * im) * k as f64).sum()
}

/// A list that grows, and one of triples that is made anew in each iteration.
#[differentiable]
fn paths(x: &[f64]) -> f64 {
    let mut path = vec![(0.0, 1.0)];
    let mut sum = 0.0;
    for v in x {
        let (a, b) = path[path.len() - 1];
        path.push((a + v * b, b * v.cos()));
        let triples: Vec<(f64, f64, f64)> = path.iter().map(|p| (p.0, p.1, p.0 * p.1)).collect();
        sum += triples.iter().map(|t| t.0 * t.2 - t.1).sum::<f64>();
    }
    sum
}

#[test]
fn gradients_of_lists_of_tuples() -> Result<()> {
    let x: Vec<f64> = (0..16).map(|i| 0.1 + 0.05 * f64::from(i)).collect();
    let mut of_power = prepare_gradient(power::D, AutoReverse, &x[..])?;
    let mut of_paths = prepare_gradient(paths::D, AutoReverse, &x[..])?;
    let mut out = x.clone();
    none("a recursive transform of pairs", || of_power.value_and_gradient_into(&mut out, &x[..]).map(drop));
    none("paths of pairs and triples", || of_paths.value_and_gradient_into(&mut out, &x[..]).map(drop));
    Ok(())
}
