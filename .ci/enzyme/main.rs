//! Run it where Enzyme is: `RUSTFLAGS=-Zautodiff=Enable CARGO_PROFILE_RELEASE_LTO=fat cargo +nightly run --release`.
#![feature(autodiff)]

use diffi::prelude::*;

#[std::autodiff::autodiff_reverse(d_energy, Duplicated, Active)]
fn energy(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0] * w[0]).powi(2)).sum()
}

fn main() -> Result<()> {
    let x = [0.5, 1.5, -0.5];
    let g = gradient(Enzyme(energy, d_energy), AutoEnzyme, &x)?;
    let expected = gradient(|x: &[f64]| energy(x), AutoFiniteDiff, &x)?;
    assert!(g.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{g:?}, expected {expected:?}");
    Ok(())
}
