use diffi::prelude::*;

#[differentiable]
mod inner {
    pub fn f(x: f64) -> f64 {
        x
    }
}

fn main() {}
