use diffi::prelude::*;

#[differentiable]
union Point {
    x: f64,
    k: u64,
}

fn main() {}
