//! Closures bound to a name, and what they capture.

use diffi::prelude::*;

#[differentiable]
fn two_closures(x: &[f64]) -> f64 {
    let f = |a: f64, b: f64| {
        let t = a * b;
        t + t.sin()
    };
    let g = |a: f64| f(a, 2.0) * x[0];
    g(x[0]) + f(x[1], x[2]) * g(x[1])
}

#[differentiable]
fn accumulating(x: &[f64]) -> f64 {
    let mut total = 1.0;
    let mut add = |v: f64| total += v * v * total;
    for v in x {
        add(*v);
    }
    add(2.0);
    total
}

#[differentiable]
fn returning_what_it_changed(x: f64) -> f64 {
    let mut s = x;
    let mut f = |v: f64| {
        s = s * v + 1.0;
        s
    };
    let a = f(2.0);
    let b = f(a);
    a * b + s
}

#[differentiable]
fn counting(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut next = || {
        i += 1;
        x[i - 1]
    };
    let a = next();
    let b = next();
    a * b * next()
}

#[differentiable]
fn of_slices(x: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>();
    let n = dot(x, x);
    if n == 0.0 { 0.0 } else { n.sqrt() * dot(&x[1..], x) }
}

#[differentiable]
fn of_an_index(x: &[f64]) -> f64 {
    let at = |i: usize| if i == 0 { x[0] } else { x[i] * x[i - 1] };
    (0..x.len()).map(at).sum::<f64>() * at(1)
}

#[differentiable]
fn capturing_before_a_change(x: f64) -> f64 {
    let mut a = x * 2.0;
    let b = a;
    let f = move |v: f64| v * b;
    let first = f(x);
    a = 3.0 * first;
    f(a) + a
}

#[differentiable]
fn copied_by_move(x: f64) -> f64 {
    let mut a = x;
    let f = move |v: f64| v * a;
    a = a * a + 1.0;
    f(x) * a
}

#[differentiable]
fn counter_of_its_own(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut last = x[0];
    let mut next = move || {
        i += 1;
        last *= x[i];
        last
    };
    let a = next();
    let b = next();
    i += 2;
    last += 1.0;
    a * b * x[i] * last
}

#[differentiable]
fn copied_array(x: f64) -> f64 {
    let mut a = [x, x * x];
    let pair = (x, 2.0 * x);
    let f = move |i: usize| a[i] * pair.1;
    a[0] = 5.0 * x;
    let lazy = (0..2).map(move |k| a[k]);
    a[1] = x.sin();
    f(0) * f(1) + a[0] * a[1] + lazy.sum::<f64>()
}

#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let outer = |a: f64| {
        let inner = |b: f64| a * b + y;
        inner(a) * inner(x)
    };
    outer(y) + outer(2.0)
}

#[differentiable]
fn shadowing_parameters(x: f64, y: f64) -> f64 {
    let f = |x: f64| x * y;
    let y = f(x) + 1.0;
    let x = f(y);
    f(x * y)
}

#[differentiable]
fn of_tuples(x: f64, y: f64) -> f64 {
    let rotate = |(a, b): (f64, f64)| (a + b, a * b);
    let (p, q) = rotate((x, y));
    let r = rotate((q, p));
    r.0 * r.1
}

#[differentiable]
fn branching_inside(x: f64) -> f64 {
    let f = |v: f64| -> f64 { if v < 0.0 { -v } else { v * v } };
    f(x) * f(-x) + f(x - 1.0)
}

#[differentiable]
fn called_in_a_loop(x: &[f64], k: f64) -> f64 {
    let activation = |v: f64| 1.0 / (1.0 + (-k * v).exp());
    let mut s = 0.2;
    for v in x {
        s = activation(s + v);
    }
    s
}

#[differentiable]
fn filling(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    let mut set = |i: usize, v: f64| y[i] += v;
    for i in 0..x.len() {
        set(i, x[i] * x[i]);
        set(0, x[i]);
    }
    y
}

/// The closure alone tells the type of `t`.
#[differentiable]
fn typed_by_the_closure(y: f64, k: f64) -> f64 {
    let slope = |t: f64, y: f64| t.cos() - k * y;
    let (mut t, mut y) = (0.0, y);
    for _ in 0..3 {
        y += 0.1 * slope(t + 0.05, y + 0.05 * slope(t, y));
        t += 0.1;
    }
    y
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number two_closures(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number accumulating(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
        number returning_what_it_changed(by x: f64): [0.6];
        number counting(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number of_slices(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![0.3]];
        number of_an_index(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number capturing_before_a_change(by x: f64): [0.6];
        number copied_by_move(by x: f64): [0.6];
        number counter_of_its_own(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number copied_array(by x: f64): [0.6];
        number nested(by x: f64, by y: f64): [0.6, 0.3];
        number shadowing_parameters(by x: f64, by y: f64): [0.6, 0.3];
        number of_tuples(by x: f64, by y: f64): [0.6, 0.3];
        number branching_inside(by x: f64): [0.6] [-0.4];
        number called_in_a_loop(at x: Vec<f64>, by k: f64): [vec![0.3, 1.2, -0.4], 1.1] [vec![], 1.1];
        number typed_by_the_closure(by y: f64, by k: f64): [0.6, 1.3];
        list filling(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![]];
    }
}
