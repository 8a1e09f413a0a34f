//! Closures that return early.

use diffi::prelude::*;

#[differentiable]
fn clipped(x: &[f64], limit: f64) -> f64 {
    let clip = |v: f64| {
        if v > limit {
            return limit;
        }
        if v < -limit {
            return -limit * 0.5;
        }
        v * v
    };
    x.iter().map(|&v| clip(v)).sum::<f64>() + clip(x[0])
}

#[differentiable]
fn from_a_loop(x: &[f64]) -> f64 {
    let first_over = |limit: f64| {
        for (i, v) in x.iter().enumerate() {
            if *v > limit {
                return v * i as f64;
            }
        }
        limit
    };
    let mut s = first_over(0.5) * x[0];
    for k in 0..3 {
        s += first_over(s * 0.1 + k as f64);
        if s > 10.0 {
            break;
        }
    }
    s
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let ordered = |a: f64, b: f64| {
        if a > b {
            return (b, a, 1);
        }
        (a, b * a, 0)
    };
    let mut s = 0.0;
    for w in x.windows(2) {
        let (lo, hi, swapped) = ordered(w[0], w[1]);
        s += lo * hi * hi + swapped as f64 * lo;
    }
    s
}

#[differentiable]
fn indices(x: &[f64], t: f64) -> f64 {
    let find = |limit: f64| {
        for (i, v) in x.iter().enumerate() {
            if *v >= limit {
                return i;
            }
        }
        x.len() - 1
    };
    x[find(t)] * t + x[find(t + 0.5)]
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let root = |v: f64| {
        if v < 0.0 {
            return None;
        }
        Some(v.sqrt())
    };
    let mut s = 0.0;
    for v in x {
        if let Some(r) = root(*v) {
            s += r * r * r;
        }
    }
    s + x.iter().filter_map(|v| root(*v)).sum::<f64>()
        + x.iter()
            .filter_map(|v| {
                if *v > 0.5 {
                    return None;
                }
                Some(v * v)
            })
            .sum::<f64>()
}

#[differentiable]
fn changing(x: &[f64]) -> f64 {
    let mut total = 1.0;
    let mut add = |v: f64| {
        if v < 0.0 {
            return;
        }
        total += v * total;
    };
    for v in x {
        add(*v);
    }
    total
}

#[differentiable]
fn nested(x: f64) -> f64 {
    let outer = |a: f64| {
        let inner = |b: f64| {
            if b > 1.0 {
                return b.ln();
            }
            b * b
        };
        if inner(a) > 0.5 {
            return inner(a * 2.0) + 1.0;
        }
        inner(a)
    };
    if x < 0.0 {
        return outer(-x);
    }
    outer(x) * outer(3.0 * x)
}

#[differentiable]
fn arrays(x: &[f64; 2], n: usize) -> [f64; 2] {
    let turn = |v: [f64; 2]| {
        if v[0] > 1.0 {
            return [v[1], v[0] * 0.5];
        }
        [v[0] + v[1] * v[1], -v[1]]
    };
    let mut v = *x;
    for _ in 0..n {
        v = turn(v);
    }
    v
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by(|a, b| {
        if a.abs() < 0.1 {
            return std::cmp::Ordering::Less;
        }
        b.total_cmp(a)
    });
    let best = x.iter().copied().fold(f64::MIN, |m, v| {
        if v > m {
            return v;
        }
        m
    });
    v[0] * v[1] + best * best
}

/// Variants behind the names of their types.
#[differentiable]
fn of_their_types(x: &[f64]) -> Result<f64, String> {
    if x.is_empty() {
        return Result::<f64, String>::Err("nothing".into());
    }
    let mut best = Option::None;
    for v in x {
        best = match best {
            Option::None => Option::Some(*v),
            Option::Some(known) => std::option::Option::Some(known * v),
        };
    }
    let all: Vec<f64> = x.iter().map(|v| Result::<f64, String>::Ok(v * v).unwrap()).collect();
    let of_option = Option::<f64>::Some(all[0]).unwrap_or_default();
    match Result::<f64, String>::Ok(of_option * all[all.len() - 1]) {
        Result::Ok(v) => Result::Ok(v * best.unwrap()),
        Result::Err(e) => std::result::Result::Err(e),
    }
}

#[differentiable]
fn behind_types(x: &[f64]) -> f64 {
    if let Result::Ok(y) = of_their_types(x) { y * x[0] } else { 0.0 }
}

/// The text of an error, beside active values, in a loop.
#[differentiable]
fn logarithm(v: f64) -> Option<f64> {
    if v > 0.3 { Some(v.ln()) } else { None }
}

#[differentiable]
fn up_to(x: &[f64], stop: usize) -> Result<f64, String> {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        if i == stop {
            return Ok(s * 2.0);
        }
        s += logarithm(*v).ok_or_else(|| format!("{i} is small"))? * (i + 1) as f64;
        if s < -3.0 {
            return Err("low".to_string());
        }
    }
    Ok(s)
}

#[differentiable]
fn failing(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for stop in 1..4 {
        sum += match up_to(x, stop) {
            Ok(v) => v * v,
            Err(text) => x[0] * text.len() as f64,
        };
    }
    sum
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number clipped(at x: Vec<f64>, by limit: f64): [vec![0.3, 0.9, -0.4, -0.8], 0.6];
        number from_a_loop(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.1, 0.2]];
        number pairs(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]] [vec![0.5]];
        number indices(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9, 1.4], 0.5];
        number options(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number changing(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number nested(by x: f64): [0.3] [0.8] [1.2] [-0.4];
        list arrays(at x: [f64; 2], fixed n: usize): [[0.7, 0.8], 4] [[0.7, 0.8], 0];
        number behind_types(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number failing(at x: Vec<f64>): [vec![0.5, 0.9, 0.4]] [vec![0.5, 0.1, 0.7]] [vec![0.31, 0.31, 0.31]];
        number compared(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
    }
}
