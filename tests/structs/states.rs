//! Lists of structs, and what calls give, that become the state of the next step: they change places with the old ones.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct P {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Cell {
    level: f64,
    #[differentiable(constant)]
    id: usize,
    rates: Vec<f64>,
}

#[differentiable]
fn points(x: &[f64]) -> Vec<P> {
    x.windows(2).map(|w| P { x: w[0], y: w[0] * w[1] }).collect()
}

#[differentiable]
fn moved(p: &[P], h: f64) -> Vec<P> {
    (0..p.len()).map(|i| P { x: p[i].x + h * p[i].y, y: p[i].y - h * p[(i + 1) % p.len()].x }).collect()
}

/// What a call gives takes the place of the state, which is longer or shorter now and then.
#[differentiable]
fn called(x: &[f64]) -> f64 {
    let mut state = points(x);
    for k in 0..4 {
        state = moved(&state, 0.1 * (k as f64 + 1.0));
        if k == 1 {
            state = vec![state[0], P { x: state[0].y, y: x[0] }, state[1]];
        }
    }
    state.iter().map(|p| p.x * p.x + p.y).sum()
}

/// Two lists of the same call, one of which stays the old state.
#[differentiable]
fn two_states(x: &[f64]) -> f64 {
    let mut old = points(x);
    let mut now = moved(&old, 0.3);
    let mut sum = 0.0;
    for k in 0..5 {
        let mut new = moved(&now, 0.2);
        new[0].x += old[0].y * old[1].x;
        old = now;
        now = new;
        if k == 2 {
            continue;
        }
        if now[0].x > 40.0 {
            break;
        }
        old[1].y *= 0.5;
        sum += now[1].x * old[0].y;
    }
    sum + now[0].y
}

/// Lists that are shorter in every iteration.
#[differentiable]
fn shorter(x: &[f64]) -> f64 {
    let mut p = points(x);
    let t = x[0] * 0.5;
    while p.len() > 1 {
        p = p.windows(2).map(|w| P { x: w[0].x * (1.0 - t) + w[1].x * t, y: w[1].y * w[0].x }).collect();
    }
    p[0].x * p[0].y
}

/// The list that was assigned lives on, so it is a copy.
#[differentiable]
fn lives_on(x: &[f64]) -> f64 {
    let mut p = points(x);
    let mut last = points(x);
    for _ in 0..3 {
        let mut q = moved(&p, 0.2);
        p = q.clone();
        q[0].x *= 3.0;
        last[1].y += q[0].x * p[0].x;
        last = q;
    }
    p[0].x + last.iter().map(|e| e.x * e.y).sum::<f64>()
}

#[differentiable]
fn cells(x: &[f64]) -> Vec<Cell> {
    x.iter().enumerate().map(|(id, v)| Cell { level: *v, id, rates: vec![v * 0.5; id + 1] }).collect()
}

/// Elements that have lists, whose lengths differ, and integers, which are read later.
#[differentiable]
fn lists_in_elements(x: &[f64]) -> f64 {
    let mut all = cells(x);
    for k in 0..3 {
        let next: Vec<Cell> = all
            .iter()
            .rev()
            .map(|c| Cell {
                level: c.level * c.rates[0] + c.id as f64,
                id: (c.id + k) % 3,
                rates: c.rates.iter().map(|r| r * c.level).chain(std::iter::once(c.level)).collect(),
            })
            .collect();
        all = next;
    }
    all.iter().map(|c| c.level * c.id as f64 + c.rates.iter().sum::<f64>()).sum()
}

#[differentiable]
fn step(c: &Cell, h: f64) -> Cell {
    Cell {
        level: c.level + h * c.rates[0],
        id: c.id + 1,
        rates: c.rates.iter().map(|r| r * (1.0 - h * c.level)).collect(),
    }
}

/// One struct with a list, which calls change.
#[differentiable]
fn one_struct(x: &[f64]) -> f64 {
    let mut c = Cell { level: x[0], id: 0, rates: x[1..].to_vec() };
    let mut before = step(&c, 0.1);
    for _ in 0..4 {
        let next = step(&c, 0.2);
        before = c;
        c = next;
        before.level += c.rates[1];
    }
    c.level * before.level + c.rates[1] * before.id as f64
}

/// Tuples and lists of tuples.
#[differentiable]
fn split(p: &[P], t: f64) -> (Vec<P>, f64) {
    (p.iter().map(|e| P { x: e.y * t, y: e.x }).collect(), p[0].x * t)
}

#[differentiable]
fn in_tuples(x: &[f64]) -> f64 {
    let mut p = points(x);
    let mut s = 0.0;
    let mut pairs: Vec<(f64, usize)> = x.iter().map(|v| (*v, 1)).collect();
    for k in 0..3 {
        let (next, part) = split(&p, 0.5 + 0.1 * k as f64);
        p = next;
        s += part * p[1].y;
        let changed: Vec<(f64, usize)> = pairs.iter().map(|(v, n)| (v * s, n + k)).collect();
        pairs = changed;
    }
    s + p[0].x + pairs.iter().map(|(v, n)| v * *n as f64).sum::<f64>()
}

/// A branch that leaves the state as it is, and one that returns.
#[differentiable]
fn in_branches(x: &[f64]) -> f64 {
    let mut p = points(x);
    for k in 0..6 {
        let q = moved(&p, 0.15);
        if q[0].x > p[0].x || k % 2 == 0 {
            p = q;
        }
        if p[1].y > 30.0 {
            return p[0].x;
        }
    }
    p[0].x * p[1].y
}

#[test]
fn agree_with_differences() {
    macro_rules! rows {
        ($($f:ident)+) => { $( for x in [[0.5, 0.3, 0.9], [1.2, -0.4, 0.7]] {
            /// Iterations whose sweeps lie apart.
            #[differentiable]
            fn apart(x: &[f64]) -> f64 {
                let mut sum = 0.0;
                for w in [1.0, -2.0, 0.5] {
                    let y = $f(x);
                    sum += w * y * y;
                }
                sum
            }
            let expected = gradient(|x: &[f64]| apart(x), AutoFiniteDifferences::default(), &x[..]).unwrap();
            crate::check::close(stringify!($f), &gradient(apart::D, AutoReverse, &x).unwrap(), &expected, 1e-7);
            let expected = gradient(|x: &[f64]| $f(x), AutoFiniteDifferences::default(), &x[..]).unwrap();
            let mut prepared = prepare_gradient($f::D, AutoReverse, &x).unwrap();
            for _ in 0..2 {
                let reverse = prepared.gradient(&x).unwrap();
                crate::check::close(stringify!($f), &reverse, &expected, 1e-8);
            }
            let (value, reverse) = value_and_gradient($f::D, AutoReverse, &x).unwrap();
            crate::check::close(stringify!($f), &[value], &[$f(&x)], 1e-15);
            crate::check::close(stringify!($f), &gradient($f::D, AutoForward, &x).unwrap(), &reverse, 1e-12);
            let curved = hvp($f::D, AutoReverse, &x, &[1.0, -1.0, 0.5]).unwrap();
            let differences = hvp($f::D, SecondOrder(AutoFiniteDiff, AutoReverse), &x, &[1.0, -1.0, 0.5]).unwrap();
            crate::check::close(stringify!($f), &curved, &differences, 1e-5);
        } )+ };
    }
    rows! { called two_states shorter lives_on lists_in_elements one_struct in_tuples in_branches }
}
