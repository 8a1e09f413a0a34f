//! Listing 1 of the paper on DifferentiationInterface.jl (Dalle and Hill): another backend is another word.
//!
//! `cargo run --release --example switching`

use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() -> diffi::Result<()> {
    // Change this word to switch backends.
    let backend = AutoReverse;

    let mut x = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let mut g = gradient(f::D, backend, &x)?;
    println!("gradient {g:?}");

    gradient_into(f::D, backend, &mut g, &x)?; // in place
    let (y, g) = value_and_gradient(f::D, backend, &x)?; // primal
    println!("value {y}, gradient {g:?}");

    let mut g = vec![0.0; x.len()];
    let mut prepared = prepare_gradient(f::D, backend, &vec![0.0; x.len()])?;
    for _ in 0..1000 {
        prepared.gradient_into(&mut g, &x)?; // fast
        x.iter_mut().zip(&g).for_each(|(x, g)| *x -= 0.1 * g);
    }
    println!("after descent {x:?}");
    assert!(x.iter().all(|v| v.abs() < 1e-12));
    Ok(())
}
