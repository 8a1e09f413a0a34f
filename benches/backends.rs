//! The gradient by every backend, in units of the objective: `cargo bench --bench backends [--features compiled,rayon,external]`; how long
//! preparation takes; external packages called directly, beside our interface to them; and what there is a bar for.
//!
//! Backends take turns, and the least time of each counts, so that a machine that others use does not decide.
//!
//! All backends find the same gradient of the same function at the same arguments, but compiled recordings know more when they are
//! compiled: all sizes, what depends on constant arguments alone, and which processor is at hand.

#![allow(clippy::needless_range_loop)] // index loops are among the things that are measured

#[cfg(feature = "external")]
#[path = "backends/direct.rs"]
mod direct;
#[allow(dead_code, reason = "another bench measures the other models")]
mod models;
#[allow(dead_code, reason = "other benches print other tables")]
mod report;

use std::hint::black_box;
use std::time::{Duration, Instant};

use diffi::prelude::*;
use models::{gmm, rosenbrock};
use report::aligned::Aligned;

/// Where buffers lie is chance, and worth some nanoseconds.
#[global_allocator]
static ALIGNED: Aligned = Aligned;

/// What stands after the name of a backend where its package is called without it.
const DIRECTLY: &str = "directly";
/// Short batches, so that many of them are not interrupted.
const ROUNDS: usize = 151;
const BATCH: Duration = Duration::from_micros(500);

/// A backend, another one, and how many times as long the first may take at most.
const BARS: [(&str, &str, f64); 4] = [
    ("AutoDual", "AutoNumDual", 1.0),
    ("AutoDual", "AutoHyperdualCrate", 1.0),
    ("AutoTape.compiled()", "AutoReverse", 1.5),
    ("AutoSymbolic.compiled()", "AutoReverse", 1.5),
];
/// Our interface to a package may take so many nanoseconds, or such a part of what the package takes.
const INTERFACE: (f64, f64) = (20.0, 0.02);

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

/// Packages without our interface.
#[cfg(feature = "external")]
macro_rules! directly {
    ($rows:ident, $expected:ident, $x:ident; $($backend:expr, $gradient:expr;)+) => {{ $(
        $rows.push(direct_row(stringify!($backend), $x, &$expected, $gradient));
    )+ }};
}

#[cfg(feature = "external")]
fn direct_row<'x>(name: &str, x: &'x [f64], expected: &[f64], mut run: impl FnMut(&[f64], &mut [f64]) + 'x) -> Row<'x> {
    let mut g = vec![0.0; x.len()];
    run(x, &mut g);
    agree(&g, expected, name);
    (format!("{name}, {DIRECTLY}"), Duration::ZERO, Box::new(move || run(black_box(x), &mut g)))
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
    {
        match n {
            8 => directly! {
                rows, expected, x;
                AutoNumDual, direct::num_dual::<8>(n);
                AutoHyperdualCrate, direct::hyperdual::<9>(n);
            },
            9..=256 => directly! {
                rows, expected, x;
                AutoNumDual, direct::num_dual::<12>(n);
                AutoHyperdualCrate, direct::hyperdual::<13>(n);
            },
            _ => {}
        }
        if n <= 256 {
            directly! { rows, expected, x; AutoAutodiff, direct::autodiff(n); }
        }
        directly! {
            rows, expected, x;
            AutoEchidna, direct::echidna;
            AutoEchidna.replayed(), direct::replayed(n);
        }
    }
    report(&format!("rosenbrock n={n}"), rows);
    Ok(())
}

/// It looks for the largest of some numbers, so that no expression holds everywhere: without `AutoSymbolic`.
///
/// A compiled tape is ahead of `AutoReverse` here: it takes 351,000 instructions, the objective 522,000 and `AutoReverse` 900,000. What every
/// point undergoes becomes, operation by operation, a loop over all points, two at a time, where the function walks through columns of
/// triangles that have nine numbers, eight, .. down to one, by indices that only the recording knows beforehand. That constant
/// arguments are constants of the recording counts little: the logarithms in the prior's normalizer, one instruction in a thousand.
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
        println!("  {name:<36} {time:>12.1} ns {ratio:>10.2} objectives, prepared in {preparation:.2} ms");
    }
    let time = |of: &str| rows.iter().zip(&least).find(|((name, ..), _)| name == of).map(|(_, time)| time * 1e9);
    for (name, ..) in &rows {
        if let (Some(own), Some(direct)) = (time(name), time(&format!("{name}, {DIRECTLY}"))) {
            let (most, part) = INTERFACE;
            let figure = format!("{:+.1} ns, {:+.1} %", own - direct, (own / direct - 1.0) * 100.0);
            let bar = format!("{most} ns or {} %", part * 100.0);
            verdict(name, "its package", &figure, &bar, own - direct <= most.max(part * direct));
        }
    }
    for (name, other, most) in BARS {
        if let (Some(own), Some(other_time)) = (time(name), time(other)) {
            let ratio = own / other_time;
            verdict(name, other, &format!("{ratio:.2} times"), &format!("{most}"), ratio <= most);
        }
    }
    let reverse = time("AutoReverse").expect("it is always there");
    let others = rows.iter().skip(1).filter(|(name, ..)| name != "AutoReverse");
    let (next, least) = others
        .filter_map(|(name, ..)| Some((name, time(name)?)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .expect("there are others");
    verdict("AutoReverse", next, &format!("{:.2} times", reverse / least), "1", reverse <= least);
}

/// A line: what is beside what, the figure, and what it should at most be.
fn verdict(what: &str, beside: &str, figure: &str, bar: &str, holds: bool) {
    let missed = if holds { "" } else { "  MISSED" };
    println!("  {:<68} {figure:>22}, bar {bar}{missed}", format!("{what} beside {beside}"));
}

/// By a few calls after the first one, which finds nothing in the caches.
fn calls_per_batch(run: &mut Run<'_>) -> u32 {
    const FEW: u32 = 4;
    run();
    let start = Instant::now();
    (0..FEW).for_each(|_| run());
    let call = start.elapsed().as_secs_f64().max(1e-9) / f64::from(FEW);
    (BATCH.as_secs_f64() / call).clamp(1.0, 1e6) as u32
}
