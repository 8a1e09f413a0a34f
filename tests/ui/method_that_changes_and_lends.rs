use diffi::prelude::*;

#[derive(Differentiable, Clone)]
struct Log {
    next: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Log {
    fn slot(&mut self) -> &mut f64 {
        self.next += 1;
        &mut self.data[self.next]
    }
}

#[differentiable]
fn f(log: &mut Log, x: f64) -> f64 {
    *log.slot() = x * x;
    log.data[1] * x
}

fn main() {}
