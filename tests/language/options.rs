//! `Option`s of active values as parameters, errors by their variants, and `let` without a value for several names.

use diffi::prelude::*;
use std::collections::BTreeMap;

#[differentiable]
fn scaled(x: f64, by: Option<f64>) -> f64 {
    match by {
        Some(by) => x * by.sin(),
        None => x * x,
    }
}

#[differentiable]
fn asked_often(x: &[f64], by: Option<f64>) -> f64 {
    let w = by.unwrap_or(2.0) * by.map_or(1.0, |v| v * v);
    let mut sum = 0.0;
    for v in x {
        if let Some(by) = by {
            sum += v * by;
        } else {
            sum += v * v * w;
        }
    }
    sum
}

#[differentiable]
fn handed_on(x: f64, by: Option<f64>) -> f64 {
    if by.is_some() { scaled(x, by) } else { scaled(x, Some(x * 0.5)) }
}

#[differentiable]
fn of_a_list(x: f64, list: &Option<Vec<f64>>) -> f64 {
    match list {
        Some(v) => v.iter().map(|a| a * x).sum(),
        None => x,
    }
}

#[differentiable]
fn of_a_pair(x: f64, pair: Option<(f64, f64)>) -> f64 {
    if let Some((a, b)) = pair { a * x + b.exp() } else { x.cos() }
}

#[differentiable]
fn asked_by_mark(x: f64, by: Option<f64>) -> Option<f64> {
    let by = by?;
    Some(by * x)
}

#[differentiable]
fn made_for_calls(x: &[f64]) -> f64 {
    let chosen = if x[0] > 0.0 { Some(x[0]) } else { None };
    scaled(x[0], Some(x[1]))
        + scaled(x[0], None)
        + asked_often(&x[..2], Some(x[1] * 2.0))
        + asked_often(x, None)
        + handed_on(x[0], Some(x[1]))
        + handed_on(x[1], None)
        + of_a_pair(x[0], Some((x[1], x[0])))
        + asked_by_mark(x[1], Some(x[0])).unwrap_or(0.0)
        + scaled(x[1], chosen)
        + scaled(x[1], x.get(5).copied())
        + scaled(x[1], x.first().copied())
}

#[derive(Clone, Debug, PartialEq)]
enum Fault {
    Small(usize),
    Large { by: i32 },
    Nothing,
}

#[differentiable]
fn product(x: &[f64]) -> std::result::Result<f64, Fault> {
    if x.is_empty() {
        return Err(Fault::Nothing);
    }
    for (i, v) in x.iter().enumerate() {
        if *v < -10.0 {
            return Err(Fault::Small(i));
        }
        if *v > 10.0 {
            return Err(Fault::Large { by: 3 });
        }
    }
    Ok(x[0] * x[1])
}

#[differentiable]
fn by_fault(x: &[f64]) -> f64 {
    match product(x) {
        Ok(v) => v * v,
        Err(Fault::Small(_)) => x[1] * 2.0,
        Err(Fault::Large { .. }) => x[0] * x[0] * 3.0,
        Err(_) => 0.0,
    }
}

#[differentiable]
fn declared_together(x: f64, y: f64) -> f64 {
    let (a, b);
    if x > 0.0 {
        (a, b) = (x, y * 2.0);
    } else {
        a = y;
        b = x;
    }
    a * a * b
}

#[differentiable]
fn table_of_options(x: &[f64]) -> f64 {
    let n = 3;
    let mut memo = vec![None; n * n];
    for i in 0..n {
        for j in 0..n {
            let v = x[(i + j) % x.len()];
            let best = if i == 0 && j == 0 {
                v
            } else {
                let up = if i > 0 { memo[(i - 1) * n + j] } else { None };
                let left = if j > 0 { memo[i * n + j - 1] } else { None };
                match (up, left) {
                    (Some(a), Some(b)) => v + a * 0.4 + b * 0.6,
                    (Some(a), None) => v + a,
                    (None, Some(b)) => v * b,
                    _ => unreachable!(),
                }
            };
            memo[i * n + j] = Some(best);
        }
    }
    memo[n * n - 1].unwrap()
}

#[differentiable]
fn first_seen_in_slots(x: &[f64]) -> f64 {
    let mut seen: [Option<f64>; 3] = [None; 3];
    for (k, v) in x.iter().enumerate() {
        let slot = &mut seen[k % 3];
        match slot {
            Some(old) => *old *= v,
            None => *slot = Some(v.sin()),
        }
    }
    seen.iter().flatten().sum::<f64>() + seen[1].map_or(0.5, |v| v * v)
}

#[differentiable]
fn one_before_of_its_kind(x: &[f64]) -> f64 {
    let mut last: Vec<Option<f64>> = vec![None; 2];
    let mut s = 0.0;
    for (k, v) in x.iter().enumerate() {
        if let Some(before) = last[k % 2] {
            s += (v - before).powi(2);
        }
        last[k % 2] = Some(*v);
    }
    if last[0].is_some() {
        s += last[0].unwrap()
    }
    s
}

/// What is looked up in data may be a reference, which only rustc knows.
#[differentiable(constant(data))]
fn looked_up(x: f64, data: &[(f64, Option<f64>)]) -> f64 {
    let by_closure = data.first().map(|(y, _)| x / y).unwrap_or(0.0);
    let weighted: f64 = data.iter().map(|(y, w)| w.map_or(x, |w| x * w) + w.as_ref().map_or(*y, |w| x / w)).sum();
    let scales = BTreeMap::from([(0, 1.5), (2, 0.5)]);
    let found = scales.get(&data.len()).map(|s| (x / s).powi(2)).unwrap_or_default();
    by_closure + weighted * found + scales.get(&0).unwrap().powf(x) * x / scales.get(&0).unwrap()
}

#[derive(Clone)]
struct Reading {
    at: f64,
    values: Vec<f64>,
    weight: Option<f64>,
}

struct Mark(f64, f64);

struct Log {
    readings: Vec<Reading>,
    marks: BTreeMap<u32, Mark>,
}

#[differentiable(constant(log))]
fn taken_apart(x: f64, log: &Log) -> f64 {
    let mut sum = 0.0;
    for reading in &log.readings {
        let Reading { at, values, weight } = reading;
        sum += at * values.iter().map(|v| v * x).sum::<f64>().sin() * weight.unwrap_or(x);
    }
    for Reading { at, values: v, .. } in log.readings.iter().rev() {
        sum *= (*at * x).cos() + v.len() as f64;
    }
    log.readings.iter().for_each(|Reading { at, weight, .. }| {
        if let Some(weight) = weight {
            sum += at * weight * x * x;
        }
    });
    for (k, Mark(at, by)) in &log.marks {
        if *at > 0.0 {
            sum += (x / at).powi(2) * *by + by * x * *k as f64;
        }
    }
    sum
}

#[differentiable]
fn in_a_log(x: f64, y: f64) -> f64 {
    let log = Log {
        readings: vec![
            Reading { at: 0.5, values: vec![1.0, 2.0], weight: None },
            Reading { at: 1.5, values: vec![], weight: Some(0.5) },
            Reading { at: 0.25, values: vec![0.3], weight: Some(2.0) },
        ],
        marks: BTreeMap::from([(2, Mark(0.5, 2.0)), (3, Mark(-1.0, 3.0))]),
    };
    taken_apart(x, &log) * y
}

#[differentiable]
fn named(x: f64, what: &'static str) -> std::result::Result<f64, &'static str> {
    if x < 0.0 { Err(what) } else { Ok(x.sqrt() * what.len() as f64) }
}

#[differentiable]
fn by_a_name(x: f64, y: f64) -> f64 {
    named(x * y, "product").unwrap_or(y) * named(y, "second").map_or(0.5, |root| root * x)
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number scaled(by x: f64, by k: Option<f64>): [0.5, Some(2.0)] [0.5, None];
        number asked_often(at x: Vec<f64>, by k: Option<f64>): [vec![0.3, 0.7], Some(0.4)] [vec![0.3, 0.7], None];
        number handed_on(by x: f64, by k: Option<f64>): [0.5, Some(2.0)] [0.5, None];
        number of_a_list(by x: f64, at list: Option<Vec<f64>>): [0.5, Some(vec![1.0, 2.0])] [0.5, None];
        number of_a_pair(by x: f64, by pair: Option<(f64, f64)>): [0.5, Some((1.0, 0.3))] [0.5, None];
        number made_for_calls(at x: Vec<f64>): [vec![0.3, 0.7]] [vec![-0.3, 0.7]];
        number by_fault(at x: Vec<f64>): [vec![0.3, 0.7]] [vec![0.3, -17.0]] [vec![0.3, 17.0]] [vec![]];
        number table_of_options(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number first_seen_in_slots(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number one_before_of_its_kind(at x: Vec<f64>): [vec![0.1, 0.7, 0.3, 0.8]];
        number looked_up(by x: f64, fixed_at data: Vec<(f64, Option<f64>)>): [0.7, vec![(0.5, None), (2.0, Some(1.5))]];
        number in_a_log(by x: f64, by y: f64): [0.7, 1.2];
        number by_a_name(by x: f64, by y: f64): [0.7, 1.2] [-0.7, 1.2];
        number declared_together(by x: f64, by y: f64): [0.3, 0.7] [-0.3, 0.7];
    }
}
