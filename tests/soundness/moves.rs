//! `move` closures have copies of what they capture: what they change stays theirs, from call to call, and what is changed later is not seen.

use crate::check::check;
use diffi::prelude::*;

#[derive(Clone, Copy, Differentiable)]
struct Pair {
    a: f64,
    b: f64,
}

/// The closure is copied with what it holds by then.
#[differentiable]
fn handed_on_twice(x: &[f64]) -> f64 {
    let mut k = 0.5;
    let f = move |v: &f64| {
        k += 1.0;
        v * k
    };
    let a: f64 = x.iter().map(f).sum();
    let b: f64 = x.iter().rev().map(f).sum();
    a * b + k * x[0]
}

#[differentiable]
fn filled(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut v = vec![0.0; 3];
    v.fill_with(move || {
        k += 1;
        x[0] * k as f64
    });
    v[0] * v[1] + v[2] + k as f64 * x[1]
}

#[differentiable]
fn called_at_once(x: &[f64]) -> f64 {
    let mut s = x[0];
    let y = (move || {
        s *= 2.0;
        s
    })();
    y * x[1] + s
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let mut k = 0;
    let t: f64 = x
        .iter()
        .map(move |v| {
            k += 1;
            v * k as f64
        })
        .sum();
    t + k as f64 * x[0]
}

#[differentiable]
fn option_that_changes_later(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let f = move || o.unwrap_or(1.0) * x[1];
    o = Some(x[2]);
    f() + o.unwrap()
}

#[differentiable]
fn option_that_the_closure_changes(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let mut f = move || {
        o = o.map(|v| v * x[1]);
        o.unwrap()
    };
    let y = f() + f();
    y + o.unwrap()
}

#[differentiable]
fn resized(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut v = vec![x[1]];
    v.resize_with(3, move || {
        k += 1;
        x[0] * k as f64
    });
    v[0] * v[1] + v[2] + k as f64 * x[1]
}

#[differentiable]
fn named(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut f = move |a: f64| {
        s += a;
        s
    };
    let y = f(x[1]) * f(x[2]);
    y + s
}

#[differentiable]
fn tuple(x: &[f64]) -> f64 {
    let mut t = (x[0], x[1]);
    let f = move || t.0 * t.1;
    t.0 = x[2];
    f() + t.0
}

#[differentiable]
fn array(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut f = move || {
        a[0] *= 2.0;
        a[0]
    };
    let y = f() * f();
    y + a[0]
}

#[differentiable]
fn of_a_type(x: &[f64]) -> f64 {
    let mut p = Pair { a: x[0], b: x[1] };
    let mut f = move || {
        p.a *= p.b;
        p.a
    };
    let y = f() + f();
    y + p.a
}

#[differentiable]
fn retained(x: &[f64]) -> f64 {
    let mut k = 0;
    let mut v = x.to_vec();
    v.retain_mut(move |v| {
        k += 1;
        *v *= 2.0;
        k % 2 == 0
    });
    v[0] * v[1] + k as f64 * x[0]
}

#[differentiable]
fn from_a_function(x: &[f64]) -> f64 {
    let mut k = 0;
    let t = std::iter::from_fn(move || {
        k += 1;
        if k < 4 { Some(x[0] * k as f64) } else { None }
    })
    .sum::<f64>();
    t + k as f64 * x[1]
}

#[differentiable]
fn of_a_range(x: &[f64]) -> f64 {
    let mut s = x[0];
    let t = (0..3)
        .map(move |i| {
            s += i as f64 * x[1];
            s
        })
        .sum::<f64>();
    t + s
}

#[differentiable]
fn out_of_a_block(x: &[f64]) -> f64 {
    let mut g = {
        let mut c = x[0];
        move || {
            c *= x[1];
            c
        }
    };
    g() + g()
}

#[differentiable]
fn copied(x: &[f64]) -> f64 {
    let mut c = x[0];
    let mut f = move || {
        c *= x[1];
        c
    };
    let mut g = f;
    let y = f() + f();
    y + g() + c
}

#[differentiable]
fn in_a_block(x: &[f64]) -> f64 {
    let mut c = x[0];
    let y = {
        let mut f = move |k: f64| {
            c *= k;
            c
        };
        f(x[1]) + f(x[2])
    };
    y * c
}

#[test]
fn sound() {
    check!(filled at [0.77, 1.14, 1.51, 1.88]);
    check!(called_at_once at [0.77, 1.14, 1.51, 1.88]);
    check!(mapped at [0.77, 1.14, 1.51, 1.88]);
    check!(option_that_changes_later at [0.77, 1.14, 1.51, 1.88]);
    check!(option_that_the_closure_changes at [0.77, 1.14, 1.51, 1.88]);
    check!(resized at [0.77, 1.14, 1.51, 1.88]);
    check!(named at [0.77, 1.14, 1.51, 1.88]);
    check!(tuple at [0.77, 1.14, 1.51, 1.88]);
    check!(array at [0.77, 1.14, 1.51, 1.88]);
    check!(of_a_type at [0.77, 1.14, 1.51, 1.88]);
    check!(retained at [0.77, 1.14, 1.51, 1.88]);
    check!(from_a_function at [0.77, 1.14, 1.51, 1.88]);
    check!(of_a_range at [0.77, 1.14, 1.51, 1.88]);
    check!(out_of_a_block at [0.77, 1.14, 1.51, 1.88]);
    check!(copied at [0.77, 1.14, 1.51, 1.88]);
    check!(in_a_block at [0.77, 1.14, 1.51, 1.88]);
    check!(handed_on_twice at [0.77, 1.14, 1.51, 1.88]);
}
