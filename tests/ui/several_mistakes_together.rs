use diffi::prelude::*;

#[differentiable(constant(missing))]
fn f(x: f64, y: f64) -> f64 {
    let bits = x.to_bits();
    let root = unsafe { y.sqrt() };
    f64::from_bits(bits) + root + y.to_string().parse::<f64>().unwrap()
}

fn main() {}
