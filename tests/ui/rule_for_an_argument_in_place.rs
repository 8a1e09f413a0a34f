use diffi::prelude::*;

#[differentiable(pushforward = double_jvp)]
fn double(x: &mut [f64]) {
    x.iter_mut().for_each(|v| *v *= 2.0);
}

fn double_jvp(_: &[f64], dx: &mut [f64]) {
    dx.iter_mut().for_each(|v| *v *= 2.0);
}

fn main() {}
