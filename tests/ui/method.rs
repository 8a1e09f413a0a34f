use diffi::prelude::*;

struct Model {
    a: f64,
}

impl Model {
    #[differentiable]
    fn at(&self, x: f64) -> f64 {
        self.a * x
    }
}

fn main() {}
