use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Model {
    a: f64,
}

impl Model {
    fn at(&self, x: f64) -> f64 {
        self.a * x
    }

    fn scaled(&self, x: f64) -> Model {
        Model { a: self.a * x }
    }

    fn step(&mut self, x: f64) {
        self.a += x;
    }
}

#[differentiable]
fn f(model: &Model, x: f64) -> f64 {
    model.at(x) + 1.0
}

#[differentiable]
fn g(model: &Model, x: f64) -> f64 {
    let scaled = model.scaled(x);
    scaled.a * scaled.a
}

#[differentiable]
fn h(model: &mut Model, x: f64) {
    model.step(x);
}

fn main() {}
