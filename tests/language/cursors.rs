//! Iterators that are held in variables and run in parts, and chains without end.

use diffi::prelude::*;
use std::iter::{self, successors};

#[differentiable]
fn first_and_rest(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let first = it.next().unwrap();
    let mut sum = first * first;
    for v in it {
        sum += first * v;
    }
    sum
}

#[differentiable]
fn as_long_as_there_is_one(x: &[f64]) -> f64 {
    let mut it = x.iter().copied();
    let mut acc = it.next().unwrap_or(0.5);
    while let Some(v) = it.next() {
        acc = acc * 0.5 + v * v;
    }
    acc
}

#[differentiable]
fn next_one_seen(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut sum = 0.0;
    while let Some(v) = it.next() {
        if let Some(n) = it.peek() {
            sum += v * **n;
        } else {
            sum += v * v;
        }
    }
    sum
}

/// Groups of equal signs.
#[differentiable]
fn groups(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut total = 0.0;
    while let Some(&v) = it.next() {
        let mut run = v;
        while let Some(&&w) = it.peek() {
            if w * v < 0.0 {
                break;
            }
            run += w * v;
            it.next();
        }
        total += run * run;
    }
    total
}

#[differentiable]
fn some_taken(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let a: f64 = it.by_ref().take(2).map(|v| v * v).sum();
    let b: f64 = it.map(|v| v.sin()).sum();
    a * b
}

#[differentiable]
fn left_and_gone_on(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut sum = 0.0;
    for v in &mut it {
        sum += v * v;
        if sum > 0.3 {
            break;
        }
    }
    for v in it {
        sum += v.sin() * sum;
    }
    sum
}

#[differentiable]
fn copied_on_the_way(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut sum = 0.0;
    for v in it.by_ref() {
        sum += v * v;
        if sum > 0.3 {
            break;
        }
    }
    let (rest, n) = (it.clone(), it.len());
    if let Some(v) = it.next() {
        sum *= v;
    }
    sum += rest.sum::<f64>() * n as f64;
    match it.next() {
        Some(v) => sum * v,
        None => sum,
    }
}

#[differentiable]
fn in_pairs(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut sum = 0.0;
    while let (Some(a), Some(b)) = (it.next(), it.next()) {
        sum += a * b;
    }
    sum
}

#[differentiable]
fn one_of_them(x: &[f64]) -> f64 {
    let mut it = x.iter().map(|v| v * v).enumerate();
    let (i, a) = it.nth(1).unwrap();
    let rest: f64 = it.map(|(k, v)| v * k as f64).sum();
    a.sin() * rest * (i + 1) as f64
}

#[differentiable]
fn two_at_once(x: &[f64]) -> f64 {
    let mut a = x.iter().rev();
    let mut b = x.iter().skip(1);
    let mut sum = 0.0;
    for _ in 0..2 {
        if let (Some(p), Some(q)) = (a.next(), b.next()) {
            sum += p * q.sin();
        }
    }
    sum + a.count() as f64 * x[0]
}

#[differentiable]
fn numbers_without_end(x: &[f64]) -> f64 {
    let mut ids = (0..).step_by(2);
    let mut sum = 0.0;
    for v in x {
        let k = ids.next().unwrap();
        sum += v * v * k as f64;
    }
    sum
}

#[differentiable]
fn first_two(x: &[f64]) -> Option<f64> {
    let mut it = x.iter();
    let a = it.next()?;
    let b = it.next()?;
    Some(a * b)
}

#[differentiable]
fn asks_for_two(x: &[f64]) -> f64 {
    first_two(x).unwrap_or(x[0] * x[0])
}

#[differentiable]
fn taken_of_filtered(x: f64) -> f64 {
    (1usize..).filter(|k| k % 2 == 1).take(4).map(|k| x.powi(k as i32)).sum()
}

#[differentiable]
fn scanned(x: f64) -> f64 {
    let powers: f64 = iter::repeat(x)
        .scan(1.0, |s, v| {
            *s *= v;
            Some(*s)
        })
        .take(4)
        .sum();
    let large: f64 = iter::repeat(x)
        .scan(1.0, |s, v| {
            *s *= v;
            if *s > 0.05 { Some(*s) } else { None }
        })
        .sum();
    powers * large
}

#[differentiable]
fn until_it_is_small(x: f64) -> f64 {
    (1usize..).map(|k| x.powi(k as i32)).filter(|v| *v < 0.6).take_while(|v| *v > 1e-2).sum()
}

#[differentiable]
fn geometric(x: f64, q: f64) -> f64 {
    let some: f64 = successors(Some(x), |v| Some(v * q)).take(5).map(|v| v.sin()).sum();
    let large: f64 = successors(Some(x), |v| if *v > 0.1 { Some(v * q) } else { None }).map(|v| v.cos()).sum();
    let list: Vec<f64> = successors(Some(x), |v| (*v > 0.05).then(|| v * 0.5)).collect();
    some * large + list.iter().map(|a| a * a).sum::<f64>() * q
}

#[differentiable]
fn by_powers(c: &[f64], x: f64) -> f64 {
    std::iter::successors(Some(1.0), |&v| Some(v * x)).zip(c).map(|(p, c)| p * c).sum()
}

#[differentiable]
fn iterated(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for (k, v) in successors(Some(x), |v| Some(v.sin())).enumerate() {
        if k % 2 == 1 {
            continue;
        }
        sum += v * y;
        if k > 5 {
            break;
        }
    }
    sum
}

#[differentiable]
fn root(a: f64) -> f64 {
    let steps = successors(Some(1.0), |v| Some(0.5 * (v + a / v)));
    steps.take_while(|v| (v * v - a).abs() > 1e-13).fold(1.0, |_, v| v)
}

#[differentiable]
fn left_from_within(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    'outer: for v in x {
        for w in (1usize..).filter(|k| k % 3 != 0).take(6).map(|k| v * k as f64) {
            if w > 2.0 {
                continue 'outer;
            }
            if w > 1.0 {
                continue;
            }
            if sum > 5.0 {
                break 'outer;
            }
            sum += w.sin();
        }
        sum *= 1.1;
    }
    sum
}

#[differentiable]
fn chained_and_reversed(x: &[f64]) -> f64 {
    let weighted: f64 = x.iter().chain(x[1..].iter()).rev().enumerate().map(|(k, v)| v * v * k as f64).sum();
    let mut s = 1.0_f64;
    for v in x.iter().chain(&[2.0]).chain(x.iter().rev()).map(|v| v + 1.0).rev() {
        s = s * 0.5 + v * s.sin();
        if s > 3.0 {
            break;
        }
    }
    weighted * s + x.iter().chain(x.iter().skip(1)).rev().rev().take(3).fold(1.0, |a, v| a * v + 0.3)
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number first_and_rest(at x: Vec<f64>): [vec![0.3, 0.7, 0.2]] [vec![0.4]];
        number as_long_as_there_is_one(at x: Vec<f64>): [vec![0.3, 0.7, 0.2]] [vec![0.4]] [vec![]];
        number next_one_seen(at x: Vec<f64>): [vec![0.3, 0.7, 0.2]] [vec![]];
        number groups(at x: Vec<f64>): [vec![0.3, 0.7, -0.2, -0.5, 0.4]] [vec![]];
        number some_taken(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.9]] [vec![0.3]];
        number left_and_gone_on(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]] [vec![0.1]];
        number copied_on_the_way(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]] [vec![0.3, 0.7, 0.2, 0.5, 0.9]] [vec![0.9]];
        number in_pairs(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]] [vec![0.3, 0.7, 0.2]];
        number one_of_them(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]];
        number two_at_once(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]] [vec![0.4]];
        number numbers_without_end(at x: Vec<f64>): [vec![0.3, 0.7, 0.2, 0.5]] [vec![]];
        number asks_for_two(at x: Vec<f64>): [vec![0.3, 0.7, 0.2]] [vec![0.3]];
        number taken_of_filtered(by x: f64): [0.7];
        number scanned(by x: f64): [0.7];
        number until_it_is_small(by x: f64): [0.64];
        number geometric(by x: f64, by q: f64): [0.83, 0.7];
        number by_powers(at c: Vec<f64>, by x: f64): [vec![0.3, 0.7, 0.2, 0.5], 0.8] [vec![], 0.8];
        number iterated(by x: f64, by y: f64): [0.8, 0.7];
        number root(by a: f64): [2.3];
        number left_from_within(at x: Vec<f64>): [vec![0.8, 0.7, 0.1, 1.5]];
        number chained_and_reversed(at x: Vec<f64>): [vec![0.3, 0.7, 0.2]];
    }
}
