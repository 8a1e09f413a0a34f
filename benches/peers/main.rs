//! diffi beside Rust's other packages and beside gradients by hand: `cargo bench --bench peers --features external [-- FILTER]`; with the
//! feature `ad-trait` there is one package more.
//!
//! Each problem is one annotated function, which packages evaluate with their own numbers. (`cargo bench --bench backends` shows what
//! calling them directly would save.) All take turns, and least times count. The results are written to `benches/results/peers.md` and
//! `peers.svg`, or with `DIFFI_RESULTS=NAME` in the environment to files of that name.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

mod chart;
#[allow(dead_code, reason = "other benches measure the other models")]
#[path = "../models/mod.rs"]
mod models;
#[allow(dead_code, reason = "other benches print other tables")]
#[path = "../report/mod.rs"]
mod report;
mod table;

use diffi::prelude::*;
use models::{det, gmm, kmeans, llsq, log_sum_exp, lstm, ode, random, reprojection, rosenbrock, sum_of_squares};
use report::aligned::Aligned;
use std::hint::black_box;
use table::{BY_HAND, DIFFI, Flat, Table};

#[global_allocator]
static ALIGNED: Aligned = Aligned;

const FITS: &str = "prepared for these sizes";

fn main() -> Result<()> {
    let mut table = Table::of_arguments();
    for n in [10, 100, 1000, 10_000] {
        squares(&mut table, n)?;
    }
    for n in [10, 1000] {
        chain(&mut table, n)?;
    }
    exponentials(&mut table, 2500)?;
    polynomial(&mut table, 1024)?;
    equations(&mut table, 1000, 10)?;
    minors(&mut table, 7)?;
    clusters(&mut table, 10, 1000, 8)?;
    camera(&mut table)?;
    for (d, k) in [(2, 5), (10, 5)] {
        mixture(&mut table, d, k)?;
    }
    network(&mut table)?;
    table.write().expect("the folder for results can be written");
    Ok(())
}

/// Lets diffi and all packages do the same: from a backend to what is prepared, then from that and a buffer to the result in it.
macro_rules! everyone {
    ($table:ident, $buffer:expr, |$b:ident| $prepare:expr, |$p:ident, $g:ident| $run:expr) => {
        everyone!(@ $table, $buffer, $b, $prepare, $p, $g, $run; DIFFI AutoReverse);
        everyone!(@ $table, $buffer, $b, $prepare, $p, $g, $run;
            "num-dual" AutoNumDual, "hyperdual" AutoHyperdualCrate, "autodiff" AutoAutodiff,
            "echidna" AutoEchidna, "echidna, replayed" AutoEchidna.replayed());
        #[cfg(feature = "ad-trait")]
        everyone!(@ $table, $buffer, $b, $prepare, $p, $g, $run; "ad_trait" AutoAdTrait);
    };
    (@ $table:ident, $buffer:expr, $b:ident, $prepare:expr, $p:ident, $g:ident, $run:expr; $($name:tt $backend:expr),+) => { $(
        if $table.wanted() {
            let $b = $backend;
            let mut $p = $prepare?;
            let mut $g = $buffer;
            $run.expect(FITS);
            $table.check($name, &$g.flat());
            $table.rival($name, move || {
                $run.expect(FITS);
                black_box(&$g);
            });
        }
    )+ };
}

/// The gradient by hand, checked as everyone's.
macro_rules! by_hand {
    ($table:ident, $buffer:expr, |$g:ident| $run:expr) => {
        let mut $g = $buffer;
        $run;
        $table.check(BY_HAND, &$g.flat());
        $table.rival(BY_HAND, move || {
            $run;
            black_box(&$g);
        });
    };
}

fn numbers(n: usize) -> Vec<f64> {
    let mut random = random(1);
    (0..n).map(|_| 2.0 * random() - 0.5).collect()
}

fn squares(table: &mut Table, n: usize) -> Result<()> {
    let x = &*numbers(n).leak();
    table.problem(format!("sum of squares, n = {n}"));
    table.objective(move || sum_of_squares::sum_of_squares(black_box(x)));
    by_hand!(table, vec![0.0; n], |g| sum_of_squares::gradient_by_hand(black_box(x), &mut g));
    everyone!(table, vec![0.0; n], |b| prepare_gradient(sum_of_squares::sum_of_squares::D, b, x), |p, g| p
        .gradient_into(&mut g, black_box(x)));
    table.measure();
    Ok(())
}

fn chain(table: &mut Table, n: usize) -> Result<()> {
    let x = &*numbers(n).leak();
    table.problem(format!("Rosenbrock, n = {n}"));
    table.objective(move || rosenbrock::rosenbrock(black_box(x)));
    by_hand!(table, vec![0.0; n], |g| rosenbrock::gradient_by_hand(black_box(x), &mut g));
    everyone!(table, vec![0.0; n], |b| prepare_gradient(rosenbrock::rosenbrock::D, b, x), |p, g| p
        .gradient_into(&mut g, black_box(x)));
    table.measure();
    Ok(())
}

fn exponentials(table: &mut Table, n: usize) -> Result<()> {
    let x = &*numbers(n).leak();
    table.problem(format!("lse, n = {n}"));
    table.objective(move || log_sum_exp::log_sum_exp(black_box(x)));
    by_hand!(table, vec![0.0; n], |g| log_sum_exp::gradient_by_hand(black_box(x), &mut g));
    everyone!(table, vec![0.0; n], |b| prepare_gradient(log_sum_exp::log_sum_exp::D, b, x), |p, g| p
        .gradient_into(&mut g, black_box(x)));
    table.measure();
    Ok(())
}

fn polynomial(table: &mut Table, n: usize) -> Result<()> {
    const DEGREE: usize = 128;
    let x = &*numbers(DEGREE).leak();
    let mut powers = vec![0.0; DEGREE];
    table.problem(format!("llsq, n = {n}, m = {DEGREE}"));
    table.objective(move || llsq::objective::half_squared_error(black_box(x), n));
    by_hand!(table, vec![0.0; DEGREE], |g| llsq::gradient_by_hand(black_box(x), n, &mut powers, &mut g));
    everyone!(
        table,
        vec![0.0; DEGREE],
        |b| prepare_gradient(llsq::objective::half_squared_error::D, b, (x, Constant(n))),
        |p, g| p.gradient_into(&mut g, (black_box(x), Constant(n)))
    );
    table.measure();
    Ok(())
}

fn equations(table: &mut Table, n: usize, s: usize) -> Result<()> {
    let x = &*numbers(n).leak();
    let mut last = vec![0.0; n];
    last[n - 1] = 1.0;
    let last = &*last.leak();
    let mut work = ode::Workspace::new(n, s);
    table.problem(format!("ode, n = {n}, s = {s}"));
    table.objective(move || ode::objective::solve(black_box(x), s));
    by_hand!(table, vec![0.0; n], |g| ode::gradient_by_hand(black_box(x), s, &mut work, &mut g));
    everyone!(
        table,
        vec![0.0; n],
        |b| prepare_pullback(ode::objective::solve::D, b, (x, Constant(s)), last),
        |p, g| p.pullback_into(&mut g, (black_box(x), Constant(s)), last)
    );
    table.measure();
    Ok(())
}

fn minors(table: &mut Table, n: usize) -> Result<()> {
    let x = &*numbers(n * n).leak();
    table.problem(format!("det, {n} x {n}"));
    table.objective(move || det::objective::determinant(black_box(x), n));
    everyone!(
        table,
        vec![0.0; n * n],
        |b| prepare_gradient(det::objective::determinant::D, b, (x, Constant(n))),
        |p, g| p.gradient_into(&mut g, (black_box(x), Constant(n)))
    );
    table.measure();
    Ok(())
}

/// The gradient; the packages have no product with the Hessian's diagonal in one pass.
fn clusters(table: &mut Table, k: usize, n: usize, d: usize) -> Result<()> {
    let points = &*numbers(n * d).leak();
    let centroids = &points[..k * d];
    let at = (centroids, Constant(points), Constant(d));
    let ones = &*vec![1.0; k * d].leak();
    table.problem(format!("kmeans, k = {k}, n = {n}, d = {d}"));
    let objective = move || kmeans::objective::within_clusters(black_box(centroids), points, d);
    table.objective(objective);
    everyone!(table, vec![0.0; k * d], |b| prepare_gradient(kmeans::objective::within_clusters::D, b, at), |p, g| p
        .gradient_into(&mut g, black_box(at)));
    table.measure();

    table.problem(format!("kmeans with second derivatives, k = {k}, n = {n}, d = {d}"));
    table.objective(objective);
    let buffers = || (vec![0.0; k * d], vec![0.0; k * d]);
    by_hand!(table, buffers(), |g| kmeans::newton_by_hand(black_box(centroids), points, d, &mut g.0, &mut g.1));
    everyone!(@ table, buffers(), b, prepare_hvp(kmeans::objective::within_clusters::D, b, at, ones), p, g,
        p.gradient_and_hvp_into(&mut g.0, &mut g.1, black_box(at), ones); DIFFI SecondOrder(AutoForward, AutoReverse));
    table.measure();
    Ok(())
}

fn camera(table: &mut Table) -> Result<()> {
    const N: usize = reprojection::objective::PARAMETERS;
    let parameters: &[f64; N] = &*Box::leak(Box::new(std::array::from_fn(|i| 0.3 + 0.1 * i as f64)));
    let feature = &[0.5, -0.25];
    let at = (parameters, Constant(feature));
    table.problem("ba, one observation".into());
    table.objective(move || reprojection::objective::reprojection_error(black_box(parameters), feature));
    everyone!(
        table,
        ndarray::Array2::zeros((2, N)),
        |b| prepare_jacobian(reprojection::objective::reprojection_error::D, b, at),
        |p, g| p.jacobian_into(&mut g, black_box(at))
    );
    table.measure();
    Ok(())
}

fn mixture(table: &mut Table, d: usize, k: usize) -> Result<()> {
    let mixture = &*Box::leak(Box::new(gmm::Mixture::new(d, k, 1000)));
    let gmm::Mixture { alphas, means, icf, points, gamma, m, .. } = mixture;
    let at = move || (alphas, means, icf, Constant(&points[..]), Constant(d), Constant(*gamma), Constant(*m));
    let buffers = || (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
    let mut work = gmm::Workspace::new(mixture);
    table.problem(format!("gmm, d = {d}, k = {k}"));
    table.objective(move || black_box(mixture).value());
    by_hand!(table, buffers(), |g| gmm::gradient_by_hand(black_box(mixture), &mut work, &mut g.0, &mut g.1, &mut g.2));
    everyone!(table, buffers(), |b| prepare_gradient(gmm::log_posterior::D, b, at()), |p, g| p
        .gradient_into(&mut g, black_box(at())));
    table.measure();
    Ok(())
}

fn network(table: &mut Table) -> Result<()> {
    let network = &*Box::leak(Box::new(lstm::Network::new(2, 1024, 14)));
    let lstm::Network { width, main, extra, state, sequence } = network;
    let at = move || (main, extra, Constant(&state[..]), Constant(&sequence[..]), Constant(*width));
    let buffers = || (vec![0.0; main.len()], vec![0.0; extra.len()]);
    let mut work = lstm::Workspace::new(network);
    table.problem("lstm, l = 2, c = 1024".into());
    table.objective(move || black_box(network).value());
    by_hand!(table, buffers(), |g| lstm::gradient_by_hand(black_box(network), &mut work, &mut g.0, &mut g.1));
    everyone!(table, buffers(), |b| prepare_gradient(lstm::loss::D, b, at()), |p, g| p
        .gradient_into(&mut g, black_box(at())));
    table.measure();
    Ok(())
}
