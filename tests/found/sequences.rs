//! Sequences as people write them: collected slices, arrays made by index, parts by a predicate.

use diffi::prelude::*;

/// Slices that are collected, then read by index, from an index on, and by name in an assertion.
#[differentiable]
fn collected_slices(x: &[f64]) -> f64 {
    let atoms: Vec<&[f64]> = x.chunks_exact(2).collect();
    assert!(atoms.len() == x.len() / 2 && !atoms.is_empty());
    let mut energy = atoms[0][1];
    for (i, a) in atoms.iter().enumerate() {
        for b in &atoms[i + 1..] {
            let r2: f64 = a.iter().zip(b.iter()).map(|(p, q)| (p - q) * (p - q)).sum();
            if r2 > 1.5 {
                continue;
            }
            energy += (0.1 + r2).ln();
        }
    }
    energy
}

#[differentiable]
fn flow(y: [f64; 3], rate: f64) -> [f64; 3] {
    [-rate * y[0] * y[1], rate * y[0] * y[1] - y[1], y[1] * y[2]]
}

/// Arrays by index, of a length that only their use tells, and mapped from integers.
#[differentiable]
fn arrays_by_index(x: &[f64]) -> f64 {
    let mut y = [x[0], x[1], 0.5];
    for _ in 0..3 {
        let k = flow(y, x[2]);
        let next = flow(std::array::from_fn(|i| y[i] + 0.05 * k[i]), x[2]);
        y = std::array::from_fn(|i| y[i] + 0.1 * next[i]);
    }
    let scaled = [1, 2, 3].map(|i| y[i - 1] * i as f64);
    scaled.iter().sum()
}

#[differentiable]
fn log_add(a: f64, b: f64) -> f64 {
    if a > b { a + (b - a).exp().ln_1p() } else { b + (a - b).exp().ln_1p() }
}

/// Values that leave their vector go to a function by value.
#[differentiable]
fn reduced_by_a_function(x: &[f64]) -> f64 {
    let logs: Vec<f64> = x.iter().map(|v| v * v).collect();
    logs.into_iter().reduce(log_add).unwrap()
}

/// Two vectors, which a fold fills by value.
#[differentiable]
fn filled_by_a_fold(x: &[f64]) -> f64 {
    let (even, odd): (Vec<f64>, Vec<f64>) =
        x.iter().enumerate().fold((vec![], vec![]), |(mut even, mut odd), (i, v)| {
            if i % 2 == 0 {
                even.push(*v)
            } else {
                odd.push(v * v)
            }
            (even, odd)
        });
    even.iter().product::<f64>() + odd.iter().map(|v| v * v).sum::<f64>()
}

/// Two vectors by a predicate.
#[differentiable]
fn parted(x: &[f64]) -> f64 {
    let (low, high): (Vec<f64>, Vec<f64>) = x.iter().map(|v| v * v).partition(|v| *v < 0.3);
    low.iter().sum::<f64>() * high.iter().map(|v| v.sqrt() + high.len() as f64 * v).sum::<f64>()
}

/// Options at once, and one of an index.
#[differentiable]
fn options_at_once(x: &[f64]) -> f64 {
    let ends = x.first().zip(x.last()).map(|(a, b)| a * b).unwrap();
    let last = x.iter().rposition(|v| *v > 0.75).map_or(0.0, |i| x[i] * x[i]);
    if x.get(1).is_some_and(|v| *v > 0.5) { ends + last } else { ends }
}

/// Rows by the path of a method.
#[differentiable]
fn rows_by_a_path(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x.chunks(2).map(<[f64]>::to_vec).collect();
    rows.iter().map(|r| r.iter().product::<f64>()).sum()
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number collected_slices(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8, -0.4, 1.7]];
        number arrays_by_index(at x: Vec<f64>): [vec![0.3, 0.9, 0.5]];
        number reduced_by_a_function(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8]];
        number filled_by_a_fold(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8, 0.2]];
        number parted(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8, 0.2]];
        number options_at_once(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8, 0.2]] [vec![0.3, 0.1, 0.9]] [vec![0.3, 0.1]];
        number rows_by_a_path(at x: Vec<f64>): [vec![0.3, 0.9, 0.5, 0.8]];
    }
}
