//! Entries of maps: closures that return early, and when keys and defaults are evaluated.

use crate::check::check;
use diffi::prelude::*;
use std::collections::{BTreeMap, HashMap};

#[differentiable]
fn total(x: &[f64], out: &mut f64) {
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    for k in 0..4 {
        m.entry(k % 2)
            .and_modify(|v| {
                if k == 2 {
                    return;
                }
                *v *= x[k];
            })
            .or_insert(x[k]);
    }
    *out = m[&0] * m[&1];
}

#[differentiable]
fn default_that_returns(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, f64> = BTreeMap::new();
    for k in 0..4 {
        *m.entry(k % 2).or_insert_with(|| {
            if k == 1 {
                return 2.0;
            }
            x[k] * x[k]
        }) += x[k];
    }
    m[&0] * m[&1]
}

#[differentiable]
fn change_that_returns(x: &[f64]) -> f64 {
    let mut y = x[3];
    total(x, &mut y);
    y
}

#[differentiable]
fn default_with_an_effect(x: &[f64]) -> f64 {
    let mut m: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    let mut c = 0;
    for k in 0..4 {
        m.entry(k % 2)
            .or_insert(vec![{
                c += 1;
                x[k]
            }])
            .push(x[k]);
    }
    m[&0][0] * m[&1][1] * c as f64
}

#[differentiable]
fn in_the_order_of_keys(x: &[f64]) -> f64 {
    let mut m: BTreeMap<i32, f64> = BTreeMap::new();
    m.insert(5, x[0]);
    m.insert(1, x[1]);
    m.insert(3, x[2]);
    let mut s = 0.0;
    for (k, v) in &m {
        s = s * x[3] + v * *k as f64;
    }
    s
}

#[differentiable]
fn removed_and_made_again(x: &[f64]) -> f64 {
    let mut m: BTreeMap<i32, f64> = BTreeMap::new();
    m.insert(5, x[0]);
    m.remove(&5);
    *m.entry(5).or_insert(x[1]) *= x[2];
    m.insert(5, m[&5] * x[3]);
    m[&5] + m.len() as f64 * x[0]
}

#[differentiable]
fn of_texts(x: &[f64]) -> f64 {
    let mut m: HashMap<&str, f64> = HashMap::new();
    let names = ["a", "b", "a", "c"];
    for (n, v) in names.iter().zip(x) {
        *m.entry(*n).or_default() += v * v;
    }
    m["a"] * m["b"] + m.get("c").copied().unwrap_or(1.0)
}

#[differentiable]
fn key_with_an_effect(x: &[f64]) -> f64 {
    let mut m: BTreeMap<i32, f64> = BTreeMap::new();
    let mut k = 0;
    *m.entry({
        k += 1;
        k
    })
    .or_insert(x[0]) += {
        k += 10;
        x[1] * k as f64
    };
    m.values().sum::<f64>() * k as f64 + if m.contains_key(&11) { x[2] } else { x[3] }
}

#[test]
fn sound() {
    check!(default_that_returns at [0.77, 1.14, 1.51, 1.88]);
    check!(change_that_returns at [0.77, 1.14, 1.51, 1.88]);
    check!(default_with_an_effect at [0.77, 1.14, 1.51, 1.88]);
    check!(in_the_order_of_keys at [0.77, 1.14, 1.51, 1.88]);
    check!(removed_and_made_again at [0.77, 1.14, 1.51, 1.88]);
    check!(of_texts at [0.77, 1.14, 1.51, 1.88]);
    check!(key_with_an_effect at [0.77, 1.14, 1.51, 1.88]);
}
