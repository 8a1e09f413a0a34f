use diffi::prelude::*;

#[differentiable]
fn f(x: f64) -> f64 {
    let (mut a, mut b) = (1.0, 2.0);
    let target = if x > 0.0 { Some(&mut a) } else { Some(&mut b) }.unwrap();
    *target = x;
    a * b
}

fn main() {}
