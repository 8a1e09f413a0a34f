use diffi::prelude::*;

#[differentiable]
fn f(x: f64, index: [usize; 2]) -> f64 {
    x * index[0] as f64
}

fn main() {
    let _ = gradient(f::D, AutoReverse, (1.0, [0usize, 1]));
}
