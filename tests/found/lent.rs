//! What callees are lent: constants beside what they overwrite, arrays without derivatives, receivers that may seem to change,
//! arguments that are left in their midst.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    at: Vec<f64>,
    mass: f64,
}

#[differentiable]
impl Body {
    fn pull(&self, of: f64) -> f64 {
        self.mass * self.at[0] * of
    }
}

#[differentiable]
fn second(from: &[f64], to: &mut [f64]) {
    to[1] = from[1] * from[0];
}

/// The only input of a callee is constant, and what it overwrites has derivatives that end there.
#[differentiable]
fn overwritten_by_constants(x: &[f64]) -> f64 {
    let weights = [0.4, 0.7];
    let mut y = x.to_vec();
    second(&weights, &mut y);
    y[0] * y[0] + y[1] * y[1]
}

#[differentiable]
fn place(from: &Body, to: &mut [f64]) {
    to[0] = from.at[1] * from.mass;
}

#[differentiable]
fn overwritten_by_a_constant_struct(x: &[f64]) -> f64 {
    let body = Body { at: vec![0.3, 0.2], mass: 1.5 };
    let mut y = x.to_vec();
    for k in 0..2 {
        y[1] *= y[k] + 0.5;
        place(&body, &mut y);
    }
    y[0] * x[0] + y[1] * y[1]
}

#[differentiable]
fn pair(x: f64, _n: usize) -> [f64; 2] {
    [0.5, x]
}

#[differentiable]
fn joined(pair: &[f64; 2], x: f64) -> f64 {
    x * x * pair[1] + pair[0]
}

/// An array that a call without derivatives gives in each iteration, and another call is lent.
#[differentiable]
fn array_of_constants(x: f64, n: usize) -> f64 {
    let mut all = [0.25 * x; 3];
    let mut k = 0;
    loop {
        k += 1;
        all.iter_mut().for_each(|v| {
            let both = pair(1.375, n);
            *v = joined(&both, *v);
        });
        if k >= n {
            break;
        }
    }
    all.iter().sum::<f64>()
}

/// A method of what lies behind a shared reference, in a list that changes elsewhere.
#[differentiable]
fn method_of_an_element(x: &[f64], k: f64) -> f64 {
    let mut bodies = (0..2).map(|i| Body { at: vec![x[i], k], mass: 0.5 * k }).collect::<Vec<_>>();
    bodies[0].mass -= bodies.iter().map(|body| body.pull(0.75)).sum::<f64>();
    bodies[0].mass * bodies[1].mass
}

/// A jump within the argument of a method that changes a list: what it would change stays as it is.
#[differentiable]
fn left_in_an_argument(y: &mut [f64], x: &[f64]) -> f64 {
    y.fill({
        if x[0] < 1.0 {
            return x[1];
        }
        x[1].tanh()
    });
    y[0] = y[1] * x[0];
    x[0]
}

#[differentiable]
fn pushed_or_left(x: &[f64], k: f64) -> f64 {
    let mut all = vec![k];
    for v in x {
        all.push({
            if *v > 1.0 {
                break;
            }
            if *v < 0.0 {
                continue;
            }
            v * k
        });
        let at = all.len() - 1;
        all.insert(at, if at > 2 { return all[0] * all[1] } else { v * v });
    }
    all.iter().enumerate().map(|(i, v)| v * i as f64).sum()
}
#[differentiable]
fn set(y: &mut [f64], to: f64) {
    y[0] = to * to;
    y[1] *= to;
}

/// The same at the end of a block, and in the argument of a call.
#[differentiable]
fn left_at_the_end(y: &mut [f64], x: &[f64]) -> f64 {
    for v in x {
        if *v > 0.2 {
            y.fill({
                if *v < 1.0 {
                    continue;
                }
                v.tanh() * x[0]
            })
        }
    }
    set(y, if x[1] > 2.0 { return x[1] * y[0] } else { x[1].sin() });
    x[0] * y[0]
}

/// A call changes a part of a struct of which it also reads others.
#[derive(Clone, Debug, Differentiable)]
struct Parts {
    all: Vec<f64>,
    changed: Vec<f64>,
    by: f64,
}

#[differentiable]
fn scaled_by(by: f64, y: &mut [f64]) {
    y[0] *= by;
}

#[differentiable]
fn scaled_by_the_first(x: &[f64], y: &mut f64) {
    *y *= x[0];
}

#[differentiable]
fn parts_of(mut s: Parts) -> f64 {
    scaled_by(s.all[0], &mut s.changed[1..]);
    scaled_by(s.by, &mut s.changed);
    scaled_by_the_first(&s.all, &mut s.changed[1]);
    s.by * s.changed[0] * s.changed[1]
}

#[differentiable]
fn of_parts(x: &[f64], by: f64) -> f64 {
    parts_of(Parts { all: x.to_vec(), changed: vec![by, x[0] * x[1]], by })
}

fn twice(y: &mut f64) {
    *y *= 2.0;
}

/// A function without the attribute changes what a name lends it: a constant, in a loop over others.
#[differentiable]
fn doubled_by_name(x: &[f64]) -> f64 {
    let (mut r, mut y) = (vec![0.5; 2], x[0]);
    for (v, a) in r.iter_mut().zip(x) {
        twice(v);
        y = y.sin() * *v + a * y;
        if *v < 5.0 {
            twice(v);
        }
    }
    let mut k = 0.3;
    let lent = &mut k;
    for _ in 0..3 {
        twice(lent);
        y = y.sin() * *lent * y;
    }
    y * r[0] + x[1] * r[1] * k
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number doubled_by_name(at x: Vec<f64>): [vec![0.3, 0.9]];
        number overwritten_by_constants(at x: Vec<f64>): [vec![0.3, 0.9]];
        number overwritten_by_a_constant_struct(at x: Vec<f64>): [vec![0.3, 0.9]];
        number array_of_constants(by x: f64, fixed n: usize): [0.7, 1] [0.7, 2];
        number of_parts(at x: Vec<f64>, by by: f64): [vec![0.3, 0.4], 0.7];
        writes left_in_an_argument(inout y: Vec<f64>, at x: Vec<f64>): [vec![0.3, 0.4], vec![0.5, 0.7]] [vec![0.3, 0.4], vec![1.5, 0.7]];
        writes left_at_the_end(inout y: Vec<f64>, at x: Vec<f64>):
            [vec![0.3, 0.4], vec![0.5, 0.7]] [vec![0.3, 0.4], vec![1.5, 0.7]] [vec![0.3, 0.4], vec![0.5, 2.7]]
            [vec![0.3, 0.4], vec![0.15, 0.7]];
        number pushed_or_left(at x: Vec<f64>, by k: f64):
            [vec![0.3, -0.2, 0.6, 1.4, 0.3], 0.7] [vec![0.3, 0.7, 0.2, 0.4, 0.3], 0.7] [vec![], 0.7];
        number method_of_an_element(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.7];
    }
}

#[derive(Clone, Debug, Differentiable)]
pub struct Weighted {
    count: usize,
    weight: f64,
}

#[differentiable]
fn both(x: f64) -> (f64, f64) {
    (x, x * x)
}

/// A value of a field's type that a condition chooses, for a function that changes what it gets.
#[differentiable]
fn chosen_and_changed(p: &Weighted) -> f64 {
    let mut y = both(if p.weight > 0.875 { p.weight } else { 2.0 * p.weight });
    for _ in 0..p.count {
        y.0 *= p.weight.cos();
    }
    y.0
}

#[test]
fn what_a_condition_chooses_may_be_of_a_fields_type() {
    for (weight, times) in [(0.9, 1.0), (0.3, 2.0)] {
        let p = Weighted { count: 2, weight };
        let slope = times * (weight.cos().powi(2) - 2.0 * weight * weight.cos() * weight.sin());
        for g in [gradient(chosen_and_changed::D, AutoReverse, &p), gradient(chosen_and_changed::D, AutoForward, &p)] {
            assert!((g.unwrap().weight - slope).abs() < 1e-12);
        }
        let pattern = jacobian_sparsity(chosen_and_changed::D, TracerSparsityDetector.derivative_code(), &p);
        assert_eq!(pattern.unwrap().nnz(), 1);
    }
}

/// Elements that change places on one side only.
#[differentiable]
fn exchanged_on_a_side(p: &Weighted) -> f64 {
    let mut v = vec![p.weight, 2.0 * p.weight];
    if p.weight > 0.5 {
        v.swap(0, 1);
        v[0] = v[1];
    }
    v[0] + 3.0 * v[1]
}

#[test]
fn elements_change_places_on_a_side() {
    for (weight, slope) in [(0.9, 4.0), (0.3, 7.0)] {
        let p = Weighted { count: 2, weight };
        let g = gradient(exchanged_on_a_side::D, AutoReverse, &p).unwrap();
        assert!((g.weight - slope).abs() < 1e-12);
        let pattern = jacobian_sparsity(exchanged_on_a_side::D, TracerSparsityDetector.derivative_code(), &p);
        assert_eq!(pattern.unwrap().nnz(), 1);
    }
}
