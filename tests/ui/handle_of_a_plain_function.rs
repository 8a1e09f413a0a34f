use diffi::prelude::*;

fn norm(x: &[f64]) -> f64 {
    x[0]
}

fn main() {
    let _ = gradient(norm::D, AutoReverse, &[1.0, 2.0]);
}
