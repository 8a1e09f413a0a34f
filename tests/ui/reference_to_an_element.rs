use diffi::prelude::*;
use std::ops::{Index, IndexMut};

#[derive(Differentiable, Clone)]
struct Matrix {
    cols: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
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
fn f(m: &mut Matrix, x: f64) -> f64 {
    let first = &mut m[(0, 0)];
    *first = x * x;
    m[(0, 0)] * m[(1, 0)]
}

fn main() {}
