//! Iterator chains.

use diffi::prelude::*;

#[differentiable]
fn sum_of_maps(x: &[f64]) -> f64 {
    x.iter().map(|v| v * v).sum::<f64>().sqrt() + x.iter().copied().map(f64::exp).sum::<f64>()
}

#[differentiable]
fn product(x: &[f64]) -> f64 {
    x.iter().product::<f64>() + x.iter().map(|v| v + 1.0).product::<f64>()
}

#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn three_zipped(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
    x.iter().zip(y).zip(z.iter()).map(|((a, b), c)| a * b + c * a).sum::<f64>() / (1 + x.len()) as f64
}

#[differentiable]
fn enumerated_zipped_reversed(x: &[f64], y: &[f64]) -> f64 {
    x.iter().enumerate().zip(y.iter().rev()).map(|((i, a), b)| i as f64 * a * b + b).sum::<f64>()
        + x.iter().zip(y.iter()).enumerate().rev().map(|(i, (a, b))| a * b.powi(i as i32)).product::<f64>()
}

#[differentiable]
fn reversed_enumerated(x: &[f64]) -> f64 {
    let a: f64 = x.iter().rev().enumerate().map(|(i, v)| (i + 1) as f64 * v * v).sum();
    let b: f64 = x.iter().enumerate().rev().map(|(i, v)| (i + 1) as f64 * v * v).sum();
    a * b
}

#[differentiable]
fn skipped_and_taken(x: &[f64]) -> f64 {
    let a: f64 = x.iter().skip(1).take(3).map(|v| v * v).sum();
    let b: f64 = x.iter().take(2).skip(1).sum();
    let c: f64 = x.iter().rev().skip(1).map(|v| v.sin()).sum();
    let d: f64 = x.iter().skip(1).rev().take(2).product();
    a * b + c * d
}

#[differentiable]
fn stepped(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1];
    }
    y.iter().rev().skip(1).step_by(2).map(|v| v * v).collect()
}

#[differentiable]
fn windows(x: &[f64]) -> Vec<f64> {
    x.windows(3).map(|w| w[0] * w[2] - 2.0 * w[1]).collect()
}

#[differentiable]
fn window_patterns(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| {
            let [a, b] = w else { unreachable!() };
            (b - a).powi(2) * a
        })
        .sum()
}

#[differentiable]
fn chunked(x: &[f64]) -> f64 {
    x.chunks(2).map(|c| c.iter().product::<f64>()).sum::<f64>()
        * x.chunks_exact(3).enumerate().map(|(i, c)| (i + 1) as f64 * c[0] * c[2] + c[1]).sum::<f64>()
}

#[differentiable]
fn filtered(x: &[f64], t: f64) -> f64 {
    x.iter().filter(|v| **v > t).map(|v| v * v * t).sum::<f64>()
        + x.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(i, v)| (i + 1) as f64 * v).product::<f64>()
}

#[differentiable]
fn collected_filter(x: &[f64]) -> Vec<f64> {
    let kept: Vec<f64> = x.iter().copied().filter(|v| *v > 0.0).map(|v| v.ln()).collect();
    kept.iter().map(|v| v * kept.len() as f64).collect()
}

#[differentiable]
fn flat_mapped(x: &[f64]) -> f64 {
    (0..x.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| x[i] * x[j] * x[i]).sum()
}

#[differentiable]
fn folded(x: &[f64]) -> f64 {
    x.iter().fold(1.0, |acc, v| acc * v + v.sin())
}

#[differentiable]
fn folded_pairs(x: &[f64]) -> (f64, f64) {
    x.iter().fold((0.5, 1.0), |(s, p), &v| (s + v * p, p * v + s))
}

#[differentiable]
fn only_the_last(x: &[f64]) -> f64 {
    x.iter().fold((0.3, 1.0), |(_, b), v| (b, b * v)).0
}

#[differentiable]
fn for_each(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut n = 0;
    x.iter().zip(y.iter()).for_each(|(a, b)| {
        s += a * b * s;
        if *a > 0.0 {
            n += 1;
        }
    });
    s * n as f64
}

#[differentiable]
fn extremes(x: &[f64]) -> f64 {
    let low = x.iter().cloned().fold(f64::INFINITY, |a, b| a.min(b));
    let high = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high * high - low * high
}

#[differentiable]
fn selected(x: &[f64]) -> f64 {
    let low = x.iter().min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
    let high = x.iter().map(|v| v.abs()).max_by(f64::total_cmp).unwrap();
    let at = x.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(i, _)| i).unwrap();
    low * high + x[at] * x[0]
}

#[differentiable]
fn reduced(x: &[f64]) -> f64 {
    let high = x.iter().copied().reduce(f64::max).unwrap_or(0.7);
    let product = x.iter().copied().reduce(|a, b| a * b + 1.0).unwrap_or(0.5);
    high * product
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    m + x.iter().map(|v| (v - m).exp()).sum::<f64>().ln()
}

#[differentiable]
fn soft_max(x: &[f64]) -> Vec<f64> {
    let m = x.iter().cloned().fold(f64::MIN, f64::max);
    let e: Vec<f64> = x.iter().map(|v| (v - m).exp()).collect();
    let s: f64 = e.iter().sum();
    e.into_iter().map(|v| v / s).collect()
}

#[differentiable]
fn queries(x: &[f64]) -> f64 {
    if x.iter().any(|v| *v > 10.0) {
        return x[0];
    }
    let n = x.iter().filter(|v| **v > 0.0).count();
    let k = if x.iter().all(|&v| v > -5.0) { 2.0 } else { 3.0 };
    match x.iter().position(|&v| v < 0.0) {
        Some(p) => x[p] * x[p] * k + n as f64,
        None => k * x.iter().sum::<f64>() / (n + 1) as f64,
    }
}

#[differentiable]
fn collected_then_indexed(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v * v).collect();
    let z: Vec<f64> = (0..x.len()).map(|i| y[i] * x[x.len() - 1 - i]).collect();
    let mut w: Vec<f64> = z.iter().zip(&y).map(|(a, b)| a - b).collect();
    for i in 0..w.len() {
        w[i] *= z[0];
    }
    w.iter().sum()
}

#[differentiable]
fn collected_rows(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = (0..3).map(|i| x.iter().map(|v| v * (i + 1) as f64).collect()).collect();
    rows.iter().map(|row| row.iter().product::<f64>()).sum::<f64>() + rows[1].iter().sum::<f64>()
}

#[differentiable]
fn collected_pairs(x: &[f64]) -> Vec<(f64, f64)> {
    x.iter().map(|v| (v.sin(), v * v)).collect()
}

#[differentiable]
fn unzipped(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v.sin(), v.cos())).unzip();
    a.iter().zip(&b).map(|(p, q)| p * q * p).sum()
}

#[differentiable]
fn chained(x: &[f64], y: &[f64]) -> f64 {
    x.iter().chain(y).map(|v| v.cos()).sum::<f64>() * x.iter().take(1).chain(y.iter().skip(1)).product::<f64>()
}

#[differentiable]
fn kept_maps(x: &[f64]) -> f64 {
    x.iter().filter_map(|&v| if v > 0.0 { Some(v.ln()) } else { None }).map(|v| v * v).sum::<f64>()
        + x.iter().take_while(|v| **v > 0.0).sum::<f64>()
        + x.iter().skip_while(|v| **v > 0.0).product::<f64>()
}

#[differentiable]
fn nested_chains(x: &[f64]) -> f64 {
    x.iter().map(|a| x.iter().map(|b| (a - b).powi(2)).sum::<f64>() * a).sum()
}

#[differentiable]
fn nested_chain_with_blocks(x: &[f64], w: &[f64]) -> f64 {
    x.iter()
        .enumerate()
        .map(|(i, a)| {
            let inner: f64 = w.iter().skip(i).zip(x).map(|(b, c)| b * c).sum();
            if inner > 0.0 { inner * a } else { a * a }
        })
        .fold(0.1, |s, v| s * v + v)
}

#[differentiable]
fn over_ranges(x: f64, n: usize) -> f64 {
    (1..=n).map(|k| x.powi(k as i32) / (1..=k).product::<usize>() as f64).sum::<f64>()
        + (0..n).rev().step_by(2).map(|k| x * k as f64).sum::<f64>()
        + (0..n).filter(|k| k % 2 == 1).map(|k| x / k as f64).product::<f64>()
}

#[differentiable]
fn transposed(m: &[Vec<f64>], n: usize) -> Vec<f64> {
    (0..n).map(|j| m.iter().map(|row| row[j] * row[j]).sum::<f64>()).collect()
}

#[differentiable]
fn flattened(m: &[[f64; 2]]) -> f64 {
    m.iter().flatten().map(|v| v * v).sum::<f64>() * m.iter().flat_map(|row| row.iter()).product::<f64>()
}

#[differentiable]
fn moved_out(x: Vec<f64>) -> f64 {
    let n = x.len() as f64;
    x.into_iter().map(|v| v * n).fold(1.0, |a, b| a * b)
}

#[differentiable]
fn mutable_iterators(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    y.iter_mut().for_each(|v| *v = *v * *v + 1.0);
    y.iter_mut().zip(x).enumerate().for_each(|(i, (v, a))| *v *= a * i as f64);
    for c in y.chunks_exact_mut(2) {
        c[0] *= c[1];
        c.swap(0, 1);
    }
    for v in y.iter_mut().rev().skip(1) {
        *v -= 1.0;
    }
    y
}

#[differentiable]
fn repeated(x: f64, n: usize) -> f64 {
    std::iter::repeat(x).take(n).map(|v| v * 2.0).sum::<f64>() + std::iter::repeat_n(x * x, n).product::<f64>()
}

#[differentiable]
fn variance(x: &[f64]) -> f64 {
    let s: f64 = x.iter().sum();
    let n = x.len() as f64;
    let mean = s / n;
    x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[differentiable]
fn lazily_bound(x: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v);
    let others = x.iter().map(|v| v + 1.0);
    squares.zip(others).map(|(a, b)| a * b).sum()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number sum_of_maps(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.5]];
        number product(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]] [vec![0.5]];
        number zipped(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.7, 0.2]] [vec![], vec![]];
        number three_zipped(at x: Vec<f64>, at y: Vec<f64>, at z: Vec<f64>): [vec![0.3, 1.2], vec![0.7, 0.2, 0.1], vec![0.5, 0.6]] [vec![], vec![], vec![0.3]];
        number enumerated_zipped_reversed(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.7, 0.2, 0.1]] [vec![], vec![]];
        number reversed_enumerated(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number skipped_and_taken(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![0.4]] [vec![0.4, 0.5]];
        list stepped(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![0.4]];
        list windows(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![0.4, 0.3]];
        number window_patterns(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![0.4]];
        number chunked(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![0.4]];
        number filtered(at x: Vec<f64>, by t: f64): [vec![0.3, 1.2, -0.4, 0.6, 0.7], 0.5] [vec![], 0.5];
        list collected_filter(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.6, 0.7]] [vec![]] [vec![-0.3]];
        number flat_mapped(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number folded(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        list folded_pairs(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number only_the_last(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number for_each(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.7, 0.2, 0.1]] [vec![], vec![]];
        number extremes(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        number selected(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        number reduced(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number log_sum_exp(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        list soft_max(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number queries(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]] [vec![0.3, 11.0]] [vec![]];
        number collected_then_indexed(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number collected_rows(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        list collected_pairs(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number unzipped(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number chained(at x: Vec<f64>, at y: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.7, 0.2, 0.1]] [vec![], vec![]];
        number kept_maps(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.5]] [vec![]] [vec![-0.3]];
        number nested_chains(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number nested_chain_with_blocks(at x: Vec<f64>, at w: Vec<f64>): [vec![0.3, 1.2, -0.4], vec![0.7, 0.2, 0.1]] [vec![], vec![]];
        number over_ranges(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        list transposed(at m: Vec<Vec<f64>>, fixed n: usize): [vec![vec![0.3, 1.2], vec![0.5, 0.4]], 2] [vec![], 0] [vec![], 2];
        number flattened(at m: Vec<[f64; 2]>): [vec![[0.3, 1.2], [0.5, 0.4]]] [vec![]];
        number moved_out(by x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        list mutable_iterators(at x: Vec<f64>): [vec![0.3, 1.2, -0.4, 0.5, 0.6]] [vec![]];
        number repeated(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        number variance(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number lazily_bound(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
    }
}
