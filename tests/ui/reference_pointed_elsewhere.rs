use diffi::prelude::*;

#[differentiable]
fn f(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x.to_vec(), x.to_vec());
    let (mut from, mut to) = (&mut a, &mut b);
    for _ in 0..3 {
        to[0] = from[0] * from[1];
        std::mem::swap(&mut from, &mut to);
    }
    let mut r = &x[0];
    if from[0] > 0.0 {
        r = &from[1];
    }
    from[0] * r
}

fn main() {}
