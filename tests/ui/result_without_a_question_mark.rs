use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> std::result::Result<f64, String> {
    if x > 0.0 { Ok(x.ln()) } else { Err(format!("logarithm of {x}")) }
}

fn main() {}
