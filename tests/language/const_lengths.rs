//! Structs with arrays whose lengths are generic.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// `map` of an array in a field.
mod mapped {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Differentiable)]
    struct V<const N: usize>([f64; N]);
    #[differentiable]
    impl<const N: usize> V<N> {
        fn map_sin(&self) -> V<N> {
            V(self.0.map(|v| v.sin()))
        }
        fn sum(&self) -> f64 {
            self.0.iter().sum()
        }
        fn abs(self) -> [f64; N] {
            self.0.map(f64::abs)
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let v = V([x[0], x[1]]);
        v.map_sin().sum() * v.abs()[0]
    }
}

/// Nested arrays.
mod matrices {
    use diffi::prelude::*;

    use std::ops::{Add, Index, IndexMut, Mul};
    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Matrix<const R: usize, const C: usize> {
        data: [[f64; C]; R],
    }
    #[differentiable]
    impl<const R: usize, const C: usize> Matrix<R, C> {
        pub fn zeros() -> Self {
            Matrix { data: [[0.0; C]; R] }
        }
        pub fn transpose(&self) -> Matrix<C, R> {
            let mut out = Matrix::<C, R>::zeros();
            for i in 0..R {
                for j in 0..C {
                    out.data[j][i] = self.data[i][j];
                }
            }
            out
        }
        pub fn scale(&self, k: f64) -> Self {
            Matrix { data: self.data.map(|row| row.map(|v| v * k)) }
        }
        pub fn frobenius(&self) -> f64 {
            self.data.iter().flatten().map(|v| v * v).sum::<f64>().sqrt()
        }
    }
    #[differentiable]
    impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
        type Output = Matrix<R, C>;
        fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
            let mut out = Matrix { data: [[0.0; C]; R] };
            for i in 0..R {
                for j in 0..C {
                    for k in 0..K {
                        out.data[i][j] += self.data[i][k] * o.data[k][j];
                    }
                }
            }
            out
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let a = Matrix { data: [[x[0], 1.0, 2.0], [0.5, x[1], -1.0]] };
        let b = a * a.transpose();
        b.scale(x[0]).frobenius()
    }
}

/// Counters beside gains.
mod counted_faults {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Mode {
        Idle,
        Track,
        Fault(u8),
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Supervisor<const N: usize> {
        #[differentiable(constant)]
        mode: Mode,
        #[differentiable(constant)]
        faults: [u32; N],
        gains: [f64; N],
        estimate: f64,
    }
    #[differentiable]
    impl<const N: usize> Supervisor<N> {
        fn step(&mut self, i: usize, y: f64) -> f64 {
            let r = y - self.estimate;
            if r.abs() > 0.8 {
                self.faults[i] += 1;
                self.mode = if self.faults[i] > 1 { Mode::Fault(i as u8) } else { Mode::Track };
            }
            let k = match self.mode {
                Mode::Idle => 0.1,
                Mode::Track => self.gains[i],
                Mode::Fault(n) => 0.01 * (n as f64 + 1.0),
            };
            self.estimate += k * r;
            self.estimate * self.gains.iter().sum::<f64>()
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut s = Supervisor { mode: Mode::Idle, faults: [0; 2], gains: [x[0], x[1]], estimate: 0.0 };
        let mut t = 0.0;
        for k in 0..6 {
            t += s.step(k % 2, x[0] * k as f64 * 0.5);
        }
        t + s.faults.iter().sum::<u32>() as f64
    }
}

/// Counters and text beside numbers.
mod ring {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct R<const N: usize> {
        d: [f64; N],
        #[differentiable(constant)]
        seen: [usize; N],
        #[differentiable(constant)]
        tags: Vec<String>,
        at: usize,
    }
    #[differentiable]
    impl<const N: usize> R<N> {
        fn push(&mut self, v: f64) {
            self.d[self.at] = v;
            self.seen[self.at] += 1;
            self.at = (self.at + 1) % N;
            self.tags.push(format!("{}", self.at));
        }
        fn sum(&self) -> f64 {
            self.d.iter().zip(&self.seen).map(|(d, s)| d * *s as f64).sum::<f64>() * self.tags.len() as f64
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut r = R { d: [0.0; 3], seen: [0; 3], tags: vec![], at: 0 };
        for k in 0..5 {
            r.push(x[0] * k as f64 + x[1] * x[1]);
        }
        r.sum() * r.d[0]
    }
}

/// A part of a generic type beside one of a struct.
mod generic_parts {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Pose {
        x: f64,
        y: f64,
    }
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub enum Mode {
        A,
        B,
    }
    #[differentiable]
    pub trait Gain {
        fn gain(&self) -> f64;
    }
    #[derive(Clone, Differentiable)]
    pub struct Prop {
        k: f64,
    }
    #[differentiable]
    impl Gain for Prop {
        fn gain(&self) -> f64 {
            self.k
        }
    }
    #[derive(Clone, Differentiable)]
    pub struct Robot<C> {
        pose: Pose,
        c: C,
        mode: Mode,
    }
    #[derive(Clone, Differentiable)]
    pub struct Both<C> {
        c: C,
        poses: Vec<Pose>,
    }
    #[differentiable]
    impl<C: Gain> Robot<C> {
        fn step(&mut self) -> f64 {
            let g = self.c.gain();
            self.pose.x += g * self.pose.y;
            if self.mode == Mode::A { self.pose.x } else { 0.0 }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut r = Robot { pose: Pose { x: x[0], y: x[1] }, c: Prop { k: x[0] }, mode: Mode::A };
        let b = Both { c: x[0], poses: vec![r.pose] };
        r.step() * r.step() + b.c * b.poses[0].y
    }
}

use counted_faults::value as counted_faults_value;
use generic_parts::value as generic_parts_value;
use mapped::value as mapped_value;
use matrices::value as matrices_value;
use ring::value as ring_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number mapped_value(at x: Vec<f64>): [vec![0.6, 1.1]] [vec![0.71, 1.26]];
        number matrices_value(at x: Vec<f64>): [vec![0.6, 1.4]] [vec![0.71, 1.59]];
        number counted_faults_value(at x: Vec<f64>): [vec![0.8, 0.4]] [vec![0.93, 0.49]];
        number ring_value(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![0.93, 0.38]];
        number generic_parts_value(at x: Vec<f64>): [vec![0.7, 0.4]] [vec![0.82, 0.49]];
    }
}
