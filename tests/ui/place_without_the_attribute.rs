use diffi::prelude::*;

#[derive(Differentiable, Clone)]
struct Table {
    data: Vec<f64>,
}

impl Table {
    fn slot(&mut self, i: usize) -> &mut f64 {
        &mut self.data[i]
    }
}

#[differentiable]
fn f(t: &mut Table, x: f64) -> f64 {
    *t.slot(0) = x * x;
    t.data[0] * x
}

fn main() {}
