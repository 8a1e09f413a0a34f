//! Fits nothing, but computes what a fit of a Gaussian mixture needs: the log posterior and its gradient.
//!
//! `cargo run --release --example gmm [FILE]...` reads ADBench's files, differentiates with respect to all parameters,
//! checks the gradient against central differences, and measures both.

mod objective;
mod reader;

use std::error::Error;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use diffi::prelude::*;
use objective::log_posterior;
use reader::Mixture;

/// The gradient may differ from central differences by this much, relative to the larger of 1 and its own size.
const TOLERANCE: f64 = 1e-6;
/// Central differences cost four evaluations for every parameter, so larger problems are checked in this many places.
const CHECKED: usize = 200;

fn main() -> ExitCode {
    let mut files: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if files.is_empty() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/gmm");
        files = ["test.txt", "gmm_d2_K5.txt", "gmm_d10_K5.txt"].map(|name| folder.join(name)).into();
    }
    let mut status = ExitCode::SUCCESS;
    for file in files {
        match report(&file) {
            Ok(true) => {}
            Ok(false) => {
                eprintln!(
                    "{}: value or gradient disagree with the function and its central differences",
                    file.display()
                );
                status = ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("error: {error}");
                status = ExitCode::FAILURE;
            }
        }
    }
    status
}

/// Prints all about one file; whether value and gradient are right.
fn report(file: &Path) -> std::result::Result<bool, Box<dyn Error>> {
    let Mixture { d, alphas, means, icf, points, gamma, m } = reader::read(file)?;
    let arguments = || (&alphas, &means, &icf, Constant(&points[..]), Constant(d), Constant(gamma), Constant(m));
    let value_at = |alphas: &[f64], means: &[f64], icf: &[f64]| log_posterior(alphas, means, icf, &points, d, gamma, m);

    let mut prepared = prepare_gradient(log_posterior::D, AutoReverse, arguments())?;
    let mut gradient = (vec![0.0; alphas.len()], vec![0.0; means.len()], vec![0.0; icf.len()]);
    let value = prepared.value_and_gradient_into(&mut gradient, arguments())?;
    let same_value = (value - value_at(&alphas, &means, &icf)).abs() <= 1e-12 * value.abs();

    let (alphas_bar, means_bar, icf_bar) = &gradient;
    let flat = [&alphas_bar[..], means_bar, icf_bar].concat();
    let norm = flat.iter().map(|g| g * g).sum::<f64>().sqrt();
    let places = flat.len().min(CHECKED);
    let deviation = largest_deviation(&[alphas.clone(), means.clone(), icf.clone()], &flat, places, value_at);

    let (function, with_gradient) = measure(
        || {
            black_box(value_at(black_box(&alphas), &means, &icf));
        },
        || {
            let value = prepared.value_and_gradient_into(&mut gradient, arguments());
            black_box(value.expect("the sizes have not changed"));
        },
    );

    println!(
        "{}: {} points in {d} dimensions, {} components, {} parameters",
        file.display(),
        points.len() / d,
        alphas.len(),
        flat.len()
    );
    println!("  log posterior       {value:.12e}");
    println!("  gradient norm       {norm:.12e}");
    println!(
        "  largest deviation   {deviation:.1e} from central differences ({places} parameters, relative to max(1, |g|))"
    );
    println!("  function            {:>10.2} µs", function.as_secs_f64() * 1e6);
    println!(
        "  value and gradient  {:>10.2} µs, {:.2} times the function",
        with_gradient.as_secs_f64() * 1e6,
        with_gradient.as_secs_f64() / function.as_secs_f64()
    );
    Ok(same_value && deviation < TOLERANCE)
}

/// Compares `gradient` with central differences of fourth order in so many `places`, evenly spread over the flattened parameters.
fn largest_deviation(
    parameters: &[Vec<f64>; 3],
    gradient: &[f64],
    places: usize,
    value_at: impl Fn(&[f64], &[f64], &[f64]) -> f64,
) -> f64 {
    let mut worst: f64 = 0.0;
    for place in 0..places {
        let at = place * gradient.len() / places;
        let value_near = |step: f64| {
            let mut moved = parameters.clone();
            *moved.iter_mut().flatten().nth(at).expect("one parameter for each partial derivative") += step;
            value_at(&moved[0], &moved[1], &moved[2])
        };
        let x = parameters.iter().flatten().nth(at).expect("one parameter for each partial derivative");
        let step = 5e-4 * x.abs().max(1.0);
        let slope = |step: f64| (value_near(step) - value_near(-step)) / (2.0 * step);
        let difference = (4.0 * slope(step) - slope(2.0 * step)) / 3.0;
        let deviation = (difference - gradient[at]).abs() / gradient[at].abs().max(1.0);
        worst = if deviation.is_nan() { f64::INFINITY } else { worst.max(deviation) };
    }
    worst
}

/// The shortest time of one call of each, in batches that take turns.
fn measure(mut first: impl FnMut(), mut second: impl FnMut()) -> (Duration, Duration) {
    let calls = {
        let start = Instant::now();
        first();
        (2e-3 / start.elapsed().as_secs_f64().max(1e-7)).ceil() as u32
    };
    let batch = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..calls).for_each(|_| run());
        start.elapsed() / calls
    };
    let times: Vec<_> = (0..15).map(|_| (batch(&mut first), batch(&mut second))).collect();
    let shortest = |time: fn(&(Duration, Duration)) -> Duration| times.iter().map(time).min().expect("several batches");
    (shortest(|t| t.0), shortest(|t| t.1))
}
