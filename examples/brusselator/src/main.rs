//! The Brusselator on a periodic grid, a stiff equation: steps of implicit Euler by Newton's method, with sparse Jacobians that are
//! refreshed in place and factored by faer's sparse LU decomposition.
//!
//! `cargo run --release -p brusselator --features faer` also draws `target/brusselator.svg`: the Jacobian of a small grid, each entry in the color
//! of the sum that it is read from.

use diffi::prelude::*;
use diffi::sparse::to_faer;
use faer::linalg::solvers::Solve;
use sprs::CsMat;
use std::error::Error;

/// The rates of change of both concentrations: `u` at all places of an `n` times `n` grid, then `v`.
#[differentiable]
fn rates(state: &[f64], n: usize, change: &mut [f64]) {
    let cells = n * n;
    let (u, v) = (&state[..cells], &state[cells..]);
    let (du, dv) = change.split_at_mut(cells);
    let alpha = 0.1 * (n * n) as f64;
    for i in 0..n {
        for j in 0..n {
            let at = i * n + j;
            let (up, down) = (((i + n - 1) % n) * n + j, ((i + 1) % n) * n + j);
            let (left, right) = (i * n + (j + n - 1) % n, i * n + (j + 1) % n);
            let reaction = u[at] * u[at] * v[at];
            du[at] = alpha * (u[up] + u[down] + u[left] + u[right] - 4.0 * u[at]) + 1.0 + reaction - 4.4 * u[at];
            dv[at] = alpha * (v[up] + v[down] + v[left] + v[right] - 4.0 * v[at]) + 3.4 * u[at] - reaction;
        }
    }
}

/// Two hills.
fn start(n: usize) -> Vec<f64> {
    let place = |k: usize| (k as f64 + 0.5) / n as f64;
    let hill = |t: f64| (t * (1.0 - t)).powf(1.5);
    let u = (0..n * n).map(|at| 22.0 * hill(place(at / n)));
    let v = (0..n * n).map(|at| 27.0 * hill(place(at % n)));
    u.chain(v).collect()
}

/// Solves `(1 - h J) x = b`.
fn solve(j: &CsMat<f64>, h: f64, b: &[f64]) -> Result<Vec<f64>, Box<dyn Error>> {
    let identity: CsMat<f64> = CsMat::eye_csc(b.len());
    let matrix = &identity - &j.map(|entry| h * entry);
    let x = to_faer(&matrix).sp_lu()?.solve(faer::Col::from_fn(b.len(), |i| b[i]));
    Ok(x.iter().copied().collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (n, h, steps) = (32, 0.05, 40);
    let mut state = start(n);
    let mut change = vec![0.0; state.len()];
    let backend = || AutoSparse::new(AutoForward);
    let mut prepared = prepare_jacobian(rates::D, backend(), (&state, Constant(n), &mut change))?;
    let (entries, colors) = (prepared.sparsity_pattern().nnz(), prepared.ncolors());
    println!("{} numbers, {entries} entries in the Jacobian, found by {colors} products", state.len());

    let mut j = prepared.jacobian((&state, Constant(n), &mut change))?;
    let mut corrections = 0;
    for _ in 0..steps {
        let before = state.clone();
        loop {
            prepared.value_and_jacobian_into(&mut j, (&state, Constant(n), &mut change))?;
            let residual: Vec<f64> = (0..state.len()).map(|i| before[i] + h * change[i] - state[i]).collect();
            let correction = solve(&j, h, &residual)?;
            state.iter_mut().zip(&correction).for_each(|(u, c)| *u += c);
            corrections += 1;
            if correction.iter().all(|c| c.abs() < 1e-9) {
                break;
            }
        }
    }
    let (least, most) = state[..n * n].iter().fold((f64::MAX, f64::MIN), |(low, high), u| (low.min(*u), high.max(*u)));
    println!("{steps} steps took {corrections} corrections; u is now between {least:.4} and {most:.4}");
    assert!(corrections <= 6 * steps, "Newton's method converges quadratically, if the Jacobian is right");

    let (small, mut change) = (start(6), vec![0.0; 72]);
    let picture = prepare_jacobian(rates::D, backend(), (&small, Constant(6), &mut change))?;
    println!("{}", picture.sparsity_pattern());
    std::fs::create_dir_all("target")?;
    std::fs::write("target/brusselator.svg", picture.coloring().to_svg())?;
    Ok(())
}
