use diffi::prelude::*;

#[differentiable]
fn f(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(every = 10)]
    for _ in 0..n {
        let start = std::time::Instant::now();
        y = y.sin();
        y *= 1.0 + start.elapsed().as_secs_f64();
    }
    y
}

fn main() {}
