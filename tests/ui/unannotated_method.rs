use diffi::prelude::*;

struct Model {
    a: f64,
}

impl Model {
    fn at(&self, x: f64) -> f64 {
        self.a * x
    }
}

#[differentiable(constant(model))]
fn f(model: &Model, x: f64) -> f64 {
    model.at(x)
}

fn main() {}
