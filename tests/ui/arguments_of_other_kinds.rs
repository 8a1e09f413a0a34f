use diffi::prelude::*;
use ndarray::{Array1, array};

#[differentiable]
fn energy(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn squared(x: &Array1<f64>) -> f64 {
    x.dot(x)
}

#[differentiable]
fn three(x: [f64; 3]) -> f64 {
    x[0] * x[1] + x[2]
}

#[differentiable]
fn plane(w: &[f64], b: f64, x: &[f64]) -> f64 {
    w.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b
}

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
}

#[differentiable]
impl Spring {
    fn force(&self, x: f64) -> f64 {
        self.k * x
    }
}

#[differentiable(constant(name))]
fn scaled(x: f64, name: &str) -> f64 {
    if name == "double" { 2.0 * x } else { x }
}

#[differentiable]
fn fill(x: &[f64], y: &mut [f64]) {
    y[0] = x[0] * x[0];
}

fn main() {
    let mut x = vec![1.0, 2.0];
    let _ = gradient(energy::D, AutoReverse, x.iter());
    let _ = gradient(energy::D, AutoReverse, &mut x);
    let _ = gradient(energy::D, AutoReverse, x.clone());
    let _ = gradient(energy::D, AutoReverse, &array![1.0, 2.0]);
    let _ = gradient(energy::D, AutoReverse, &vec![1.0f32, 2.0]);
    let _ = gradient(energy::D, AutoReverse, &[1, 2]);
    let _ = gradient(squared::D, AutoReverse, &[1.0, 2.0]);
    let _ = gradient(three::D, AutoReverse, [1.0, 2.0]);

    let data = (Constant(1.0), Constant(&[1.0, 3.0]));
    let _ = gradient(plane::D, AutoReverse, (&[1.0, 2.0], data));
    let _ = gradient(plane::D, AutoReverse, (&[1.0, 2.0], Constant((1.0, &[1.0, 3.0]))));
    let _ = gradient(plane::D, AutoReverse, (&[1.0, 2.0], 1.0, &Constant(&[1.0, 3.0])));
    let _ = gradient(plane::D, AutoReverse, (&[1.0, 2.0], 1.0, Cache(&mut x)));

    let _ = gradient(Spring::force_d, AutoReverse, (Spring { k: 2.0 }, 1.5));
    let _ = derivative(Spring::force_d, AutoReverse, 1.5);
    let _ = derivative(scaled::D, AutoForward, (2.0, "double"));

    let _ = jacobian(fill::D, AutoForward, &[1.0]);
    let _ = jacobian(fill::D, AutoForward, (&[1.0], vec![0.0]));
    let _ = jacobian(fill::D, AutoForward, (&[1.0], Constant(&mut x)));
    let _ = gradient(fill::D, AutoReverse, (&[1.0], &mut x));
}
