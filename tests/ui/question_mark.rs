use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> Result<f64> {
    let r = logarithm(x)?;
    Ok(r * x)
}

#[differentiable]
fn logarithm(x: f64) -> Result<f64> {
    Ok(x.ln())
}

fn main() {}
