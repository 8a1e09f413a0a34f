//! Lists that begin empty inside of lists: what is stored later says what they hold.

use diffi::prelude::*;
use ndarray::{Array3, Axis};

#[differentiable]
fn buckets(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![], vec![]];
    for (k, v) in x.iter().enumerate() {
        rows[k % 2].push(v * v);
    }
    rows[0].iter().zip(&rows[1]).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn buckets_of_an_array(x: &[f64]) -> f64 {
    let mut rows: [Vec<f64>; 2] = [Vec::new(), Vec::with_capacity(4)];
    for v in x {
        rows[usize::from(*v > 0.5)].push(v * 2.0);
    }
    rows[0].iter().product::<f64>() + rows[1].iter().product::<f64>()
}

#[differentiable]
fn beside_a_full_one(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], Vec::new()];
    let taken = std::mem::take(&mut rows[0]);
    rows[1].extend(taken.iter().map(|v| v * x[2]));
    rows[1][0] * taken[1]
}

#[differentiable]
fn layers(x: &[f64]) -> f64 {
    let mut layers = vec![vec![vec![x[0]], vec![]], vec![]];
    layers[1].push(vec![x[1] * x[2]]);
    layers[0][1].push(x[3]);
    layers[0][0][0] * layers[0][1][0] * layers[1][0][0]
}

#[differentiable]
fn appended(x: &[f64]) -> f64 {
    let mut rows = vec![];
    for v in x {
        rows.push(vec![]);
        let last = rows.len() - 1;
        rows[last].push(v * v);
    }
    rows[0][0] * rows[1][0] * rows[2][0]
}

#[differentiable]
fn through_a_reference(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![], vec![]];
    for (k, v) in x.iter().enumerate() {
        let row = &mut rows[k % 2];
        row.push(v.sin());
    }
    rows.iter().map(|row| row.iter().sum::<f64>()).product()
}

#[derive(Clone, Copy, Differentiable)]
struct Stretch {
    from: f64,
    to: f64,
}

/// Parts of elements are read, in the text, before any element is added.
#[differentiable]
fn merged(x: &[f64]) -> f64 {
    let mut all: Vec<Stretch> = Vec::new();
    let mut counted: Vec<(usize, f64)> = Vec::new();
    let mut recent: Vec<(Vec<f64>, f64)> = Vec::new();
    for (k, v) in x.iter().enumerate() {
        match all.last_mut() {
            Some(last) if *v <= last.to => last.to += *v * last.from,
            _ => all.push(Stretch { from: *v, to: v + 0.25 }),
        }
        match counted.last_mut() {
            Some((at, sum)) if k - *at < 2 => *sum += *v,
            _ => counted.push((k, v * v)),
        }
        if recent.len() == 2 {
            recent.remove(0);
        }
        recent.push((vec![*v, v * v], *v));
    }
    let sums = counted.iter().map(|(at, sum)| sum * (at + 1) as f64).sum::<f64>();
    let products = recent.iter().map(|(powers, v)| powers[1] * v).sum::<f64>();
    all.iter().map(|s| s.from * s.to).sum::<f64>() + sums * products
}

/// An array of ndarray without elements, of which a part changes another one.
#[differentiable]
fn layers_of_nothing(x: &[f64]) -> f64 {
    let mut a = Array3::<f64>::ones((2, x.len(), 2));
    for i in 0..x.len() {
        a[[0, i, 0]] = x[i];
    }
    let first = a.index_axis(Axis(0), 0).to_owned();
    let mut second = a.index_axis_mut(Axis(0), 1);
    second *= &first;
    second.mapv_inplace(f64::sin);
    a.sum()
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number buckets(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.2, 0.9]] [vec![0.4]] [vec![]];
        number buckets_of_an_array(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]] [vec![0.1]];
        number beside_a_full_one(at x: Vec<f64>): [vec![0.1, 0.7, 0.3]];
        number layers(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number appended(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number merged(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8, 0.25]] [vec![0.4, 0.6]] [vec![0.1]];
        number layers_of_nothing(at x: Vec<f64>): [vec![0.1, 0.7]] [vec![0.4]] [vec![]];
        number through_a_reference(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]] [vec![0.1]];
    }
}
