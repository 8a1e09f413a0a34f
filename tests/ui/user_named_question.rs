use diffi::prelude::*;

struct Model {
    weight: f64,
}

impl Model {
    fn count(&self, x: f64) -> f64 {
        self.weight * x
    }
}

#[differentiable(constant(m))]
fn f(m: &Model, x: f64) -> f64 {
    m.count(x) * x
}

fn main() {}
