use diffi::prelude::*;

#[differentiable]
trait Store {
    fn slot(&mut self, i: usize) -> &mut f64;
    fn decay(&mut self, x: f64);
}

#[differentiable]
fn f<S: Store>(s: &mut S, x: f64) {
    *s.slot(0) *= x;
}

fn main() {}
