use diffi::prelude::*;

#[derive(Differentiable, Clone)]
struct Table {
    data: Vec<f64>,
}

#[differentiable]
impl Table {
    fn lasting(&self) -> &f64 {
        Box::leak(Box::new(self.data[0]))
    }
}

#[differentiable]
fn f(t: &Table, x: f64) -> f64 {
    t.lasting() * x
}

fn main() {}
