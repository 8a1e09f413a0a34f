use diffi::prelude::*;

fn main() {
    let _ = hessian(|x: &[f64]| x[0] * x[1], AutoReverse, &[1.0, 2.0]);
}
