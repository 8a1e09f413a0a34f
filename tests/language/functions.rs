//! Functions as values: named, chosen by a branch, kept in tables, and handed on.

use diffi::prelude::*;

#[differentiable]
fn square(t: f64) -> f64 {
    t * t
}

#[differentiable]
fn product(a: f64, b: f64) -> f64 {
    a * b * b
}

#[differentiable]
fn grow(v: &mut [f64], k: f64) {
    for t in v.iter_mut() {
        *t *= k;
    }
}

#[differentiable]
fn shift(v: &mut [f64], k: f64) {
    for t in v.iter_mut() {
        *t += k * k;
    }
}

#[differentiable]
fn twice<F: Fn(f64) -> f64>(g: F, t: f64) -> f64 {
    g(g(t))
}

#[differentiable]
fn by_pointer(g: fn(f64) -> f64, t: f64) -> f64 {
    g(t) * t
}

#[differentiable]
fn by_object(g: &dyn Fn(f64) -> f64, n: usize, t: f64) -> f64 {
    if n == 0 { t } else { g(by_object(g, n - 1, t)) }
}

#[differentiable]
fn by_box(g: Box<dyn Fn(f64) -> f64>, t: f64) -> f64 {
    g(t) * t
}

#[differentiable]
fn inner(g: &impl Fn(f64) -> f64, t: f64) -> f64 {
    g(t) * t
}

#[differentiable]
fn outer(g: impl Fn(f64) -> f64, t: f64) -> f64 {
    inner(&g, t) + inner(&|u| g(u) * u, 2.0 * t)
}

#[differentiable]
fn each(n: usize, g: &mut impl FnMut(usize) -> f64) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        s += g(i) * s;
    }
    s
}

/// The local hides the item whose name it has.
#[differentiable]
fn bound(x: &[f64]) -> f64 {
    let square = square;
    let sine: fn(f64) -> f64 = f64::sin;
    let power = f64::powi;
    let pair = (square, f64::exp);
    let aliased = &sine;
    let kept = x.iter().copied().map(square).sum::<f64>() + [x[0], x[1]].map(aliased)[1];
    square(x[0]) * (*aliased)(x[1]) + power(x[2], 3) * (pair.1)((pair.0)(x[0])) + kept
}

#[differentiable]
fn chosen(x: &[f64], k: usize) -> f64 {
    let g = if x[0] > 0.0 { square } else { f64::exp };
    let mut s = (if k > 2 { f64::cos } else { square })(x[1]);
    for (i, v) in x.iter().enumerate() {
        let activation: fn(f64) -> f64 = match (i + k) % 3 {
            0 => f64::tanh,
            1 => f64::sin,
            _ => square,
        };
        s = activation(s * v);
    }
    let maybe: Option<fn(f64) -> f64> = if k > 1 { Some(square) } else { None };
    let last = match maybe {
        Some(f) => f(x[2]),
        None => x[2],
    };
    g(s) + twice(g, x[1]) + last
}

/// Closures leave their branches with what they capture there.
#[differentiable]
fn made_in_branches(x: &[f64]) -> f64 {
    let a = x[1];
    let g: Box<dyn Fn(f64) -> f64> = if x[0] > 0.0 {
        let k = a * a;
        let h = move |t: f64| k * t;
        Box::new(move |t| h(t) * t)
    } else {
        Box::new(|t: f64| t.cos())
    };
    let adder = |a: f64| move |b: f64| a * b + a;
    g(x[0]) * g(x[2]) + adder(x[0])(x[2])
}

#[differentiable]
fn tables(x: &[f64], k: usize) -> f64 {
    const UNITS: [fn(f64) -> f64; 2] = [square, f64::cos];
    let table = [square as fn(f64) -> f64, f64::sin, f64::exp];
    let operations: [(f64, fn(f64, f64) -> f64); 2] = [(2.0, product), (0.5, f64::hypot)];
    let mut s = table[(k + 1) % 3](x[0]) + (table[k])(0.3) * x[1];
    for (i, v) in x.iter().enumerate() {
        let (weight, operation) = operations[i % 2];
        s = weight * operation(s, UNITS[i % 2](*v));
    }
    for g in table {
        s += g(x[1]) * x[2];
    }
    s + table.iter().zip(x).map(|(g, v)| g(v * x[0])).product::<f64>() * table.len() as f64
}

#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let steps: [fn(&mut [f64], f64); 2] = [grow, shift];
    for step in steps {
        step(&mut v, x[0]);
    }
    v[0] * v[1]
}

#[differentiable]
fn handed(x: &[f64]) -> f64 {
    let a = x[2];
    let boxed: Vec<Box<dyn Fn(f64) -> f64 + '_>> = vec![Box::new(|t| a * t * t), Box::new(move |t| (a + t).sin())];
    let mut s = by_pointer(square, x[0]) + by_pointer(f64::sin, x[1]) + by_pointer(|t| t * 3.0, a);
    for g in boxed.iter() {
        s = g(s) + x[2];
    }
    s + by_object(&|t| a * t + t.sin(), 3, x[0]) + by_box(Box::new(move |t| a * t * t), x[1])
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    let mut g = |i: usize| x[i] * x[0];
    outer(|t| t * x[1], x[0]) * each(x.len(), &mut g) + each(2, &mut g)
}

/// Functions with the names of crates.
#[differentiable]
fn core(t: f64) -> f64 {
    t * t
}

#[differentiable]
fn named_like_a_crate(x: f64) -> f64 {
    core(x) * x
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number bound(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number chosen(at x: Vec<f64>, fixed k: usize): [vec![0.3, 1.2, -0.4], 1] [vec![-0.3, 1.2, 0.4], 3];
        number made_in_branches(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]] [vec![-0.3, 1.2, 0.4]];
        number tables(at x: Vec<f64>, fixed k: usize): [vec![0.3, 1.2, -0.4], 0] [vec![0.3, 1.2, -0.4], 2];
        number in_place(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number handed(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number handed_on(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number named_like_a_crate(by x: f64): [0.6];
    }
}
