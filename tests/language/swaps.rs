//! Values that change places: `swap`, `std::mem::{swap, replace, take}`, double buffers, pivoting.

use diffi::prelude::*;

#[differentiable]
fn double_buffer(x: &[f64], steps: usize) -> Vec<f64> {
    let mut cur = x.to_vec();
    let mut next = vec![0.0; x.len()];
    for _ in 0..steps {
        for i in 0..cur.len() {
            let left = if i > 0 { cur[i - 1] } else { 0.0 };
            next[i] = 0.5 * cur[i] * cur[i] + 0.3 * left;
        }
        std::mem::swap(&mut cur, &mut next);
    }
    cur
}

#[differentiable]
fn three_levels(x: &[f64], c: f64, steps: usize) -> f64 {
    let mut old = x.to_vec();
    let mut now: Vec<f64> = x.iter().map(|v| v * c).collect();
    let mut new = vec![0.0; x.len()];
    for _ in 0..steps {
        for i in 1..x.len() - 1 {
            new[i] = 2.0 * now[i] - old[i] + c * c * (now[i + 1] * now[i - 1] - 2.0 * now[i]);
        }
        std::mem::swap(&mut old, &mut now);
        std::mem::swap(&mut now, &mut new);
    }
    now.iter().zip(&old).map(|(a, b)| a * b + a).sum()
}

#[differentiable]
fn until(x: &[f64], tolerance: f64) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![1.0; x.len()];
    let mut n = 0;
    loop {
        let mut change = 0.0;
        for i in 0..a.len() {
            b[i] = 0.5 * (a[i] + x[i] / a[i]);
            change += (b[i] - a[i]) * (b[i] - a[i]);
        }
        core::mem::swap(&mut a, &mut b);
        n += 1;
        if change < tolerance || n > 20 {
            break;
        }
    }
    a.iter().sum::<f64>() + 0.1 * b[0] * a[1]
}

#[differentiable]
fn pivoted(x: &[f64], n: usize) -> Vec<f64> {
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
    let mut b = x[n * n..].to_vec();
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[p][k].abs() {
                p = i;
            }
        }
        a.swap(k, p);
        b.swap(k, p);
        for i in k + 1..n {
            let f = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}

#[differentiable]
fn flat_pivot(m: &mut [f64], n: usize) -> f64 {
    let mut det = 1.0;
    for k in 0..n {
        let p = (k..n).max_by(|&i, &j| m[i * n + k].abs().partial_cmp(&m[j * n + k].abs()).unwrap()).unwrap();
        if p != k {
            for j in 0..n {
                m.swap(k * n + j, p * n + j);
            }
            det = -det;
        }
        det *= m[k * n + k];
        for i in k + 1..n {
            let f = m[i * n + k] / m[k * n + k];
            for j in k..n {
                m[i * n + j] -= f * m[k * n + j];
            }
        }
    }
    det
}

#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    for i in 0..x.len() {
        let old = std::mem::replace(&mut v, vec![x[i]; i + 1]);
        s += old.iter().map(|e| e * e).sum::<f64>() * v[0];
        let first = std::mem::replace(&mut v[0], s);
        s += first;
    }
    s + v[0]
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut all = Vec::new();
    let mut a = x[0] * x[0];
    for i in 0..3 {
        let mut row = std::mem::take(&mut v);
        row.push(a);
        v.push(row[i % row.len()] * row[0]);
        all.push(row);
        a = std::mem::take(&mut a) + v[0];
    }
    let b = std::mem::take(&mut a);
    let last = std::mem::take(&mut all[2]);
    all.iter().map(|r| r.iter().sum::<f64>()).sum::<f64>() + last[1] * b + a
}

#[differentiable]
fn swapped_numbers(x: f64, y: f64, n: usize) -> f64 {
    let (mut a, mut b) = (x, y * y);
    let mut pair = (x * y, [x, y]);
    let mut other = (y, [x * x, 1.0]);
    for i in 0..n {
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        a += b * b * 0.5;
        std::mem::swap(&mut pair, &mut other);
        std::mem::swap(&mut pair.0, &mut pair.1[i % 2]);
        pair.1[0] *= a;
    }
    a * b + pair.0 * pair.1[1] + other.1[0] * other.0
}

#[differentiable]
fn rows_of_all_lengths(x: &[f64]) -> f64 {
    let mut m: Vec<Vec<f64>> = (0..x.len()).map(|i| vec![x[i] * x[0]; i + 1]).collect();
    let mut kept = vec![x[0]];
    let mut s = 1.0;
    for i in 1..m.len() {
        let j = m[i].len() % m.len();
        m.swap(i, j);
        std::mem::swap(&mut kept, &mut m[i]);
        kept[0] *= s;
        s += kept.iter().sum::<f64>() * m[j][0];
    }
    m.reverse();
    m.rotate_left(1);
    for (i, row) in m.iter().enumerate() {
        s += row.iter().map(|v| v * v).sum::<f64>() * (i as f64 + 0.5);
    }
    s * kept[0]
}

#[differentiable]
fn exchanged_parameters(a: &mut Vec<f64>, b: &mut Vec<f64>, x: f64) {
    a[0] *= x;
    std::mem::swap(a, b);
    a[1] *= b[0];
}

#[differentiable]
fn by_call(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![x[1], x[0]];
    for v in x {
        exchanged_parameters(&mut a, &mut b, *v);
    }
    a.iter().zip(&b).map(|(p, q)| p * q).sum::<f64>() + a[0]
}

#[differentiable]
fn shifted(x: &mut [f64], k: usize) {
    x.rotate_right(k);
    x[0] *= x[1];
    x[1..].reverse();
    x[..3].rotate_left(1);
    let (a, b) = x.split_at_mut(2);
    std::mem::swap(&mut a[0], &mut b[1]);
    a[1] *= b[0];
    a.swap_with_slice(&mut b[..2]);
    x.copy_within(1..3, 0);
}

#[differentiable]
fn bubble(x: &[f64]) -> Vec<f64> {
    let mut v = x.to_vec();
    let n = v.len();
    for i in 0..n {
        let mut done = true;
        for j in 0..n - 1 - i {
            if v[j] > v[j + 1] {
                v.swap(j, j + 1);
                v[j] *= 1.5;
                done = false;
            }
        }
        if done {
            break;
        }
    }
    v
}

#[differentiable]
fn quick(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut todo = vec![(0usize, v.len())];
    while let Some((lo, hi)) = todo.pop() {
        if hi - lo < 2 {
            continue;
        }
        let pivot = v[hi - 1];
        let mut k = lo;
        for i in lo..hi - 1 {
            if v[i] < pivot {
                v.swap(i, k);
                k += 1;
            }
        }
        v.swap(k, hi - 1);
        todo.push((lo, k));
        todo.push((k + 1, hi));
    }
    v.iter().enumerate().map(|(i, e)| (i as f64 + 1.0) * e * e).sum()
}

/// Assigned arrays that change places: each step has another length.
#[differentiable]
fn longer_and_shorter(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    for k in 0..steps {
        let n = if k % 2 == 0 { u.len() + 1 } else { u.len() - 2 };
        let mut v = vec![0.0; n];
        for i in 0..n.min(u.len() - 1) {
            v[i] += u[i] * u[i + 1];
            v[n - 1 - i] += 0.3 * u[i];
        }
        u = v;
    }
    u.iter().map(|a| a * a).sum()
}

#[differentiable]
fn assigned_in_rotation(x: &[f64], c: f64, steps: usize) -> f64 {
    let mut old = x.to_vec();
    let mut now: Vec<f64> = x.iter().map(|v| v * c).collect();
    for k in 0..steps {
        let mut new = vec![0.0; x.len()];
        for i in 0..x.len() {
            new[i] = now[i] * c - 0.5 * old[i] * now[(i + 1) % x.len()];
        }
        if new[0] > 0.8 {
            new[0] = old[1];
        }
        old = now;
        now = new;
        if k == 3 {
            let halves: Vec<f64> = now.iter().map(|v| 0.5 * v * v).collect();
            now = halves;
            continue;
        }
        old[0] *= 0.9;
    }
    now.iter().zip(&old).map(|(a, b)| a * b + a).sum()
}

/// Copies that live on stay copies.
#[differentiable]
fn assigned_and_used(x: &[f64], steps: usize) -> f64 {
    let mut u = x.to_vec();
    let mut last = vec![1.0; x.len()];
    for _ in 0..steps {
        let mut v = u.clone();
        for i in 0..v.len() {
            v[i] = 0.7 * v[i] + last[i] * u[(i + 1) % u.len()];
        }
        last = u.clone();
        u = v.clone();
        v[0] = 3.0 * u[0];
        last[1] += v[0];
    }
    u.iter().sum::<f64>() + last.iter().map(|v| v * v).sum::<f64>()
}

/// An array that an iteration fills has another name from then on, and is read, changed and assigned under that.
#[differentiable]
fn named_anew(x: &[f64], dt: f64, steps: usize) -> f64 {
    let mut c = x.to_vec();
    let mut total = 0.0;
    for _ in 0..steps {
        let mut rates = vec![0.0; c.len()];
        for i in 0..c.len() {
            rates[i] -= dt * c[i] * c[i];
        }
        let mut k = rates;
        for i in 0..c.len() {
            total += k[i] * c[i];
            k[i] *= c[i];
        }
        let last = k;
        for i in 0..c.len() {
            c[i] += last[i] * last[i] * x[i];
        }
    }
    total + c.iter().sum::<f64>()
}

/// The same where the old name is read again, or where one of two branches has it.
#[differentiable]
fn named_anew_and_read(x: &[f64], steps: usize) -> f64 {
    let mut total = 0.0;
    for n in 0..steps {
        let mut a = vec![0.0; x.len()];
        for i in 0..x.len() {
            a[i] = x[i] * x[i] + total;
        }
        let b = a.clone();
        let c = if n % 2 == 0 { a } else { b };
        for i in 0..x.len() {
            total += c[i] * x[i] * 0.1;
        }
    }
    let rows = vec![x.to_vec(), x.to_vec()];
    let kept = rows;
    total + kept[1][0] * kept[0][x.len() - 1]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        list double_buffer(at x: Vec<f64>, fixed steps: usize): [vec![0.3, 0.9, -0.4], 4] [vec![0.3, 0.9], 1] [vec![0.3], 0];
        number three_levels(at x: Vec<f64>, by c: f64, fixed steps: usize): [vec![0.3, 0.9, -0.4, 0.6], 0.7, 3] [vec![0.3, 0.9, -0.4], 0.7, 0];
        number until(at x: Vec<f64>, fixed tolerance: f64): [vec![2.3, 0.9], 1e-9] [vec![2.3, 0.9], 10.0];
        list pivoted(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 2.1, 0.2, 0.3, -1.2, 0.8, 0.6, 1.0, 0.5, 0.25], 3] [vec![2.0, 1.0], 1];
        writes flat_pivot(inout m: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 2.1, 0.2, 0.3, -1.2, 0.8, 0.6], 3];
        number replaced(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.7]];
        number taken(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number swapped_numbers(by x: f64, by y: f64, fixed n: usize): [0.8, 0.3, 3] [0.2, 0.8, 0];
        number rows_of_all_lengths(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.6]] [vec![0.7]];
        number by_call(at x: Vec<f64>): [vec![0.3, 0.9]];
        writes shifted(inout x: Vec<f64>, fixed k: usize): [vec![0.3, 0.9, -0.4, 0.6, 0.7], 2] [vec![0.3, 0.9, -0.4, 0.6], 0];
        list bubble(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.6]] [vec![0.3]];
        number quick(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.6, -0.1]] [vec![]];
        number longer_and_shorter(at x: Vec<f64>, fixed steps: usize): [vec![0.3, -0.5, 0.8, 0.9, 0.2], 3] [vec![0.4, 1.1], 0] [vec![0.7, 0.4, -0.3, 1.2], 2];
        number assigned_in_rotation(at x: Vec<f64>, by c: f64, fixed steps: usize): [vec![0.3, -0.5, 0.8], 0.7, 6] [vec![1.3, 0.4], -0.6, 2];
        number named_anew(at x: Vec<f64>, by dt: f64, fixed steps: usize): [vec![0.3, -0.5, 0.8], 0.7, 3] [vec![1.3, 0.4], -0.6, 1] [vec![0.3], 0.7, 0];
        number named_anew_and_read(at x: Vec<f64>, fixed steps: usize): [vec![0.3, -0.5, 0.8], 3] [vec![1.3], 0];
        number assigned_and_used(at x: Vec<f64>, fixed steps: usize): [vec![0.3, -0.5, 0.8], 4] [vec![1.3, 0.4], 1];
    }
}
