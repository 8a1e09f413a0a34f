use diffi::prelude::*;

pub struct Generator(u64);

impl Generator {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1);
        (self.0 >> 40) as f64
    }
}

#[differentiable(constant(numbers))]
fn f(x: f64, numbers: &mut Generator, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..n {
        let r = numbers.number();
        y = (y * r).sin();
    }
    y
}

fn main() {}
