//! Calls without a derivative whose arguments change active values: the changes are made in their place, and are followed.

use diffi::prelude::*;

/// A constant that is pushed, after a change.
#[differentiable]
fn pushed_constants(x: &[f64]) -> f64 {
    let mut y = x[1];
    let mut g: Vec<f64> = Vec::new();
    for _ in 0..3 {
        g.push(
            ({
                y *= x[0];
                1.625
            }) - g.last().copied().unwrap_or(0.4),
        );
    }
    x[2] * y
}
/// Indices, of lists that change meanwhile.
#[differentiable]
fn pushed_indices(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut list: Vec<usize> = Vec::new();
    list.push({
        w.push(x[0] * x[1]);
        w.len() - 1
    });
    list.insert(0, {
        w[1] *= 3.0;
        1
    });
    list.extend({
        w[0] = 2.0 * x[1];
        [0, 2]
    });
    list.push({
        w.swap(0, 2);
        0
    });
    list.push({
        for v in w.iter_mut() {
            *v *= *v;
        }
        3
    });
    list.iter().map(|k| w[*k]).sum::<f64>()
}
/// Maps, options, text, numbers and functions.
#[differentiable]
fn other_receivers(x: &[f64]) -> f64 {
    let mut y = x[1];
    let mut m = std::collections::HashMap::new();
    m.insert(1usize, {
        y *= x[0];
        2usize
    });
    m.entry(3).or_insert({
        y *= x[0];
        1
    });
    let mut o: Option<usize> = None;
    o.get_or_insert({
        y *= x[0];
        2
    });
    let mut s = String::new();
    s.push_str({
        y *= x[2];
        "a"
    });
    let mut n = 5usize;
    n = n.saturating_sub({
        y *= x[0];
        3
    });
    drop({
        y *= x[0];
        2
    });
    let t = s.len();
    x[m[&1]] * y * x[o.unwrap()] * x[n] * x[t]
}
/// Members, operands and texts.
#[differentiable]
fn operands(x: &[f64]) -> f64 {
    let mut y = x[1];
    let p = (1, {
        y *= x[0];
        2
    });
    let n = x.len();
    let b = n < {
        y *= x[0];
        3
    };
    let c = true && {
        y *= x[0];
        true
    };
    let q = 1;
    let text = format!("{}", {
        y *= x[0];
        2
    });
    let k = -{
        y *= x[0];
        1i32
    };

    if b || !c { 0.0 } else { y * x[p.0] * p.1 as f64 * x[q] * x[text.len()] * f64::from(k) }
}
crate::check::sound! {
    pushed_constants pushed_indices other_receivers operands
}
