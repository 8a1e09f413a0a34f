//! Hessians of SparseConnectivityTracer's benchmark.

use crate::models::{arrow_head, point};
use crate::turns::{least, show};
use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, GreedyColoring, coloring};
use std::hint::black_box;

/// A product of `k` numbers for each number.
#[differentiable]
fn scattered_products(x: &[f64], k: usize, chosen: &[usize]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let mut product = 1.0;
        for j in 0..k {
            product *= x[chosen[i * k + j]];
        }
        sum += (x[i] - 1.0).powi(2) + product;
    }
    sum
}

/// One row, for the arguments as an expression.
macro_rules! row {
    ($name:expr, $f:ident, $args:expr, $call:expr) => {{
        let mut prep = prepare_hessian($f::D, AutoSparse::new(AutoReverse), $args)?;
        let mut h = prep.hessian($args)?;
        let pattern = prep.sparsity_pattern().clone();
        let [plain, sparse, local, global, colored] = least([
            &mut || _ = black_box($call),
            &mut || prep.hessian_into(black_box(&mut h), $args).unwrap(),
            &mut || drop(black_box(hessian_sparsity($f::D, TracerLocalSparsityDetector, $args))),
            &mut || drop(black_box(hessian_sparsity($f::D, TracerSparsityDetector, $args))),
            &mut || drop(black_box(coloring(&pattern, ColoringProblem::Symmetric, GreedyColoring::default()))),
        ]);
        println!(
            "{:>26} {:>10} {:>9} {:>7} {:>12} {:>12} {:>10} {:>10.1}",
            $name,
            show(plain),
            h.nnz(),
            prep.ncolors(),
            show(local),
            show(global),
            show(colored),
            sparse / plain,
        );
    }};
}

pub fn table() -> Result<()> {
    println!("\nHessians of SparseConnectivityTracer's benchmark: an evaluation as a multiple of one call of f");
    println!(
        "{:>26} {:>10} {:>9} {:>7} {:>12} {:>12} {:>10} {:>10}",
        "", "f", "entries", "colors", "local", "global", "color", "sparse / f"
    );
    for (n, k) in [(200, 16), (3200, 2)] {
        let x = point(n);
        row!(format!("arrow head {n}, {k}"), arrow_head, (&x, Constant(k)), arrow_head(&x, k));
    }
    for (n, k) in [(400, 2), (100, 32)] {
        let (x, mut state) = (point(n), 1u64);
        let chosen: Vec<usize> = (0..n * k)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % n
            })
            .collect();
        row!(
            format!("random products {n}, {k}"),
            scattered_products,
            (&x, Constant(k), Constant(&chosen)),
            scattered_products(&x, k, &chosen)
        );
    }
    Ok(())
}
