//! The gradient by every backend, in units of the objective: `cargo bench --bench backends [--features compiled,rayon,external]`; how long
//! preparation takes; and external packages called directly, beside our interface to them.
//!
//! Backends take turns, and the least time of each counts, so that a machine that others use does not decide.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[cfg(feature = "external")]
#[path = "backends/direct.rs"]
mod direct;
#[allow(dead_code, reason = "another bench measures the other models")]
mod models;

use std::hint::black_box;
use std::time::{Duration, Instant};

use diffi::prelude::*;
use models::{gmm, rosenbrock};

/// What stands after the name of a backend where its package is called without it.
const DIRECTLY: &str = "directly";
const ROUNDS: usize = 15;
const BATCH: Duration = Duration::from_millis(5);

type Run<'a> = Box<dyn FnMut() + 'a>;

/// A row: its name, how long preparation took, and a call.
type Row<'a> = (String, Duration, Run<'a>);

fn main() -> Result<()> {
    for n in [8, 32, 256, 10_000] {
        chain(n)?;
    }
    mixture()
}

/// Every backend: its name, and prepared gradients of a handle.
macro_rules! backends {
    ($rows:ident, $expected:ident, $f:expr, $args:expr, $buffer:expr, $flat:expr; $($backend:expr;)+) => { $(
        {
            let start = Instant::now();
            let mut prepared = prepare_gradient($f, $backend, $args)?;
            let preparation = start.elapsed();
            let mut g = $buffer;
            prepared.gradient_into(&mut g, $args)?;
            agree(&$flat(&g), &$expected, stringify!($backend));
            $rows.push((stringify!($backend).to_owned(), preparation, Box::new(move || {
                prepared.gradient_into(&mut g, black_box($args)).expect("prepared for these sizes");
            })));
        }
    )+ };
}

fn chain(n: usize) -> Result<()> {
    let x: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * (i as f64).sin()).collect();
    let expected = gradient(rosenbrock::rosenbrock::D, AutoReverse, &x)?;
    let x = &x[..];
    let mut rows: Vec<Row<'_>> = vec![(
        "objective".into(),
        Duration::ZERO,
        Box::new(|| {
            black_box(rosenbrock::rosenbrock(black_box(x)));
        }),
    )];
    let flat = |g: &Vec<f64>| g.clone();
    backends! {
        rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
        AutoReverse;
        AutoTape.replayed();
        AutoSymbolic;
    }
    #[cfg(feature = "compiled")]
    backends! {
        rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
        AutoTape.compiled();
        AutoSymbolic.compiled();
    }
    #[cfg(feature = "external")]
    backends! {
        rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
        AutoEchidna;
        AutoEchidna.replayed();
    }
    if n <= 256 {
        backends! {
            rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
            AutoTape;
            AutoForward;
            AutoDual;
            AutoDual.chunk_size(8);
            AutoFiniteDiff;
            AutoFiniteDifferences::default();
        }
        #[cfg(feature = "rayon")]
        backends! {
            rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
            AutoDualThreads;
        }
        #[cfg(feature = "external")]
        backends! {
            rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
            AutoNumDual;
            AutoHyperdualCrate;
            AutoAutodiff;
        }
        #[cfg(feature = "ad-trait")]
        backends! {
            rows, expected, rosenbrock::rosenbrock::D, x, vec![0.0; n], flat;
            AutoAdTrait;
        }
    }
    #[cfg(feature = "external")]
    if n <= 256 {
        for (name, mut run) in direct::gradients(n) {
            let mut g = vec![0.0; n];
            run(x, &mut g);
            agree(&g, &expected, name);
            rows.push((format!("{name}, {DIRECTLY}"), Duration::ZERO, Box::new(move || run(black_box(x), &mut g))));
        }
    }
    report(&format!("rosenbrock n={n}"), rows);
    Ok(())
}

/// It looks for the largest of some numbers, so that no expression holds everywhere: without `AutoSymbolic`.
fn mixture() -> Result<()> {
    let mixture = gmm::Mixture::new(10, 5, 100);
    let gmm::Mixture { alphas, means, icf, points, gamma, m, d, .. } = &mixture;
    let arguments = || (alphas, means, icf, Constant(&points[..]), Constant(*d), Constant(*gamma), Constant(*m));
    let buffers = || (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
    let flat = |g: &(Vec<f64>, Vec<f64>, Vec<f64>)| [&g.0[..], &g.1, &g.2].concat();
    let expected = flat(&gradient(gmm::log_posterior::D, AutoReverse, arguments())?);
    let mut rows: Vec<Row<'_>> = vec![(
        "objective".into(),
        Duration::ZERO,
        Box::new(|| {
            black_box(black_box(&mixture).value());
        }),
    )];
    backends! {
        rows, expected, gmm::log_posterior::D, arguments(), buffers(), flat;
        AutoReverse;
        AutoForward;
        AutoDual;
        AutoTape;
        AutoTape.replayed();
    }
    #[cfg(feature = "compiled")]
    backends! {
        rows, expected, gmm::log_posterior::D, arguments(), buffers(), flat;
        AutoTape.compiled();
    }
    #[cfg(feature = "rayon")]
    backends! {
        rows, expected, gmm::log_posterior::D, arguments(), buffers(), flat;
        AutoDualThreads;
    }
    #[cfg(feature = "external")]
    backends! {
        rows, expected, gmm::log_posterior::D, arguments(), buffers(), flat;
        AutoNumDual;
        AutoHyperdualCrate;
        AutoAutodiff;
        AutoEchidna;
        AutoEchidna.replayed();
    }
    report("gmm d=10 k=5", rows);
    Ok(())
}

/// No time is worth reading for a wrong gradient.
fn agree(found: &[f64], expected: &[f64], backend: &str) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-5 * b.abs().max(1.0), "{backend}: {a}, expected {b}");
    }
}

fn report(model: &str, mut rows: Vec<Row<'_>>) {
    let calls: Vec<u32> = rows.iter_mut().map(|(.., run)| calls_per_batch(run)).collect();
    let mut least = vec![f64::INFINITY; rows.len()];
    for _ in 0..ROUNDS {
        for (((.., run), calls), least) in rows.iter_mut().zip(&calls).zip(&mut least) {
            let start = Instant::now();
            (0..*calls).for_each(|_| run());
            *least = least.min(start.elapsed().as_secs_f64() / f64::from(*calls));
        }
    }
    println!("\n{model}: objective {:.1} ns", least[0] * 1e9);
    for ((name, preparation, _), time) in rows.iter().zip(&least).skip(1) {
        let (time, ratio, preparation) = (time * 1e9, time / least[0], preparation.as_secs_f64() * 1e3);
        let direct = rows.iter().zip(&least).find(|((other, ..), _)| *other == format!("{name}, {DIRECTLY}"));
        let beside = direct.map_or(String::new(), |(_, direct)| {
            let beside = time - direct * 1e9;
            format!(", {beside:+.1} ns or {:+.1} % beside its package", beside / direct / 1e7)
        });
        println!("  {name:<36} {time:>12.1} ns {ratio:>10.2} objectives, prepared in {preparation:.2} ms{beside}");
    }
}

fn calls_per_batch(run: &mut Run<'_>) -> u32 {
    let start = Instant::now();
    run();
    (BATCH.as_secs_f64() / start.elapsed().as_secs_f64().max(1e-9)).clamp(1.0, 1e6) as u32
}
