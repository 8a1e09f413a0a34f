use diffi::prelude::*;

#[differentiable]
fn checked<'a>(x: f64, name: &'a str) -> std::result::Result<f64, &'a str> {
    if x < 0.0 { Err(name) } else { Ok(x * x) }
}

fn main() {}
