//! What patterns bind that is no number: lists, texts, pairs of constants. Those are kept for the reverse sweep as wholes.

use diffi::prelude::*;
use std::collections::BTreeMap;

#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let ks: Option<Vec<usize>> = Some(vec![0, 1]);
    let Some(v) = ks else {
        return x[0];
    };
    v.iter().map(|&k| x[k].sin()).sum()
}

#[differentiable]
fn of_length_for_guarded(x: &[f64], n: usize) -> f64 {
    let ks: Option<Vec<usize>> = if n > 1 { Some((0..n).collect()) } else { None };
    match ks {
        Some(v) if v.len() > 1 => v.iter().map(|&k| x[k] * x[k]).sum(),
        Some(_) => x[0],
        None => 0.0,
    }
}
#[differentiable]
fn guarded(x: &[f64]) -> f64 {
    of_length_for_guarded(x, x.len())
}

fn given_for_found_list(n: usize) -> Option<Vec<usize>> {
    if n > 1 { Some(vec![1, 0]) } else { None }
}
#[differentiable]
fn found_list(x: &[f64]) -> f64 {
    let ks = given_for_found_list(x.len());
    match ks {
        Some(v) => x[v[0]] * x[v[1]].sin(),
        None => x[0],
    }
}

#[differentiable]
fn text(x: &[f64]) -> f64 {
    let name: Option<String> = Some("sin".to_string());
    match name {
        Some(s) => {
            if s == "sin" {
                x[0].sin() * x[1]
            } else {
                x[0]
            }
        }
        None => x[1],
    }
}

fn given_for_result(n: usize) -> Result<Vec<usize>, String> {
    if n > 1 { Ok(vec![1, 0]) } else { Err("few".into()) }
}
#[differentiable]
fn result(x: &[f64]) -> f64 {
    match given_for_result(x.len()) {
        Ok(v) => x[v[0]] * x[v[1]].sin(),
        Err(e) => x[0] * e.len() as f64,
    }
}

#[differentiable]
fn sum_for_handed_on(x: &[f64], ks: &[usize]) -> f64 {
    ks.iter().map(|&k| x[k] * x[k]).sum()
}
#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let ks: Option<Vec<usize>> = Some(vec![0, 1]);
    match ks {
        Some(v) => sum_for_handed_on(x, &v) * x[0],
        None => 0.0,
    }
}

fn given_for_lists_in_a_loop(n: usize) -> Option<Vec<usize>> {
    if n > 0 { Some(vec![1, 0]) } else { None }
}
#[differentiable]
fn lists_in_a_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..3 {
        match given_for_lists_in_a_loop(i) {
            Some(v) => {
                s += x[v[0]] * x[v[1]].sin() * s;
            }
            None => s *= x[1],
        }
    }
    s
}

fn given_for_lists_walked_in_a_loop(n: usize) -> Option<Vec<usize>> {
    if n > 0 { Some(vec![1, 0]) } else { None }
}
#[differentiable]
fn lists_walked_in_a_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..3 {
        let ks = given_for_lists_walked_in_a_loop(i);
        if let Some(v) = ks {
            for k in v.iter() {
                s += x[*k] * s;
            }
        } else {
            s *= x[1];
        }
    }
    s
}

fn text_for_texts_in_a_loop(n: usize) -> Option<String> {
    if n > 0 { Some(format!("n{n}")) } else { None }
}
#[differentiable]
fn texts_in_a_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut i = 0;
    while i < 3 {
        if let Some(t) = text_for_texts_in_a_loop(i) {
            s *= x[t.len() - 1] * s;
        }
        i += 1;
    }
    s
}

fn pair_for_pairs_in_a_loop(n: usize) -> Result<(usize, Vec<f64>), String> {
    if n > 0 { Ok((1, vec![0.5, 1.5])) } else { Err("none".into()) }
}
#[differentiable]
fn pairs_in_a_loop(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..3 {
        match pair_for_pairs_in_a_loop(i) {
            Ok((k, w)) => {
                s = s * x[k] * w[0] + w[1];
            }
            Err(e) => s *= e.len() as f64 * x[1],
        }
    }
    s
}

#[differentiable]
fn looked_up(x: &[f64]) -> f64 {
    let m: BTreeMap<usize, Vec<usize>> = [(0, vec![1]), (2, vec![0, 1])].into();
    let mut s = x[0];
    for i in 0..3 {
        if let Some(v) = m.get(&i).cloned() {
            for k in v {
                s += x[k] * s;
            }
        } else {
            s *= x[1];
        }
    }
    s
}

fn given_for_numbers(n: usize) -> Option<usize> {
    if n > 0 { Some(n % 2) } else { None }
}
#[differentiable]
fn numbers(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..3 {
        match given_for_numbers(i) {
            Some(k) => {
                s += x[k] * s.powi(k as i32 + 1);
            }
            None => s *= x[1],
        }
    }
    match given_for_numbers(3) {
        Some(k) => s * x[k],
        None => 0.0,
    }
}

fn given_for_singles(n: usize) -> Option<f32> {
    if n > 0 { Some(n as f32) } else { None }
}
#[differentiable]
fn singles(x: &[f64]) -> f64 {
    let mut s = x[0];
    match given_for_singles(3) {
        Some(k) => s *= f64::from(k) * s,
        None => s = 0.0,
    }
    match given_for_singles(3) {
        Some(k) if k > 2.0 => s * x[1] * k as f64,
        Some(_) => x[0],
        None => 0.0,
    }
}

/// An index that a map lends.
#[differentiable]
fn numbered(x: &[f64]) -> f64 {
    let names = ["a", "b", "a", "c"];
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut sums: Vec<f64> = Vec::new();
    for (name, v) in names.iter().zip(x) {
        let at = *places.entry(*name).or_insert_with(|| sums.len());
        if at == sums.len() {
            sums.push(0.0);
        }
        sums[at] += v * v;
        sums[*places.entry("a").or_insert(0)] *= places.len() as f64;
    }
    sums.iter().enumerate().map(|(k, sum)| sum.sqrt() * (k + 1) as f64).sum()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
    number let_else(at x: Vec<f64>): [vec![1.3, 0.7]];
    number guarded(at x: Vec<f64>): [vec![1.3, 0.7]];
    number found_list(at x: Vec<f64>): [vec![1.3, 0.7]];
    number text(at x: Vec<f64>): [vec![1.3, 0.7]];
    number result(at x: Vec<f64>): [vec![1.3, 0.7]];
    number handed_on(at x: Vec<f64>): [vec![1.3, 0.7]];
    number lists_in_a_loop(at x: Vec<f64>): [vec![1.3, 0.7]];
    number lists_walked_in_a_loop(at x: Vec<f64>): [vec![1.3, 0.7]];
    number texts_in_a_loop(at x: Vec<f64>): [vec![1.3, 0.7]];
    number pairs_in_a_loop(at x: Vec<f64>): [vec![1.3, 0.7]];
    number looked_up(at x: Vec<f64>): [vec![1.3, 0.7]];
    number numbered(at x: Vec<f64>): [vec![1.3, 0.7, 0.4, 0.9]] [vec![1.3]];
    number numbers(at x: Vec<f64>): [vec![1.3, 0.7]];
    number singles(at x: Vec<f64>): [vec![1.3, 0.7]];
    }
}
