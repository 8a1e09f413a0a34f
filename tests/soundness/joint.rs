//! Statements that run forward and in reverse at once: what they add to a cotangent comes after what later statements take from it, or read
//! of it. A sum over an array, and a change of that array behind it, are such statements.

use crate::check::sound;
use diffi::prelude::*;

#[differentiable]
fn at_a_checkpoint(x: &[f64]) -> f64 {
    let mut u = vec![x[0]; 2];
    let mut w = x.to_vec();
    let mut k = 0;
    #[checkpoint(snapshots = 2)]
    while k < 1 {
        k += 1;
        if k == 1 {
            let mut j = 0;
            loop {
                j += 1;
                if j >= 4 {
                    break;
                }
                u[0] -= 0.2 * w[1];
            }
        }
        if k < 3 {
            w[k] = x[2] * w[1 - k];
        }
    }
    u[0] + u[1] * x[1]
}

#[differentiable]
fn at_checkpoints(x: &[f64]) -> f64 {
    let (mut s, mut w) = (0.0, x.to_vec());
    #[checkpoint]
    for k in 0..4 {
        if k < 3 {
            s += w[k] * w[(k + 1) % 3];
        }
        if k > 0 {
            w[k % 3] = 0.5 * w[(k + 2) % 3];
        }
    }
    s * x[1]
}

#[differentiable]
fn a_sum_and_a_choice(w: &mut [f64], s: &mut f64) {
    for v in w.iter() {
        *s += v * v;
    }
    if w[1] > -100.0 {
        w[0] = 3.0;
    }
}

#[differentiable]
fn a_sum_and_a_loop(w: &mut [f64], s: &mut f64) {
    for v in w.iter() {
        *s += v * v;
    }
    for v in w.iter_mut() {
        *v = 1.0;
    }
}

#[differentiable]
fn two_choices(w: &mut [f64], s: &mut f64) {
    if *s > 0.0 {
        *s += w[0] * w[1];
    }
    if w[1] > -100.0 {
        w[0] *= w[1];
    }
}

#[differentiable]
fn a_number(w: &mut [f64], s: &mut f64) {
    if w[1] > -8.0 {
        *s = w[0] * w[1];
    }
    if w[0] > -9.0 {
        w[1] = w[0] * w[0];
    }
}

#[derive(Clone, Differentiable)]
struct Particle {
    q: Vec<f64>,
    p: f64,
}

#[differentiable]
fn a_choice_before_a_sum(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = [x, x * y];
    let mut u = 0.0;
    if x > -90.0 {
        u += t[0] * t[0];
    }
    for i in 0..3 {
        t[0] += y * i as f64;
    }
    u + t[0]
}

#[differentiable]
fn a_sum_before_a_sum(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![x, x * y];
    let mut u = 0.0;
    for v in t.iter() {
        u += v * v;
    }
    for i in 0..3 {
        t[0] += y * i as f64;
    }
    u + t[0]
}

#[differentiable]
fn a_sum_before_all_are_shifted(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![x, x * y];
    let mut u = 0.0;
    for v in t.iter() {
        u += v * v;
    }
    for v in t.iter_mut() {
        *v += y;
    }
    u + t[0] * t[1]
}

#[differentiable]
fn a_sum_before_each_is_shifted(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![x, x * y];
    let mut u = 0.0;
    for v in t.iter() {
        u += v * v;
    }
    for i in 0..2 {
        t[i] -= y * y;
    }
    u + t[0] + t[1]
}

#[differentiable]
fn rows(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = [[x, y], [x * y, x]];
    let u: f64 = t.iter().flatten().map(|v| v * v).sum();
    for r in t.iter_mut() {
        r[0] += y;
    }
    let w: f64 = t.iter().map(|r| r[0] * r[1]).sum();
    for r in t.iter_mut() {
        r[1] -= u;
    }
    u * w + t[0][1]
}

#[differentiable]
fn fields(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut s = Particle { q: vec![x, y], p: x * y };
    let u: f64 = s.q.iter().map(|v| v * s.p).sum();
    for v in s.q.iter_mut() {
        *v += y;
    }
    s.p += x;
    let w: f64 = s.q.iter().map(|v| v * v * s.p).sum();
    s.q[1] -= w;
    u * w + s.q[0] * s.q[1]
}

#[differentiable]
fn leapfrog(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut q = vec![x, y];
    let mut p = vec![y, x * y];
    let mut e = 0.0;
    for _ in 0..3 {
        for i in 0..2 {
            e += 0.5 * p[i] * p[i];
        }
        for i in 0..2 {
            q[i] += 0.1 * p[i];
        }
        for i in 0..2 {
            p[i] -= 0.1 * q[i];
        }
    }
    e + q[0] * p[1]
}

#[differentiable]
fn sums_and_single_elements(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![x; 3];
    let a: f64 = t.iter().sum();
    t[1] += y;
    let b: f64 = t.iter().map(|v| v * v).sum();
    t[2] += a;
    let c = t.iter().fold(1.0, |p, v| p * v);
    t[0] -= b * c;
    a + b + c + t[0]
}

#[differentiable]
fn members(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = (x, [y, x]);
    let mut u = 0.0;
    for i in 0..2 {
        u += t.1[i] * t.0;
    }
    for i in 0..2 {
        t.1[i] += y * y;
    }
    t.0 += u;
    if u > -1e9 {
        u += t.1[0] * t.0;
    }
    for i in 0..2 {
        t.1[i] -= x;
    }
    u + t.1[0] * t.1[1] * t.0
}

#[differentiable]
fn halves(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![x, y, x * y];
    let (a, b) = t.split_at_mut(1);
    let mut u = 0.0;
    for v in b.iter() {
        u += v * a[0];
    }
    for v in b.iter_mut() {
        *v += 1.0 * y;
    }
    a[0] += u;
    u + t[0] * t[1] * t[2]
}

#[differentiable]
fn lists_of_lists(at: &[f64]) -> f64 {
    let (x, y) = (at[0], at[1] * at[2]);
    let mut t = vec![vec![x, y], vec![x * y]];
    let mut u = 0.0;
    for r in &t {
        for v in r {
            u += v * v;
        }
    }
    for r in t.iter_mut() {
        for v in r.iter_mut() {
            *v += y;
        }
    }
    t[1].push(u);
    for r in &t {
        u += r.iter().sum::<f64>();
    }
    u * t[1][1]
}

#[derive(Clone, Default, Differentiable)]
struct Memory {
    latest: Option<f64>,
    asked: usize,
}

/// The choice adds to a cotangent which another one replaces, as `None` has none.
#[differentiable]
fn a_choice_before_an_option_is_set(x: &[f64]) -> f64 {
    let mut memory = Memory { latest: Some(x[0] * x[1]), asked: 0 };
    let mut n = 0.0;
    if memory.latest.is_some() {
        n += memory.latest.unwrap();
        memory.asked += 1;
    }
    memory.latest = None;
    n * x[0] * memory.asked as f64 + memory.latest.unwrap_or(x[1])
}

/// `<y_bar, J x_dot> = <J' y_bar, x_dot>` for the outputs of all parameters at once.
macro_rules! transposed {
    ($($f:ident)*) => { $({
        let (w, s, wd, sd, wb, sb) = ([0.3, 0.7], 0.2, [0.9, -0.4], 0.6, [0.5, 1.1], -0.8);
        let (w_dot, s_dot) = pushforward($f::D, AutoForward, (&mut w.clone()[..], &mut s.clone()), (&wd[..], sd)).unwrap();
        let (w_bar, s_bar) = pullback($f::D, AutoReverse, (&mut w.clone()[..], &mut s.clone()), (&wb[..], sb)).unwrap();
        let along = wb[0] * w_dot[0] + wb[1] * w_dot[1] + sb * s_dot;
        let back = wd[0] * w_bar[0] + wd[1] * w_bar[1] + sd * s_bar;
        assert!((along - back).abs() < 1e-12, "{}: {along} and {back}", stringify!($f));
    })* };
}

#[test]
fn changed_parameters() {
    transposed!(a_sum_and_a_choice a_sum_and_a_loop two_choices a_number);
}

sound!(at_a_checkpoint at_checkpoints a_choice_before_a_sum a_sum_before_a_sum a_sum_before_all_are_shifted a_sum_before_each_is_shifted rows fields leapfrog sums_and_single_elements members halves lists_of_lists a_choice_before_an_option_is_set);
