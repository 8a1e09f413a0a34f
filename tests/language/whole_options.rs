//! Options that are compared, printed, or asked by a closure: what they hold counts, also where it takes statements to compute.

use diffi::prelude::*;

#[differentiable]
fn less(x: &[f64]) -> f64 {
    let a = x.get(2).map(|v| v * x[0]);
    let b = x.get(1).map(|v| v * x[0]);
    if a < b { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn equal_alternatives(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    let b = x.get(1).copied().or(x.first().copied());
    if a == b { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn different_alternatives(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    let b = x.get(1).copied().or(x.first().copied());
    x[0] * f64::from(u8::from(a != b))
}

#[differentiable]
fn ordered(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    let b = x.get(1).copied().or(x.first().copied());
    match a.partial_cmp(&b) {
        Some(std::cmp::Ordering::Less) => x[0],
        _ => x[1] * x[1],
    }
}

#[differentiable]
fn results(x: &[f64]) -> f64 {
    let a = x.get(2).copied().ok_or("none").map(|v| v * 2.0);
    let b = x.get(1).copied().ok_or("none").map(|v| v * 2.0);
    if a == b { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn printed(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    let text = format!("{a:?}");
    if text.contains("()") { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn asked(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    a.unwrap_or(x[1]) * if a.is_some_and(|v| v > 0.0) { 2.0 } else { 1.0 }
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    a.unwrap_or(x[1]) * if matches!(a, Some(v) if v > 0.0) { 2.0 } else { 1.0 }
}

#[differentiable]
fn asserted(x: &[f64]) -> f64 {
    let a = x.get(2).copied().or(x.first().copied());
    assert_ne!(a, x.get(1).copied().or(None), "alike");
    x[0] * a.unwrap()
}

#[differentiable]
fn unnamed(x: &[f64]) -> f64 {
    let k = x[0] * x[1];
    let v = [k, x[2] * k];
    let w = if v.get(1).map(|v| v * k) < v.first().map(|v| v * k) { x[0] } else { x[1] * x[1] };
    let (a, b) = (v.get(1).map(|v| v * k), v.first().map(|v| v * k));
    let c = if a > b { k } else { k * k };
    w * c
}

#[differentiable]
fn of_a_closure(x: &[f64]) -> f64 {
    let largest = |v: &[f64]| v.iter().copied().reduce(f64::max).map(|m| m * 2.0);
    if largest(&x[..2]) < largest(&x[2..]) { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn before_a_change(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = v.first().map(|t| t * x[1]).or(v.get(1).copied());
    v[0] = 5.0 * v[1];
    if a < v.first().map(|t| t * x[1]) { a.unwrap() * v[0] } else { v[0] }
}

#[differentiable]
fn order_of_results(x: &[f64]) -> f64 {
    let a = x.get(9).copied().ok_or("none").map(|v| v * 2.0);
    let b = x.get(1).copied().ok_or("none").map(|v| v * 2.0);
    if a < b { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn errors_that_differ(x: &[f64]) -> f64 {
    let a = x.get(9).copied().ok_or("none");
    let b = x.get(9).copied().ok_or("other");
    if a == b { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn printed_result(x: &[f64]) -> f64 {
    let a = x.get(1).copied().ok_or("none");
    if format!("{a:?}").starts_with("Ok") { x[0] } else { x[1] * x[1] }
}

#[differentiable]
fn errors_of_branches(x: &[f64]) -> f64 {
    let a: Result<f64, usize> = if x[0] > 10.0 { Ok(x[1] * x[0]) } else { Err(3) };
    let b: Result<f64, usize> = if x[0] > 10.0 { Ok(x[1] * x[0]) } else { Err(4) };
    let c = format!("{a:?}").len() as f64;
    if a == b { x[0] } else { x[1] * x[1] * c }
}

#[differentiable]
fn root(v: f64) -> Result<f64, String> {
    if v < 0.0 { Err(format!("below {}", 0)) } else { Ok(v.sqrt()) }
}

#[differentiable]
fn part(v: &[f64], k: usize) -> Option<f64> {
    if k < v.len() { Some(v[k] * v[k]) } else { None }
}

#[differentiable]
fn results_of_calls(x: &[f64]) -> f64 {
    let a = root(x[2]).map(|v| v * 2.0);
    let b = root(x[1]).map(|v| v * 2.0);
    let c = root(x[2]).or(root(x[0]));
    let d = if a < b { x[0] } else { x[1] * x[1] };
    if b.clone().map(|v| v * 0.5) < c { d } else { d * x[0] }
}

#[differentiable]
fn options_of_calls(x: &[f64]) -> f64 {
    let a = part(x, 9).map(|v| v * 2.0);
    let b = part(x, 1).map(|v| v * 2.0);
    let mut best = part(x, 0);
    for k in 1..6 {
        if part(x, k) > best {
            best = part(x, k);
        }
    }
    let c = if a < b { x[0] } else { x[1] * x[1] };
    if best > Some(1.5) { best.unwrap() * c } else { c }
}

#[differentiable]
fn lists(x: &[f64]) -> f64 {
    let a = x.get(1).map(|v| vec![v * x[0], *v]);
    let b = x.get(2).map(|v| vec![v * x[0], *v]);
    if a < b { x[0] } else { x[1] * x[1] }
}

#[derive(Clone, Copy, Differentiable)]
struct Point {
    a: f64,
    b: f64,
}

#[differentiable]
fn presence_of_structs(x: &[f64]) -> f64 {
    let p = x.get(1).map(|v| Point { a: *v, b: v * x[0] });
    let q = x.get(9).map(|v| Point { a: *v, b: v * x[0] });
    if matches!(p, Some(_)) && matches!(q, None) { p.unwrap().b * p.unwrap().a } else { x[0] * x[0] }
}

/// An option without a type that tuples are put into, now with an active first number, now with an active second one.
#[differentiable]
fn filled_with_pairs(x: &[f64]) -> f64 {
    let (wide, high) = (3.0, 2.0);
    let mut start = None;
    if x[0] > 0.5 {
        let point = (wide, x[0]);
        start = Some(point);
    }
    if x[1] > 0.5 {
        let point = (x[1] * x[0], high);
        if let Some((a, b)) = start {
            return a * point.0 + b * point.1;
        }
        start = Some(point);
    }
    start.map_or(x[0], |(a, b)| a * b * x[0])
}

/// The largest with its place, and how often it was found.
#[differentiable]
fn largest_with_its_place(x: &[f64]) -> f64 {
    let mut best = None;
    for (k, v) in x.iter().enumerate() {
        let value = (v - 0.3) * v;
        match best {
            None => best = Some((k, value, 1)),
            Some((_, other, n)) if value > other => best = Some((k, value, n + 1)),
            _ => {}
        }
    }
    let (k, value, n) = best.unwrap();
    value * x[0] * (k + 1) as f64 + f64::from(n)
}

/// A tuple to begin with, a nested one, and one that is taken out.
#[differentiable]
fn filled_again(x: &[f64]) -> f64 {
    let mut last = Some((x[0], 1.0));
    let mut found = None;
    for v in x {
        if let Some((a, b)) = last.take() {
            found = Some(((a, b), v * b));
        }
        last = Some((2.0, v * v));
    }
    let ((a, b), c) = found.unwrap_or(((1.0, 1.0), x[0]));
    a + b * c * last.unwrap().1
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number less(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 0.9]] [vec![1.3, 0.7]];
        number equal_alternatives(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]] [vec![1.3]];
        number different_alternatives(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]] [vec![1.3]];
        number ordered(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 0.9]] [vec![1.3, 0.7]];
        number results(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]];
        number printed(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]];
        number asked(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]];
        number matched(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7]];
        number asserted(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3]];
        number unnamed(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 1.4]];
        number of_a_closure(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 1.4]];
        number order_of_results(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number errors_that_differ(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number printed_result(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number errors_of_branches(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number results_of_calls(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 0.9]];
        number options_of_calls(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![0.3, 0.7, 0.9]];
        number lists(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3, 0.7, 0.9]];
        number presence_of_structs(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]];
        number filled_with_pairs(at x: Vec<f64>): [vec![0.7, 0.9]] [vec![0.3, 0.9]] [vec![0.7, 0.3]] [vec![0.3, 0.2]];
        number largest_with_its_place(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![0.3, 2.7, 1.4]];
        number filled_again(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![1.3]];
        number before_a_change(at x: Vec<f64>): [vec![1.3, 0.7, -0.4]] [vec![3.3, 2.7, 1.4]];
    }
}
