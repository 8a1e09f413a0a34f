//! Operands that change what others read: each is what it was when its turn came.

use diffi::prelude::*;
use ndarray::{Array1, s};

#[derive(Clone, Debug, Differentiable)]
struct State {
    a: f64,
    b: f64,
    v: Vec<f64>,
}

#[differentiable]
impl State {
    fn of(x: &[f64]) -> State {
        State { a: x[0], b: x[1], v: x.to_vec() }
    }

    fn next(&mut self) -> f64 {
        self.a = self.a * self.b + self.v[2];
        self.a
    }

    fn taken(&mut self) -> Vec<f64> {
        std::mem::take(&mut self.v)
    }
}

#[differentiable]
fn bent(a: f64, b: f64) -> f64 {
    a * a * b
}

#[differentiable]
fn bent_at(a: &f64, b: f64) -> f64 {
    a * a * b
}

#[differentiable]
fn weighted(a: f64, i: usize, b: f64, j: usize) -> f64 {
    a * i as f64 + b * b * j as f64
}

/// Elements whose index changes within the list.
#[differentiable]
fn elements(x: &[f64]) -> f64 {
    let mut i = 0;
    let all = [
        x[{
            i += 1;
            i
        }],
        x[i],
        x[{
            i += 1;
            i
        }],
        x[i - 2],
    ];
    let mut s = 0.0;
    for v in all {
        s = s * v + v;
    }
    s
}

/// A field beside a method that changes it: in arrays, in `vec!`, in structs and in calls.
#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut s = State::of(x);
    let r = [s.next(), s.a, s.next()];
    let t = State { b: s.a, a: s.next(), v: vec![s.a, s.next()] };
    r[0] * r[1] * r[2] + t.a * t.b * t.v[0] + t.v[1] + bent(s.a, s.next()) + bent(s.next(), s.a)
}

#[differentiable]
fn pair(x: &[f64]) -> (f64, f64) {
    let mut s = State::of(x);
    (s.a, s.next())
}

#[differentiable]
fn list(x: &[f64]) -> [f64; 3] {
    let mut a = x[0];
    [
        a,
        {
            a *= x[1];
            a
        },
        a * a,
    ]
}

/// Results, closures, and functions of the table.
#[differentiable]
fn results(x: &[f64]) -> f64 {
    let (p, q) = pair(x);
    let all = list(x);
    let mut a = x[0];
    let f = |p: f64, q: f64| p * p * q;
    let by_closure = f(a, {
        a *= x[1];
        a
    });
    let larger = f64::max(a, {
        a -= 1.0;
        a * x[2]
    });
    let b = x[1].mul_add(a, {
        a += 1.0;
        a * x[2]
    });
    p * q + all[0] * all[1] + all[2] + by_closure * larger + b * a
}

/// References to elements whose index changes, and integers beside them.
#[differentiable]
fn indices(x: &[f64]) -> f64 {
    let mut i = 0;
    let s = bent_at(&x[i], {
        i += 1;
        x[i]
    });
    s + weighted(
        x[i],
        i,
        {
            i += 1;
            x[i]
        },
        i,
    )
}

/// An element that is set while its index changes.
#[differentiable]
fn set_elements(x: &[f64]) -> f64 {
    let mut i = 0;
    let mut v = x.to_vec();
    v[i] = v[i] * {
        i += 1;
        v[i]
    };
    v[i] = 2.0 * x[0] * v[0];
    i += 2;
    i -= 1;
    v[i] * v[1]
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Point {
    fn scaled(self, k: f64) -> Point {
        Point { x: self.x * k, y: self.y }
    }
}

/// A receiver is copied before the argument changes it; a list is taken out of a field.
#[differentiable]
fn receivers(x: &[f64]) -> f64 {
    let mut p = Point { x: x[0], y: x[1] };
    let q = p.scaled({
        p.x = x[2];
        3.0
    });
    let mut s = State::of(x);
    let v = State::taken(&mut s);
    s.v = vec![v[1], v[0], v[2]];
    q.x * q.y + p.x * v[0] * State::next(&mut s)
}

/// A part of an array is filled, unless the value is not found.
#[differentiable]
fn filled(x: &[f64], c: f64) -> f64 {
    let mut a = Array1::from_vec(x.to_vec());
    a.slice_mut(s![1..3]).fill({
        if x[0] > c {
            return x[0] * x[1];
        }
        x[2] * x[2]
    });
    let mut sum = c;
    for i in 0..2 {
        a.slice_mut(s![i..i + 1]).fill({
            if x[i] > 0.8 {
                break;
            }
            x[2] * sum
        });
        sum += a[i] * a[i] + x[1];
    }
    sum + a.sum() * a[1]
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number filled(at x: Vec<f64>, by c: f64): [vec![0.3, 0.9, 0.4], 0.5] [vec![0.6, 0.9, 0.4], 0.5] [vec![0.3, 0.7, 0.4], 0.5];
        number elements(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number fields(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        list pair(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        list list(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number results(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]] [vec![1.1, 0.7, 1.2]];
        number indices(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number set_elements(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
        number receivers(at x: Vec<f64>): [vec![0.3, 0.7, 1.2]];
    }
}
