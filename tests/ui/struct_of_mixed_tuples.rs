use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Table {
    rows: Vec<(f64, usize)>,
}

fn main() {}
