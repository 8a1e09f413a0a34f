//! Types of users that are indexed: matrices, vectors with names for their parts, polynomials.

use crate::check::number;
use diffi::prelude::*;
use std::ops::{Index, IndexMut};
#[derive(Differentiable, Clone)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}
#[differentiable]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        debug_assert!(i < self.rows);
        &self.data[i * self.cols + j]
    }
}
#[differentiable]
impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}
#[differentiable]
impl Matrix {
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Matrix { rows, cols, data: vec![0.0; rows * cols] }
    }
    pub fn identity(n: usize) -> Self {
        let mut m = Self::zeros(n, n);
        for i in 0..n {
            m[(i, i)] = 1.0;
        }
        m
    }
    pub fn from_slice(rows: usize, cols: usize, x: &[f64]) -> Matrix {
        Matrix { rows, cols, data: x.to_vec() }
    }
    pub fn matmul(&self, other: &Matrix) -> Matrix {
        let mut out = Matrix::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                for k in 0..self.cols {
                    out[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        out
    }
    pub fn rows(&self) -> usize {
        self.rows
    }
    pub fn cols(&self) -> usize {
        self.cols
    }
    pub fn trace(&self) -> f64 {
        (0..self.rows).map(|i| self[(i, i)]).sum()
    }
    pub fn det(&self) -> f64 {
        let n = self.rows;
        let mut a = self.clone();
        let mut d = 1.0;
        for k in 0..n {
            let mut p = k;
            for i in k + 1..n {
                if a[(i, k)].abs() > a[(p, k)].abs() {
                    p = i;
                }
            }
            if p != k {
                for j in 0..n {
                    let t = a[(k, j)];
                    a[(k, j)] = a[(p, j)];
                    a[(p, j)] = t;
                }
                d = -d;
            }
            d *= a[(k, k)];
            for i in k + 1..n {
                let f = a[(i, k)] / a[(k, k)];
                for j in k..n {
                    a[(i, j)] -= f * a[(k, j)];
                }
            }
        }
        d
    }
    pub fn scale(&mut self, s: f64) {
        for i in 0..self.rows {
            for j in 0..self.cols {
                self[(i, j)] *= s;
            }
        }
    }
}
#[differentiable]
fn product(p: &[f64]) -> f64 {
    let a = Matrix::from_slice(2, 2, p);
    let b = a.matmul(&a);
    let mut c = b.matmul(&a);
    c.scale(p[0]);
    c[(0, 1)] = c[(1, 0)] * p[3];
    c.trace() + c[(0, 1)].sin() + a.det() * b.det()
}
#[differentiable]
fn determinant(p: &[f64]) -> f64 {
    Matrix::from_slice(3, 3, p).det()
}
#[differentiable]
fn cholesky(a: &Matrix) -> Matrix {
    let n = a.rows;
    let mut l = Matrix::zeros(n, n);
    for i in 0..n {
        for j in 0..=i {
            let mut s = a[(i, j)];
            for k in 0..j {
                s -= l[(i, k)] * l[(j, k)];
            }
            if i == j {
                l[(i, j)] = s.sqrt();
            } else {
                l[(i, j)] = s / l[(j, j)];
            }
        }
    }
    l
}
#[differentiable]
fn logdet(p: &[f64]) -> f64 {
    let mut a = Matrix::identity(3);
    for i in 0..3 {
        a[(i, i)] += 2.0 + p[i] * p[i];
        for j in 0..i {
            a[(i, j)] = p[i] * p[j];
            a[(j, i)] = a[(i, j)];
        }
    }
    let l = cholesky(&a);
    let mut s = 0.0;
    for i in 0..3 {
        s += l[(i, i)].ln();
    }
    2.0 * s
}
#[derive(Differentiable, Clone, Copy)]
pub struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}
#[differentiable]
impl Index<usize> for Vec3 {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("no axis {i}"),
        }
    }
}
#[differentiable]
impl IndexMut<usize> for Vec3 {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("no axis {i}"),
        }
    }
}
#[differentiable]
fn vec3(p: &[f64]) -> f64 {
    let mut v = Vec3 { x: p[0], y: p[1], z: p[2] };
    let mut s = 0.0;
    for i in 0..3 {
        v[i] = v[i] * v[(i + 1) % 3];
        s += v[i].sin() * v[2 - i];
    }
    s + v.x
}
#[differentiable]
fn dot3(a: &Vec3, b: &Vec3) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        s += a[i] * b[i];
    }
    s
}
#[differentiable]
fn uses_dot3(p: &[f64]) -> f64 {
    let a = Vec3 { x: p[0], y: p[1], z: 1.0 };
    let b = Vec3 { x: p[2], y: p[0] * p[1], z: p[1] };
    dot3(&a, &b) * dot3(&a, &a)
}
#[derive(Differentiable, Clone)]
struct Grid<const N: usize> {
    v: [[f64; N]; N],
}
#[differentiable]
impl<const N: usize> Index<[usize; 2]> for Grid<N> {
    type Output = f64;
    fn index(&self, at: [usize; 2]) -> &Self::Output {
        &self.v[at[0]][at[1]]
    }
}
#[differentiable]
impl<const N: usize> IndexMut<[usize; 2]> for Grid<N> {
    fn index_mut(&mut self, at: [usize; 2]) -> &mut Self::Output {
        &mut self.v[at[0]][at[1]]
    }
}
#[differentiable]
fn grid(p: &[f64]) -> f64 {
    let mut g = Grid::<3> { v: [[0.5; 3]; 3] };
    g[[0, 0]] = p[0];
    g[[1, 1]] = p[1];
    g[[2, 1]] = p[2];
    for t in 0..3 {
        let old = g.clone();
        for i in 1..3 {
            for j in 0..2 {
                g[[i, j]] = 0.5 * old[[i - 1, j]] * old[[i, j + 1]] + old[[i, j]].cos() * (t as f64);
            }
        }
    }
    g[[2, 0]] + g[[1, 1]] * g[[2, 1]]
}
#[derive(Differentiable, Clone)]
struct Dense {
    w: Matrix,
    b: Vec<f64>,
}
#[differentiable]
impl Dense {
    fn apply(&self, x: &[f64]) -> Vec<f64> {
        let mut y = self.b.clone();
        for i in 0..self.w.rows {
            for j in 0..self.w.cols {
                y[i] += self.w[(i, j)] * x[j];
            }
        }
        y.iter().map(|v| v.tanh()).collect()
    }
    fn decay(&mut self, s: f64) {
        for i in 0..self.w.rows {
            self.w[(i, i)] *= s;
            self.b[i] -= s;
        }
    }
}
#[differentiable]
fn net(p: &[f64]) -> f64 {
    let mut d = Dense { w: Matrix::from_slice(2, 2, &p[..4]), b: vec![p[4], 0.1] };
    d.decay(p[5]);
    let h = d.apply(&p[1..3]);
    let o = d.apply(&h);
    o[0] * o[1] + d.w[(0, 1)]
}
#[derive(Differentiable, Clone)]
struct Poly {
    c: Vec<f64>,
}
#[differentiable]
impl Index<usize> for Poly {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &self.c[i]
    }
}
#[differentiable]
impl IndexMut<usize> for Poly {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.c[i]
    }
}
#[differentiable]
impl Poly {
    fn at(&self, x: f64) -> f64 {
        let mut s = 0.0;
        for i in (0..self.c.len()).rev() {
            s = s * x + self[i];
        }
        s
    }
    fn derived(&self) -> Poly {
        let mut d = Poly { c: vec![0.0; self.c.len() - 1] };
        for i in 1..self.c.len() {
            d[i - 1] = self[i] * i as f64;
        }
        d
    }
}
#[differentiable]
fn poly(p: &[f64]) -> f64 {
    let q = Poly { c: p.to_vec() };
    q.at(p[0]) + q.derived().at(p[1])
}

#[differentiable]
fn grow(m: &Matrix) -> Matrix {
    let n = m.rows() + 1;
    let mut g = Matrix::zeros(n, n);
    for i in 0..n - 1 {
        for j in 0..n - 1 {
            g[(i, j)] = m[(i, j)] * 1.1;
        }
    }
    g[(n - 1, n - 1)] = m[(0, 0)] * m[(n - 2, n - 2)];
    g
}

#[differentiable]
fn grown(p: &[f64]) -> f64 {
    let mut m = Matrix::from_slice(2, 2, p);
    for _ in 0..2 {
        m = grow(&m);
        m[(0, 1)] = m[(1, 0)] * m[(0, 0)];
    }
    m.trace() + m[(0, 1)]
}

#[differentiable]
fn fill(m: &mut Matrix, f: impl Fn(usize, usize) -> f64) {
    for i in 0..m.rows() {
        for j in 0..m.cols() {
            m[(i, j)] = f(i, j) + 0.5 * m[(i, j)];
        }
    }
}

#[differentiable]
fn filled(p: &[f64]) -> f64 {
    let mut m = Matrix::from_slice(2, 2, p);
    fill(&mut m, |i, j| p[i] * p[j + 1]);
    fill(&mut m, |i, j| (i + j) as f64 * p[2]);
    m.det()
}

#[differentiable]
fn swapped(p: &[f64]) -> f64 {
    let mut a = Matrix::from_slice(2, 2, p);
    let mut b = Matrix::zeros(2, 2);
    for k in 0..3 {
        for i in 0..2 {
            for j in 0..2 {
                b[(i, j)] = a[(j, i)] * a[(i, j)] + 0.1 * k as f64;
            }
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.trace() * b[(0, 1)]
}

#[differentiable]
fn asked(p: &[f64]) -> f64 {
    let m = Matrix::from_slice(2, 2, p);
    let mut s = 0.0;
    for i in 0..m.rows() - 1 {
        s += m[(i, m.cols() - 1)];
    }
    let v = vec![p[0], p[1], p[2]];
    s * v[m.rows()] + m[(m.rows() - 1, 0)] * p[m.cols() - 1]
}

/// Arrays of a library, where only rustc knows of them.
#[derive(Differentiable, Clone)]
struct Held {
    h: ndarray::Array2<f64>,
    cube: ndarray::Array3<f64>,
}

#[differentiable]
fn hold(p: &[f64]) -> Held {
    let h = ndarray::Array2::from_shape_vec((2, 2), p.to_vec()).unwrap();
    Held { cube: ndarray::Array3::from_shape_fn((2, 1, 2), |(i, _, k)| p[i] * p[2 * k]), h }
}

#[differentiable]
fn held(p: &[f64]) -> f64 {
    let mut s = hold(p);
    for i in 0..2 {
        s.h[(0, 1)] = s.h[(1, i)] * s.h[(i, 0)] + s.cube[(i, 0, 1)];
        s.h[(i, 1)] -= 0.5 * s.h[(1, 0)].sin();
        s.cube[(1, 0, i)] *= s.h[(0, 1)];
    }
    let h = s.h.clone();
    h[(0, 1)] * s.h[(1, 1)] + s.cube[(1, 0, 0)] * s.cube[(1, 0, 1)]
}

#[test]
fn elements_of_users_types() {
    number!(product::D, [1.1, 0.4, 0.7, -0.3], |p| p, |p| product(p));
    number!(determinant::D, [1.1, 0.4, 0.7, -0.3, 2.0, 0.1, 0.6, 0.8, -1.4], |p| p, |p| determinant(p));
    number!(logdet::D, [0.3, 0.7, 0.9], |p| p, |p| logdet(p));
    number!(vec3::D, [0.3, 0.7, 0.9], |p| p, |p| vec3(p));
    number!(uses_dot3::D, [0.3, 0.7, 0.9], |p| p, |p| uses_dot3(p));
    number!(grid::D, [0.3, 0.7, 0.9], |p| p, |p| grid(p));
    number!(net::D, [0.3, 0.7, 0.9, -0.2, 0.5, 0.8], |p| p, |p| net(p));
    number!(poly::D, [0.3, 0.7, 0.9, -0.2], |p| p, |p| poly(p));
    number!(grown::D, [0.5, 1.1, 0.4, 0.9], |p| p, |p| grown(p));
    number!(filled::D, [0.5, 1.1, 0.4, 0.9], |p| p, |p| filled(p));
    number!(swapped::D, [0.5, 1.1, 0.4, 0.9], |p| p, |p| swapped(p));
    number!(held::D, [0.5, 1.1, 0.4, 0.9], |p| p, |p| held(p));
    number!(asked::D, [0.5, 1.1, 0.4, 0.9], |p| p, |p| asked(p));
}
