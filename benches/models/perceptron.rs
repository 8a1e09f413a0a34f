//! A two-layer perceptron that writes its outputs through a parameter.

use diffi::prelude::*;

/// `y = w2 tanh(w1 x + b1) + b2`; the matrices are stored row by row.
#[differentiable(constant(x), output(y))]
pub fn perceptron(x: &[f64], w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64], y: &mut [f64]) {
    let mut hidden = vec![0.0; b1.len()];
    for ((h, row), b) in hidden.iter_mut().zip(w1.chunks_exact(x.len())).zip(b1) {
        let z: f64 = row.iter().zip(x).map(|(w, v)| w * v).sum();
        *h = (z + b).tanh();
    }
    for ((out, row), b) in y.iter_mut().zip(w2.chunks_exact(hidden.len())).zip(b2) {
        let z: f64 = row.iter().zip(&hidden).map(|(w, v)| w * v).sum();
        *out = z + b;
    }
}

/// The same, whose sums may be made in parts.
#[differentiable(reassociate, constant(x), output(y))]
pub fn reassociated(x: &[f64], w1: &[f64], b1: &[f64], w2: &[f64], b2: &[f64], y: &mut [f64]) {
    let mut hidden = vec![0.0; b1.len()];
    for ((h, row), b) in hidden.iter_mut().zip(w1.chunks_exact(x.len())).zip(b1) {
        let z: f64 = row.iter().zip(x).map(|(w, v)| w * v).sum();
        *h = (z + b).tanh();
    }
    for ((out, row), b) in y.iter_mut().zip(w2.chunks_exact(hidden.len())).zip(b2) {
        let z: f64 = row.iter().zip(&hidden).map(|(w, v)| w * v).sum();
        *out = z + b;
    }
}

/// The weights of a network with `inputs`, `hidden` and `outputs` units.
pub struct Network {
    pub x: Vec<f64>,
    pub w1: Vec<f64>,
    pub b1: Vec<f64>,
    pub w2: Vec<f64>,
    pub b2: Vec<f64>,
}

impl Network {
    pub fn new(inputs: usize, hidden: usize, outputs: usize) -> Network {
        let mut random = super::random(3);
        let mut uniform = |count: usize| -> Vec<f64> { (0..count).map(|_| random() - 0.5).collect() };
        Network {
            x: uniform(inputs),
            w1: uniform(hidden * inputs),
            b1: uniform(hidden),
            w2: uniform(outputs * hidden),
            b2: uniform(outputs),
        }
    }

    pub fn value(&self, y: &mut [f64]) {
        perceptron(&self.x, &self.w1, &self.b1, &self.w2, &self.b2, y);
    }
}

/// The adjoints of all weights and biases.
pub struct Bars {
    pub w1: Vec<f64>,
    pub b1: Vec<f64>,
    pub w2: Vec<f64>,
    pub b2: Vec<f64>,
}

impl Bars {
    pub fn new(network: &Network) -> Bars {
        let zeros = |v: &Vec<f64>| vec![0.0; v.len()];
        Bars { w1: zeros(&network.w1), b1: zeros(&network.b1), w2: zeros(&network.w2), b2: zeros(&network.b2) }
    }
}

/// The pullback of the output's adjoint `y_bar`. `hidden` is scratch. The second layer's values are not needed for it. The sums of the
/// first layer have the function's own order of additions, for four units at a time.
pub fn pullback_by_hand(network: &Network, y_bar: &[f64], hidden: &mut [f64], bars: &mut Bars) {
    let Network { x, w1, b1, .. } = network;
    let n = x.len();
    let (fours, rest) = hidden.as_chunks_mut::<4>();
    let (w1_fours, w1_rest) = w1.split_at(4 * n * fours.len());
    let (b1_fours, b1_rest) = b1.as_chunks::<4>();
    for ((h, rows), b) in fours.iter_mut().zip(w1_fours.chunks_exact(4 * n)).zip(b1_fours) {
        let (first, second) = rows.split_at(2 * n);
        let ((r, s), (t, u)) = (first.split_at(n), second.split_at(n));
        let mut z = [0.0; 4];
        for ((((v, r), s), t), u) in x.iter().zip(r).zip(s).zip(t).zip(u) {
            z[0] += r * v;
            z[1] += s * v;
            z[2] += t * v;
            z[3] += u * v;
        }
        for k in 0..4 {
            h[k] = (z[k] + b[k]).tanh();
        }
    }
    for ((h, row), b) in rest.iter_mut().zip(w1_rest.chunks_exact(n)).zip(b1_rest) {
        *h = (super::dot::<1>(row, x) + b).tanh();
    }
    back(network, y_bar, hidden, bars);
}

/// The same with sums in eight parts.
pub fn pullback_reassociated(network: &Network, y_bar: &[f64], hidden: &mut [f64], bars: &mut Bars) {
    let Network { x, w1, b1, .. } = network;
    for ((h, row), b) in hidden.iter_mut().zip(w1.chunks_exact(x.len())).zip(b1) {
        *h = (super::dot::<8>(row, x) + b).tanh();
    }
    back(network, y_bar, hidden, bars);
}

/// From the hidden units on: the second layer's adjoints, and the first one's.
#[inline(always)]
fn back(network: &Network, y_bar: &[f64], hidden: &[f64], bars: &mut Bars) {
    let Network { x, w2, .. } = network;
    bars.b2.copy_from_slice(y_bar);
    bars.b1.fill(0.0);
    for ((bar, row), row_bar) in
        y_bar.iter().zip(w2.chunks_exact(hidden.len())).zip(bars.w2.chunks_exact_mut(hidden.len()))
    {
        for (((w, w_bar), h), h_bar) in row.iter().zip(row_bar).zip(hidden).zip(&mut bars.b1) {
            *w_bar = bar * h;
            *h_bar += bar * w;
        }
    }
    for ((z_bar, h), row_bar) in bars.b1.iter_mut().zip(hidden).zip(bars.w1.chunks_exact_mut(x.len())) {
        *z_bar *= 1.0 - h * h;
        for (w_bar, v) in row_bar.iter_mut().zip(x) {
            *w_bar = *z_bar * v;
        }
    }
}
