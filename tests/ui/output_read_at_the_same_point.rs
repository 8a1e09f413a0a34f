use diffi::prelude::*;

#[differentiable(output(y))]
fn f(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[1];
}

fn main() {
    let mut y = [0.0; 1];
    let mut at = prepare_pullback_same_point(f::D, AutoReverse, (&[1.0, 2.0], &mut y), &[1.0]).unwrap();
    println!("{y:?}");
    let _ = at.pullback(&[1.0]);
}
