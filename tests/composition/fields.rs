//! Lists and arrays that are constants in structs, `knots` and `data`: read by elements, walked over, and passed on.

use crate::check::number;
use diffi::prelude::*;
use ndarray::{Array1, Array2, array};

#[derive(Clone, Debug, Differentiable)]
struct Spline {
    #[differentiable(constant)]
    knots: Vec<f64>,
    coefficients: Vec<[f64; 4]>,
    #[differentiable(constant)]
    table: [[f64; 2]; 2],
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
impl Spline {
    fn segment(&self, t: f64) -> usize {
        let last = self.coefficients.len() - 1;
        match self.knots.binary_search_by(|k| k.partial_cmp(&t).unwrap()) {
            Ok(i) => i.min(last),
            Err(i) => i.saturating_sub(1).min(last),
        }
    }

    fn value(&self, t: f64) -> f64 {
        let i = self.segment(t);
        let d = t - self.knots[i];
        self.coefficients[i].iter().rev().fold(0.0, |sum, c| sum * d + c)
    }

    fn walked(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for (k, c) in self.knots.iter().zip(&self.coefficients) {
            sum += (t - k) * c[0] * c[1];
        }
        for w in self.knots.windows(2) {
            sum += (w[1] - w[0]) * t * t;
        }
        sum
    }

    fn rows(&self, t: f64) -> f64 {
        let mut sum = 0.0;
        for row in &self.table {
            sum += row[0] * t + row[1] * t * t;
        }
        for row in self.table.iter() {
            sum += row.iter().sum::<f64>() * t;
        }
        sum * self.table[1][0]
    }

    fn named(&self, t: f64) -> f64 {
        let knots = &self.knots;
        let (first, last) = (knots[0], *self.knots.last().unwrap());
        let sum = knots.iter().map(|k| k * t).sum::<f64>();
        (t - last) * (t - first) * sum + self.knots[1..].iter().fold(0.0, |a, b| a * t + b)
    }

    fn passed(&self, t: f64) -> f64 {
        dot(&self.knots, &self.coefficients[0][1..]) * t
            + dot(&self.coefficients[1][..3], &self.knots[..]) * dot(&self.knots[1..], &self.knots[..2])
    }
}

#[differentiable]
fn spline(x: &[f64]) -> Spline {
    let coefficients = x.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
    Spline { knots: vec![0.0, 1.0, 2.0], coefficients, table: [[0.5, 1.0], [1.5, 2.0]] }
}

#[differentiable]
fn of_a_spline(x: &[f64]) -> f64 {
    let s = spline(x);
    let t = 1.5 + 0.1 * x[0];
    s.value(t) * s.value(0.5) + s.walked(t) + s.rows(x[1]) * s.named(x[2]) + s.passed(x[3])
}

/// Nothing in the signature says that these fields are arrays: the constructor beside it does.
#[derive(Clone, Debug, Differentiable)]
struct Fit {
    #[differentiable(constant)]
    a: Array2<f64>,
    #[differentiable(constant)]
    b: Array1<f64>,
    w: Array1<f64>,
}

#[differentiable]
impl Fit {
    fn new(a: Array2<f64>, b: Array1<f64>, w: Array1<f64>) -> Self {
        Fit { a, b, w }
    }

    fn loss(&self, t: f64) -> f64 {
        let r = self.a.dot(&self.w) - &self.b;
        r.dot(&r) * t + self.a[[0, 1]] * t * t + self.b.sum() * t
    }

    fn by_rows(&self) -> f64 {
        let mut sum = 0.0;
        for (row, b) in self.a.rows().into_iter().zip(&self.b) {
            sum += (row.dot(&self.w) - b).powi(2);
        }
        sum
    }
}

#[differentiable]
fn fit(x: &[f64]) -> f64 {
    let fit = Fit::new(array![[1.0, 2.0], [3.0, 4.0]], array![0.5, 1.0], Array1::from_vec(x.to_vec()));
    fit.loss(x[0]) * fit.by_rows()
}

#[derive(Clone, Debug, Differentiable)]
struct Scaled {
    a: Array1<f64>,
    w: Array1<f64>,
}

/// That these are arrays is known by a method that arrays alone have.
#[differentiable]
impl Scaled {
    fn energy(&self, t: f64) -> f64 {
        let r = &self.w * 2.0 - &self.a;
        r.mapv(|v| v * v).sum() * t
    }
}

#[differentiable]
fn scaled(x: &[f64]) -> f64 {
    Scaled { a: array![0.5, x[1]], w: Array1::from_vec(x.to_vec()) }.energy(x[0])
}

#[derive(Clone, Debug, Differentiable)]
struct Cell {
    level: f64,
}

/// A field, as often as there are elements.
#[differentiable]
fn levelled(cells: &[Cell], x: &[f64]) -> f64 {
    let mut v = vec![cells[0].level; cells.len() + 1];
    v[1] *= x[0];
    v.iter().zip(x).map(|(v, x)| v * x).sum()
}

#[differentiable]
fn of_cells(x: &[f64]) -> f64 {
    let cells: Vec<Cell> = x.iter().map(|v| Cell { level: v * v }).collect();
    levelled(&cells, x)
}

#[test]
fn lists_filled_with_a_field() {
    number!(of_cells::D, [0.3, 0.7, 1.1], |x| x, |x| of_cells(x));
}

#[test]
fn constant_lists_in_structs() {
    let x = [0.3, 0.7, 1.1, -0.4, 0.9, 0.2, 0.5, 0.6];
    number!(of_a_spline::D, x, |x| x, |x| of_a_spline(x));
    number!(fit::D, [0.3, 0.7], |x| x, |x| fit(x));
    number!(scaled::D, [0.3, 0.7], |x| x, |x| scaled(x));
}

/// The gradient of the struct has nothing in the places of its constants.
#[test]
fn constant_lists_have_no_gradient() {
    let at = spline(&[0.3, 0.7, 1.1, -0.4, 0.9, 0.2, 0.5, 0.6]);
    let g = gradient(Spline::value_d, AutoReverse, (&at, Constant(1.5))).unwrap();
    assert_eq!(std::mem::size_of_val(&g.knots) + std::mem::size_of_val(&g.table), 0);
    assert_eq!(g.to_flat(), [0.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.25, 0.125]);
}

/// A filter whose state changes, in second order too: the tangent of what is constant is no part of the tape.
#[derive(Clone, Debug, Differentiable)]
struct Filter {
    state: Array1<f64>,
    #[differentiable(constant)]
    gain: Array1<f64>,
    #[differentiable(constant)]
    weights: Vec<f64>,
    noise: f64,
}

#[differentiable]
impl Filter {
    fn new(state: Array1<f64>, noise: f64) -> Self {
        Filter { state, gain: array![1.0, 0.5], weights: vec![0.25, 1.5], noise }
    }

    fn update(&mut self, z: f64) -> f64 {
        let innovation = z - self.gain.dot(&self.state) * self.weights[1];
        let s = self.gain.dot(&self.gain) + self.noise * self.weights[0];
        self.state = &self.state + &(&self.gain * innovation);
        s.ln() + innovation * innovation / s
    }
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    let mut filter = Filter::new(array![x[0], x[1]], x[2]);
    let mut sum = 0.0;
    for z in [0.9, 2.1] {
        sum += Filter::update(&mut filter, z);
    }
    sum
}

/// Which of the shapes is nearest: a method gives an option.
#[differentiable]
impl Shape {
    fn hit(&self, at: f64) -> Option<f64> {
        match self {
            Shape::Ball { centre, radius } => {
                let d = radius * radius - (at - centre).powi(2);
                if d < 0.0 { None } else { Some(d.sqrt()) }
            }
            Shape::Wall(distance) => (at > 0.0).then(|| distance / at),
        }
    }
}

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Ball { centre: f64, radius: f64 },
    Wall(f64),
}

#[differentiable]
fn nearest(x: &[f64]) -> f64 {
    let shapes = vec![Shape::Ball { centre: x[0], radius: x[1] }, Shape::Wall(x[2])];
    let mut total = 0.0;
    for i in 0..4 {
        let at = 0.4 * i as f64 - 0.1;
        let hit = shapes.iter().filter_map(|s| s.hit(at)).fold(f64::INFINITY, f64::min);
        if hit.is_finite() {
            total += hit;
        }
    }
    total
}

#[test]
fn filters_and_shapes() {
    number!(filtered::D, [0.1, 0.3, 0.6], |x| x, |x| filtered(x));
    number!(nearest::D, [0.3, 0.9, 0.6], |x| x, |x| nearest(x));
}
