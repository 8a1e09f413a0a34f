//! A dense linear system by Gaussian elimination with partial pivoting, in place.

use diffi::prelude::*;

/// The sum of squares of the solution. The matrix is stored row by row.
#[differentiable]
pub fn gauss(matrix: &[f64], rhs: &[f64]) -> f64 {
    let n = rhs.len();
    let mut a = matrix.to_vec();
    let mut x = rhs.to_vec();
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if a[i * n + k].abs() > a[pivot * n + k].abs() {
                pivot = i;
            }
        }
        if pivot != k {
            for j in k..n {
                a.swap(k * n + j, pivot * n + j);
            }
            x.swap(k, pivot);
        }
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k + 1..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for i in (0..n).rev() {
        let mut sum = x[i];
        for j in i + 1..n {
            sum -= a[i * n + j] * x[j];
        }
        x[i] = sum / a[i * n + i];
    }
    x.iter().map(|x| x * x).sum()
}

/// The matrix with its factors in place, the pivots, both sides, and the cotangent of the solution.
pub struct Workspace {
    a: Vec<f64>,
    pivots: Vec<usize>,
    y: Vec<f64>,
    x: Vec<f64>,
    x_bar: Vec<f64>,
}

impl Workspace {
    pub fn new(n: usize) -> Workspace {
        let numbers = || vec![0.0; n];
        Workspace { a: vec![0.0; n * n], pivots: vec![0; n], y: numbers(), x: numbers(), x_bar: numbers() }
    }

    /// The factors, and the solution.
    fn solve(&mut self, matrix: &[f64], rhs: &[f64]) {
        let n = rhs.len();
        let Workspace { a, pivots, y, x, .. } = self;
        a.copy_from_slice(matrix);
        y.copy_from_slice(rhs);
        for k in 0..n {
            let larger = |p: usize, i: usize| if a[i * n + k].abs() > a[p * n + k].abs() { i } else { p };
            let pivot = (k + 1..n).fold(k, larger);
            pivots[k] = pivot;
            swap_rows(a, n, k, pivot);
            y.swap(k, pivot);
            let (above, below) = a.split_at_mut((k + 1) * n);
            let top = &above[k * n..];
            let inverse = 1.0 / top[k];
            for (i, row) in below.chunks_exact_mut(n).enumerate() {
                let factor = row[k] * inverse;
                row[k] = factor;
                row[k + 1..].iter_mut().zip(&top[k + 1..]).for_each(|(a, t)| *a -= factor * t);
                y[k + 1 + i] -= factor * y[k];
            }
        }
        x.copy_from_slice(y);
        for i in (0..n).rev() {
            let row = &a[i * n..(i + 1) * n];
            let sum = x[i] - super::dot::<8>(&row[i + 1..], &x[i + 1..]);
            x[i] = sum / row[i];
        }
    }
}

/// Goes back through the elimination, as the program has it.
pub fn gradient_by_hand(matrix: &[f64], rhs: &[f64], work: &mut Workspace, a_bar: &mut [f64], y_bar: &mut [f64]) {
    let n = rhs.len();
    work.solve(matrix, rhs);
    let Workspace { a, pivots, y, x, x_bar } = work;
    x_bar.iter_mut().zip(&*x).for_each(|(bar, x)| *bar = 2.0 * x);
    for (i, bars) in a_bar.chunks_exact_mut(n).enumerate() {
        let row = &a[i * n..(i + 1) * n];
        let bar = x_bar[i] / row[i];
        y_bar[i] = bar;
        bars[..i].fill(0.0);
        bars[i..].iter_mut().zip(&x[i..]).for_each(|(b, x)| *b = -bar * x);
        x_bar[i + 1..].iter_mut().zip(&row[i + 1..]).for_each(|(b, a)| *b -= bar * a);
    }
    for k in (0..n).rev() {
        let top = &a[k * n..(k + 1) * n];
        let inverse = 1.0 / top[k];
        let (above, below) = a_bar.split_at_mut((k + 1) * n);
        let top_bar = &mut above[k * n..];
        for (i, bars) in below.chunks_exact_mut(n).enumerate() {
            let i = k + 1 + i;
            let factor = a[i * n + k];
            let inner = back(&top[k + 1..], &bars[k + 1..], factor, &mut top_bar[k + 1..]);
            let bar = -(inner + y_bar[i] * y[k]) * inverse;
            y_bar[k] -= factor * y_bar[i];
            bars[k] = bar;
            top_bar[k] -= bar * factor;
        }
        swap_rows(a_bar, n, k, pivots[k]);
        y_bar.swap(k, pivots[k]);
        swap_rows(a, n, k, pivots[k]); // the factors of earlier steps stand where they stood then
    }
}

fn swap_rows(a: &mut [f64], n: usize, upper: usize, lower: usize) {
    if upper != lower {
        let (above, below) = a.split_at_mut(lower * n);
        above[upper * n..(upper + 1) * n].swap_with_slice(&mut below[..n]);
    }
}

/// `top_bar -= factor * bars`; the dot product of `top` and `bars`.
#[inline(always)]
fn back(top: &[f64], bars: &[f64], factor: f64, top_bar: &mut [f64]) -> f64 {
    let (t, b, o) = (top.as_chunks::<8>(), bars.as_chunks::<8>(), top_bar.as_chunks_mut::<8>());
    let mut sums = [0.0; 8];
    for ((t, b), o) in t.0.iter().zip(b.0).zip(o.0) {
        for i in 0..8 {
            sums[i] += t[i] * b[i];
            o[i] -= factor * b[i];
        }
    }
    let mut sum = sums.iter().sum::<f64>();
    for ((t, b), o) in t.1.iter().zip(b.1).zip(o.1) {
        sum += t * b;
        *o -= factor * b;
    }
    sum
}

/// Solves the transposed system with the factors that are there: what a rule for the solution of systems would do. The adjoint of the
/// program's lines takes two products for each that an elimination takes, n³ / 3 of them, whoever writes it: what is written here takes n².
/// What it needs to know is that the lines solve a system: a `solve` that is differentiated by its equation says so, as in `system`, and lines
/// do not.
pub fn gradient_by_adjoint_system(
    matrix: &[f64],
    rhs: &[f64],
    work: &mut Workspace,
    a_bar: &mut [f64],
    y_bar: &mut [f64],
) {
    let n = rhs.len();
    work.solve(matrix, rhs);
    let Workspace { a, pivots, x, .. } = work;
    y_bar.iter_mut().zip(&*x).for_each(|(bar, x)| *bar = 2.0 * x);
    for (i, row) in a.chunks_exact(n).enumerate() {
        let bar = y_bar[i] / row[i];
        y_bar[i] = bar;
        y_bar[i + 1..].iter_mut().zip(&row[i + 1..]).for_each(|(b, a)| *b -= bar * a);
    }
    for (i, row) in a.chunks_exact(n).enumerate().rev() {
        let bar = y_bar[i];
        y_bar[..i].iter_mut().zip(&row[..i]).for_each(|(b, l)| *b -= bar * l);
    }
    for k in (0..n).rev() {
        y_bar.swap(k, pivots[k]);
    }
    for (bars, bar) in a_bar.chunks_exact_mut(n).zip(y_bar) {
        bars.iter_mut().zip(&*x).for_each(|(b, x)| *b = -*bar * x);
    }
}
