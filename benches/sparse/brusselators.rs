//! Jacobians of the Brusselator.

use crate::counting::{held, requests};
use crate::models::{brusselator, point};
use crate::turns::{least, show};
use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, GreedyColoring, coloring};
use std::hint::black_box;

pub fn table() -> Result<()> {
    println!(
        "\nJacobian of the Brusselator on N x N places; times are multiples of one call of f, and ns for each place"
    );
    println!(
        "{:>5} {:>10} {:>7} {:>13} {:>13} {:>13} {:>13} {:>13} {:>8} {:>9}",
        "N", "f", "colors", "local", "global", "color", "forward", "reverse", "bytes/N2", "requests"
    );
    for n in [6, 24, 100, 300] {
        let (u, mut du) = (point(2 * n * n), vec![0.0; 2 * n * n]);
        let before = held();
        let mut forward = prepare_jacobian(brusselator::D, AutoSparse::new(AutoForward), (&u, Constant(n), &mut du))?;
        let bytes = (held() - before) as usize / (n * n);
        let mut reverse = prepare_jacobian(brusselator::D, AutoSparse::new(AutoReverse), (&u, Constant(n), &mut du))?;
        let mut j = forward.jacobian((&u, Constant(n), &mut du))?;
        assert_eq!(j.nnz(), 12 * n * n);
        let mut k = j.clone();
        reverse.jacobian_into(&mut k, (&u, Constant(n), &mut du))?;
        assert!(j.data().iter().zip(k.data()).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs().max(1.0)));
        let asked = requests();
        forward.jacobian_into(&mut j, (&u, Constant(n), &mut du))?;
        let asked = requests() - asked;
        let (mut dv, mut dw) = (du.clone(), du.clone());
        let [f, by_columns, by_rows] = least([
            &mut || brusselator(black_box(&u), n, black_box(&mut du)),
            &mut || forward.jacobian_into(black_box(&mut j), (&u, Constant(n), &mut dv)).unwrap(),
            &mut || reverse.jacobian_into(black_box(&mut k), (&u, Constant(n), &mut dw)).unwrap(),
        ]);
        let pattern = forward.sparsity_pattern().clone();
        let (local, global) = (TracerLocalSparsityDetector, TracerSparsityDetector);
        let [local, global, colored] = least([
            &mut || drop(black_box(jacobian_sparsity(brusselator::D, local, (&u, Constant(n), &mut dv)))),
            &mut || drop(black_box(jacobian_sparsity(brusselator::D, global, (&u, Constant(n), &mut dw)))),
            &mut || drop(black_box(coloring(&pattern, ColoringProblem::Column, GreedyColoring::default()))),
        ]);
        let both = |seconds: f64| format!("{:.0} {:>6.0}", seconds / f, seconds / (n * n) as f64 * 1e9);
        println!(
            "{n:>5} {:>10} {:>7} {:>13} {:>13} {:>13} {:>13} {:>13} {bytes:>8} {asked:>9}",
            show(f),
            forward.ncolors(),
            both(local),
            both(global),
            both(colored),
            both(by_columns),
            both(by_rows),
        );
    }
    Ok(())
}
