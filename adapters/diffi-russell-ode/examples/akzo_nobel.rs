//! Antibodies that move into a tumour: the medical Akzo Nobel problem of the test set for initial value problems (Mazzia & Magherini).
//!
//! 200 cells by two concentrations: 400 equations, whose Jacobian has 1198 entries of 160,000. The source is switched off at time 5. By
//! Radau5 with sparse Jacobians by diffi, by an explicit method, and for a while with the solver's differences. The picture is `akzo_nobel.svg`.

use diffi::prelude::*;
use diffi_adapter::{Point, SparseSystem, SparseSystemFunction};
use diffi_russell_ode::Equations;
use report::{Axis, Plot, Progress};
use russell_lab::Vector;
use russell_ode::StrError;
use russell_ode::prelude::{Method, OdeSolver, Output, Params, Stats};
use russell_sparse::{CooMatrix, Sym};
use std::hint::black_box;

const CELLS: usize = 200;
/// How fast they bind, and the constant of the transformed space.
const PARAMETERS: [f64; 2] = [100.0, 4.0];
/// Concentrations at time 20, counted from one.
const PUBLISHED: [(usize, f64); 3] =
    [(79, 0.233_994_221_704_643_4e-3), (149, 0.359_561_601_750_673_5e-3), (199, 0.117_374_130_446_283_3e-3)];

/// Antibodies diffuse and bind; what is bound stays.
#[differentiable]
fn tumour(x: &[f64], p: &[f64], t: f64, y: &mut [f64]) {
    let cells = x.len() / 2;
    let n = cells as f64;
    for j in 0..cells {
        let depth = (j as f64 + 1.0) / n - 1.0;
        let (drift, spread) = (2.0 * depth.powi(3) / p[1].powi(2), depth.powi(4) / p[1].powi(2));
        let before = if j == 0 { if t <= 5.0 { 2.0 } else { 0.0 } } else { x[2 * j - 2] };
        let after = if j + 1 == cells { x[2 * j] } else { x[2 * j + 2] };
        let bound = p[0] * x[2 * j] * x[2 * j + 1];
        y[2 * j] = drift * (after - before) * n / 2.0 + spread * (before - 2.0 * x[2 * j] + after) * n * n - bound;
        y[2 * j + 1] = -bound;
    }
}

fn start() -> Vec<f64> {
    [0.0, 1.0].repeat(CELLS)
}

fn equations() -> diffi::Result<Equations<impl SparseSystem + 'static>> {
    let first = Point { x: &start(), p: &PARAMETERS, t: 0.0 };
    Ok(Equations::new(SparseSystemFunction::new(tumour::D, AutoForward, first)?, PARAMETERS))
}

/// A run in parts, because the source jumps.
fn run(
    name: &str,
    method: Method,
    parts: &[(f64, f64)],
    differences: bool,
) -> Result<Vec<f64>, Box<dyn std::error::Error>> {
    let mut equations = equations()?;
    let mut state = Vector::from(&start());
    let (mut steps, mut jacobians, mut values, mut nanos) = (0, 0, 0, 0);
    let (bar, end) = (Progress::new(name), parts[parts.len() - 1].1);
    for (from, to) in parts {
        let mut params = Params::new(method);
        params.set_tolerances(1e-9, 1e-9, None)?;
        params.newton.use_numerical_jacobian = differences;
        params.step.n_step_max = 1_000_000;
        let mut solver = OdeSolver::new(params, equations.system()?)?;
        let mut output = Output::new();
        output.set_step_callback(|_, _, time, _, _| {
            bar.show(time / end);
            Ok(false)
        });
        solver.solve(&mut state, *from, *to, None, &mut equations, Some(&mut output))?;
        let Stats { n_accepted, n_jacobian, n_function, nanos_total, .. } = solver.stats();
        (steps, jacobians, values) = (steps + n_accepted, jacobians + n_jacobian, values + n_function);
        nanos += nanos_total;
    }
    drop(bar);
    print!("{name:28}");
    PUBLISHED.iter().for_each(|(at, _)| print!(" {:.8e}", state[at - 1]));
    println!(", {steps} steps, {values} values, {jacobians} Jacobians, {} ms", nanos / 1_000_000);
    Ok(state.as_data().clone())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (all, short) = ([(0.0, 5.0), (5.0 + 1e-12, 20.0)], [(0.0, 1e-3)]);
    let found = run("by diffi", Method::Radau5, &all, false)?;
    run("explicit (DoPri8)", Method::DoPri8, &all, false)?;
    print!("published                   ");
    PUBLISHED.iter().for_each(|(_, value)| print!(" {value:.8e}"));
    println!();
    assert!(PUBLISHED.iter().all(|(at, published)| (found[at - 1] / published - 1.0).abs() < 1e-4));
    // the solver's differences fill the whole matrix
    run("by diffi, to 0.001", Method::Radau5, &short, false)?;
    run("by differences, to 0.001", Method::Radau5, &short, true)?;
    overhead()?;
    Ok(picture(&found)?)
}

/// What the adapter adds to a call of the prepared object, which writes its Jacobian into one of russell's matrices as well.
fn overhead() -> Result<(), Box<dyn std::error::Error>> {
    let (mut x, mut y) = (start(), vec![0.0; 2 * CELLS]);
    let args = (&x, Constant(&PARAMETERS), Constant(0.0), &mut y);
    let mut prepared = prepare_jacobian(tumour::D, AutoSparse::new(AutoForward), args)?;
    let mut jacobian = prepared.jacobian((&x, Constant(&PARAMETERS), Constant(0.0), &mut y))?;
    let mut equations = equations()?;
    let new = || CooMatrix::new(2 * CELLS, 2 * CELLS, jacobian.nnz(), Sym::No);
    let (mut direct, mut adapted, mut at) = (new()?, new()?, Vector::from(&x));
    println!("{} entries, {} colors", jacobian.nnz(), prepared.ncolors());
    report::overhead(
        "russell",
        |k| {
            x[0] = k;
            let args = (black_box(&x), Constant(black_box(&PARAMETERS)), Constant(0.0), &mut y);
            prepared.jacobian_into(&mut jacobian, args).expect("sizes fit");
            direct.reset();
            let put: Result<(), StrError> =
                jacobian.iter().try_for_each(|(entry, (row, column))| direct.put(row, column, 2.0 * entry));
            put.map_or(f64::NAN, |()| k)
        },
        |k| {
            at[0] = k;
            Equations::jacobian(&mut adapted, black_box(2.0), 0.0, &at, &mut equations).map_or(f64::NAN, |()| k)
        },
    );
    Ok(())
}

fn picture(found: &[f64]) -> std::io::Result<()> {
    let mut plot = Plot::new(
        "Antibodies in a tumour at time 20",
        Axis::linear("cell", 0.0, 200.0),
        Axis::linear("concentration", 0.0, 1.05),
    );
    let cells = || (1..=CELLS).map(|cell| cell as f64);
    plot.curve("free antibodies, times 1000", cells().zip(found.iter().step_by(2).map(|free| 1000.0 * free)));
    plot.curve("free places of tumour cells", cells().zip(found.iter().skip(1).step_by(2).copied()));
    plot.save("akzo_nobel")
}
