//! Sorts of active values: the permutation is passive.

use diffi::prelude::*;

#[differentiable]
fn ascending(x: &[f64]) -> Vec<f64> {
    let mut v: Vec<f64> = x.iter().map(|e| e * e).collect();
    v.sort_by(|a, b| a.partial_cmp(b).unwrap());
    v[0] *= v[1];
    v
}

#[differentiable]
fn descending(x: &mut [f64]) -> f64 {
    x.sort_unstable_by(|a, b| b.total_cmp(a));
    x[0] * x[1] - x[x.len() - 1]
}

#[differentiable]
fn by_key(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by_key(|e| (e * 10.0) as i64);
    let s: f64 = v.iter().enumerate().map(|(i, e)| e * i as f64).sum();
    v.sort_unstable_by_key(|e| std::cmp::Reverse((e.abs() * 100.0) as i32));
    v.sort_by_cached_key(|e| (e.abs() * 3.0) as i32);
    s * v[0]
}

#[differentiable]
fn median(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let k = v.len() / 2;
    v.select_nth_unstable_by(k, |a, b| a.total_cmp(b));
    let mut w = x.to_vec();
    w.sort_by(f64::total_cmp);
    v[k] * w[0]
}

#[differentiable]
fn sorted_in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    for i in 0..n {
        v.sort_by(|a, b| b.partial_cmp(a).unwrap());
        s += v[i] * v[0];
        v[0] = s.sin();
        if i % 2 == 0 {
            v[1..].sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
        }
    }
    s
}

#[differentiable]
fn points(x: &[f64]) -> f64 {
    let mut v: Vec<[f64; 2]> = x.chunks_exact(2).map(|c| [c[0], c[1]]).collect();
    v.sort_by(|a, b| a[1].partial_cmp(&b[1]).unwrap());
    v.windows(2).map(|w| (w[1][0] - w[0][0]) * (w[1][1] + w[0][1])).sum()
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let mut v: Vec<(f64, usize)> = x.iter().enumerate().map(|(i, e)| (e * e, i)).collect();
    v.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap().then(a.1.cmp(&b.1)));
    v.iter().map(|(e, i)| e * x[*i] * (*i as f64 + 1.0)).sum::<f64>() * v[0].0
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut m: Vec<Vec<f64>> = (0..x.len()).map(|i| vec![x[i]; i + 1]).collect();
    m.sort_by(|a, b| a[0].partial_cmp(&b[0]).unwrap());
    m.sort_by_key(|r| r.len() % 2);
    let mut s = 0.0;
    for (i, r) in m.iter().enumerate() {
        for e in r {
            s += e * e * (i as f64 + 1.0);
        }
    }
    s
}

#[differentiable]
fn indices(x: &[f64]) -> f64 {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|&i, &j| x[i].partial_cmp(&x[j]).unwrap());
    let mut s = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        s += (rank as f64 + 1.0) * x[i] * x[i];
    }
    order.reverse();
    s * x[order[0]]
}

/// What a block declares with its type has another name outside.
#[differentiable]
fn indices_of_a_block(x: &[f64]) -> f64 {
    let order = {
        let mut o: Vec<usize> = (0..x.len()).collect();
        o.sort_by(|&i, &j| x[j].total_cmp(&x[i]));
        o
    };
    let best: Vec<_> = {
        let mut o: Vec<usize> = order.iter().rev().copied().collect();
        o.truncate(2);
        o
    };
    order.iter().enumerate().map(|(rank, &i)| x[i] / (rank as f64 + 2.0).log2()).sum::<f64>() * x[best[1]]
}

#[differentiable]
fn stable_ties(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| a.floor().partial_cmp(&b.floor()).unwrap());
    v.iter().enumerate().map(|(i, e)| e * e * i as f64).sum()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        list ascending(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        writes descending(inout x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number by_key(at x: Vec<f64>): [vec![0.34, 0.92, -0.45, 0.77]] [vec![0.36, 0.35]];
        number median(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 0.1]] [vec![0.5]];
        number sorted_in_a_loop(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7], 3] [vec![0.3, 0.9], 0];
        number points(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 0.2, 0.1]] [vec![]];
        number pairs(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number rows(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number indices(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number indices_of_a_block(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
        number stable_ties(at x: Vec<f64>): [vec![1.3, 0.9, 1.4, 0.7, 2.5, 1.1]];
    }
}
