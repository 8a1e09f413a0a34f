//! Prepared sparse derivatives over one call of the function, as a table: `benches/sparse.sh`.

use crate::models::{brusselator, point, squared_slopes};
use crate::turns::{least, show};
use diffi::prelude::*;
use std::hint::black_box;

pub fn table() -> Result<()> {
    println!("| function | unknowns | colors | function | derivative | derivative / function | ns an entry |");
    println!("|---|---|---|---|---|---|---|");
    for n in [16, 64, 256, 512] {
        jacobian(n)?;
    }
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        hessian(n)?;
    }
    Ok(())
}

/// The Jacobian of the Brusselator's rates of change on `n` times `n` places.
fn jacobian(n: usize) -> Result<()> {
    let (u, mut du) = (point(2 * n * n), vec![0.0; 2 * n * n]);
    let mut dv = du.clone();
    let mut prepared = prepare_jacobian(brusselator::D, AutoSparse::new(AutoForward), (&u, Constant(n), &mut du))?;
    let mut j = prepared.jacobian((&u, Constant(n), &mut du))?;
    assert_eq!(j.nnz(), 12 * n * n);
    let times = least([&mut || brusselator(black_box(&u), n, black_box(&mut dv)), &mut || {
        prepared.jacobian_into(black_box(&mut j), (&u, Constant(n), &mut du)).unwrap()
    }]);
    let colors = prepared.ncolors();
    row(&format!("Jacobian of the Brusselator, {n} x {n}"), (u.len(), colors, j.nnz()), times);
    Ok(())
}

/// The Hessian of the sum of `n` numbers' squared steps.
fn hessian(n: usize) -> Result<()> {
    let x = point(n);
    let mut prepared = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse), &x)?;
    let mut h = prepared.hessian(&x)?;
    assert_eq!(h.nnz(), 3 * n - 2);
    let times = least([&mut || _ = black_box(squared_slopes(black_box(&x))), &mut || {
        prepared.hessian_into(black_box(&mut h), &x).unwrap()
    }]);
    let colors = prepared.ncolors();
    row("Hessian of squared steps", (n, colors, h.nnz()), times);
    Ok(())
}

fn row(name: &str, (unknowns, colors, entries): (usize, usize, usize), [function, derivative]: [f64; 2]) {
    println!(
        "| {name} | {unknowns} | {colors} | {} | {} | {:.2} | {:.2} |",
        show(function),
        show(derivative),
        derivative / function,
        1e9 * derivative / entries as f64
    );
}
