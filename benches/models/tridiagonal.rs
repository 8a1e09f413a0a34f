//! A tridiagonal system by Thomas' algorithm.

use diffi::prelude::*;

/// The sum of squares of the solution. `lower[0]` and the last of `upper` are not used.
#[differentiable]
pub fn tridiagonal(lower: &[f64], diagonal: &[f64], upper: &[f64], rhs: &[f64]) -> f64 {
    let n = rhs.len();
    let mut c = vec![0.0; n];
    let mut x = vec![0.0; n];
    c[0] = upper[0] / diagonal[0];
    x[0] = rhs[0] / diagonal[0];
    for i in 1..n {
        let pivot = diagonal[i] - lower[i] * c[i - 1];
        c[i] = upper[i] / pivot;
        x[i] = (rhs[i] - lower[i] * x[i - 1]) / pivot;
    }
    for i in (0..n - 1).rev() {
        x[i] -= c[i] * x[i + 1];
    }
    x.iter().map(|x| x * x).sum()
}

/// A diagonally dominant system.
pub struct System {
    pub lower: Vec<f64>,
    pub diagonal: Vec<f64>,
    pub upper: Vec<f64>,
    pub rhs: Vec<f64>,
}

impl System {
    pub fn new(n: usize) -> System {
        let mut random = super::random(13);
        let mut uniform = |lo: f64, hi: f64| -> Vec<f64> { (0..n).map(|_| lo + (hi - lo) * random()).collect() };
        System {
            lower: uniform(-1.0, 0.0),
            diagonal: uniform(2.1, 3.0),
            upper: uniform(-1.0, 0.0),
            rhs: uniform(0.0, 1.0),
        }
    }

    pub fn value(&self) -> f64 {
        tridiagonal(&self.lower, &self.diagonal, &self.upper, &self.rhs)
    }
}

/// The gradients by the four arguments.
pub struct Bars {
    pub lower: Vec<f64>,
    pub diagonal: Vec<f64>,
    pub upper: Vec<f64>,
    pub rhs: Vec<f64>,
}

/// The factors of the matrix, and the solution.
pub struct Workspace {
    c: Vec<f64>,
    inverse: Vec<f64>,
    x: Vec<f64>,
}

impl Bars {
    pub fn new(n: usize) -> Bars {
        Bars { lower: vec![0.0; n], diagonal: vec![0.0; n], upper: vec![0.0; n], rhs: vec![0.0; n] }
    }
}

impl Workspace {
    pub fn new(n: usize) -> Workspace {
        Workspace { c: vec![0.0; n], inverse: vec![0.0; n], x: vec![0.0; n] }
    }
}

/// Solves the transposed system with the factors that are there.
pub fn gradient_by_hand(system: &System, Workspace { c, inverse, x }: &mut Workspace, bars: &mut Bars) {
    let n = system.rhs.len();
    let (lower, diagonal, upper, rhs) =
        (&system.lower[..n], &system.diagonal[..n], &system.upper[..n], &system.rhs[..n]);
    let (c, inverse, x) = (&mut c[..n], &mut inverse[..n], &mut x[..n]);
    let (mut c_before, mut x_before) = (0.0, 0.0);
    for i in 0..n {
        let below = if i == 0 { 0.0 } else { lower[i] };
        inverse[i] = 1.0 / (diagonal[i] - below * c_before);
        c_before = upper[i] * inverse[i];
        x_before = (rhs[i] - below * x_before) * inverse[i];
        (c[i], x[i]) = (c_before, x_before);
    }
    for i in (0..n - 1).rev() {
        x_before = x[i] - c[i] * x_before;
        x[i] = x_before;
    }
    let solved = &mut bars.rhs[..n];
    let mut before = 0.0;
    for i in 0..n {
        let above = if i == 0 { 0.0 } else { c[i - 1] };
        before = 2.0 * x[i] - above * before;
        solved[i] = before;
    }
    before = 0.0;
    for i in (0..n).rev() {
        let below = if i + 1 == n { 0.0 } else { lower[i + 1] };
        before = (solved[i] - below * before) * inverse[i];
        solved[i] = before;
    }
    let (lower_bar, diagonal_bar, upper_bar) = (&mut bars.lower[..n], &mut bars.diagonal[..n], &mut bars.upper[..n]);
    for i in 0..n {
        diagonal_bar[i] = -solved[i] * x[i];
    }
    lower_bar[0] = 0.0;
    for i in 1..n {
        lower_bar[i] = -solved[i] * x[i - 1];
        upper_bar[i - 1] = -solved[i - 1] * x[i];
    }
    upper_bar[n - 1] = 0.0;
}
