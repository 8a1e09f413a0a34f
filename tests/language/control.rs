//! Loops left in every way, conditions on active values, options, and updates in place.

use diffi::prelude::*;

#[differentiable]
fn prelude_with_tape(x: &[f64], limit: f64) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.5;
    let mut k = 0;
    while {
        s += v[k % v.len()] * s;
        v[k % x.len()] *= s;
        k += 1;
        s < limit && k < 9
    } {
        s *= v[0] + 1.0;
        if k % 3 == 2 {
            continue;
        }
        s += 0.1;
    }
    s * v[1]
}

#[differentiable]
fn prelude_with_break(x: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    while {
        a = a * a + 0.1;
        a < 5.0
    } {
        n += 1;
        if n == 4 {
            break;
        }
        a += x;
    }
    a * n as f64
}

#[differentiable]
fn labelled_values(x: &[f64]) -> f64 {
    let found = 'search: {
        for (i, a) in x.iter().enumerate() {
            for b in &x[i + 1..] {
                if a * b > 0.2 {
                    break 'search a * a * b;
                }
            }
        }
        x[0]
    };
    let mut t = found;
    let y = 'outer: loop {
        loop {
            t *= 1.5;
            if t > 3.0 {
                break 'outer t * t;
            }
            if t > 1.0 {
                break;
            }
        }
        t += x[1];
        if t < -10.0 {
            break t;
        }
    };
    let mut n = 0.0;
    'rows: for a in x {
        for b in x {
            if a * b < 0.0 {
                continue 'rows;
            }
            n += a * b;
        }
        if n > 4.0 {
            break 'rows;
        }
    }
    y + n
}

#[differentiable]
fn tuple_broken(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    let mut k = 0;
    loop {
        (a, b) = (b * a + 0.5, a);
        k += 1;
        if a > 3.0 || k > 6 {
            break;
        }
    }
    a * b
}

#[differentiable]
fn matches(x: f64, n: i32) -> f64 {
    let a = match n {
        0 => x,
        1..=3 if x > 0.5 => x * x,
        1 | 2 => x.exp(),
        k if k < 0 => x * k as f64,
        _ => 1.0,
    };
    let b = match (a > 1.0, n % 2) {
        (true, 0) => a.ln(),
        (true, _) => a * a,
        (false, _) => -a,
    };
    match a {
        v if v > 2.0 => v * b,
        v if v < -1.0 => b,
        v => v + b,
    }
}

#[differentiable]
fn options(x: &[f64], k: usize) -> f64 {
    let mut best: Option<f64> = None;
    let mut s = 0.0;
    for v in x {
        best = match best {
            Some(b) if b >= *v => Some(b),
            _ => Some(*v),
        };
    }
    if let Some(v) = x.get(k) {
        s += v * v;
    }
    let Some(first) = x.first() else { return -1.0 };
    if let (Some(a), Some(b)) = (x.get(1), x.last()) {
        s += a * b;
    }
    let mut pending = best.take();
    if best.is_none() {
        s += 1.0;
    }
    while let Some(p) = pending {
        s += p * first;
        pending = if p > 0.2 { Some(0.5 * p) } else { None };
    }
    s
}

#[differentiable]
fn in_place(x: &mut [f64], n: usize) {
    for r in x.chunks_exact_mut(2) {
        r[0] *= r[1];
        r.swap(0, 1);
    }
    for c in x.chunks_mut(3) {
        let s: f64 = c.iter().sum();
        c[0] = s;
    }
    for _ in 0..n {
        let (a, b) = x.split_at_mut(2);
        for (p, q) in a.iter_mut().zip(b.iter_mut()) {
            *p += *q * *q;
            std::mem::swap(p, q);
        }
        let last = b.len() - 1;
        b[last] = a[0].sin();
    }
    let copy = x.to_vec();
    x[1..].copy_from_slice(&copy[..copy.len() - 1]);
    x[0] *= 2.0;
    x[2..].fill(copy[0] * copy[1]);
    if let Some(last) = x.last_mut() {
        *last += copy[2];
    }
    if let [a, .., b] = x {
        *a *= *b;
    }
}

#[differentiable]
fn nested(x: &[f64], n: usize) -> f64 {
    let mut m = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..n {
            m[i][j] = x[(i * n + j) % x.len()];
        }
    }
    for _ in 0..2 {
        for row in m.iter_mut() {
            let d = row[0];
            row.iter_mut().for_each(|v| *v *= d);
            row.rotate_left(1);
        }
        for i in 1..n {
            let (above, below) = m.split_at_mut(i);
            for (a, b) in above[i - 1].iter().zip(below[0].iter_mut()) {
                *b += a * a;
            }
        }
        let first = m[0].clone();
        m[n - 1].clone_from_slice(&first);
    }
    m.iter().flatten().map(|v| v * v).sum()
}

#[differentiable]
fn capturing(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut last = vec![0.0; 2];
    let mut note = |v: f64, k: usize| {
        total += v * v;
        last[k % 2] = v * total;
    };
    for (k, v) in x.iter().enumerate() {
        note(*v, k);
        if k == 2 {
            note(v * 0.5, k + 1);
        }
    }
    total * last[0] + last[1]
}

#[differentiable]
fn halves(y: &mut [f64], x: f64) {
    let k = y.len() / 2;
    let (a, b) = y.split_at_mut(k);
    blend(a, b, x);
    blend(&mut b[1..], &mut a[..1], 2.0);
}

#[differentiable]
fn blend(a: &mut [f64], b: &mut [f64], x: f64) {
    a[0] = a[0] * b[0] + x;
    b[0] *= x;
}

#[differentiable]
fn local_halves(x: &[f64]) -> f64 {
    let mut y = vec![1.0; x.len()];
    for i in 0..x.len() {
        let (a, b) = y.split_at_mut(1);
        blend(a, b, x[i]);
    }
    let mut rows = vec![x.to_vec(), x.to_vec()];
    let (top, bottom) = rows.split_at_mut(1);
    blend(&mut top[0], &mut bottom[0], x[0]);
    y[0] * y[1] + rows[0][0] * rows[1][0]
}

#[differentiable]
fn halve(v: &mut f64) {
    *v *= 0.5;
}

/// Calls that change what they get, though no `&mut` is written at the call.
#[differentiable]
fn changed_by_name(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for v in y.iter_mut() {
        halve(v);
    }
    y.iter_mut().for_each(|v| halve(v));
    if let Some(v) = y.first_mut() {
        halve(v);
    }
    match y.last_mut() {
        Some(v) => halve(v),
        None => {}
    }
    let all = &mut y;
    for v in all.iter_mut().skip(1) {
        halve(v);
    }
    y.iter().zip(x).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut y = vec![1.0; x.len()];
    let (a, b) = y.split_at_mut(1);
    a[0] = x[0] * x[1];
    b[0] = x[1];
    y[0] * y[1]
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number prelude_with_tape(at x: Vec<f64>, fixed limit: f64): [vec![0.3, 0.9, -0.4], 2.0] [vec![0.3, 0.9], 0.1];
        number prelude_with_break(by x: f64): [0.6] [1.5] [0.1];
        number labelled_values(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.1, 0.2]];
        number tuple_broken(by x: f64): [0.6] [1.5];
        number matches(by x: f64, fixed n: i32): [0.6, 0] [0.7, 2] [0.3, 2] [0.3, 3] [0.8, -2] [1.7, 3] [2.2, 0] [0.4, 9];
        number options(at x: Vec<f64>, fixed k: usize): [vec![0.3, 0.9, -0.4], 1] [vec![0.3], 1] [vec![], 0];
        writes in_place(inout x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7, 0.6], 2] [vec![0.3, 0.9, -0.4, 0.7], 0];
        number nested(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7, 0.6], 3] [vec![0.5], 1];
        number capturing(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]] [vec![0.5]];
        writes halves(inout y: Vec<f64>, by x: f64): [vec![0.3, 0.9, -0.4, 0.7, 0.8], 0.6];
        number local_halves(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number changed_by_name(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number lent(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
    }
}
