//! `VecDeque`s of active values.

use diffi::prelude::*;
use std::collections::VecDeque;

#[differentiable]
fn moving_average(x: &[f64], n: usize) -> f64 {
    let mut window: VecDeque<f64> = VecDeque::new();
    let mut sum = 0.0;
    let mut s = 0.0;
    for v in x {
        window.push_back(v * v);
        sum += v * v;
        if window.len() > n {
            sum -= window.pop_front().unwrap();
        }
        s += sum * sum / window.len() as f64;
    }
    s
}

#[differentiable]
fn delay_line(x: &[f64], gain: f64) -> f64 {
    let mut line = VecDeque::from(vec![0.0; 2]);
    let mut s = 0.0;
    for &v in x {
        let old = line.pop_front().unwrap();
        let out = v + gain * old * old;
        line.push_back(out);
        s += out * line[0];
    }
    s + line.iter().map(|e| e * e).sum::<f64>()
}

#[differentiable]
fn breadth_first(x: f64, y: f64) -> f64 {
    let mut todo = VecDeque::new();
    todo.push_back((x, y, 0));
    let mut s = 0.0;
    while let Some((a, b, depth)) = todo.pop_front() {
        if depth == 2 || a * b > 3.0 {
            s += a * b;
            continue;
        }
        todo.push_back((a * b, b, depth + 1));
        todo.push_back((a + b, a, depth + 1));
    }
    s
}

#[differentiable]
fn both_ends(x: &[f64]) -> f64 {
    let mut q = VecDeque::with_capacity(4);
    for (i, v) in x.iter().enumerate() {
        if i % 2 == 0 {
            q.push_front(v * v);
        } else {
            q.push_back(v.sin());
        }
    }
    let mut s = 1.0;
    if let Some(first) = q.front() {
        s += first * first;
    }
    if let Some(last) = q.back_mut() {
        *last *= s;
    }
    q.pop_front();
    q.push_front(s);
    while q.len() > 1 {
        let (a, b) = (q.pop_back().unwrap(), q.pop_front().unwrap());
        s += a * b;
        if s > 2.0 && !q.is_empty() {
            q.swap(0, q.len() - 1);
        }
    }
    s * q.pop_back().unwrap_or(0.5)
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = x.iter().map(|v| v * v).collect();
    q.pop_front();
    for v in q.iter_mut() {
        *v += x[0];
    }
    q.extend(x.iter().copied());
    let copy = q.clone();
    q.truncate(3);
    let mut s = 0.0;
    for (i, v) in q.iter().enumerate().rev() {
        s += v * (i as f64 + 1.0) * copy[copy.len() - 1 - i];
    }
    for v in &copy {
        s += v * v;
    }
    q.clear();
    q.push_back(s);
    q[0] * copy.len() as f64
}

#[differentiable]
fn printed(x: &[f64]) -> f64 {
    let mut queue: VecDeque<f64> = x.iter().map(|v| v * x[0]).collect();
    queue.pop_front();
    if format!("{queue:?}").starts_with('[') { queue[0] * x[0] } else { x[1] }
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number printed(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number moving_average(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7, 1.2], 2] [vec![0.3, 0.9], 7];
        number delay_line(at x: Vec<f64>, by gain: f64): [vec![0.3, 0.9, -0.4, 0.7, 1.2], 0.6] [vec![], 0.6];
        number breadth_first(by x: f64, by y: f64): [0.3, 0.9] [2.3, 1.9];
        number both_ends(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.2]] [vec![0.7]];
        number walked(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]];
    }
}
