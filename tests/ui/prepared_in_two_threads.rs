use diffi::prelude::*;

#[differentiable]
fn norm(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

fn main() {
    let mut prepared = prepare_gradient(norm::D, AutoReverse, &[1.0, 2.0]).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| prepared.gradient(&[1.0, 2.0]));
        scope.spawn(|| prepared.gradient(&[3.0, 4.0]));
    });
}
