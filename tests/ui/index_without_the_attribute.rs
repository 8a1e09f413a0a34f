use diffi::prelude::*;
use std::ops::Index;

#[derive(Differentiable, Clone)]
struct Matrix {
    cols: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

#[differentiable]
fn f(m: &Matrix) -> f64 {
    m[(0, 0)] * m[(1, 0)]
}

fn main() {}
