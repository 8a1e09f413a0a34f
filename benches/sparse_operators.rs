//! Sparse Jacobians and Hessians: detection, coloring and the matrices themselves, as multiples of one call of the function:
//! `cargo bench --bench sparse_operators`.
//!
//! What is compared takes turns, so that a machine which is slow for a while is slow for all; the least time of each is shown.

#![allow(clippy::needless_range_loop, reason = "the functions are written as people write them")]

#[path = "../tests/sparsity/models.rs"]
mod models;

use diffi::prelude::*;
use diffi::sparse::{ColoringProblem, GreedyColoring, coloring};
use models::{arrow_head, brusselator, point, squared_slopes};
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() -> Result<()> {
    listing_two()?;
    brusselators()?;
    hessians()
}

/// Calls the candidates in turn, and gives the least seconds of each.
fn least<const N: usize>(mut candidates: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let calls: [u32; N] = std::array::from_fn(|k| {
        let started = Instant::now();
        candidates[k]();
        (Duration::from_millis(2).as_nanos() / started.elapsed().as_nanos().max(1)).clamp(1, 100_000) as u32
    });
    let until = Instant::now() + Duration::from_millis(1500);
    let mut rounds = 0;
    while rounds < 5 || Instant::now() < until {
        for (k, candidate) in candidates.iter_mut().enumerate() {
            let started = Instant::now();
            (0..calls[k]).for_each(|_| candidate());
            least[k] = least[k].min(started.elapsed().as_secs_f64() / f64::from(calls[k]));
        }
        rounds += 1;
    }
    least
}

fn show(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.0} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}

/// Its Hessian by hand: the values of the three diagonals, column by column.
fn by_hand(x: &[f64], values: &mut [f64]) {
    let n = x.len();
    let curvature = 2.0;
    values[0] = curvature;
    values[1] = -curvature;
    for i in 1..n - 1 {
        let column = &mut values[3 * i - 1..3 * i + 2];
        column[0] = -curvature;
        column[1] = 2.0 * curvature;
        column[2] = -curvature;
    }
    values[3 * n - 4] = -curvature;
    values[3 * n - 3] = curvature;
}

fn listing_two() -> Result<()> {
    println!("Hessian of sum(diff(x)^2)");
    println!(
        "{:>9} {:>10} {:>10} {:>10} {:>8} {:>8} {:>10} {:>10} {:>10} {:>9}",
        "n", "f", "by hand", "sparse", "/ f", "/ hand", "local / f", "global / f", "color / f", "bytes / n"
    );
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        let x = point(n);
        let mut prep = prepare_hessian(squared_slopes::D, AutoSparse::new(AutoReverse), &x)?;
        let mut h = prep.hessian(&x)?;
        let mut values = vec![0.0; h.nnz()];
        by_hand(&x, &mut values);
        assert_eq!(h.data(), values);
        let [f, hand, sparse] = least([
            &mut || _ = black_box(squared_slopes(black_box(&x))),
            &mut || by_hand(black_box(&x), black_box(&mut values)),
            &mut || prep.hessian_into(black_box(&mut h), black_box(&x)).unwrap(),
        ]);
        let pattern = prep.sparsity_pattern().clone();
        let [local, global, colored] = least([
            &mut || drop(black_box(hessian_sparsity(squared_slopes::D, TracerLocalSparsityDetector, &x))),
            &mut || drop(black_box(hessian_sparsity(squared_slopes::D, TracerSparsityDetector, &x))),
            &mut || drop(black_box(coloring(&pattern, ColoringProblem::Symmetric, GreedyColoring::default()))),
        ]);
        let bytes = prep.tape_bytes() as f64 / n as f64;
        println!(
            "{n:>9} {:>10} {:>10} {:>10} {:>8.2} {:>8.2} {:>10.0} {:>10.0} {:>10.0} {bytes:>9.1}",
            show(f),
            show(hand),
            show(sparse),
            sparse / f,
            sparse / hand,
            local / f,
            global / f,
            colored / f,
        );
    }
    Ok(())
}

fn brusselators() -> Result<()> {
    println!("\nJacobian of the Brusselator on N x N places");
    println!(
        "{:>5} {:>10} {:>7} {:>10} {:>10} {:>10} {:>12} {:>12}",
        "N", "f", "colors", "local / f", "global / f", "color / f", "forward / f", "reverse / f"
    );
    for n in [6, 24, 100, 300] {
        let (u, mut du) = (point(2 * n * n), vec![0.0; 2 * n * n]);
        let mut forward = prepare_jacobian(brusselator::D, AutoSparse::new(AutoForward), (&u, Constant(n), &mut du))?;
        let mut reverse = prepare_jacobian(brusselator::D, AutoSparse::new(AutoReverse), (&u, Constant(n), &mut du))?;
        let mut j = forward.jacobian((&u, Constant(n), &mut du))?;
        assert_eq!(j.nnz(), 12 * n * n);
        let mut k = j.clone();
        let mut dv = du.clone();
        let mut dw = du.clone();
        let [f, by_columns, by_rows] = least([
            &mut || brusselator(black_box(&u), n, black_box(&mut du)),
            &mut || forward.jacobian_into(black_box(&mut j), (&u, Constant(n), &mut dv)).unwrap(),
            &mut || reverse.jacobian_into(black_box(&mut k), (&u, Constant(n), &mut dw)).unwrap(),
        ]);
        let pattern = forward.sparsity_pattern().clone();
        let (mut dv, mut dw) = (du.clone(), du.clone());
        let (local, global) = (TracerLocalSparsityDetector, TracerSparsityDetector);
        let [local, global, colored] = least([
            &mut || drop(black_box(jacobian_sparsity(brusselator::D, local, (&u, Constant(n), &mut dv)))),
            &mut || drop(black_box(jacobian_sparsity(brusselator::D, global, (&u, Constant(n), &mut dw)))),
            &mut || drop(black_box(coloring(&pattern, ColoringProblem::Column, GreedyColoring::default()))),
        ]);
        println!(
            "{n:>5} {:>10} {:>7} {:>10.0} {:>10.0} {:>10.0} {:>12.1} {:>12.1}",
            show(f),
            forward.ncolors(),
            local / f,
            global / f,
            colored / f,
            by_columns / f,
            by_rows / f,
        );
    }
    Ok(())
}

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

fn hessians() -> Result<()> {
    println!("\nHessians of SparseConnectivityTracer's benchmark");
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
