//! Listing 2 of the paper on DifferentiationInterface, beside a function whose Hessian is not the same everywhere.
//!
//! What is written by hand are the values alone, and so is what stands beside it first. A matrix is compared with the prepared pattern
//! before its values are overwritten, and has more bytes of indices than of values.

use crate::counting::{held, requests};
use crate::models::{point, squared_slopes};
use crate::turns::{least, show};
use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, GreedyColoring, coloring};
use std::cell::RefCell;
use std::hint::black_box;

#[differentiable]
fn fourth_powers(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(4)).sum()
}

/// The values of a Hessian's three diagonals, column by column: the second derivative of each difference's power is given.
fn diagonals(x: &[f64], values: &mut [f64], curvature: impl Fn(f64) -> f64) {
    let n = x.len();
    let mut before = curvature(x[1] - x[0]);
    values[0] = before;
    values[1] = -before;
    for i in 1..n - 1 {
        let after = curvature(x[i + 1] - x[i]);
        let column = &mut values[3 * i - 1..3 * i + 2];
        column[0] = -before;
        column[1] = before + after;
        column[2] = -after;
        before = after;
    }
    values[3 * n - 4] = -before;
    values[3 * n - 3] = before;
}

pub fn table() -> Result<()> {
    macro_rules! rows {
        ($title:literal, $f:ident, $curvature:expr) => {
            println!("\nHessian of {}; times are multiples of one call of f, bytes are those that are held", $title);
            println!(
                "{:>9} {:>10} {:>10} {:>10} {:>8} {:>8} {:>10} {:>8} {:>8} {:>7} {:>8} {:>8} {:>8} {:>8} {:>7} {:>9}",
                "n", "f", "by hand", "values", "/ f", "/ hand", "matrix", "/ f", "/ hand", "ns / n", "local", "global", "color", "prepare", "bytes/n", "requests"
            );
            for n in [1_000, 10_000, 100_000, 1_000_000] {
                let x = point(n);
                let before = held();
                let mut prep = prepare_hessian($f::D, AutoSparse::new(AutoReverse), &x)?;
                let mut h = prep.hessian(&x)?;
                let bytes = (held() - before) as f64 - (h.nnz() * 24 + n * 8) as f64;
                let mut values = vec![0.0; h.nnz()];
                diagonals(&x, &mut values, $curvature);
                assert!(h.data().iter().zip(&values).all(|(a, b)| (a - b).abs() <= 1e-13 * b.abs().max(1.0)));
                let pattern = prep.sparsity_pattern().clone();
                let asked = requests();
                prep.hessian_into(&mut h, &x)?;
                let asked = requests() - asked;
                let mut again = vec![0.0; h.nnz()];
                prep.hessian_values_into(&mut again, &x)?;
                assert_eq!(again, h.data());
                let prep = RefCell::new(prep);
                let [f, hand, alone, sparse] = least([
                    &mut || _ = black_box($f(black_box(&x))),
                    &mut || diagonals(black_box(&x), black_box(&mut values), $curvature),
                    &mut || prep.borrow_mut().hessian_values_into(black_box(&mut again), black_box(&x)).unwrap(),
                    &mut || prep.borrow_mut().hessian_into(black_box(&mut h), black_box(&x)).unwrap(),
                ]);
                let [local, global, colored, prepared] = least([
                    &mut || drop(black_box(hessian_sparsity($f::D, TracerLocalSparsityDetector, &x))),
                    &mut || drop(black_box(hessian_sparsity($f::D, TracerSparsityDetector, &x))),
                    &mut || drop(black_box(coloring(&pattern, ColoringProblem::Symmetric, GreedyColoring::default()))),
                    &mut || drop(black_box(prepare_hessian($f::D, AutoSparse::new(AutoReverse), &x))),
                ]);
                println!(
                    "{n:>9} {:>10} {:>10} {:>10} {:>8.2} {:>8.2} {:>10} {:>8.2} {:>8.2} {:>7.2} {:>8.0} {:>8.0} {:>8.0} {:>8.0} {:>7.0} {asked:>9}",
                    show(f),
                    show(hand),
                    show(alone),
                    alone / f,
                    alone / hand,
                    show(sparse),
                    sparse / f,
                    sparse / hand,
                    sparse / n as f64 * 1e9,
                    local / f,
                    global / f,
                    colored / f,
                    prepared / f,
                    bytes / n as f64,
                );
            }
        };
    }
    rows!("sum(diff(x)^2)", squared_slopes, |_| 2.0);
    rows!("sum(diff(x)^4)", fourth_powers, |d: f64| 12.0 * d * d);
    Ok(())
}
