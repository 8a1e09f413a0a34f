use diffi::prelude::*;

#[differentiable]
fn repeat(mut f: impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut sum = x;
    let y = repeat(
        |t| {
            sum += t;
            sum * t
        },
        x,
    );
    y + sum
}

fn main() {}
