//! Structs as locals and results: literals, assignments, loops.

use diffi::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
pub struct State {
    x: f64,
    v: f64,
    steps: usize,
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
pub struct Params {
    stiffness: f64,
    damping: f64,
    masses: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct V3(f64, f64, f64);

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Bodies {
    at: Vec<V3>,
    speed: Vec<V3>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair<T> {
    first: T,
    second: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Row<const N: usize> {
    all: [f64; N],
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Single {
    a: f32,
    b: f32,
}

fn params() -> Params {
    Params { stiffness: 1.3, damping: 0.2, masses: vec![1.0, 2.5] }
}

fn bodies() -> Bodies {
    Bodies { at: vec![V3(0.1, 0.2, 0.3), V3(1.1, -0.4, 0.6)], speed: vec![V3(0.5, 0.0, -0.1), V3(-0.3, 0.2, 0.7)] }
}

mod functions {
    use super::*;

    #[differentiable]
    pub fn literal(s: &State) -> f64 {
        let t = State { x: s.x * s.v, v: s.v, steps: 3 };
        t.x * t.x + t.v * (t.steps as f64)
    }

    #[differentiable]
    pub fn stepped(p: &Params) -> f64 {
        let mut s = State { x: 1.0, v: 0.0, steps: 0 };
        for k in 0..20 {
            let force = -p.stiffness * s.x - p.damping * s.v;
            s.v += 0.05 * force / p.masses[k % 2];
            s.x += 0.05 * s.v;
            s.steps += 1;
        }
        s.x * s.x + s.v * (s.steps as f64)
    }

    #[differentiable]
    pub fn replaced(p: &Params) -> f64 {
        let mut s = State { x: 0.4, v: p.damping, steps: 1 };
        for _ in 0..5 {
            let (x, v) = (s.x, s.v);
            s = State { x: x + 0.1 * v, v: v - 0.1 * p.stiffness * x, ..s };
        }
        let moved = State { v: s.v * p.masses[0], ..s };
        moved.x * moved.v + s.v
    }

    #[differentiable]
    pub fn euler(s: State, h: f64) -> State {
        State { x: s.x + h * s.v, v: s.v - h * s.x.sin(), steps: s.steps + 1 }
    }

    #[differentiable]
    pub fn swung(s: &State) -> f64 {
        let mut now = *s;
        for _ in 0..10 {
            now = euler(now, 0.1);
        }
        now.x * now.v
    }

    #[differentiable]
    pub fn swung_to(s: &State) -> State {
        let mut now = *s;
        for _ in 0..4 {
            now = euler(now, 0.1);
        }
        now
    }

    #[differentiable]
    pub fn moved(b: &Bodies) -> f64 {
        let mut b = b.clone();
        for _ in 0..3 {
            for i in 0..b.at.len() {
                let pull = b.at[i].0 * b.at[i].1;
                b.speed[i].0 -= 0.1 * pull;
                b.speed[i].2 *= 0.9;
                let v = b.speed[i];
                b.at[i] = V3(b.at[i].0 + 0.1 * v.0, b.at[i].1 + 0.1 * v.1, b.at[i].2 + 0.1 * v.2);
            }
        }
        b.at.iter().zip(&b.speed).map(|(x, v)| x.0 * v.0 + x.1 * x.2 * v.2).sum()
    }

    #[differentiable]
    pub fn walked(b: &Bodies) -> f64 {
        let mut at = b.at.clone();
        for (x, v) in at.iter_mut().zip(b.speed.iter()) {
            x.0 += v.0 * v.1;
            x.2 = x.1 * x.0;
        }
        let mut sum = 0.0;
        for V3(a, _, c) in &at {
            sum += a * c;
        }
        sum
    }

    #[differentiable]
    pub fn built(b: &Bodies) -> Bodies {
        let mut at = Vec::new();
        for x in &b.at {
            at.push(V3(x.1, x.0 * x.0, x.2));
        }
        Bodies { at, speed: b.speed.clone() }
    }

    #[differentiable]
    pub fn swapped(b: &Bodies) -> f64 {
        let mut b = b.clone();
        std::mem::swap(&mut b.at, &mut b.speed);
        let old = std::mem::replace(&mut b.at[0], V3(1.0, 2.0, 3.0));
        old.0 * b.at[0].1 + b.speed[1].2 * old.2
    }

    #[differentiable]
    pub fn generic(p: &Pair<State>) -> f64 {
        let Pair { first, second: State { x, v, .. } } = p;
        let both = Pair { first: first.x * x, second: *v };
        both.first * both.second + first.v
    }

    #[differentiable]
    pub fn rowed(r: &Row<3>) -> f64 {
        let doubled = Row { all: [2.0 * r.all[0], 2.0 * r.all[1], 2.0 * r.all[2]] };
        doubled.all.iter().map(|v| v * v * v).sum()
    }

    #[differentiable]
    pub fn chosen(s: &State) -> f64 {
        let t = if s.x > 0.0 { State { x: s.v, v: s.x, steps: 1 } } else { *s };
        let list = [t, State { x: t.x * 2.0, ..t }, *s];
        let mut sum = 0.0;
        for one in list {
            sum += one.x * one.v;
        }
        let (a, b) = (t, sum);
        a.x * b
    }

    #[differentiable]
    pub fn early(s: &State) -> State {
        let mut now = *s;
        for _ in 0..5 {
            if now.x > 1.2 {
                break;
            }
            now.x += now.v * 0.3;
        }
        now
    }

    #[derive(Clone, Copy, Debug, Differentiable)]
    pub struct Quat {
        w: f64,
        v: [f64; 3],
    }

    const IDENTITY: Quat = Quat { w: 1.0, v: [0.0; 3] };

    #[differentiable(constant(axis))]
    fn about(axis: [f64; 3], angle: f64) -> Quat {
        let (s, c) = (0.5 * angle).sin_cos();
        Quat { w: c, v: axis.map(|a| a * s) }
    }

    #[differentiable]
    fn product(q: Quat, o: Quat) -> Quat {
        let (a, b) = (q.v, o.v);
        Quat {
            w: q.w * o.w - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
            v: [
                q.w * b[0] + o.w * a[0] + a[1] * b[2] - a[2] * b[1],
                q.w * b[1] + o.w * a[1] + a[2] * b[0] - a[0] * b[2],
                q.w * b[2] + o.w * a[2] + a[0] * b[1] - a[1] * b[0],
            ],
        }
    }

    #[differentiable]
    fn conjugate(q: Quat) -> Quat {
        Quat { w: q.w, v: [-q.v[0], -q.v[1], -q.v[2]] }
    }

    #[differentiable]
    fn rotated(q: Quat, p: [f64; 3]) -> [f64; 3] {
        product(product(q, Quat { w: 0.0, v: p }), conjugate(q)).v
    }

    /// Joints alternate between two axes.
    #[differentiable]
    pub fn arm(joints: &Bodies) -> Vec<f64> {
        let mut orientation = IDENTITY;
        let mut tip = vec![0.0; 3];
        for (i, V3(angle, length, _)) in joints.at.iter().enumerate() {
            let axis = if i % 2 == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
            orientation = product(orientation, about(axis, *angle));
            let link = rotated(orientation, [*length, 0.0, 0.0]);
            for k in 0..3 {
                tip[k] += link[k];
            }
        }
        tip
    }

    #[differentiable]
    pub fn pairs(s: &State) -> (State, f64) {
        (State { x: s.v, ..*s }, s.x)
    }
}

#[differentiable]
fn in_place(s: &mut State, h: f64) {
    s.x += h * s.v;
    s.v *= s.x;
    s.steps += 1;
}

#[differentiable]
fn all_in_place(all: &mut [State], h: f64) {
    for s in all.iter_mut() {
        s.x += h * s.v;
        in_place(s, h);
    }
}

#[differentiable]
fn by_value(s: State, all: Vec<V3>) -> f64 {
    all.iter().map(|a| a.0 * s.x + a.1 * a.2).sum::<f64>() * s.v
}

#[differentiable]
fn of_slice(all: &[State], weight: f64) -> f64 {
    all.iter().map(|s| s.x * s.v).sum::<f64>() * weight
}

#[differentiable]
fn single(s: &Single) -> f32 {
    let t = Single { a: s.a * s.b, b: s.b };
    t.a * t.a + t.b
}

#[differentiable(cache(work))]
fn with_scratch(s: &State, work: &mut State) -> f64 {
    work.x = s.x * s.v;
    work.v = work.x * 2.0;
    work.x + work.v * s.x
}

mod tests {
    use super::*;
    use crate::check::{list, number};

    const S: State = State { x: 0.6, v: 0.9, steps: 2 };

    number!(literal: State, S);
    number!(stepped: Params, params());
    number!(replaced: Params, params());
    number!(swung: State, S);
    number!(moved: Bodies, bodies());
    number!(walked: Bodies, bodies());
    number!(swapped: Bodies, bodies());
    number!(generic: Pair<State>, Pair { first: S, second: State { x: -0.2, v: 1.4, steps: 0 } });
    number!(rowed: Row<3>, Row { all: [0.2, -0.4, 1.0] });
    number!(chosen: State, S);
    list!(swung_to: State, S);
    list!(built: Bodies, bodies());
    list!(early: State, S);
    list!(arm: Bodies, bodies());

    #[test]
    fn every_way_to_pass_a_struct() {
        let t = State { x: -0.3, v: 0.5, steps: 0 };
        let g = gradient(of_slice::D, AutoReverse, (&[S, t], Constant(2.0))).unwrap();
        assert_eq!(g.iter().flat_map(|g| g.to_flat()).collect::<Vec<f64>>(), [1.8, 1.2, 1.0, -0.6]);
        let g = gradient(of_slice::D, AutoReverse, (&vec![S, t], Constant(2.0))).unwrap();
        assert_eq!(g[1], StateTangent { x: 1.0, v: -0.6, steps: () });
        let w = gradient(of_slice::D, AutoReverse, (Constant(&[S, t]), 2.0)).unwrap();
        assert!((w - (0.54 - 0.15)).abs() < 1e-15);
        let all = vec![V3(1.0, 2.0, 3.0), V3(0.5, -1.0, 2.0)];
        let (s, v) = gradient(by_value::D, AutoReverse, (S, &all)).unwrap();
        let sum: f64 = 1.5 * 0.6 + 6.0 - 2.0;
        crate::check::close("by value", &s.to_flat(), &[1.5 * 0.9, sum], 1e-14);
        let expected = [0.54, 2.7, 1.8, 0.54, 1.8, -0.9];
        let found: Vec<f64> = v.iter().flat_map(|v| v.to_flat()).collect();
        crate::check::close("a vector by value", &found, &expected, 1e-14);
        let mut work = S;
        let g = gradient(with_scratch::D, AutoReverse, (&S, Cache(&mut work))).unwrap();
        crate::check::close("scratch", &g.to_flat(), &[0.9 + 4.0 * 0.6 * 0.9, 0.6 + 2.0 * 0.36], 1e-14);
        let g = gradient(single::D, AutoReverse, &Single { a: 2.0, b: 3.0 }).unwrap();
        assert_eq!(g, SingleTangent { a: 36.0, b: 25.0 });
    }

    #[test]
    fn structs_that_are_written_to() {
        let mut s = S;
        let j = jacobian(in_place::D, AutoForward, (&mut s, 0.1)).unwrap();
        let mut s = S;
        let r = jacobian(in_place::D, AutoReverse, (&mut s, 0.1)).unwrap();
        let (x, v, h) = (0.6, 0.9, 0.1);
        let expected = [1.0, h, v, v, x + 2.0 * h * v, v * v];
        for (found, _) in [(j, "forward"), (r, "reverse")] {
            let flat: Vec<f64> = ndarray::concatenate(ndarray::Axis(1), &[found.0.view(), found.1.view()])
                .unwrap()
                .iter()
                .copied()
                .collect();
            crate::check::close("in place", &flat, &expected, 1e-14);
        }
        let mut all = [S, S];
        let dy = [StateTangent { x: 1.0, v: 0.0, steps: () }, StateTangent { x: 0.0, v: 1.0, steps: () }];
        let (bar, dh) = pullback(all_in_place::D, AutoReverse, (&mut all[..], 0.1), &dy).unwrap();
        crate::check::close("first", &bar[0].to_flat(), &[1.0, 0.2], 1e-14);
        crate::check::close("second", &bar[1].to_flat(), &[0.9, 0.6 + 4.0 * 0.1 * 0.9], 1e-14);
        crate::check::close("by h", &[dh], &[2.0 * 0.9 + 2.0 * 0.81], 1e-14);
    }

    #[test]
    fn results_in_tuples() {
        let (y, dx) =
            value_and_pullback(functions::pairs::D, AutoReverse, &S, (StateTangent { x: 2.0, v: 3.0, steps: () }, 5.0))
                .unwrap();
        assert_eq!(y.0.x, 0.9);
        assert_eq!(dx.to_flat(), [5.0, 5.0]);
    }

    #[test]
    fn flat_views_go_both_ways() {
        let mut p = params();
        assert_eq!(p.to_flat(), [1.3, 0.2, 1.0, 2.5]);
        p.set_flat(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(p, Params { stiffness: 1.0, damping: 2.0, masses: vec![3.0, 4.0] });
        assert!(p.set_flat(&[1.0]).is_err());
        let mut t = p.zero_tangent();
        t.set_flat(&[1.0, 0.0, -1.0, 2.0]).unwrap();
        p.advance(0.5, &t);
        assert_eq!(p.to_flat(), [1.5, 2.0, 2.5, 5.0]);
        use diffi::Vector;
        let mut u = t.zeroed();
        u.add_tangent(&t);
        u.scale(2.0);
        assert_eq!(u, ParamsTangent { stiffness: 2.0, damping: 0.0, masses: vec![-2.0, 4.0] });
    }
}
