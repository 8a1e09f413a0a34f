use diffi::prelude::*;

trait Potential {
    fn energy(r: f64) -> f64;
}

struct Spring;

#[differentiable]
impl Potential for Spring {
    fn energy(r: f64) -> f64 {
        r * r
    }
}

fn main() {}
