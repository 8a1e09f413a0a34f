//! Fields that are tuples of integers, beside fields that carry derivatives.

use diffi::prelude::*;

// The size of a grid.

#[derive(Clone, Differentiable)]
struct Image {
    data: Vec<f64>,
    size: (usize, usize),
}

#[differentiable]
impl Image {
    fn at(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.size.1 + j]
    }
    fn sum(&self) -> f64 {
        let mut s = 0.0;
        for i in 0..self.size.0 {
            for j in 0..self.size.1 {
                s += self.at(i, j) * self.at(i, j);
            }
        }
        s
    }
}

#[differentiable]
fn image(x: &[f64]) -> f64 {
    let m = Image { data: vec![x[0], x[1], x[0] * x[1], 1.0], size: (2, 2) };
    m.sum()
}

// Two indices, taken apart in a closure.

#[derive(Clone, Differentiable)]
struct Edge {
    ends: (usize, usize),
    w: f64,
}

#[differentiable]
fn cost_of(es: &[Edge], v: &[f64]) -> f64 {
    es.iter()
        .map(|e| {
            let (a, b) = e.ends;
            e.w * (v[a] - v[b]).powi(2)
        })
        .sum()
}

#[differentiable]
fn edges(x: &[f64]) -> f64 {
    let es = vec![Edge { ends: (0, 1), w: x[0] }, Edge { ends: (1, 0), w: x[1] * x[1] }];
    cost_of(&es, x)
}

// A method that changes the tuple.

#[derive(Clone, Differentiable)]
struct Table {
    data: Vec<f64>,
    shape: (usize, usize),
}

#[differentiable]
impl Table {
    fn zeros(r: usize, c: usize) -> Self {
        Table { data: vec![0.0; r * c], shape: (r, c) }
    }
    fn transpose(&self) -> Table {
        let (r, c) = self.shape;
        let mut m = Table::zeros(c, r);
        for i in 0..r {
            for j in 0..c {
                m.data[j * r + i] = self.data[i * c + j];
            }
        }
        m
    }
    fn reshape(&mut self, r: usize, c: usize) {
        self.shape = (r, c);
    }
}

#[differentiable]
fn transposed(x: &[f64]) -> f64 {
    let mut m = Table::zeros(1, 2);
    m.data[0] = x[0];
    m.data[1] = x[1] * x[0];
    let mut t = m.transpose();
    t.reshape(1, 2);
    t.data[0] * t.data[1] * t.shape.1 as f64
}

// Structs in lists of a struct, with indices that a loop counts.

#[derive(Clone, Differentiable)]
struct Spring {
    k: f64,
    between: (usize, usize),
    tag: (bool, u8),
}

#[derive(Clone, Differentiable)]
struct Body {
    springs: Vec<Spring>,
    q: Vec<f64>,
}

#[differentiable]
impl Body {
    fn energy(&self) -> f64 {
        let mut e = 0.0;
        for s in &self.springs {
            let (i, j) = s.between;
            if s.tag.0 {
                e += 0.5 * s.k * (self.q[i] - self.q[j]).powi(2);
            }
        }
        e
    }
}

#[differentiable]
fn springs(x: &[f64]) -> f64 {
    let mut springs = Vec::new();
    for i in 0..2 {
        springs.push(Spring { k: x[i], between: (i, (i + 1) % 2), tag: (i == 0, 3) });
    }
    let b = Body { springs, q: x.to_vec() };
    b.energy()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number image(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number edges(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number transposed(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number springs(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
