//! Arguments of many rows: their sizes are compared in every call, in memory of the call before.

use super::none;
use diffi::prelude::*;

#[derive(Differentiable, Clone)]
struct Particle {
    at: [f64; 3],
    mass: f64,
}

#[differentiable]
fn of_rows(rows: &[[f64; 3]]) -> f64 {
    let mut sizes = vec![[0.0; 3]; rows.len()];
    for i in 0..rows.len() {
        for k in 0..3 {
            sizes[i][k] = rows[i][k] * rows[i][(k + 1) % 3];
        }
    }
    sizes.iter().map(|s| s[0] * s[1] + s[2]).sum()
}

#[differentiable]
fn of_lists(rows: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0_f64;
    for row in rows {
        for v in row {
            sum += v * v * sum.cos();
        }
    }
    sum
}

#[differentiable]
fn of_particles(all: &[Particle]) -> f64 {
    let mut sum = 0.0;
    for p in all {
        sum += p.mass * (p.at[0] * p.at[0] + p.at[1] * p.at[2]);
    }
    sum
}

#[differentiable]
fn of_pairs(pairs: &[([f64; 2], f64)]) -> f64 {
    pairs.iter().map(|(a, w)| w * a[0] * a[1]).sum()
}

fn rows(n: usize) -> Vec<[f64; 3]> {
    (0..n).map(|k| [0.1 * k as f64, 0.5, 1.0 - 0.02 * k as f64]).collect()
}

/// The gradient, the second derivatives and the tangents of `$f`.
macro_rules! asks_for_nothing {
    ($f:ident, $x:expr) => {
        let x = &$x;
        let mut g = gradient($f::D, AutoReverse, x)?;
        let v = g.clone();
        let mut prepared = prepare_gradient($f::D, AutoReverse, x)?;
        none(stringify!($f), || prepared.gradient_into(&mut g, x));
        let mut prepared = prepare_pushforward($f::D, AutoForward, x, &v)?;
        none(stringify!($f), || prepared.pushforward(x, &v).map(|_| ()));
        let mut prepared = prepare_hvp($f::D, AutoReverse, x, &v)?;
        none(stringify!($f), || prepared.hvp_into(&mut g, x, &v));
    };
}

#[test]
fn prepared_calls() -> Result<()> {
    asks_for_nothing!(of_rows, rows(40)[..]);
    asks_for_nothing!(of_lists, rows(40).iter().map(|row| row.to_vec()).collect::<Vec<_>>()[..]);
    asks_for_nothing!(of_particles, rows(40).iter().map(|&at| Particle { at, mass: 2.0 }).collect::<Vec<_>>()[..]);
    asks_for_nothing!(of_pairs, rows(40).iter().map(|&[x, y, w]| ([x, y], w)).collect::<Vec<_>>()[..]);
    Ok(())
}

/// Elements of a type that fixes their size tell it once; the others each.
#[test]
fn sizes_in_words() -> Result<()> {
    let said = |found: Result<f64>| found.map(|_| ()).unwrap_err().to_string();
    let all = rows(12);
    let mut prepared = prepare_pushforward(of_rows::D, AutoForward, &all[..], &all[..])?;
    let found = said(prepared.pushforward(&all[..], &rows(11)[..]));
    assert!(found.contains("12x3") && found.contains("11x3"), "{found}");

    let lists = [vec![1.0; 2], vec![1.0; 3]];
    let mut prepared = prepare_pushforward(of_lists::D, AutoForward, &lists[..], &lists[..])?;
    let found = said(prepared.pushforward(&lists[..], &[vec![1.0; 2], vec![1.0; 4]]));
    assert!(found.contains("2x2x3") && found.contains("2x2x4"), "{found}");
    Ok(())
}
