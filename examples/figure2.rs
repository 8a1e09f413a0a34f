//! What preparation is worth: Figure 2 of the paper on DifferentiationInterface.jl (Dalle and Hill, Listing 3).
//!
//! `cargo run --release --example figure2` times the gradient of the squared norm for 10 to 10,000 numbers, on every backend, prepared
//! and not, prints the table and draws `target/figure2.svg`; `target/figure2.csv` and `.json` have the numbers. Another backend is
//! another word in [`main`].

use diffi::prelude::*;
use diffi_test::*;

#[differentiable]
fn squared_norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() -> std::io::Result<()> {
    let points = [10, 100, 1_000, 10_000].map(|n| (0..n).map(|k| f64::from(k).sin()).collect::<Vec<f64>>());
    let scenarios: Vec<_> = points
        .iter()
        .map(|x| Scenario::gradient(squared_norm::D, x).result(x.iter().map(|v| 2.0 * v).collect::<Vec<f64>>()))
        .collect();
    let backends = || (AutoReverse, AutoForward, AutoDual, AutoTape, AutoSymbolic, AutoFiniteDiff, AutoZero);

    let right = (AutoReverse, AutoForward, AutoDual, AutoTape, AutoFiniteDiff);
    test_differentiation(right, scenarios[..2].to_vec(), Checks::default()).assert_passed();
    let settings = Benchmark::default().variants(&[Variant::Op]);
    let table = benchmark_differentiation(backends(), scenarios, settings);
    println!("{table}");

    let svg = plot(&table, "gradient of the squared norm: seconds over numbers");
    std::fs::create_dir_all("target")?;
    std::fs::write("target/figure2.svg", svg)?;
    std::fs::write("target/figure2.csv", table.to_csv())?;
    std::fs::write("target/figure2.json", table.to_json())?;
    println!("drawn: target/figure2.svg");
    Ok(())
}
