//! Listing 2 of the paper on DifferentiationInterface.jl (Dalle and Hill): a sparse Hessian by a few products.
//!
//! `cargo run --release --example sparse_hessian` also draws `target/sparse_hessian.svg`, each entry in the color of the sum that it is
//! read from.

use diffi::prelude::*;
use std::time::Instant;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (w[1] - w[0]).powi(2)).sum()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let x: Vec<f64> = (0..1000).map(|i| f64::from(i).sin()).collect();

    let started = Instant::now();
    let dense = hessian(f::D, AutoReverse, &x)?;
    println!("dense:  {:>10.1?} for {} entries", started.elapsed(), dense.len());

    let mut prepared = prepare_hessian(f::D, AutoSparse::new(AutoReverse), &x)?;
    let mut sparse = prepared.hessian(&x)?;
    let started = Instant::now();
    prepared.hessian_into(&mut sparse, &x)?;
    println!("sparse: {:>10.1?} for {} entries, with {} products", started.elapsed(), sparse.nnz(), prepared.ncolors());
    assert_eq!(sparse.to_dense(), dense);

    let small = prepare_hessian(f::D, AutoSparse::new(AutoReverse), &x[..24])?;
    println!("the first 24 of them:\n{}", small.sparsity_pattern());
    std::fs::create_dir_all("target")?;
    std::fs::write("target/sparse_hessian.svg", small.coloring().to_svg())?;
    Ok(())
}
