//! Values that a function's result has several times, as copies; and structs with enums of names, made of others.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, Differentiable)]
struct P {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Rise,
    Fall,
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Pulse {
    level: f64,
    phase: Phase,
}

/// It is called: the loop makes it too large to be inlined.
#[differentiable]
fn made(a: f64, b: f64) -> P {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += a.sin() * b * i as f64;
    }
    P { x: sum, y: b }
}

#[differentiable]
fn pair(a: f64, b: f64) -> (P, P) {
    let p = made(a, b);
    (p, p)
}

#[differentiable]
fn with_a_part(a: f64, b: f64) -> (P, f64) {
    let p = made(a, b);
    (p, p.x)
}

#[differentiable]
fn nested(a: f64, b: f64) -> (P, [P; 2]) {
    let p = made(a, b);
    let q = P { x: p.y, y: p.x };
    (p, [q, p])
}

#[differentiable]
fn given_in_pairs(x: &[f64]) -> f64 {
    let (p, q) = pair(x[0], x[1]);
    p.x * q.y * x[2]
}

#[differentiable]
fn given_with_a_part(x: &[f64]) -> f64 {
    let (p, a) = with_a_part(x[0], x[1]);
    p.x * a * x[2] * p.y
}

#[differentiable]
fn given_in_nested_values(x: &[f64]) -> f64 {
    let (p, [q, r]) = nested(x[0], x[1]);
    p.x * q.x + r.y * q.y * x[2]
}

#[differentiable]
fn updated_names(x: &[f64]) -> f64 {
    let mut p = Pulse { level: x[0], phase: Phase::Rise };
    for k in 0..4 {
        p = match p.phase {
            Phase::Rise => Pulse { phase: Phase::Fall, level: p.level * x[1] },
            Phase::Fall => Pulse { phase: Phase::Rise, ..p },
        };
        p.level += x[2] * k as f64;
    }
    let q = Pulse { phase: Phase::Fall, ..p };
    if q.phase == Phase::Fall { q.level * p.level } else { 0.0 }
}

mod check {
    use crate::check::close;
    use diffi::prelude::*;

    #[test]
    fn right_in_every_mode() {
        let x = [0.7, 1.3, 0.4];
        macro_rules! rows {
            ($($f:ident)*) => { $({
                use super::$f;
                let plain = |k: usize, h: f64| { let mut x = x; x[k] += h; $f(&x) };
                let expected: Vec<f64> = (0..3).map(|k| (plain(k, 1e-5) - plain(k, -1e-5)) / 2e-5).collect();
                let (y, g) = value_and_gradient($f::D, AutoReverse, &x[..]).unwrap();
                close("value", &[y], &[$f(&x)], 1e-14);
                close("reverse", &g, &expected, 1e-7);
                close("forward", &gradient($f::D, AutoForward, &x[..]).unwrap(), &g, 1e-12);
                let h = hvp($f::D, AutoReverse, &x[..], &[1.0, -0.5, 2.0][..]).unwrap();
                let at = |s: f64| gradient($f::D, AutoReverse, &[x[0] + s, x[1] - 0.5 * s, x[2] + 2.0 * s][..]).unwrap();
                let second: Vec<f64> = at(1e-5).iter().zip(&at(-1e-5)).map(|(a, b)| (a - b) / 2e-5).collect();
                close("hvp", &h, &second, 1e-6);
            })* };
        }
        rows!(given_in_pairs given_with_a_part given_in_nested_values updated_names);
    }
}
