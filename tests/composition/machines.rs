//! State that only methods change, and whose values are used: filters, generators, controllers; a matrix of the user's own.

use crate::check::number;
use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Filter {
    b: [f64; 3],
    a: [f64; 2],
    z: [f64; 2],
}

#[differentiable]
impl Filter {
    fn process(&mut self, x: f64) -> f64 {
        let y = self.b[0] * x + self.z[0];
        self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
        self.z[1] = self.b[2] * x - self.a[1] * y;
        y
    }

    fn gain(&self) -> f64 {
        (self.b[0] + self.b[1] + self.b[2]) / (1.0 + self.a[0] + self.a[1])
    }
}

/// Nothing but `process` can be why the filter is `mut`.
#[differentiable]
fn filtered(p: &[f64]) -> f64 {
    let start = Filter { b: [p[0], p[1], p[2]], a: [p[3], 0.1], z: [0.0; 2] };
    let mut filter = start.clone();
    let mut energy = 0.0;
    for k in 0..6 {
        let y = filter.process((k as f64).sin());
        energy += y * y * start.gain();
    }
    energy
}

/// Several of them, through the references of a loop.
#[differentiable]
fn bank(p: &[f64]) -> f64 {
    let mut bank = vec![Filter { b: [p[0], p[1], 0.2], a: [p[2], 0.1], z: [0.0; 2] }; 2];
    bank[1].a[1] = p[3];
    let mut sum = 0.0;
    for k in 0..4 {
        let mut x = p[0] * k as f64;
        for filter in bank.iter_mut() {
            x = filter.process(x);
        }
        sum += x * x;
    }
    sum
}

#[derive(Clone, Debug, Differentiable)]
struct Noise {
    state: u64,
    scale: f64,
}

#[differentiable]
impl Noise {
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.scale * ((self.state >> 33) as f64 / (1u64 << 31) as f64)
    }
}

#[differentiable]
fn noisy(p: &[f64]) -> f64 {
    let mut noise = Noise { state: 1, scale: p[0] };
    (0..4).map(|_| noise.next() * p[1]).sum::<f64>().sin()
}

#[derive(Clone, Debug, Differentiable)]
struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Matrix {
    fn zeros(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }

    fn from_rows(rows: &[Vec<f64>]) -> Self {
        let mut m = Self::zeros(rows.len(), rows[0].len());
        for (i, row) in rows.iter().enumerate() {
            for (j, v) in row.iter().enumerate() {
                m.data[i * m.cols + j] = *v;
            }
        }
        m
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.data[i * self.cols + j]
    }

    fn set(&mut self, i: usize, j: usize, v: f64) {
        self.data[i * self.cols + j] = v;
    }

    /// Fields that are integers go on as they are.
    fn plus(&self, other: &Matrix) -> Matrix {
        let data = self.data.iter().zip(&other.data).map(|(a, b)| a + b).collect();
        Matrix { rows: self.rows, cols: self.cols, data }
    }

    fn determinant(&self) -> f64 {
        let mut a = self.clone();
        let mut determinant = 1.0;
        for k in 0..self.rows {
            determinant *= a.get(k, k);
            for i in k + 1..self.rows {
                let factor = a.get(i, k) / a.get(k, k);
                for j in k..self.cols {
                    let v = a.get(i, j) - factor * a.get(k, j);
                    a.set(i, j, v);
                }
            }
        }
        determinant
    }
}

#[differentiable]
fn volume(p: &[f64]) -> f64 {
    let m = Matrix::from_rows(&[p[0..2].to_vec(), p[2..4].to_vec()]);
    let twice = m.plus(&m);
    twice.determinant() + m.get(0, 1) * twice.get(1, 0)
}

#[test]
fn state_that_only_methods_change() {
    let p = [0.6, 0.9, -0.5, 0.3];
    number!(filtered::D, p, |x| x, |x| filtered(x));
    number!(bank::D, p, |x| x, |x| bank(x));
    number!(noisy::D, p[..2], |x| x, |x| noisy(x));
    number!(volume::D, p, |x| x, |x| volume(x));
}

#[derive(Differentiable, Clone)]
enum Tree {
    Leaf(f64),
    Fork { left: Box<Tree>, right: Box<Tree>, scale: f64 },
}
#[differentiable]
impl Tree {
    fn value(&self) -> f64 {
        match self {
            Tree::Leaf(v) => v.sin(),
            Tree::Fork { left, right, scale } => scale * (left.value() + right.value() * right.depth() as f64),
        }
    }
    fn depth(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Fork { left, right, .. } => 1 + left.depth().max(right.depth()),
        }
    }
    fn of(x: &[f64]) -> Tree {
        if x.len() <= 2 {
            Tree::Leaf(x[0])
        } else {
            let m = x.len() / 2;
            Tree::Fork { left: Box::new(Tree::of(&x[..m])), right: Box::new(Tree::of(&x[m..])), scale: x[m] }
        }
    }
}
#[differentiable]
fn tree(x: &[f64]) -> f64 {
    Tree::of(x).value()
}

#[derive(Clone, Differentiable)]
struct Cloud {
    pos: Vec<f64>,
    vel: Vec<f64>,
    #[differentiable(constant)]
    alive: Vec<bool>,
}
#[differentiable]
impl Cloud {
    fn step(&mut self, dt: f64, drag: f64) {
        for i in 0..self.pos.len() {
            if !self.alive[i] {
                continue;
            }
            self.vel[i] -= drag * self.vel[i] * dt;
            self.pos[i] += self.vel[i] * dt;
            if self.pos[i] < 0.0 {
                self.pos[i] = -self.pos[i];
                self.vel[i] *= -0.8;
            }
        }
    }
    fn kill(&mut self) {
        for i in 0..self.pos.len() {
            if self.pos[i] > 3.0 {
                self.alive[i] = false;
            }
        }
    }
}
#[differentiable]
fn cloud(x: &[f64]) -> f64 {
    let mut c = Cloud { pos: x[..3].to_vec(), vel: vec![-2.0, x[3], 4.0], alive: vec![true; 3] };
    for _ in 0..6 {
        c.step(0.2, x[4]);
        c.kill();
    }
    c.pos.iter().zip(&c.vel).map(|(p, v)| p * v).sum()
}

#[test]
fn members_that_are_no_numbers() {
    number!(tree::D, [0.1, 0.7, 0.3, 0.8, 0.4], |x| x, |x| tree(x));
    number!(cloud::D, [0.3, 0.9, 2.5, 1.3, 0.2], |x| x, |x| cloud(x));
}

#[differentiable]
fn product_and_place(a: f64, b: f64) -> (f64, usize) {
    (a * b, 1)
}

/// Only what is done with the second member says that it is an integer.
#[differentiable]
fn integers_of_calls(x: &[f64]) -> f64 {
    let (p, n) = product_and_place(x[0], x[1]);
    let (q, k) = product_and_place(p, x[1]);
    let (r, j) = product_and_place(q, p);
    let mut count = 0;
    for _ in 0..3 {
        let (_, m) = product_and_place(x[0], p);
        count += m;
    }
    p * n.min(4) as f64 + q * x[k.max(1)] + r * (j.pow(2) + 2) as f64 + x[0] * x[1] * count as f64
}

/// Work that is left, with a place and a weight each; all of the first entry is constant.
#[differentiable]
fn work_on_a_stack(x: &[f64]) -> f64 {
    let mut work = vec![(0usize, 1.0)];
    let mut total = 0.0;
    while let Some((i, weight)) = work.pop() {
        if i >= x.len() {
            total += weight * weight;
            continue;
        }
        work.push((i + 1, weight * x[i]));
        work.push((i + 2, weight * (1.0 - x[i])));
    }
    total
}

#[test]
fn integers_beside_numbers() {
    crate::check::number!(integers_of_calls::D, [0.3, 0.7], |x| x, |x| integers_of_calls(x));
    crate::check::number!(work_on_a_stack::D, [0.3, 0.7, 0.4], |x| x, |x| work_on_a_stack(x));
    let dual = gradient(work_on_a_stack::D, AutoDual::default(), &[0.3, 0.7, 0.4]).unwrap();
    crate::check::close(
        "dual",
        &dual.to_vec(),
        &gradient(work_on_a_stack::D, AutoReverse, &[0.3, 0.7, 0.4]).unwrap().to_vec(),
        1e-14,
    );
}
