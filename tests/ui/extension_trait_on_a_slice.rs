use diffi::prelude::*;

trait Total {
    fn total(&self) -> f64;
}

impl Total for [f64] {
    fn total(&self) -> f64 {
        self.iter().sum()
    }
}

#[differentiable]
fn f(x: &[f64]) -> f64 {
    x.total()
}

fn main() {}
