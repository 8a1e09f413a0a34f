//! Iterators of a user's own type, whose `next` is annotated: walked by `for` and `while let`, and under adaptors.

use crate::check::number;
use diffi::prelude::*;

/// A geometric sequence.
#[derive(Differentiable, Clone)]
struct Powers {
    value: f64,
    ratio: f64,
    left: usize,
}

#[differentiable]
impl Powers {
    fn new(value: f64, ratio: f64, left: usize) -> Self {
        Powers { value, ratio, left }
    }
}

#[differentiable]
impl Iterator for Powers {
    type Item = f64;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let value = self.value;
        self.value *= self.ratio;
        Some(value)
    }
}

/// Euler's steps, without an end.
#[derive(Differentiable, Clone)]
struct Steps {
    t: f64,
    y: f64,
}

#[differentiable]
impl Iterator for Steps {
    type Item = (f64, f64);

    fn next(&mut self) -> Option<(f64, f64)> {
        self.y += 0.1 * self.t * self.y.cos();
        self.t += 0.5;
        Some((self.t, self.y))
    }
}

#[derive(Differentiable, Clone)]
struct Held {
    powers: Powers,
    weight: f64,
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let powers = Powers { value: x[0], ratio: x[1], left: 4 };
    let mut s = 0.0;
    for v in powers {
        s += v * v;
    }
    for v in Powers::new(x[2], x[1], 2) {
        s += v.sin();
    }
    s
}

/// Nested, with jumps.
#[differentiable]
fn left_early(x: &[f64]) -> f64 {
    let (mut s, mut n) = (0.0, 0);
    'outer: for v in Powers::new(x[0], x[1], 9) {
        for w in Powers::new(v, x[2], 9) {
            n += 1;
            if n % 5 == 0 {
                continue 'outer;
            }
            if n > 20 {
                break 'outer;
            }
            s += v * w;
        }
    }
    s
}

#[differentiable]
fn in_parts(x: &[f64]) -> f64 {
    let mut powers = Powers::new(x[0], x[1], 9);
    let mut s = powers.next().unwrap();
    for v in &mut powers {
        s += v;
        if s > 2.5 {
            break;
        }
    }
    let a: f64 = powers.by_ref().take(2).map(|v| v * v).sum();
    s * a + powers.next().unwrap_or(0.0) + powers.value
}

#[differentiable]
fn adapted(x: &[f64]) -> f64 {
    let powers = Powers { value: x[0], ratio: x[1], left: 6 };
    let taken = powers.clone().take(3).map(|v| v * v).sum::<f64>();
    let kept = powers.clone().filter(|v| *v > 0.8).map(|v| v.sin()).sum::<f64>();
    let folded = powers.clone().fold(1.0, |a, v| a * v);
    let list: Vec<f64> = powers.clone().collect();
    let mut s = 0.0;
    for (i, v) in powers.enumerate().skip(1).step_by(2) {
        s += i as f64 * v * v;
    }
    for (a, b) in x.iter().zip(Powers::new(x[2], x[0], 3)) {
        s += a * b;
    }
    taken + kept * folded + list[1] * list[4] + s
}

#[differentiable]
fn of_pairs(x: &[f64]) -> f64 {
    let steps = Steps { t: x[0], y: x[1] };
    let mut s = 0.0;
    for (t, y) in steps.clone().take(4) {
        s += t * y;
    }
    s + steps.map(|(t, y)| t * y).take_while(|area| *area < 2.0).sum::<f64>()
}

#[differentiable]
fn total(powers: Powers) -> f64 {
    let mut s = 0.0;
    for v in powers {
        s += v.exp();
    }
    s
}

#[differentiable]
fn first_two(powers: &mut Powers) -> f64 {
    let mut s = 0.0;
    for v in powers.take(2) {
        s += v * v;
    }
    s
}

#[differentiable]
fn handed_and_held(x: &[f64]) -> f64 {
    let mut powers = Powers::new(x[0], x[1], 4);
    let mut held = Held { powers: powers.clone(), weight: x[2] };
    let mut s = total(powers.clone()) * first_two(&mut powers) * powers.value;
    while let Some(v) = held.powers.next() {
        s += v * held.weight;
    }
    s
}

#[differentiable]
fn squares(x: &[f64]) -> impl Iterator<Item = f64> + '_ {
    x.iter().map(|v| v * v)
}

#[differentiable]
fn scaled<'a>(x: &'a [f64], c: f64) -> impl Iterator<Item = f64> + 'a {
    x.iter().map(move |v| c * v.sin())
}

#[differentiable]
fn nodes(end: f64, n: usize) -> impl Iterator<Item = (f64, f64)> {
    let h = end / n as f64;
    (0..n).map(move |i| (i as f64 * h, h))
}

#[differentiable]
fn either(x: &[f64], forwards: bool) -> Box<dyn Iterator<Item = f64> + '_> {
    if forwards { Box::new(x.iter().map(|v| v * v)) } else { Box::new(x.iter().rev().map(|v| v.sin())) }
}

struct Picked {
    from: usize,
}

#[differentiable]
impl Picked {
    fn of<'a>(&'a self, x: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        x.iter().skip(self.from).map(|v| v * v)
    }
}

#[differentiable]
fn of_results(x: &[f64]) -> f64 {
    let (mut s, picked) = (0.0, Picked { from: 1 });
    for v in squares(x) {
        s += v.sin();
    }
    for (t, h) in nodes(x[0] * x[1], 4) {
        s += t.sin() * h;
    }
    for (i, v) in either(x, true).enumerate() {
        s += i as f64 * v;
    }
    for v in picked.of(x) {
        s += v.exp();
    }
    let kept = squares(x);
    for (i, v) in kept.enumerate() {
        s += i as f64 * v;
    }
    let list: Vec<f64> = squares(x).collect();
    s + list[0] * list[2] + scaled(x, x[0]).zip(x.iter()).map(|(a, b)| a * b).sum::<f64>()
}

#[differentiable]
fn folded_results(x: &[f64]) -> f64 {
    let s: f64 = scaled(x, 2.0).map(|v| v.sin()).sum();
    s * either(x, false).fold(1.0, |a, v| a * v) + squares(x).sum::<f64>()
}

/// Iterators that carry no derivative, whose items choose what is added.
struct Down {
    k: usize,
}

impl Iterator for Down {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.k = self.k.checked_sub(1)?;
        Some(self.k)
    }
}

fn down(k: usize) -> Down {
    Down { k }
}

#[differentiable]
fn picked_down(x: &[f64]) -> f64 {
    Down { k: 3 }.map(|i| x[i] * x[i]).sum::<f64>() + down(2).map(|i| x[i].sin()).sum::<f64>()
}

#[test]
fn results_that_are_iterators() {
    let at = [0.7, 1.3, 0.4];
    number!(of_results::D, at, |x| x, |x| of_results(x));
    number!(folded_results::D, at, |x| x, |x| folded_results(x));
    number!(picked_down::D, at, |x| x, |x| picked_down(x));
    let values = jacobian(squares::D, AutoReverse, &at[..]).unwrap();
    let diagonal: Vec<f64> = (0..3).map(|i| values[(i, i)]).collect();
    crate::check::close("a result as a list", &diagonal, &[1.4, 2.6, 0.8], 1e-14);
}

#[test]
fn own_iterators() {
    let at = [0.7, 1.3, 0.4];
    number!(walked::D, at, |x| x, |x| walked(x));
    number!(left_early::D, at, |x| x, |x| left_early(x));
    number!(in_parts::D, at, |x| x, |x| in_parts(x));
    number!(adapted::D, at, |x| x, |x| adapted(x));
    number!(of_pairs::D, at, |x| x, |x| of_pairs(x));
    number!(handed_and_held::D, at, |x| x, |x| handed_and_held(x));
}
