//! Counted loops: ranges, nests, loop-carried values, arrays that are overwritten in place.

use diffi::prelude::*;

#[differentiable]
fn horner(c: &[f64], x: f64) -> f64 {
    let mut s = 0.0;
    for i in (0..c.len()).rev() {
        s = s * x + c[i];
    }
    s
}

#[differentiable]
fn every_third_backwards(x: &[f64], n: usize) -> f64 {
    let mut s = 0.5;
    for i in (0..n).rev().step_by(3) {
        s = s * x[0] + x[i] * x[i];
    }
    for i in (1..n).step_by(2) {
        s *= x[i];
    }
    for i in (0..n).step_by(2).rev() {
        s = s.sin() + x[i];
    }
    s
}

#[differentiable]
fn neighbours(x: &[f64], w: &[f64], first: usize) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() - 1 {
        let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
        s += 0.5 * bend * bend * w[i];
    }
    for i in first..x.len() - 2 {
        s -= x[i] * x[i + 2] * w[i + 1];
    }
    for i in (first..x.len() - 1).rev() {
        s = s * 0.9 + (x[i + 1] - x[i - 1]) * w[i];
        if i + 1 < x.len() - 1 {
            s += x[i + 2] * w[i - 1];
        }
    }
    s
}

#[differentiable]
fn spread(x: &[f64]) -> f64 {
    let mut mean = 0.0;
    for i in 0..x.len() {
        mean += x[i] / x.len() as f64;
    }
    let mut squares = 0.0;
    for i in 0..x.len() {
        let d = 1.3 * (x[i] - mean);
        squares += d * d;
    }
    let mut weights = 0.0;
    for i in 1..x.len() {
        weights += (x[i] - mean).exp() - x[i - 1];
    }
    squares.sqrt() * weights * weights
}

#[differentiable]
fn inclusive(x: f64, n: usize) -> f64 {
    let mut term = 1.0;
    let mut s = 0.0;
    for k in 1..=n {
        term *= x / k as f64;
        s += term;
    }
    for k in (1..=n).rev() {
        s += x.powi(k as i32) * s;
    }
    s
}

#[differentiable]
fn fibonacci_like(x: f64, y: f64, n: usize) -> f64 {
    let mut a = x;
    let mut b = y;
    for _ in 0..n {
        let c = a * b + 0.1;
        a = b;
        b = c;
    }
    a - b
}

#[differentiable]
fn array_in_place(x: &[f64], n: usize) -> f64 {
    let mut a = [x[0], x[1], x[0] * x[1]];
    for k in 0..n {
        let old = a;
        a[0] = old[1] * old[2];
        a[1] = a[0] + old[0] * k as f64;
        a[2] = old[0].sin();
    }
    a[0] + 2.0 * a[1] + a[2] * a[0]
}

#[differentiable]
fn local_array_per_iteration(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        let mut t = [0.0; 3];
        t[0] = x[i] * s;
        t[1] += t[0] * t[0];
        t[2] = t[1] + t[0];
        t[0] = t[2] * x[i];
        s = t[0] + t[1] * 0.5;
    }
    s
}

#[differentiable]
fn vec_per_iteration(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let mut v = vec![x[i]; i + 1];
        for j in 1..v.len() {
            v[j] = v[j] * v[j - 1] + s;
        }
        s += v[i];
    }
    s
}

#[differentiable]
fn prefix_sums_in_place(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1] * x[i];
    }
    for i in (1..y.len()).rev() {
        y[i - 1] *= y[i];
    }
    y
}

#[differentiable]
fn read_then_overwritten(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for i in 0..y.len() {
        s += y[i] * y[i];
        y[i] = s;
    }
    let t = y[y.len() - 1];
    y[0] = 3.0;
    s * t + y[0] * y[y.len() - 1]
}

#[differentiable]
fn triangular(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 0..n {
        let mut row = 0.0;
        for j in 0..i {
            row += x[i] * x[j];
        }
        for j in i + 1..n {
            row -= x[j].cos();
        }
        s += row * row;
    }
    s
}

#[differentiable]
fn nested_vec(x: &[f64], n: usize) -> f64 {
    let mut m = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            m[i][j] += x[i] * x[j] + i as f64;
        }
    }
    for k in 1..n {
        for j in 0..n {
            m[k][j] *= m[k - 1][j];
        }
    }
    let mut t = 0.0;
    for row in &m {
        for v in row {
            t += v.sin();
        }
    }
    t * m[n - 1][0]
}

#[differentiable]
fn nested_vec_mutated_by_iterators(x: &[f64], n: usize) -> f64 {
    let mut m = vec![vec![1.0; n]; 2];
    for (i, row) in m.iter_mut().enumerate() {
        for (v, xi) in row.iter_mut().zip(x) {
            *v = *v * xi + i as f64;
        }
    }
    for row in m.iter_mut() {
        for v in row.iter_mut() {
            *v *= *v;
        }
    }
    m.iter().map(|row| row.iter().sum::<f64>()).product()
}

#[differentiable]
fn arrays_of_arrays(x: &[f64]) -> f64 {
    let mut d = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in i..3 {
            d[i][j] = x[(i + j) % x.len()] * (1 + i) as f64;
            d[j][i] = d[i][j];
        }
    }
    d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) - d[0][1] * d[1][0] * d[2][2]
}

#[differentiable]
fn matrix_power(m: [[f64; 2]; 2], n: usize) -> [[f64; 2]; 2] {
    let mut p = [[1.0, 0.0], [0.0, 1.0]];
    for _ in 0..n {
        let mut q = [[0.0; 2]; 2];
        for i in 0..2 {
            for j in 0..2 {
                for k in 0..2 {
                    q[i][j] += p[i][k] * m[k][j];
                }
            }
        }
        p = q;
    }
    p
}

#[differentiable]
fn row_swap(x: &[f64]) -> f64 {
    let mut m = [[x[0], x[1]], [x[2], x[0] * x[1]]];
    m.swap(0, 1);
    let row = m[0];
    m[0] = m[1];
    m[1] = row;
    m[1][0] *= m[0][1];
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

#[differentiable]
fn zero_iterations(x: f64, n: usize) -> f64 {
    let mut s = x;
    let mut last = 2.0;
    for i in 0..n {
        s = s * x + i as f64;
        last = s;
    }
    s * last
}

#[differentiable]
fn conditional_in_a_fused_loop(x: &[f64], t: f64) -> f64 {
    let mut s = 0.0;
    let mut c = 0;
    for &v in x {
        if v > t {
            s += v * v * t;
            c += 1;
        } else if v > 0.0 {
            s -= v;
        }
    }
    s / (1 + c) as f64
}

#[differentiable]
fn conditional_on_the_sum(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        if s > 1.0 {
            s *= v;
        } else {
            s += v;
        }
    }
    s
}

#[differentiable]
fn last_one_wins(x: &[f64]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut at = 0;
    for (i, &v) in x.iter().enumerate() {
        if v > best {
            best = v;
            at = i;
        }
    }
    best * x[at] + at as f64
}

#[differentiable]
fn value_after_the_loop(x: &[f64]) -> f64 {
    let mut p = 1.0;
    let mut q = 0.0;
    for i in 0..x.len() {
        p = x[i] * 2.0;
        q += p * p;
    }
    let r = p * q;
    for i in 0..x.len() {
        q = r * x[i];
    }
    q + p
}

#[differentiable]
fn previous(x: &[f64]) -> f64 {
    let mut prev = x[0];
    let mut s = 0.0;
    for &v in &x[1..] {
        s += (v - prev).powi(2) * prev;
        prev = v;
    }
    s + prev
}

#[differentiable]
fn two_accumulators(x: &[f64], y: &[f64]) -> (f64, f64) {
    let (mut a, mut b) = (0.0, 1.0);
    for i in 0..x.len().min(y.len()) {
        a += x[i] * y[i];
        b *= a;
    }
    (a, b)
}

#[differentiable]
fn scatter(x: &[f64], index: &[usize], n: usize) -> Vec<f64> {
    let mut y = vec![0.0; n];
    for (k, &i) in index.iter().enumerate() {
        y[i] += x[k] * x[k];
        y[(i + 1) % n] -= x[k];
    }
    y
}

#[differentiable]
fn gather(x: &[f64], index: &[usize]) -> f64 {
    let mut s = 0.0;
    for &i in index {
        s += x[i] * x[(i + 1) % x.len()];
    }
    s
}

#[differentiable]
fn pushes(x: f64, n: usize) -> f64 {
    let mut v = vec![1.0, x];
    for k in 2..=n {
        let next = x * v[k - 1] - 0.5 * v[k - 2];
        v.push(next);
    }
    let last = v.last().unwrap();
    last * v[v.len() - 2] + v.iter().sum::<f64>()
}

#[differentiable]
fn index_arithmetic(x: &[f64]) -> f64 {
    let n = x.len();
    let mut i = 0;
    let mut s = 1.0;
    for _ in 0..n {
        s += x[i] * s;
        i = (i + 2) % n;
        s -= x[i];
    }
    s
}

#[differentiable]
fn time_stepping(u: &[f64], dt: f64, n: usize) -> Vec<f64> {
    let mut now = u.to_vec();
    let mut next = vec![0.0; u.len()];
    for _ in 0..n {
        for i in 1..now.len() - 1 {
            next[i] = now[i] + dt * (now[i - 1] - 2.0 * now[i] + now[i + 1]) * now[i];
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

#[differentiable]
fn array_literals_as_iterators(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for (a, w) in [(x, 0.5), (y, 2.0)] {
        s += a * w * a;
    }
    for c in [1.0, -2.0, 0.5] {
        s += c * c * x;
    }
    for k in [1usize, 3, 5] {
        s *= 0.5 * k as f64;
    }
    for v in [x, y, x * y].iter() {
        s += v * s;
    }
    s
}

#[differentiable]
fn by_value_elements(x: [f64; 3]) -> f64 {
    let mut acc = 1.0;
    for (i, mut v) in x.into_iter().enumerate() {
        v += i as f64;
        acc *= v;
    }
    acc
}

#[differentiable]
fn condition_that_changes(x: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    while {
        a = a * a + 0.1;
        a < 10.0
    } {
        a = a + 0.3 * x;
        n += 1;
    }
    a * n as f64
}

#[differentiable]
fn filled_with_what_changes(x: &[f64]) -> f64 {
    let mut y = 1.0;
    for k in 0..x.len() {
        y = (y + x[k]).sin() * x[k];
        let spare = vec![y; 3];
        y += spare[k % 3] * spare[0];
    }
    y
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number condition_that_changes(by x: f64): [1.3] [1.7];
        number filled_with_what_changes(at x: Vec<f64>): [vec![0.2, 0.5, 0.4, 0.7]];
        number horner(at c: Vec<f64>, by x: f64): [vec![0.3, -1.2, 0.7], 0.9] [vec![0.3], 0.9] [vec![], 0.9];
        number every_third_backwards(at x: Vec<f64>, fixed n: usize): [vec![0.3, -1.2, 0.7, 1.1, 0.8], 5] [vec![0.3], 1] [vec![0.3], 0];
        number neighbours(at x: Vec<f64>, at w: Vec<f64>, fixed first: usize): [vec![0.3, -1.2, 0.7, 1.1, 0.8], vec![0.2, 0.5, -0.4, 1.0, 0.3], 1] [vec![0.3, 0.4], vec![0.6, 0.7], 3] [vec![0.3, -1.2, 0.7, 1.1], vec![0.2, 0.5, -0.4, 0.3], 2];
        number spread(at x: Vec<f64>): [vec![0.1, -0.2, 0.2, 0.3, -0.4, 0.5, 0.5, -0.6, 0.7, 0.7, -0.8, 0.9, 0.9, -1.0, 1.1, 1.2, -1.2, 1.3, 1.4, -1.4, 1.5]] [vec![0.3, -0.1, 0.6, 0.9, -0.8, 0.2, 0.7, 1.1, 0.5]] [vec![0.3, 0.8]];
        number inclusive(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        number fibonacci_like(by x: f64, by y: f64, fixed n: usize): [0.7, 0.4, 5] [0.7, 0.4, 0] [0.7, 0.4, 1];
        number array_in_place(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2], 4] [vec![0.3, 1.2], 0];
        number local_array_per_iteration(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number vec_per_iteration(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]] [vec![0.5]];
        list prefix_sums_in_place(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.5]] [vec![]];
        number read_then_overwritten(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        number triangular(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]] [vec![0.5]] [vec![]];
        number nested_vec(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2, -0.4], 3] [vec![0.3], 1];
        number nested_vec_mutated_by_iterators(at x: Vec<f64>, fixed n: usize): [vec![0.3, 1.2, -0.4], 3] [vec![], 0];
        number arrays_of_arrays(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8]];
        list matrix_power(by m: [[f64; 2]; 2], fixed n: usize): [[[0.4, -0.6], [1.1, 0.2]], 4] [[[0.4, -0.6], [1.1, 0.2]], 0];
        number row_swap(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number zero_iterations(by x: f64, fixed n: usize): [0.7, 0] [0.7, 1] [0.7, 3];
        number conditional_in_a_fused_loop(at x: Vec<f64>, by t: f64): [vec![0.3, 1.2, -0.4, 0.8], 0.5] [vec![], 0.5];
        number conditional_on_the_sum(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.8, 1.7]] [vec![]];
        number last_one_wins(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 1.8, 1.7]] [vec![0.4]];
        number value_after_the_loop(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]] [vec![2.0]];
        number previous(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        list two_accumulators(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.5, 0.6, 0.7, 0.8]] [vec![], vec![]];
        list scatter(at x: Vec<f64>, fixed_at index: Vec<usize>, fixed n: usize): [vec![0.3, 1.2, -0.4], vec![1, 0, 1], 2];
        number gather(at x: Vec<f64>, fixed_at index: Vec<usize>): [vec![0.3, 1.2, -0.4], vec![1, 0, 1, 2]] [vec![0.3], vec![]];
        number pushes(by x: f64, fixed n: usize): [0.7, 5] [0.7, 1];
        number index_arithmetic(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]] [vec![]];
        list time_stepping(at u: Vec<f64>, by dt: f64, fixed n: usize): [vec![0.3, 1.2, -0.4, 0.9], 0.1, 3] [vec![0.3, 0.4], 0.1, 2] [vec![0.3, 0.4, 1.0], 0.1, 0];
        number array_literals_as_iterators(by x: f64, by y: f64): [0.3, 0.4];
        number by_value_elements(by x: [f64; 3]): [[0.3, 0.4, -0.7]];
    }
}
