//! Self-attention of one head: the sum of squares of `softmax(Q Kᵀ / sqrt d) V`.

use super::random;
use diffi::prelude::*;
use ndarray::{Array2, Axis};

/// The energy of the output.
#[differentiable(constant(x))]
pub fn attention(wq: &Array2<f64>, wk: &Array2<f64>, wv: &Array2<f64>, x: &Array2<f64>) -> f64 {
    let (q, k, v) = (x.dot(wq), x.dot(wk), x.dot(wv));
    let scores = q.dot(&k.t()) / (wq.ncols() as f64).sqrt();
    let powers = scores.mapv(f64::exp);
    let weights = &powers / &powers.sum_axis(Axis(1)).insert_axis(Axis(1));
    let output = weights.dot(&v);
    (&output * &output).sum()
}

/// The arguments.
pub struct Head {
    pub wq: Array2<f64>,
    pub wk: Array2<f64>,
    pub wv: Array2<f64>,
    pub x: Array2<f64>,
}

impl Head {
    pub fn new(tokens: usize, width: usize, depth: usize) -> Head {
        let mut random = random(5);
        let mut matrix = |n, m| Array2::from_shape_simple_fn((n, m), || 0.5 * (random() - 0.5));
        let (wq, wk, wv) = (matrix(width, depth), matrix(width, depth), matrix(width, depth));
        Head { wq, wk, wv, x: matrix(tokens, width) }
    }

    pub fn value(&self) -> f64 {
        attention(&self.wq, &self.wk, &self.wv, &self.x)
    }
}

/// The gradient by the three weights.
pub fn gradient_by_hand(head: &Head) -> [Array2<f64>; 3] {
    let Head { wq, wk, wv, x } = head;
    let (q, k, v) = (x.dot(wq), x.dot(wk), x.dot(wv));
    let scale = 1.0 / (wq.ncols() as f64).sqrt();
    let mut weights = q.dot(&k.t());
    for mut row in weights.outer_iter_mut() {
        row.mapv_inplace(|s| (s * scale).exp());
        let sum = row.sum();
        row.mapv_inplace(|p| p / sum);
    }
    let output = weights.dot(&v);
    let o_bar = output * 2.0;
    let v_bar = weights.t().dot(&o_bar);
    let mut s_bar = o_bar.dot(&v.t());
    for (mut bar, row) in s_bar.outer_iter_mut().zip(weights.outer_iter()) {
        let mean = bar.dot(&row);
        bar.zip_mut_with(&row, |bar, p| *bar = (*bar - mean) * p * scale);
    }
    let (q_bar, k_bar) = (s_bar.dot(&k), s_bar.t().dot(&q));
    [x.t().dot(&q_bar), x.t().dot(&k_bar), x.t().dot(&v_bar)]
}
