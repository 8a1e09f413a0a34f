//! Slices, sub-slices, `Vec`, arrays and ndarray's arrays; generic and const-generic functions.

use diffi::prelude::*;
use ndarray::{Array1, Array2};
use num_traits::Float;

#[differentiable]
fn sub_slices(x: &[f64]) -> f64 {
    let n = x.len();
    let head = &x[..n / 2];
    let tail = &x[n / 2..];
    let middle = &x[1..n - 1];
    let mut s = 0.0;
    for i in 0..head.len() {
        s += head[i] * tail[i];
    }
    for v in middle {
        s *= v;
    }
    s + tail[tail.len() - 1]
}

#[differentiable]
fn overlapping(x: &[f64]) -> f64 {
    let a = &x[0..3];
    let b = &x[1..4];
    a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>() * a[1] * b[0]
}

#[differentiable]
fn split_first_last(x: &[f64]) -> f64 {
    if let Some((h, t)) = x.split_first() { h * t.iter().product::<f64>() + x.last().unwrap() } else { 0.0 }
}

#[differentiable]
fn options_of_elements(x: &[f64]) -> f64 {
    x.first().copied().unwrap_or(0.5) * x.get(3).map_or(1.0, |v| v * v) + x.last().map(|v| v.sin()).unwrap_or(2.0)
}

#[differentiable]
fn slice_patterns(x: &[f64]) -> f64 {
    match x {
        [] => 1.0,
        [a] => *a,
        [a, b] => a * b,
        [a, .., z] => a + z * z,
    }
}

#[differentiable]
fn recursion_on_slices(x: &[f64]) -> f64 {
    match x {
        [] => 0.1,
        [a, rest @ ..] => a.sin() + 2.0 * recursion_on_slices(rest) * a,
    }
}

#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let [a, b, ..] = x else {
        return 0.0;
    };
    let Some(c) = x.get(2) else {
        return a * b;
    };
    a * b * c
}

#[differentiable]
fn mutable_sub_slices(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let n = y.len();
    {
        let (left, right) = y.split_at_mut(n / 2);
        for (a, b) in left.iter_mut().zip(right.iter()) {
            *a *= b;
        }
        right[0] += left[0];
    }
    let tail = &mut y[1..];
    for v in tail.iter_mut() {
        *v = v.exp();
    }
    tail[0] *= 2.0;
    y.iter().sum()
}

#[differentiable]
fn container_methods(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y.reverse();
    y.swap(0, 1);
    y.extend_from_slice(&x[..1]);
    y.rotate_left(1);
    let mut z = vec![1.0; y.len()];
    z.copy_from_slice(&y);
    z[1..].fill(x[1]);
    let w = z.clone();
    z[0] = 0.5;
    y.iter().zip(&w).zip(&z).map(|((a, b), c)| a * b + c * a).sum()
}

#[differentiable]
fn concatenated(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut z = Vec::with_capacity(x.len() + y.len());
    z.extend(x.iter().map(|v| v * v));
    z.extend_from_slice(y);
    z.push(x[0] * y[0]);
    z.iter().rev().map(|v| v * 2.0).collect()
}

#[differentiable]
fn cloned_then_changed(x: &[f64]) -> f64 {
    let y = x.to_vec();
    let mut z = y.clone();
    z[0] = y[0] * y[1];
    let w = z.clone();
    z[1] += w[0];
    y[0] * z[0] + z[1] * w[1] + y[1]
}

#[differentiable]
fn sorted(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    y.sort_by(|a, b| a.partial_cmp(b).unwrap());
    y[0] * 3.0 + y[y.len() / 2] * y[y.len() - 1]
}

#[differentiable]
fn nested_parameter(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    m.iter().map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>().sin()).collect()
}

#[differentiable]
fn arrays_behind_slices(m: &[[f64; 2]]) -> f64 {
    let mut s = 1.0;
    for (i, [a, b]) in m.iter().enumerate() {
        s += a * b * s + m[i][0];
    }
    s
}

#[differentiable]
fn tuples_behind_slices(table: &[(f64, f64)], x: f64) -> f64 {
    for (a, b) in table {
        if x < *a {
            return b * x;
        }
    }
    let (p, q) = table[0];
    p + q * x
}

#[differentiable]
fn array_reference(x: &[f64; 3]) -> [f64; 3] {
    let mut y = *x;
    y[0] *= 2.0;
    let z = y;
    y[1] = z[0] + x[1];
    let [a, b, c] = y;
    [a * b, z[1] * c, x[2]]
}

#[differentiable]
fn const_generic<const N: usize>(x: &[f64; N]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = x[i] * x[N - 1 - i];
    }
    y
}

#[differentiable]
fn const_generic_matrix<const N: usize, const M: usize>(a: [[f64; M]; N], x: [f64; M]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        let mut row = 0.0;
        for j in 0..M {
            row += a[i][j] * x[j];
        }
        s += row * row;
    }
    s
}

#[differentiable]
fn norm<T: Float>(x: &[T]) -> T {
    let mut s = T::zero();
    for &v in x {
        s = s + v * v;
    }
    (s + T::one()).sqrt()
}

#[differentiable]
fn single_norm(x: &[f32]) -> f32 {
    norm(x) * norm(&x[1..])
}

#[differentiable]
fn double_norm(x: &[f64]) -> f64 {
    let mut s = norm(x);
    for i in 0..x.len() {
        s *= norm::<f64>(&x[i..]);
    }
    s
}

#[differentiable]
fn generic_scalars<T: Float>(x: T, y: T, n: i32) -> T
where
    T: std::iter::Sum,
{
    let two = T::from(2.0).unwrap();
    let s: T = [x, y, x * y].iter().map(|&v| v.powi(n)).sum();
    if x > y { s.sin() / two } else { s.exp() * T::from(0.5).unwrap() }
}

#[differentiable]
fn single_vector(x: &[f32], w: &[f32]) -> Vec<f32> {
    x.iter().zip(w).map(|(a, b)| (a * b).tanh() + 0.5).collect()
}

#[differentiable]
fn quadratic_form(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let mut s = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            s += x[i] * a[[i, j]] * x[j];
        }
    }
    s
}

#[differentiable]
fn array_iterators(x: &Array1<f64>, y: &Array1<f64>) -> f64 {
    let s: f64 = x.iter().map(|v| v.sin()).sum();
    s * x.iter().zip(y.iter()).map(|(a, b)| a * b).sum::<f64>() + x[0] * x.len() as f64
}

#[differentiable]
fn slices_in_arrays(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let parts = [a, b, &x[1..3]];
    let mut s = 0.0;
    for p in parts {
        s += p.iter().product::<f64>() * p[0];
    }
    for (k, p) in parts.iter().enumerate() {
        s += p.iter().sum::<f64>().sin() * k as f64;
    }
    s * parts[1][0] + parts[0].len() as f64
}

#[differentiable]
fn slices_in_vecs(x: &[f64]) -> f64 {
    let y = x.to_vec();
    let parts: Vec<&[f64]> = vec![&x[1..], &y, &y[..2]];
    let pairs: [(&[f64], f64); 2] = [(&x[..1], 2.0), (&y[1..], x[0])];
    parts.iter().map(|p| p.iter().map(|v| v * v).sum::<f64>().sqrt()).sum::<f64>()
        + pairs.iter().map(|(p, w)| w * p[0]).sum::<f64>()
}

#[differentiable]
fn references_in_arrays(x: &[f64]) -> f64 {
    let (a, b) = (x[0] * x[1], x[1].sin());
    [&a, &b, &x[0]].iter().map(|v| **v * **v).sum::<f64>() + [&a, &b].into_iter().product::<f64>()
}

/// Vectors of slices that grow.
#[differentiable]
fn pushed_slices(x: &[f64]) -> f64 {
    let mut rows: Vec<&[f64]> = Vec::new();
    for i in 0..x.len() - 1 {
        rows.push(&x[i..i + 2]);
    }
    let mut s = x[0];
    for row in &rows {
        s += row[0] * row[1] * row.len() as f64;
    }
    s * rows[1][0] + rows.iter().map(|r| r[0] * r[0]).sum::<f64>() * rows.len() as f64
}

#[differentiable]
fn slices_of_a_turbofish(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(1);
    let mut rows = Vec::<&[f64]>::with_capacity(2);
    rows.push(a);
    rows.push(b);
    if x[0] > 0.5 {
        rows.push(x);
    }
    let mut s = 0.0;
    for row in rows.iter() {
        s += row.iter().product::<f64>();
    }
    s * rows[1].iter().sum::<f64>()
}

/// Arguments that are arrays of literals.
#[differentiable]
fn weighted(v: [f32; 3], k: f32, p: [f32; 2]) -> f32 {
    v[0] * k + v[1] * p[0] - v[2] * p[1]
}

#[differentiable]
fn single_literals(x: &[f32]) -> f32 {
    let p = [0.3, 1.5];
    let a = weighted([x[0], 0.5, x[1]], 0.25, p) * weighted([x[1]; 3], 0.25, [0.3, 1.5]);
    let b = weighted([1.0, 2.0, x[1]], x[0], [x[0], 2.0]);
    a * b + weighted([x[1], x[0], 1.0], 2.0, [-0.5; 2])
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;
    use ndarray::{Array1, Array2, array};

    rows! {
        number sub_slices(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.3, 1.2]];
        number overlapping(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]];
        number split_first_last(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.4]] [vec![]];
        number options_of_elements(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.4]] [vec![]];
        number slice_patterns(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.4, 0.5]] [vec![0.4]] [vec![]];
        number recursion_on_slices(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.4]] [vec![]];
        number let_else(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.4, 0.5]] [vec![]];
        number mutable_sub_slices(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]];
        number container_methods(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        list concatenated(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2], vec![0.6, 0.5, 0.4]];
        number cloned_then_changed(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number sorted(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.1]];
        list nested_parameter(at m: Vec<Vec<f64>>, at v: Vec<f64>): [vec![vec![0.3, 1.2], vec![0.5], vec![]], vec![0.7, 0.9]] [vec![], vec![0.1]];
        number arrays_behind_slices(at m: Vec<[f64; 2]>): [vec![[0.3, 1.2], [0.5, 0.4]]] [vec![]];
        number tuples_behind_slices(at t: Vec<(f64, f64)>, by x: f64): [vec![(0.3, 1.2), (0.5, 0.4)], 0.4] [vec![(0.3, 1.2), (0.5, 0.4)], 0.8];
        list array_reference(at x: [f64; 3]): [[0.3, 1.2, -0.4]];
        number slices_in_arrays(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number slices_in_vecs(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number references_in_arrays(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        list const_generic(at x: [f64; 3]): [[0.3, 1.2, -0.4]];
        number const_generic_matrix(by a: [[f64; 2]; 3], by x: [f64; 2]): [[[0.3, 1.2], [0.5, 0.4], [0.1, 0.2]], [0.6, 0.7]];
        number norm(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number single_norm(at x: Vec<f32>): [vec![0.3, 1.2, -0.4]];
        number double_norm(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number generic_scalars(by x: f64, by y: f64, fixed n: i32): [0.4, 0.3, 2] [0.3, 0.4, 3];
        list single_vector(at x: Vec<f32>, at w: Vec<f32>): [vec![0.3, 1.2], vec![0.6, 0.5]] [vec![], vec![]];
        number quadratic_form(at a: Array2<f64>, at x: Array1<f64>): [array![[0.3, 1.2], [0.4, -0.1]], array![0.7, 0.8]];
        number array_iterators(at x: Array1<f64>, at y: Array1<f64>): [array![0.3, 1.2, 0.4], array![0.7, 0.8, -0.5]];
    }
}

mod check_in_f32 {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number norm(at x: Vec<f32>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number generic_scalars(by x: f32, by y: f32, fixed n: i32): [0.4, 0.3, 2] [0.3, 0.4, 3];
        number pushed_slices(at x: Vec<f64>): [vec![0.7, 1.2, -0.4, 0.6]];
        number slices_of_a_turbofish(at x: Vec<f64>): [vec![0.7, 1.2, -0.4]] [vec![0.3, 1.2, -0.4]];
        number single_literals(at x: Vec<f32>): [vec![0.7, 1.2]];
    }
}
