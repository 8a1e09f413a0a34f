//! Loops that overwrite their state, as time stepping and elimination do: objective, gradient by hand and gradient by diffi,
//! and the bytes that diffi keeps for the way back, per step, beside the state's:
//! `cargo bench --bench stepping [--features nalgebra] [-- FILTER]`.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[allow(dead_code, reason = "another bench measures the other models")]
mod models;
mod report;

use std::hint::black_box;

use diffi::prelude::*;
use models::{alternating, burgers, cholesky, gauss, heat, lorenz, newton, planets, random, tridiagonal};
use report::{Report, agree};

const NUMBER: usize = size_of::<f64>();

fn main() -> Result<()> {
    let mut report = Report::new();
    in_place(&mut report, 1000, 1000)?;
    bodies(&mut report, 20, 200)?;
    attractor(&mut report, 10000)?;
    roots(&mut report, 1000)?;
    tridiagonal_system(&mut report, 1000)?;
    dense_system(&mut report, 100)?;
    #[cfg(feature = "nalgebra")]
    solved_system(&mut report, 100)?;
    determinant(&mut report, 100)?;
    plane(&mut report, 64, 20)?;
    report.print();
    Ok(())
}

/// What a step adds, from the bytes for so many steps and for half as many.
fn per_step(steps: usize, state: usize, bytes: impl Fn(usize) -> Result<usize>) -> impl FnOnce() -> String {
    let (all, half) = (bytes(steps), bytes(steps / 2));
    move || match (all, half) {
        (Ok(all), Ok(half)) => format!("{} B/step, state {} B", (all - half) / (steps - steps / 2), state * NUMBER),
        _ => "not measured".into(),
    }
}

fn in_total(bytes: usize, state: usize) -> impl FnOnce() -> String {
    move || format!("{bytes} B, state {} B", state * NUMBER)
}

fn wave(n: usize) -> Vec<f64> {
    (0..n).map(|i| 1.0 + 0.5 * (i as f64 / n as f64 * 6.0).sin()).collect()
}

fn in_place(report: &mut Report, n: usize, steps: usize) -> Result<()> {
    let start = wave(n);
    let (mut by_hand, mut by_diffi) = (vec![0.0; n], vec![0.0; n]);

    let arguments = |steps| (&start, Constant(0.2), Constant(0.1), Constant(steps));
    let mut work = burgers::Workspace::new(n, steps);
    let mut prepared = prepare_gradient(burgers::burgers::D, AutoReverse, arguments(steps))?;
    burgers::gradient_by_hand(&start, 0.2, 0.1, steps, &mut work, &mut by_hand);
    prepared.gradient_into(&mut by_diffi, arguments(steps))?;
    agree([&by_hand], [&by_diffi]);
    report.compare(
        "burgers",
        || {
            black_box(burgers::burgers(black_box(&start), 0.2, 0.1, steps));
        },
        || burgers::gradient_by_hand(black_box(&start), 0.2, 0.1, steps, &mut work, &mut by_hand),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    report.remark(
        "burgers",
        per_step(steps, n, |s| Ok(prepare_gradient(burgers::burgers::D, AutoReverse, arguments(s))?.tape_bytes())),
    );

    let mut checkpointed = prepare_gradient(burgers::burgers_again::D, AutoReverse, arguments(steps))?;
    let (all, kept) = (prepared.tape_bytes(), checkpointed.tape_bytes());
    prepared.gradient_into(&mut by_hand, arguments(steps))?;
    checkpointed.gradient_into(&mut by_diffi, arguments(steps))?;
    agree([&by_hand], [&by_diffi]);
    report.compare(
        "burgers, one state in 32",
        || {
            black_box(burgers::burgers(black_box(&start), 0.2, 0.1, steps));
        },
        || prepared.gradient_into(&mut by_hand, black_box(arguments(steps))).expect("prepared for these sizes"),
        || checkpointed.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    let part = || format!("beside diffi with every state: {kept} B, {:.3} of {all} B", kept as f64 / all as f64);
    report.remark("burgers, one state in 32", part);

    let arguments = |steps| (&start, Constant(0.3), Constant(steps));
    let mut work = heat::Workspace::new(n);
    let mut prepared = prepare_gradient(heat::heat::D, AutoReverse, arguments(steps))?;
    heat::gradient_by_hand(&start, 0.3, steps, &mut work, &mut by_hand);
    prepared.gradient_into(&mut by_diffi, arguments(steps))?;
    agree([&by_hand], [&by_diffi]);
    report.compare(
        "heat",
        || {
            black_box(heat::heat(black_box(&start), 0.3, steps));
        },
        || heat::gradient_by_hand(black_box(&start), 0.3, steps, &mut work, &mut by_hand),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    report.remark(
        "heat",
        per_step(steps, n, |s| Ok(prepare_gradient(heat::heat::D, AutoReverse, arguments(s))?.tape_bytes())),
    );
    Ok(())
}

fn bodies(report: &mut Report, bodies: usize, steps: usize) -> Result<()> {
    let system = planets::System::new(bodies);
    let planets::System { position, velocity, masses, dt } = &system;
    let arguments = |steps| (position, velocity, Constant(&masses[..]), Constant(*dt), Constant(steps));
    let buffers = || (vec![0.0; 3 * bodies], vec![0.0; 3 * bodies]);
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut work = planets::Workspace::new(bodies, steps);
    let mut prepared = prepare_gradient(planets::planets::D, AutoReverse, arguments(steps))?;
    planets::gradient_by_hand(&system, steps, &mut work, &mut by_hand.0, &mut by_hand.1);
    prepared.gradient_into(&mut by_diffi, arguments(steps))?;
    agree([&by_hand.0, &by_hand.1], [&by_diffi.0, &by_diffi.1]);
    report.compare(
        "leapfrog",
        || {
            black_box(black_box(&system).value(steps));
        },
        || planets::gradient_by_hand(black_box(&system), steps, &mut work, &mut by_hand.0, &mut by_hand.1),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    report.remark(
        "leapfrog",
        per_step(steps, 6 * bodies, |s| {
            Ok(prepare_gradient(planets::planets::D, AutoReverse, arguments(s))?.tape_bytes())
        }),
    );
    Ok(())
}

fn attractor(report: &mut Report, steps: usize) -> Result<()> {
    let (start, parameters, h) = ([1.0, 0.5, 2.0], [0.5, 1.2, 0.4], 0.001);
    let arguments = |steps| (start, parameters, Constant(h), Constant(steps));
    let mut work = lorenz::Workspace::new(steps);
    let mut prepared = prepare_gradient(lorenz::lorenz::D, AutoReverse, arguments(steps))?;
    let by_hand = lorenz::gradient_by_hand(start, parameters, h, &mut work);
    let mut by_diffi = prepared.gradient(arguments(steps))?;
    agree([&by_hand.0, &by_hand.1], [&by_diffi.0, &by_diffi.1]);
    report.compare(
        "runge-kutta",
        || {
            black_box(lorenz::lorenz(black_box(start), black_box(parameters), h, steps));
        },
        || {
            black_box(lorenz::gradient_by_hand(black_box(start), black_box(parameters), h, &mut work));
        },
        || prepared.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    report.remark(
        "runge-kutta",
        per_step(steps, 3, |s| Ok(prepare_gradient(lorenz::lorenz::D, AutoReverse, arguments(s))?.tape_bytes())),
    );
    Ok(())
}

fn roots(report: &mut Report, n: usize) -> Result<()> {
    let mut random = random(3);
    let p: Vec<f64> = (0..n).map(|_| 0.5 + random()).collect();
    let q: Vec<f64> = (0..n).map(|_| 4.0 * random()).collect();
    let buffers = || (vec![0.0; n], vec![0.0; n]);
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut work = newton::Workspace::new();
    let mut prepared = prepare_gradient(newton::newton::D, AutoReverse, (&p, &q))?;
    prepared.gradient_into(&mut by_diffi, (&p, &q))?;
    type Spelling = fn(&[f64], &[f64], &mut newton::Workspace, &mut [f64], &mut [f64]);
    let spellings: [(&str, Spelling); 2] =
        [("newton", newton::gradient_by_hand), ("newton, line by line", newton::gradient_line_by_line)];
    for (name, spelling) in spellings {
        spelling(&p, &q, &mut work, &mut by_hand.0, &mut by_hand.1);
        agree([&by_hand.0, &by_hand.1], [&by_diffi.0, &by_diffi.1]);
        report.compare(
            name,
            || {
                black_box(newton::newton(black_box(&p), black_box(&q)));
            },
            || spelling(black_box(&p), black_box(&q), &mut work, &mut by_hand.0, &mut by_hand.1),
            || prepared.gradient_into(&mut by_diffi, black_box((&p, &q))).expect("prepared for these sizes"),
        );
        report.remark(name, in_total(prepared.tape_bytes(), n));
    }
    Ok(())
}

fn tridiagonal_system(report: &mut Report, n: usize) -> Result<()> {
    let system = tridiagonal::System::new(n);
    let tridiagonal::System { lower, diagonal, upper, rhs } = &system;
    let mut by_hand = tridiagonal::Bars::new(n);
    let mut by_diffi = (vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut work = tridiagonal::Workspace::new(n);
    let arguments = (lower, diagonal, upper, rhs);
    let mut prepared = prepare_gradient(tridiagonal::tridiagonal::D, AutoReverse, arguments)?;
    tridiagonal::gradient_by_hand(&system, &mut work, &mut by_hand);
    prepared.gradient_into(&mut by_diffi, arguments)?;
    agree(
        [&by_hand.lower, &by_hand.diagonal, &by_hand.upper, &by_hand.rhs],
        [&by_diffi.0, &by_diffi.1, &by_diffi.2, &by_diffi.3],
    );
    report.compare(
        "tridiagonal",
        || {
            black_box(black_box(&system).value());
        },
        || tridiagonal::gradient_by_hand(black_box(&system), &mut work, &mut by_hand),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments)).expect("prepared for these sizes"),
    );
    report.remark("tridiagonal", in_total(prepared.tape_bytes(), 4 * n));
    Ok(())
}

fn dense_system(report: &mut Report, n: usize) -> Result<()> {
    let mut random = random(7);
    let matrix: Vec<f64> = (0..n * n).map(|_| random() - 0.5).collect();
    let rhs: Vec<f64> = (0..n).map(|_| random()).collect();
    let buffers = || (vec![0.0; n * n], vec![0.0; n]);
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut work = gauss::Workspace::new(n);
    let mut prepared = prepare_gradient(gauss::gauss::D, AutoReverse, (&matrix, &rhs))?;
    gauss::gradient_by_hand(&matrix, &rhs, &mut work, &mut by_hand.0, &mut by_hand.1);
    prepared.gradient_into(&mut by_diffi, (&matrix, &rhs))?;
    let size = by_hand.0.iter().fold(1.0f64, |size, bar| size.max(bar.abs()));
    let scaled = |bars: &[f64]| bars.iter().map(|bar| bar / size).collect::<Vec<_>>();
    agree([&scaled(&by_hand.0), &scaled(&by_hand.1)], [&scaled(&by_diffi.0), &scaled(&by_diffi.1)]);
    type Spelling = fn(&[f64], &[f64], &mut gauss::Workspace, &mut [f64], &mut [f64]);
    let spellings: [(&str, Spelling); 2] =
        [("elimination", gauss::gradient_by_hand), ("elimination, adjoint", gauss::gradient_by_adjoint_system)];
    for (name, spelling) in spellings {
        report.compare(
            name,
            || {
                black_box(gauss::gauss(black_box(&matrix), black_box(&rhs)));
            },
            || spelling(black_box(&matrix), black_box(&rhs), &mut work, &mut by_hand.0, &mut by_hand.1),
            || prepared.gradient_into(&mut by_diffi, black_box((&matrix, &rhs))).expect("prepared for these sizes"),
        );
        report.remark(name, in_total(prepared.tape_bytes(), n * n));
    }
    Ok(())
}

/// The same system by a `solve` whose rule is the equation: beside the gradient by hand with the library's factors, and beside that with
/// factors of our own, which takes no more operations.
#[cfg(feature = "nalgebra")]
fn solved_system(report: &mut Report, n: usize) -> Result<()> {
    use models::system;
    use nalgebra::{DMatrix, DVector};
    let mut random = random(7);
    let by_rows: Vec<f64> = (0..n * n).map(|_| random() - 0.5).collect();
    let right: Vec<f64> = (0..n).map(|_| random()).collect();
    let (matrix, rhs) = (DMatrix::from_row_slice(n, n, &by_rows), DVector::from_column_slice(&right));
    let buffers = || (DMatrix::zeros(n, n), DVector::zeros(n));
    let (mut by_hand, mut by_diffi) = (buffers(), buffers());
    let mut own = (vec![0.0; n * n], vec![0.0; n]);
    let mut work = gauss::Workspace::new(n);
    let mut prepared = prepare_gradient(system::system::D, AutoReverse, (&matrix, &rhs))?;
    system::gradient_by_hand(&matrix, &rhs, &mut by_hand.0, &mut by_hand.1);
    gauss::gradient_by_adjoint_system(&by_rows, &right, &mut work, &mut own.0, &mut own.1);
    prepared.gradient_into(&mut by_diffi, (&matrix, &rhs))?;
    let size = by_hand.0.iter().fold(1.0f64, |size, bar| size.max(bar.abs()));
    let scaled = |bars: &[f64]| bars.iter().map(|bar| bar / size).collect::<Vec<_>>();
    let transposed = DMatrix::from_row_slice(n, n, &own.0);
    let found = [&scaled(by_diffi.0.as_slice())[..], &scaled(by_diffi.1.as_slice())];
    agree([&scaled(by_hand.0.as_slice()), &scaled(by_hand.1.as_slice())], found);
    agree([&scaled(transposed.as_slice()), &scaled(&own.1)], found);
    let total = prepared.tape_bytes();
    let mut objective = || {
        black_box(system::system(black_box(&matrix), black_box(&rhs)));
    };
    let mut of_diffi =
        || prepared.gradient_into(&mut by_diffi, black_box((&matrix, &rhs))).expect("prepared for these sizes");
    let of_the_library =
        || system::gradient_by_hand(black_box(&matrix), black_box(&rhs), &mut by_hand.0, &mut by_hand.1);
    report.compare("system, solved", &mut objective, of_the_library, &mut of_diffi);
    let of_our_own = || {
        gauss::gradient_by_adjoint_system(black_box(&by_rows), black_box(&right), &mut work, &mut own.0, &mut own.1);
    };
    report.compare("system, own factors", &mut objective, of_our_own, &mut of_diffi);
    report.remark("system, solved", in_total(total, n * n));
    report.remark("system, own factors", in_total(total, n * n));
    Ok(())
}

fn determinant(report: &mut Report, n: usize) -> Result<()> {
    let matrix = cholesky::matrix(n);
    let (mut by_hand, mut by_diffi) = (vec![0.0; n * n], vec![0.0; n * n]);
    let mut work = cholesky::Workspace::new(n);
    let arguments = (&matrix, Constant(n));
    let mut prepared = prepare_gradient(cholesky::cholesky::D, AutoReverse, arguments)?;
    cholesky::gradient_by_hand(&matrix, n, &mut work, &mut by_hand);
    prepared.gradient_into(&mut by_diffi, arguments)?;
    agree([&by_hand], [&by_diffi]);
    report.compare(
        "cholesky",
        || {
            black_box(cholesky::cholesky(black_box(&matrix), n));
        },
        || cholesky::gradient_by_hand(black_box(&matrix), n, &mut work, &mut by_hand),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments)).expect("prepared for these sizes"),
    );
    report.remark("cholesky", in_total(prepared.tape_bytes(), n * n));
    Ok(())
}

fn plane(report: &mut Report, n: usize, steps: usize) -> Result<()> {
    let start = wave(n * n);
    let arguments = |steps| (&start, Constant(0.4), Constant(n), Constant(steps));
    let (mut by_hand, mut by_diffi) = (vec![0.0; n * n], vec![0.0; n * n]);
    let mut work = alternating::Workspace::new(n);
    let mut prepared = prepare_gradient(alternating::alternating::D, AutoReverse, arguments(steps))?;
    alternating::gradient_by_hand(&start, 0.4, n, steps, &mut work, &mut by_hand);
    prepared.gradient_into(&mut by_diffi, arguments(steps))?;
    agree([&by_hand], [&by_diffi]);
    report.compare(
        "alternating",
        || {
            black_box(alternating::alternating(black_box(&start), 0.4, n, steps));
        },
        || alternating::gradient_by_hand(black_box(&start), 0.4, n, steps, &mut work, &mut by_hand),
        || prepared.gradient_into(&mut by_diffi, black_box(arguments(steps))).expect("prepared for these sizes"),
    );
    report.remark(
        "alternating",
        per_step(steps, n * n, |s| {
            Ok(prepare_gradient(alternating::alternating::D, AutoReverse, arguments(s))?.tape_bytes())
        }),
    );
    Ok(())
}
