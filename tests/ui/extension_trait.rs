use diffi::prelude::*;

trait Squared {
    fn squared(self) -> f64;
}

impl Squared for f64 {
    fn squared(self) -> f64 {
        (0..2).fold(1.0, |product, _| product * self)
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    x.squared()
}

fn main() {}
