use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    format!("{x}").parse::<f64>().unwrap()
}

fn main() {}
