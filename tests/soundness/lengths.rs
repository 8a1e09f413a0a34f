//! Lengths beside what changes them: each is the one at its place in the order of evaluation.

use diffi::prelude::*;

#[differentiable]
fn of_a_closure(x: &[f64]) -> f64 {
    let mut list = Vec::new();
    let mut push = |v: f64| {
        list.push(v);
        list.len()
    };
    let n = push(x[0]) + push(x[1]) * push(x[2]);
    list[0] * n as f64 + x[1] * x[2]
}

#[differentiable]
fn of_blocks(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len() + {
        v.push(x[0]);
        v.len()
    } * 10;
    let t = (v.len(), v.pop().unwrap(), v.len());
    n as f64 * t.1 * x[2] + (t.0 * 10 + t.2) as f64 * x[1]
}

#[differentiable]
fn weighted(a: usize, b: f64, c: usize) -> f64 {
    a as f64 * b + (c * c) as f64 * b * b
}

#[differentiable]
fn of_arguments(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let first = weighted(v.len(), v.remove(0), v.len());
    let second = {
        let last = weighted(
            v.len(),
            {
                v.clear();
                x[2]
            },
            v.len(),
        );
        last * x[1]
    };
    first + second
}

#[differentiable]
fn of_elements(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = [v.len() as f64 * x[0], v.pop().unwrap_or(0.0), v.len() as f64 * x[1]];
    let s = v.len() as f64 * {
        v.truncate(1);
        v[0]
    };
    let e = v.is_empty() as i32 as f64 * 2.0 + {
        v.clear();
        v.is_empty() as i32 as f64
    };
    a[0] * a[1] + a[2] * s + e
}

#[differentiable]
fn of_assignments(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut w = vec![0.0; 8];
    w[v.len()] = {
        v.push(x[1]);
        v[1] * 2.0
    };
    w[{
        v.push(x[2]);
        v.len()
    }] += v.len() as f64 * x[2];
    let longer = v.len() > {
        v.push(1.0);
        v.push(1.0);
        3
    };
    w.iter().sum::<f64>() * if longer { 2.0 } else { x[0] }
}

#[differentiable]
fn of_a_match(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    let pair = (v.len(), {
        v.extend_from_slice(x);
        v.len()
    });
    let first = v.len();
    v.push(x[2]);
    let n = match v.len() {
        6 => {
            v.clear();
            first
        }
        n => n,
    };
    (pair.0 + 10 * pair.1 + 100 * n) as f64 * x[1] * x[2] + x[0]
}

crate::check::sound! { of_a_closure of_blocks of_arguments of_elements of_assignments of_a_match }
