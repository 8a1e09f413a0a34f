//! A dense layer over a batch: `tanh(X W + b)` against targets.

use super::random;
use diffi::prelude::*;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView1, Axis, Zip};

/// The sum of squared errors.
#[differentiable(constant(x, y))]
pub fn dense(w: &Array2<f64>, b: &Array1<f64>, x: &Array2<f64>, y: &Array2<f64>) -> f64 {
    let h = (x.dot(w) + b).mapv(f64::tanh);
    let r = h - y;
    (&r * &r).sum()
}

/// The arguments.
pub struct Layer {
    pub w: Array2<f64>,
    pub b: Array1<f64>,
    pub x: Array2<f64>,
    pub y: Array2<f64>,
}

impl Layer {
    pub fn new(batch: usize, inputs: usize, outputs: usize) -> Layer {
        let mut random = random(3);
        let mut matrix = |n, m| Array2::from_shape_simple_fn((n, m), || 0.3 * (random() - 0.5));
        let (w, x, y) = (matrix(inputs, outputs), matrix(batch, inputs), matrix(batch, outputs));
        Layer { w, b: Array1::linspace(-0.1, 0.1, outputs), x, y }
    }

    pub fn value(&self) -> f64 {
        dense(&self.w, &self.b, &self.x, &self.y)
    }
}

/// The gradient, with the memory for what lies between.
pub fn gradient_by_hand(layer: &Layer, h: &mut Array2<f64>, w_bar: &mut Array2<f64>, b_bar: &mut Array1<f64>) {
    let Layer { w, b, x, y } = layer;
    general_mat_mul(1.0, x, w, 0.0, h);
    b_bar.fill(0.0);
    for (mut h, y) in h.axis_iter_mut(Axis(0)).zip(y.axis_iter(Axis(0))) {
        seeds(&mut h, b, y, b_bar);
    }
    general_mat_mul(1.0, &x.t(), h, 0.0, w_bar);
}

/// A row of `tanh(X W + b)` becomes the cotangents of that of `X W`.
fn seeds(h: &mut ndarray::ArrayViewMut1<'_, f64>, b: &Array1<f64>, y: ArrayView1<'_, f64>, b_bar: &mut Array1<f64>) {
    Zip::from(h).and(b).and(y).and(b_bar).for_each(|h, b, y, b_bar| {
        let t = (*h + b).tanh();
        *h = 2.0 * (t - y) * (1.0 - t * t);
        *b_bar += *h;
    });
}
