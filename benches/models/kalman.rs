//! The likelihood of a series of numbers under a linear state-space model, by the Kalman filter.

use super::random;
use diffi::prelude::*;
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{Array1, Array2, Axis};

/// The negative logarithm of the likelihood, but for a constant.
#[differentiable(constant(h, ys))]
pub fn kalman(a: &Array2<f64>, q: &Array2<f64>, r: f64, h: &Array1<f64>, ys: &[f64]) -> f64 {
    let n = a.nrows();
    let mut x = Array1::<f64>::zeros(n);
    let mut p = Array2::<f64>::eye(n);
    let mut total = 0.0;
    for y in ys {
        x = a.dot(&x);
        p = a.dot(&p).dot(&a.t()) + q;
        let ph = p.dot(h);
        let s = h.dot(&ph) + r;
        let v = y - h.dot(&x);
        let k = &ph / s;
        x = x + &k * v;
        p = p - k.insert_axis(Axis(1)).dot(&ph.insert_axis(Axis(0)));
        total += 0.5 * (s.ln() + v * v / s);
    }
    total
}

/// The arguments.
pub struct Model {
    pub a: Array2<f64>,
    pub q: Array2<f64>,
    pub r: f64,
    pub h: Array1<f64>,
    pub ys: Vec<f64>,
}

impl Model {
    pub fn new(states: usize, steps: usize) -> Model {
        let mut random = random(7);
        let mut centred = || random() - 0.5;
        let a = Array2::from_shape_fn((states, states), |(i, j)| {
            0.5 * f64::from(u8::from(i == j)) + centred() / (states as f64).sqrt()
        });
        let q = Array2::from_diag(&Array1::linspace(0.1, 0.3, states));
        let (h, ys) = (Array1::from_shape_simple_fn(states, &mut centred), (0..steps).map(|_| centred()).collect());
        Model { a, q, r: 0.2, h, ys }
    }

    pub fn value(&self) -> f64 {
        kalman(&self.a, &self.q, self.r, &self.h, &self.ys)
    }
}

/// What the way back needs of a step.
struct Step {
    /// The state before, and its covariance.
    x: Array1<f64>,
    p: Array2<f64>,
    /// `A P`, and `P h` of the prediction.
    ap: Array2<f64>,
    ph: Array1<f64>,
    s: f64,
    v: f64,
}

/// The gradient by `A`, `Q` and `r`, with the memory for what lies between.
pub struct ByHand {
    steps: Vec<Step>,
    x: Array1<f64>,
    p: Array2<f64>,
    x_bar: Array1<f64>,
    p_bar: Array2<f64>,
    ap_bar: Array2<f64>,
    ph_bar: Array1<f64>,
    pub a_bar: Array2<f64>,
    pub q_bar: Array2<f64>,
    pub r_bar: f64,
}

impl ByHand {
    pub fn new(model: &Model) -> ByHand {
        let n = model.h.len();
        let (vector, matrix) = (|| Array1::zeros(n), || Array2::zeros((n, n)));
        let step = |_: &f64| Step { x: vector(), p: matrix(), ap: matrix(), ph: vector(), s: 0.0, v: 0.0 };
        ByHand {
            steps: model.ys.iter().map(step).collect(),
            x: vector(),
            p: matrix(),
            x_bar: vector(),
            p_bar: matrix(),
            ap_bar: matrix(),
            ph_bar: vector(),
            a_bar: matrix(),
            q_bar: matrix(),
            r_bar: 0.0,
        }
    }

    pub fn gradient(&mut self, model: &Model) {
        self.forward(model);
        self.a_bar.fill(0.0);
        self.q_bar.fill(0.0);
        self.x_bar.fill(0.0);
        self.p_bar.fill(0.0);
        self.r_bar = 0.0;
        for step in (0..self.steps.len()).rev() {
            self.back(model, step);
        }
    }

    fn forward(&mut self, Model { a, q, r, h, ys }: &Model) {
        let ByHand { steps, x, p, .. } = self;
        x.fill(0.0);
        p.fill(0.0);
        p.diag_mut().fill(1.0);
        for (step, y) in steps.iter_mut().zip(ys) {
            step.x.assign(x);
            step.p.assign(p);
            general_mat_vec_mul(1.0, a, &step.x, 0.0, x);
            general_mat_mul(1.0, a, &step.p, 0.0, &mut step.ap);
            p.assign(q);
            general_mat_mul(1.0, &step.ap, &a.t(), 1.0, p);
            general_mat_vec_mul(1.0, p, h, 0.0, &mut step.ph);
            step.s = h.dot(&step.ph) + r;
            step.v = y - h.dot(x);
            x.scaled_add(step.v / step.s, &step.ph);
            for (mut row, ph) in p.outer_iter_mut().zip(&step.ph) {
                row.scaled_add(-ph / step.s, &step.ph);
            }
        }
    }

    /// The cotangents of a step's result become those of the state before.
    fn back(&mut self, Model { a, h, .. }: &Model, step: usize) {
        let Step { x, p, ap, ph, s, v } = &self.steps[step];
        let ByHand { x_bar, p_bar, ap_bar, ph_bar, a_bar, q_bar, r_bar, .. } = self;
        general_mat_vec_mul(1.0, p_bar, ph, 0.0, ph_bar);
        let (along, quadratic) = (x_bar.dot(ph), ph.dot(ph_bar));
        general_mat_vec_mul(1.0, &p_bar.t(), ph, 1.0, ph_bar);
        let v_bar = (v + along) / s;
        let s_bar = 0.5 * (1.0 - v * v / s) / s + (quadratic - along * v) / (s * s);
        *ph_bar *= -1.0 / s;
        ph_bar.scaled_add(v / s, x_bar);
        ph_bar.scaled_add(s_bar, h);
        *r_bar += s_bar;
        x_bar.scaled_add(-v_bar, h);
        for (mut row, bar) in p_bar.outer_iter_mut().zip(&*ph_bar) {
            row.scaled_add(*bar, h);
        }
        *q_bar += &*p_bar;
        general_mat_mul(1.0, p_bar, a, 0.0, ap_bar);
        general_mat_mul(1.0, &p_bar.t(), ap, 1.0, a_bar);
        general_mat_mul(1.0, ap_bar, &p.t(), 1.0, a_bar);
        general_mat_mul(1.0, &a.t(), ap_bar, 0.0, p_bar);
        for (mut row, bar) in a_bar.outer_iter_mut().zip(&*x_bar) {
            row.scaled_add(*bar, x);
        }
        general_mat_vec_mul(1.0, &a.t(), x_bar, 0.0, ph_bar);
        x_bar.assign(ph_bar);
    }
}
