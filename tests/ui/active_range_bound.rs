use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let mut total = 0.0;
    for _ in 0..(x as usize) {
        total += x;
    }
    total
}

fn main() {}
