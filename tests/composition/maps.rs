//! Local maps whose values are active: inserted, looked up, changed in their entries, walked over.

use crate::check::number;
use diffi::prelude::*;
use std::collections::{BTreeMap, HashMap};

#[differentiable]
fn inserted(x: &[f64]) -> f64 {
    let mut squares: HashMap<usize, f64> = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        squares.insert(i % 2, v * v);
    }
    squares[&0] * squares[&1]
}

#[differentiable]
fn grouped(x: &[f64]) -> f64 {
    let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        *sums.entry(i % 3).or_insert(0.0) += v * v.sin();
        *counts.entry(i % 3).or_insert(0) += 1;
    }
    let mut s = 0.0;
    for (k, total) in &sums {
        let mean = total / counts[k] as f64;
        s += mean * mean;
    }
    s + sums.values().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let mut parts = BTreeMap::new();
    parts.insert("a", x[0] * x[1]);
    parts.insert("b", x[2]);
    if let Some(v) = parts.get_mut("a") {
        *v *= x[3];
    }
    parts.get("a").copied().unwrap_or(0.0) * parts["b"] + parts.get("c").copied().unwrap_or(x[0])
}

#[differentiable]
fn memoised(x: &[f64]) -> f64 {
    let mut memo = HashMap::new();
    memo.insert(0, x[0]);
    memo.insert(1, x[1]);
    for n in 2..8 {
        let next = memo[&(n - 1)] * x[2] + memo[&(n - 2)];
        memo.insert(n, next);
    }
    memo[&7]
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut values: BTreeMap<i32, f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        values.insert(i as i32, v * v);
    }
    let mut s = 0.0;
    for (k, v) in &values {
        s += *k as f64 * v * v;
    }
    s *= values.values().copied().fold(0.0, f64::max);
    for (_, v) in values.iter_mut() {
        *v *= *v;
    }
    for v in values.values_mut() {
        *v += 1.0;
    }
    s += values.iter().map(|(k, v)| v.sin() * f64::from(*k)).sum::<f64>();
    for (k, v) in values {
        s += f64::from(k) * v;
    }
    s
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        groups.entry(i % 2).or_insert_with(Vec::new).push(v * v);
        groups.entry(2).or_default().push(v.sin());
    }
    let mut s = 0.0;
    for group in groups.values() {
        s += group.iter().sum::<f64>().powi(2);
    }
    s
}

#[differentiable]
fn modified(x: &[f64]) -> f64 {
    let mut halves: HashMap<String, f64> = HashMap::new();
    for (i, v) in x.iter().enumerate() {
        let key = if i < 2 { "low" } else { "high" };
        halves.entry(key.to_string()).and_modify(|total| *total *= *v).or_insert(*v);
    }
    let mut s = 0.0;
    if halves.contains_key("low") {
        s += halves["low"];
    }
    if let Some(high) = halves.get("high") {
        s += high * high;
    }
    s * halves.len() as f64
}

#[differentiable]
fn removed(x: &[f64]) -> f64 {
    let mut left: BTreeMap<usize, f64> = BTreeMap::new();
    for (i, v) in x.iter().enumerate() {
        left.insert(i, v.exp());
        if i == 2 {
            left.remove(&0);
        }
    }
    left.insert(0, x[1]);
    left.remove(&1);
    left.values().product::<f64>() + left.values().sum::<f64>() * left.len() as f64
}

/// A map in each iteration, with names for its entries.
#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let mut products = HashMap::new();
        for j in 0..3 {
            let entry = products.entry(j % 2).or_insert(0.0);
            *entry += x[i] * x[j];
        }
        s += products[&0] * products[&1];
    }
    s
}

#[derive(Differentiable, Clone)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
fn of_structs(x: &[f64]) -> f64 {
    let mut pairs: BTreeMap<(usize, usize), Pair> = BTreeMap::new();
    for i in 0..2 {
        pairs.insert((i, i + 1), Pair { a: x[i], b: x[i + 1] });
    }
    pairs.get_mut(&(0, 1)).unwrap().a *= x[3];
    pairs.values().map(|p| p.a * p.b).sum::<f64>() + pairs[&(1, 2)].a
}

/// What is evaluated, and when: the default of `or_insert` in any case, the value that is stored before its place.
#[differentiable]
fn in_order(x: &[f64]) -> f64 {
    let (mut made, mut scale) = (0, 1.0);
    let mut totals: BTreeMap<usize, f64> = BTreeMap::new();
    for i in 0..4 {
        *totals.entry(i % 2).or_insert({
            made += 1;
            made as f64
        }) += {
            scale *= x[i];
            scale
        };
        match i {
            0 | 3 => *totals.entry(7).or_insert(x[1]) *= x[i],
            _ => {
                totals.entry(i).and_modify(|t| *t += x[i]).or_insert(x[i]);
            }
        }
    }
    for (k, v) in &totals {
        scale += v * v * *k as f64;
    }
    scale + made as f64 * totals[&0]
}

#[test]
fn maps() {
    let at = [0.7, 1.3, 0.4, 2.1];
    number!(inserted::D, at, |x| x, |x| inserted(x));
    number!(grouped::D, at, |x| x, |x| grouped(x));
    number!(named::D, at, |x| x, |x| named(x));
    number!(memoised::D, at, |x| x, |x| memoised(x));
    number!(walked::D, at, |x| x, |x| walked(x));
    number!(lists::D, at, |x| x, |x| lists(x));
    number!(modified::D, at, |x| x, |x| modified(x));
    number!(removed::D, at, |x| x, |x| removed(x));
    number!(nested::D, at, |x| x, |x| nested(x));
    number!(in_order::D, at, |x| x, |x| in_order(x));
    number!(of_structs::D, at, |x| x, |x| of_structs(x));
}
