//! Methods that change what they are called on, in the midst of expressions: filters with a state, generators of random numbers.

use crate::check::number;
use diffi::prelude::*;

#[derive(Clone, Differentiable)]
struct Filter {
    y: f64,
    a: f64,
}

#[differentiable]
impl Filter {
    fn new(a: f64) -> Self {
        Filter { y: 0.0, a }
    }

    fn update(&mut self, z: f64) -> f64 {
        self.y = self.a * self.y + (1.0 - self.a) * z;
        self.y
    }

    fn value(&self) -> f64 {
        self.y
    }
}

/// What is called on the answer is not called on the filter.
#[differentiable]
fn squares(x: &[f64]) -> f64 {
    let mut f = Filter::new(0.9);
    let mut s = 0.0;
    for &v in x {
        s += f.update(v).powi(2);
    }
    s
}

/// Another method only looks.
#[differentiable]
fn smoothed(x: &[f64]) -> f64 {
    let mut f = Filter::new(x[0]);
    let y: Vec<f64> = x.iter().map(|v| f.update(*v)).collect();
    y.iter().sum::<f64>() * f.value()
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let (mut f, mut g) = (Filter::new(0.9), Filter::new(0.5));
    let mut s = 0.0;
    for &v in x {
        s += f.update(v) - 2.0 * g.update(f.value() * v);
    }
    s * s
}

/// What stands before is as it was before.
#[differentiable]
fn in_order(x: &[f64]) -> f64 {
    let mut f = Filter::new(0.9);
    let mut s = 0.0;
    for &v in x {
        s += f.y * f.update(v);
    }
    s
}

#[differentiable]
fn in_conditions(x: &[f64]) -> f64 {
    let mut f = Filter::new(0.9);
    let mut s = 0.0;
    for &v in x {
        f.update(v);
        if f.update(v) > 1.0 {
            s += f.value();
        } else {
            s -= v * f.update(v * 0.5).sin();
        }
    }
    let mut n = 0;
    while f.update(x[0]) < 1.0 && n < 30 {
        n += 1;
    }
    s + f.y * x[1]
}

/// That a method changes a parameter is said by a call for nothing else.
#[differentiable]
fn warmed(f: &mut Filter, x: &[f64]) -> f64 {
    f.update(x[0]);
    let before = f.y * f.update(x[1]) + f.y;
    before * f.update(before)
}

#[differentiable]
fn of_a_parameter(x: &[f64]) -> f64 {
    let mut f = Filter::new(x[2]);
    warmed(&mut f, x) + f.y
}

/// Mean and variance of what came so far (Welford), under names that sequences have too.
#[derive(Clone, Default, Differentiable)]
struct Moments {
    n: usize,
    mean: f64,
    m2: f64,
}

#[differentiable]
impl Moments {
    fn push(&mut self, x: f64) {
        self.n += 1;
        let d = x - self.mean;
        self.mean += d / self.n as f64;
        self.m2 += d * (x - self.mean);
    }

    fn extend(&mut self, all: &[f64]) {
        for x in all {
            self.push(*x);
        }
    }

    fn reverse(&mut self) {
        self.mean *= -1.0;
    }

    fn variance(&self) -> f64 {
        if self.n > 1 { self.m2 / (self.n - 1) as f64 } else { 0.0 }
    }
}

#[differentiable]
fn spread(x: &[f64]) -> f64 {
    let mut w = Moments::default();
    for v in x {
        w.push(*v);
    }
    let mut squares = Moments { n: 1, mean: x[0] * x[0], m2: 0.0 };
    for v in &x[1..] {
        squares.push(v * v);
    }
    w.reverse();
    squares.extend(x);
    w.variance().sqrt() / w.mean + squares.variance()
}

/// A generator that nobody annotated: its numbers are constants, and each is asked for once.
struct Generator(u64);

impl Generator {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }

    fn below(&mut self, n: usize) -> usize {
        (self.uniform() * n as f64) as usize
    }

    fn pair(&mut self) -> (f64, f64) {
        (self.uniform(), self.uniform())
    }

    fn normal(&mut self) -> f64 {
        let (a, b) = self.pair();
        (-2.0 * (a + 1e-9).ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

#[differentiable]
fn by_chance(x: &[f64]) -> f64 {
    let mut r = Generator(3);
    let mut s = x[0];
    for _ in 0..6 {
        match r.below(3) {
            0 => s += x[1] * s,
            1 => s = s.sin() * x[2],
            _ => s -= 0.1,
        }
        if r.uniform() < 0.5 {
            s *= x[1];
        }
    }
    while r.uniform() < 0.8 {
        s = s.sin() * x[1] + x[2];
    }
    s
}

/// The price of an option by simulated paths.
#[differentiable]
fn price(x: &[f64]) -> f64 {
    let mut r = Generator(3);
    let z: Vec<f64> = (0..20).map(|_| r.normal()).collect();
    let european = z.iter().map(|z| (x[0] + x[1] * z - x[2]).max(0.0)).sum::<f64>() / 20.0;
    let mut total = 0.0;
    for _ in 0..r.below(5) + 4 {
        let mut s = x[0];
        for _ in 0..4 {
            let (a, b) = r.pair();
            s *= (x[1] - 0.5 * x[2] * x[2] + x[2] * r.normal() * (a - b)).exp();
        }
        total += (s - 0.5).max(0.0);
    }
    european + total
}

/// A walk that is accepted or not.
#[differentiable]
fn metropolis(x: &[f64]) -> f64 {
    let mut r = Generator(3);
    let (mut p, mut accepted) = (x[0], 0);
    for _ in 0..10 {
        let q = p + 0.3 * r.normal();
        if r.uniform() < (x[1] * (p * p - q * q)).exp() {
            p = q * x[2];
            accepted += 1;
        }
    }
    p * accepted as f64 + x.iter().map(|v| v * r.uniform()).sum::<f64>()
}

#[test]
fn methods_that_change_in_the_midst() {
    let p = [0.5, 2.0, 3.0];
    number!(squares::D, p, |x| x, |x| squares(x));
    number!(smoothed::D, p, |x| x, |x| smoothed(x));
    number!(nested::D, p, |x| x, |x| nested(x));
    number!(in_order::D, p, |x| x, |x| in_order(x));
    number!(of_a_parameter::D, p, |x| x, |x| of_a_parameter(x));
    number!(in_conditions::D, [0.5, 20.0, 3.0], |x| x, |x| in_conditions(x));
    number!(in_conditions::D, [0.5, 0.7], |x| x, |x| in_conditions(x));
}

#[test]
fn methods_with_names_of_sequences() {
    number!(spread::D, [1.0, 2.0, 4.0, 3.5], |x| x, |x| spread(x));
}

#[test]
fn numbers_by_chance() {
    number!(by_chance::D, [0.5, 0.8, 0.3], |x| x, |x| by_chance(x));
    number!(price::D, [1.0, 0.1, 0.3], |x| x, |x| price(x));
    number!(metropolis::D, [0.3, 0.5, 0.9], |x| x, |x| metropolis(x));
}

/// A filter with two methods that change it: one that sets it, and one whose value is used.
#[derive(Clone, Copy, Default, Differentiable)]
struct Biquad {
    gain: f64,
    feedback: f64,
    y1: f64,
}

#[differentiable]
impl Biquad {
    fn set(&mut self, gain: f64, feedback: f64) {
        self.gain = gain;
        self.feedback = feedback;
    }

    fn tick(&mut self, x: f64) -> f64 {
        self.y1 = self.gain * x + self.feedback * self.y1;
        self.y1
    }

    /// Called as iterators' method is, which is given nothing.
    fn next(&mut self, x: f64) -> f64 {
        self.tick(x) * 0.5
    }

    fn level(&self, at: f64) -> f64 {
        self.y1 * at
    }
}

#[differentiable]
fn set_and_run(x: &[f64]) -> f64 {
    let mut filter = Biquad::default();
    filter.set(x[0], x[1]);
    let mut s = 0.0;
    for &v in x {
        s += filter.tick(v) * filter.level(v);
    }
    s
}

#[differentiable]
fn set_and_next(x: &[f64]) -> f64 {
    let mut filter = Biquad::default();
    filter.set(x[1], x[0]);
    x.iter().map(|&v| v * filter.next(v)).sum::<f64>() + filter.next(x[0])
}

#[differentiable]
fn set_by_field(x: &[f64]) -> f64 {
    let mut filter = Biquad { gain: 0.5, feedback: 0.0, y1: 0.0 };
    filter.feedback = x[1];
    let first = filter.tick(x[0]);
    first + filter.tick(x[2]) * filter.tick(first)
}

#[derive(Clone, Copy, Default, Differentiable)]
struct Chain {
    stages: [Biquad; 2],
    out: f64,
}

#[differentiable]
impl Chain {
    fn step(&mut self, x: f64) -> f64 {
        let first = self.stages[0].tick(x);
        self.out = self.stages[1].tick(first);
        self.out
    }
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let mut chain = Chain::default();
    for stage in chain.stages.iter_mut() {
        stage.set(x[0], x[1]);
    }
    chain.stages[1].set(x[1], x[2]);
    chain.step(x[0]) + 2.0 * chain.step(x[2]) * chain.stages[0].tick(x[1])
}

#[differentiable]
fn of_a_lent_one(filter: &mut Biquad, x: f64) -> f64 {
    filter.gain *= x;
    filter.tick(x) - filter.level(x)
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let mut filter = Biquad::default();
    filter.set(x[0], x[1]);
    of_a_lent_one(&mut filter, x[2]) * filter.tick(x[0]) + filter.level(x[1])
}

#[test]
fn setters_beside_methods_that_change() {
    number!(set_and_run::D, [0.5, 0.8, 0.3], |x| x, |x| set_and_run(x));
    number!(set_and_next::D, [0.5, 0.8, 0.3], |x| x, |x| set_and_next(x));
    number!(set_by_field::D, [0.5, 0.8, 0.3], |x| x, |x| set_by_field(x));
    number!(chained::D, [0.5, 0.8, 0.3], |x| x, |x| chained(x));
    number!(lent::D, [0.5, 0.8, 0.3], |x| x, |x| lent(x));
}

/// State without derivatives, of a type without the attribute.
struct Lottery(u64);

impl Lottery {
    fn skip(&mut self, n: u64) {
        self.0 += n;
    }

    fn next_number(&mut self) -> f64 {
        self.0 += 1;
        self.0 as f64
    }
}

#[differentiable]
fn by_a_lottery(x: &[f64]) -> f64 {
    let mut lottery = Lottery(1);
    lottery.skip(3);
    let mut s = x[0] * x[1];
    for _ in 0..4 {
        s = (s + x[2]).sin() * lottery.next_number() / 8.0;
    }
    s
}

#[test]
fn setters_of_passive_state() {
    let x = [0.5, 0.8, 0.3];
    let by_hand = [5.0, 6.0, 7.0, 8.0].iter().fold(x[0] * x[1], |s: f64, k| (s + x[2]).sin() * k / 8.0);
    assert_eq!(by_a_lottery(&x), by_hand);
    number!(by_a_lottery::D, x, |x| x, |x| by_a_lottery(x));
}
