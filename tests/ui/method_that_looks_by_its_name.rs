use diffi::prelude::*;

struct Counter {
    n: usize,
}

impl Counter {
    fn max(&mut self) -> usize {
        self.n += 1;
        self.n
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut counter = Counter { n: 0 };
    let mut s = x;
    for _ in 0..3 {
        let k = counter.max();
        s = s * s * x * k as f64;
    }
    s
}

fn main() {}
