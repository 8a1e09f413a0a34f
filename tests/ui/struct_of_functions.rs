use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Model {
    k: f64,
    law: std::rc::Rc<dyn Fn(f64) -> f64>,
}

#[derive(Differentiable)]
struct Other {
    k: f64,
    law: dyn Fn(f64) -> f64,
}

fn main() {}
