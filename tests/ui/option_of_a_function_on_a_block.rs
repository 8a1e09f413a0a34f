use diffi::prelude::*;

struct Spring;

#[differentiable(cache(buffer))]
impl Spring {
    fn energy(r: f64, buffer: &mut [f64]) -> f64 {
        buffer[0] = r;
        buffer[0] * r
    }
}

fn main() {}
