//! Constants behind references that patterns take apart, arrays among them, and constants of a user's type that loops make.

use diffi::prelude::*;
use ndarray::{Array1, Array2};
use std::ops::{Add, Mul};

#[differentiable(constant(size))]
fn in_rows(x: &[f64], size: &(usize, usize)) -> f64 {
    let (n, m) = size;
    let mut sum = 0.0;
    for i in 0..*n {
        for j in 0..*m {
            sum += x[i * m + j] * x[i * *m + j] * (1 + i) as f64;
        }
    }
    sum
}

#[differentiable(constant(weights))]
fn weighted(x: &[f64], weights: &(Vec<f64>, f64, [f64; 2])) -> f64 {
    let (a, b, [first, last]) = weights;
    let mut sum = *b * x[0] * first;
    for (i, a) in a.iter().enumerate() {
        sum += a * x[i] * x[i] * b + last;
    }
    sum
}

#[derive(Clone, Debug)]
pub struct Settings {
    pub weights: Vec<f64>,
    pub rate: f64,
    pub count: usize,
    pub design: Array2<f64>,
    pub rows: Vec<(Array1<f64>, f64)>,
}

#[differentiable(constant(settings))]
fn by_fields(x: &[f64], settings: &Settings) -> f64 {
    let Settings { weights, rate, count: n, .. } = settings;
    (0..*n).map(|i| weights[i] * x[i].powi(2) * rate).sum::<f64>() * *rate
}

#[derive(Clone, Debug)]
pub struct Pair(pub Vec<f64>, pub usize);

#[differentiable(constant(pair))]
fn by_numbers(x: &[f64], pair: &Pair) -> f64 {
    let Pair(w, n) = pair;
    let mut sum = 0.0;
    for k in 0..*n {
        sum += w[k] * x[k] * x[k];
    }
    sum * *n as f64
}

#[differentiable(constant(data))]
fn residual(x: &[f64], data: &(Array2<f64>, Array1<f64>)) -> f64 {
    let (design, seen) = data;
    let weights = Array1::from_vec(x[1..].to_vec());
    let residual = seen - &design.dot(&weights);
    residual.mapv(|r| (1.0 + (r / x[0]).powi(2)).ln()).sum()
}

#[differentiable(constant(settings))]
fn by_a_field(x: &[f64], settings: &Settings) -> f64 {
    let Settings { design, .. } = settings;
    let weights = Array1::from_vec(x[1..].to_vec());
    let product = &design.dot(&weights) * x[0];
    product.dot(&product)
}

#[differentiable(constant(settings))]
fn row_by_row(x: &[f64], settings: &Settings) -> f64 {
    let weights = Array1::from_vec(x[1..].to_vec());
    let mut sum = 0.0;
    for (row, seen) in &settings.rows {
        let predicted = row.dot(&weights);
        sum += (predicted - seen).powi(2) * x[0];
    }
    sum + settings.rows.iter().map(|(row, seen)| row.dot(&weights) * seen).sum::<f64>()
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct Complex {
    pub re: f64,
    pub im: f64,
}

#[differentiable]
impl Complex {
    fn new(re: f64, im: f64) -> Self {
        Complex { re, im }
    }
    fn unit(angle: f64) -> Self {
        Complex { re: angle.cos(), im: angle.sin() }
    }
    fn size(self) -> f64 {
        self.re * self.re + self.im * self.im
    }
    fn turned(self, by: Complex) -> Complex {
        self * by
    }
}

#[differentiable]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex::new(self.re + other.re, self.im + other.im)
    }
}

#[differentiable]
impl Mul for Complex {
    type Output = Complex;
    fn mul(self, other: Complex) -> Complex {
        Complex::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }
}

/// A constant of a loop, and one that changes in it.
#[differentiable(constant(n))]
fn transformed(x: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for k in 0..n {
        let step = Complex::unit(-2.0 * k as f64 / x.len() as f64);
        let mut turn = Complex::new(1.0, 0.0);
        let mut sum = Complex::new(0.0, 0.0);
        for v in x {
            sum = sum + turn * Complex::new(*v, v * v);
            turn = turn * step;
        }
        total += sum.size() * (1.0 + k as f64);
    }
    total
}

/// As an argument, as a receiver, and behind a reference.
#[differentiable(constant(n))]
fn passed(x: &[f64], n: usize) -> f64 {
    let mut z = Complex::new(x[0], x[1]);
    for k in 0..n {
        let around = Complex { re: 0.5, im: 0.3 * k as f64 };
        z = z.turned(around) + around.turned(z) + scaled(&around, x[0]);
    }
    z.size()
}

#[differentiable]
fn scaled(z: &Complex, by: f64) -> Complex {
    Complex::new(z.re * by, z.im * by * by)
}

/// Items of a list of enums that `match` takes apart, iteration by iteration.
#[derive(Clone, Debug)]
pub enum Layer {
    Dense { rows: usize, columns: usize },
    Bend,
    Scale(f64),
    Named(String, f64),
}

#[differentiable(constant(layers))]
fn layered(x: &[f64], layers: &[Layer]) -> f64 {
    let mut at = 0;
    let mut h = vec![0.5, -0.2];
    for layer in layers {
        h = match layer {
            Layer::Dense { rows, columns } => {
                let mut out = vec![0.0; *rows];
                for i in 0..*rows {
                    for j in 0..*columns {
                        out[i] += x[at + i * columns + j] * h[j];
                    }
                }
                at += rows * columns;
                out
            }
            Layer::Bend => h.iter().map(|v| v * v + 0.1 * v).collect(),
            Layer::Scale(by) => h.iter().map(|v| v * by).collect(),
            Layer::Named(name, by) => h.iter().map(|v| v * by + name.len() as f64 * v.sin()).collect(),
        };
    }
    h.iter().map(|v| v * v).sum()
}

#[differentiable(constant(layers))]
fn numbered(x: &[f64], layers: &Vec<Layer>) -> f64 {
    let mut y = x[0];
    for (i, layer) in layers.iter().enumerate() {
        if let Layer::Scale(by) = layer {
            y *= by * x[i % 2];
        } else if let Layer::Dense { rows, columns: n } = layer {
            y += (*rows as f64) * y * y / *n as f64;
        }
    }
    for i in 0..layers.len() {
        match &layers[i] {
            Layer::Named(_, by) if *by > 0.0 => y = y * by + x[1],
            Layer::Named(name, by) => y -= by * y.cos() * name.len() as f64,
            Layer::Scale(_) | Layer::Bend => y = y.sin(),
            Layer::Dense { .. } => {}
        }
    }
    y
}

mod rows {
    use super::{Layer, Pair, Settings};
    use crate::check::rows;
    use crate::numbers::Numbers;
    use diffi::prelude::*;
    use ndarray::{Array1, Array2};

    /// Constants, whose numbers nobody asks for.
    macro_rules! constants {
        ($($T:ty)+) => { $(
            impl Numbers for $T {
                fn each(&mut self, _: &mut dyn FnMut(&mut f64)) {}
            }
        )+ };
    }
    constants! { Layer Pair Settings }

    fn design() -> Array2<f64> {
        Array2::from_shape_fn((4, 2), |(i, j)| (i as f64 + 0.3).sin() + 0.2 * j as f64)
    }

    fn settings() -> Settings {
        let rows = design().outer_iter().enumerate().map(|(i, row)| (row.to_owned(), 0.1 * i as f64)).collect();
        Settings { weights: vec![0.5, 2.0, -1.0], rate: 1.5, count: 3, design: design(), rows }
    }

    fn layers() -> Vec<Layer> {
        let named = |by: f64| Layer::Named("slope".into(), by);
        let dense = || Layer::Dense { rows: 2, columns: 2 };
        vec![dense(), Layer::Bend, Layer::Scale(1.5), named(0.3), dense(), named(-0.2)]
    }

    rows! {
        number layered(at x: Vec<f64>, fixed_at layers: Vec<Layer>): [vec![0.3, 0.1, -0.2, 0.5, 0.7, 0.2, 0.4, -0.6], layers()] [vec![0.3], vec![]];
        number numbered(at x: Vec<f64>, fixed_at layers: Vec<Layer>): [vec![0.7, 0.4], layers()] [vec![0.7, 0.4], vec![]];
        number in_rows(at x: Vec<f64>, fixed_at size: (usize, usize)): [vec![0.7, 0.4, -0.3, 1.1], (2, 2)] [vec![0.7, 0.4], (1, 2)];
        number weighted(at x: Vec<f64>, fixed_at weights: (Vec<f64>, f64, [f64; 2])): [vec![0.7, 0.4], (vec![1.5, -0.5], 2.0, [0.3, 0.6])];
        number by_fields(at x: Vec<f64>, fixed_at settings: Settings): [vec![0.7, 0.4, 0.2], settings()];
        number by_numbers(at x: Vec<f64>, fixed_at pair: Pair): [vec![0.7, 0.4], Pair(vec![1.5, -0.5], 2)];
        number residual(at x: Vec<f64>, fixed_at data: (Array2<f64>, Array1<f64>)):
            [vec![0.7, 0.4, 0.2], (design(), Array1::from_vec(vec![0.1, 0.3, 0.2, -0.4]))];
        number by_a_field(at x: Vec<f64>, fixed_at settings: Settings): [vec![0.7, 0.4, 0.2], settings()];
        number row_by_row(at x: Vec<f64>, fixed_at settings: Settings): [vec![0.7, 0.4, 0.2], settings()];
        number transformed(at x: Vec<f64>, fixed n: usize): [vec![0.7, 0.4, 0.2], 3] [vec![0.7, 0.4, 0.2], 0];
        number passed(at x: Vec<f64>, fixed n: usize): [vec![0.7, 0.4], 3] [vec![0.7, 0.4], 0];
    }
}
