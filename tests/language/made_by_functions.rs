//! Lists, structs and queues that functions make of what a function parameter gives: nothing else in them is active.

#![allow(dead_code, unused, reason = "programs as people write them")]

/// Pushed to a list without a type.
mod pushed {
    use diffi::prelude::*;

    #[differentiable]
    fn generate(width: usize, f: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut data = Vec::new();
        for i in 0..width {
            data.push(f(i));
        }
        data
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let g = generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64);
        g.iter().map(|v| v * v).sum::<f64>()
    }
}

/// A list that becomes a field.
mod pushed_into_a_struct {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Grid {
        data: Vec<f64>,
    }
    #[differentiable]
    fn generate(width: usize, f: impl Fn(usize) -> f64) -> Grid {
        let mut data = Vec::new();
        for i in 0..width {
            data.push(f(i));
        }
        Grid { data }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let g = generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64);
        g.data[1] * g.data[2]
    }
}

/// Extended and inserted.
mod extended {
    use diffi::prelude::*;

    #[differentiable]
    fn generate(width: usize, f: impl Fn(usize) -> f64) -> f64 {
        let mut s = vec![];
        s.extend((0..width).map(|i| f(i)));
        s.insert(0, f(3));
        s.iter().map(|v| v * v).sum()
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64)
    }
}

/// At both ends of a queue.
mod queued {
    use diffi::prelude::*;

    use std::collections::VecDeque;
    #[differentiable]
    fn generate(width: usize, f: impl Fn(usize) -> f64) -> f64 {
        let mut q = VecDeque::new();
        q.push_back(f(1));
        q.push_front(f(2));
        q[0] * q[1]
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64)
    }
}

/// A list of structs.
mod structs {
    use diffi::prelude::*;

    #[derive(Clone, Differentiable)]
    struct P {
        a: f64,
        b: f64,
    }
    #[differentiable]
    fn generate(f: impl Fn(usize) -> P) -> f64 {
        let mut q = Vec::new();
        for i in 0..3 {
            q.push(f(i));
        }
        q[1].a * q[2].b
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        generate(|i| P { a: (x[0] * i as f64).sin(), b: x[1] * i as f64 })
    }
}

/// A constructor that is handed nothing else.
mod constructor {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Grid {
        data: Vec<f64>,
    }
    #[differentiable]
    impl Grid {
        fn generate(width: usize, f: impl Fn(usize) -> f64) -> Self {
            Grid { data: (0..width).map(|i| f(i)).collect() }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let g = Grid::generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64);
        g.data.iter().map(|v| v * v).sum::<f64>()
    }
}

/// The same with pushes.
mod constructor_with_pushes {
    use diffi::prelude::*;

    #[derive(Clone, Debug, Differentiable)]
    pub struct Grid {
        data: Vec<f64>,
    }
    #[differentiable]
    impl Grid {
        fn generate(width: usize, f: impl Fn(usize) -> f64) -> Self {
            let mut data = Vec::new();
            for i in 0..width {
                data.push(f(i));
            }
            Grid { data }
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let g = Grid::generate(4, |i| (x[0] * i as f64).sin() + x[1] * i as f64);
        g.data.iter().map(|v| v * v).sum::<f64>()
    }
}

/// A grid, its borders by an enum.
mod grid {
    use diffi::prelude::*;

    #[derive(Clone, Copy, Debug)]
    pub enum Boundary {
        Clamp,
        Wrap,
        Value(f64),
    }
    #[derive(Clone, Debug, Differentiable)]
    pub struct Grid {
        data: Vec<f64>,
        #[differentiable(constant)]
        width: usize,
        #[differentiable(constant)]
        height: usize,
    }
    #[differentiable]
    impl Grid {
        fn new(width: usize, height: usize) -> Self {
            Grid { data: vec![0.0; width * height], width, height }
        }
        fn from_fn<F: Fn(usize, usize) -> f64>(width: usize, height: usize, f: F) -> Self {
            let mut g = Grid::new(width, height);
            for j in 0..height {
                for i in 0..width {
                    g.data[j * width + i] = f(i, j);
                }
            }
            g
        }
        #[differentiable(constant(b))]
        fn get(&self, i: isize, j: isize, b: Boundary) -> f64 {
            let (w, h) = (self.width as isize, self.height as isize);
            match b {
                Boundary::Clamp => self.data[(j.clamp(0, h - 1) * w + i.clamp(0, w - 1)) as usize],
                Boundary::Wrap => self.data[(j.rem_euclid(h) * w + i.rem_euclid(w)) as usize],
                Boundary::Value(v) => {
                    if i < 0 || j < 0 || i >= w || j >= h {
                        v
                    } else {
                        self.data[(j * w + i) as usize]
                    }
                }
            }
        }
        #[differentiable(constant(b))]
        fn laplacian(&self, b: Boundary) -> Grid {
            let mut out = Grid::new(self.width, self.height);
            for j in 0..self.height as isize {
                for i in 0..self.width as isize {
                    let v =
                        self.get(i + 1, j, b) + self.get(i - 1, j, b) + self.get(i, j + 1, b) + self.get(i, j - 1, b)
                            - 4.0 * self.get(i, j, b);
                    out.data[(j as usize) * self.width + i as usize] = v;
                }
            }
            out
        }
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let g = Grid::from_fn(4, 3, |i, j| (x[0] * i as f64).sin() + x[1] * (j * j) as f64);
        [Boundary::Clamp, Boundary::Wrap, Boundary::Value(0.5)]
            .iter()
            .map(|&b| g.laplacian(b).data.iter().map(|v| v * v).sum::<f64>())
            .sum()
    }
}

/// A closure without types that is lent an array.
mod arrays_by_reference {
    use diffi::prelude::*;

    #[differentiable]
    fn twice<const N: usize, F: Fn(&[f64; N]) -> [f64; N]>(f: F, y: [f64; N], h: f64) -> [f64; N] {
        let k1 = f(&y);
        let mut out = y;
        for i in 0..N {
            out[i] += h / 6.0 * k1[i];
        }
        out
    }
    #[differentiable]
    fn g(y: &[f64; 2], p: f64) -> [f64; 2] {
        [y[0] * p, y[1] + p]
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut y = [10.0, 5.0];
        for _ in 0..3 {
            y = twice(|s| g(s, x[1]), y, 0.1);
        }
        y[0] * y[1]
    }
}

/// Stages of arrays of a generic length.
mod runge_kutta {
    use diffi::prelude::*;

    use std::collections::HashMap;
    #[derive(Clone, Debug, Differentiable)]
    pub struct Model<const N: usize> {
        growth: [f64; N],
        interaction: [[f64; N]; N],
    }
    #[differentiable]
    impl<const N: usize> Model<N> {
        fn rhs(&self, y: &[f64; N]) -> [f64; N] {
            std::array::from_fn(|i| {
                y[i] * (self.growth[i] + (0..N).map(|j| self.interaction[i][j] * y[j]).sum::<f64>())
            })
        }
    }
    #[differentiable]
    fn rk4<const N: usize, F: Fn(&[f64; N]) -> [f64; N]>(f: F, y: [f64; N], h: f64) -> [f64; N] {
        let k1 = f(&y);
        let k2 = f(&std::array::from_fn(|i| y[i] + 0.5 * h * k1[i]));
        let k3 = f(&std::array::from_fn(|i| y[i] + 0.5 * h * k2[i]));
        let k4 = f(&std::array::from_fn(|i| y[i] + h * k3[i]));
        let mut out = y;
        for i in 0..N {
            out[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
        out
    }
    #[differentiable]
    pub fn value(x: &[f64]) -> f64 {
        let mut rates: HashMap<&str, f64> = HashMap::new();
        rates.insert("prey", 1.1);
        rates.insert("predator", -0.4);
        let m =
            Model { growth: [rates["prey"] * x[1], rates["predator"]], interaction: [[0.0, -0.4 * x[0]], [0.1, 0.0]] };
        let mut y = [10.0, 5.0];
        let mut peak: f64 = 0.0;
        for _ in 0..10 {
            y = rk4(|s| m.rhs(s), y, 0.1);
            peak = peak.max(y[1]);
        }
        peak + y[0]
    }
}

use arrays_by_reference::value as arrays_by_reference_value;
use constructor::value as constructor_value;
use constructor_with_pushes::value as constructor_with_pushes_value;
use extended::value as extended_value;
use grid::value as grid_value;
use pushed::value as pushed_value;
use pushed_into_a_struct::value as pushed_into_a_struct_value;
use queued::value as queued_value;
use runge_kutta::value as runge_kutta_value;
use structs::value as structs_value;

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number pushed_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number pushed_into_a_struct_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number extended_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number queued_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number structs_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number constructor_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number constructor_with_pushes_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number grid_value(at x: Vec<f64>): [vec![1.0, 0.3]] [vec![1.15, 0.38]];
        number arrays_by_reference_value(at x: Vec<f64>): [vec![0.45, 1.5]] [vec![0.545, 1.7]];
        number runge_kutta_value(at x: Vec<f64>): [vec![0.3, 0.8]] [vec![0.38, 0.93]];
    }
}
