//! Types that lend what they hold by `Deref`, or by an `Index` that leads to slices.

pub mod vector {
    use diffi::prelude::*;
    use std::ops::{Deref, DerefMut};
    #[derive(Differentiable, Clone)]
    pub struct W(Vec<f64>);
    #[differentiable]
    impl Deref for W {
        type Target = Vec<f64>;
        fn deref(&self) -> &Vec<f64> {
            &self.0
        }
    }
    #[differentiable]
    impl DerefMut for W {
        fn deref_mut(&mut self) -> &mut Vec<f64> {
            &mut self.0
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut w = W(p.to_vec());
        w[0] *= p[1];
        for i in 1..w.len() {
            w[i] += w[i - 1] * 0.5;
        }
        w.push(p[0]);
        for x in w.iter_mut() {
            *x = x.sin();
        }
        w.iter().sum::<f64>() * w[6]
    }
}

pub mod number {
    use diffi::prelude::*;
    use std::ops::{Deref, DerefMut};
    #[derive(Differentiable, Clone, Copy)]
    pub struct Meters(f64);
    #[differentiable]
    impl Deref for Meters {
        type Target = f64;
        fn deref(&self) -> &f64 {
            &self.0
        }
    }
    #[differentiable]
    impl DerefMut for Meters {
        fn deref_mut(&mut self) -> &mut Self::Target {
            &mut self.0
        }
    }
    #[differentiable]
    fn area(a: Meters, b: Meters) -> f64 {
        *a * *b
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut a = Meters(p[0]);
        let b = Meters(p[1]);
        *a += *b * p[2];
        area(a, b) * a.sin() + b.powi(2)
    }
}

pub mod slice {
    use diffi::prelude::*;
    use std::ops::Deref;
    #[derive(Differentiable, Clone)]
    pub struct Poly {
        c: Vec<f64>,
        n: usize,
    }
    #[differentiable]
    impl Deref for Poly {
        type Target = [f64];
        fn deref(&self) -> &[f64] {
            &self.c
        }
    }
    #[differentiable]
    impl Poly {
        fn eval(&self, x: f64) -> f64 {
            let mut s = 0.0;
            for c in self.iter().rev() {
                s = s * x + c;
            }
            s
        }
    }
    #[differentiable]
    fn total(q: &Poly) -> f64 {
        let mut s = 0.0;
        for i in 0..q.len() {
            s += q[i] * q[i];
        }
        s + q.iter().sum::<f64>()
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let q = Poly { c: p.to_vec(), n: 6 };
        q.eval(p[0]) + total(&q) * q[1] + q.first().unwrap() + q.clone().c[2]
    }
}

pub mod rows_by_index {
    use diffi::prelude::*;
    use std::ops::{Index, IndexMut};
    #[derive(Differentiable, Clone)]
    pub struct Mat {
        cols: usize,
        data: Vec<f64>,
    }
    #[differentiable]
    impl Index<(usize, usize)> for Mat {
        type Output = f64;
        fn index(&self, (i, j): (usize, usize)) -> &f64 {
            &self.data[i * self.cols + j]
        }
    }
    #[differentiable]
    impl IndexMut<(usize, usize)> for Mat {
        fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
            &mut self.data[i * self.cols + j]
        }
    }
    #[differentiable]
    impl Index<usize> for Mat {
        type Output = [f64];
        fn index(&self, i: usize) -> &[f64] {
            &self.data[i * self.cols..(i + 1) * self.cols]
        }
    }
    #[differentiable]
    impl IndexMut<usize> for Mat {
        fn index_mut(&mut self, i: usize) -> &mut [f64] {
            &mut self.data[i * self.cols..(i + 1) * self.cols]
        }
    }
    #[differentiable]
    pub fn f(p: &[f64]) -> f64 {
        let mut m = Mat { cols: 3, data: p.to_vec() };
        m[(0, 1)] *= p[0];
        m[1][2] += m[0][1];
        for x in m[1].iter_mut() {
            *x *= 2.0;
        }
        m[0].iter().sum::<f64>() * m[(1, 2)]
    }
}
