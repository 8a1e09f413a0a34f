//! Variables that calls change, and through which no derivative flows: generators of random numbers, counters.

use diffi::prelude::*;

/// A linear congruential generator; it cannot be copied.
struct Lcg(u64);

impl Lcg {
    fn new(seed: u64) -> Self {
        Lcg(seed)
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

trait Source {
    fn unit(&mut self) -> f64;
}

impl Source for Lcg {
    fn unit(&mut self) -> f64 {
        self.next()
    }
}

struct Counter {
    calls: usize,
}

#[differentiable(constant(rng))]
fn step(s: f64, v: f64, rng: &mut Lcg) -> f64 {
    let z = rng.next() - 0.5;
    (s * (1.0 + v * z)).sin() * z.exp()
}

#[differentiable(constant(rng))]
fn path(s: f64, v: f64, n: usize, rng: &mut Lcg) -> f64 {
    let mut s = s;
    for _ in 0..n {
        s = step(s, v, rng);
    }
    s
}

#[differentiable(constant(rng))]
fn generic<R: Source>(s: f64, v: f64, rng: &mut R) -> Vec<f64> {
    let mut all = vec![s];
    for i in 0..3 {
        all.push(all[i] * (1.0 + v * rng.unit()));
    }
    all
}

#[differentiable(constant(rng))]
fn object(s: f64, rng: &mut dyn Source) -> Option<f64> {
    let z = rng.unit();
    if z < 0.2 { None } else { Some(s * s * z) }
}

#[differentiable(constant(counter))]
fn counted(s: f64, counter: &mut Counter) -> f64 {
    counter.calls += 1;
    s.sin() * counter.calls as f64
}

#[derive(Clone, Differentiable)]
struct Process {
    mu: f64,
    sigma: f64,
}

#[differentiable]
impl Process {
    #[differentiable(constant(rng))]
    fn advance(&mut self, rng: &mut Lcg) {
        self.mu *= 1.0 + self.sigma * (rng.next() - 0.5);
    }
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let mut rng = Lcg::new(7);
    let mut total = 0.0;
    for _ in 0..3 {
        total += path(x[0], x[1], 4, &mut rng) * x[2] + rng.next() * x[1] * total;
    }
    total
}

#[differentiable]
fn in_conditions(x: &[f64]) -> f64 {
    let mut s = x[0];
    for k in 0..3 {
        let mut rng = Lcg(k + 11);
        while s < 2.0 {
            match object(s, &mut rng) {
                Some(t) => s = (t + x[1]).sin() + 0.4 * rng.next(),
                None => s += 0.5 + x[2] * s,
            }
        }
        s = s / 8.0 + x[2];
    }
    s
}

#[differentiable]
fn in_closures(x: &[f64]) -> f64 {
    let mut rng = Lcg(5);
    let drawn: f64 = (0..4).map(|i| step(x[i % 3], x[0], &mut rng)).sum();
    let (a, b) = (generic(x[0], x[1], &mut rng), generic(x[2], drawn, &mut rng));
    a.iter().zip(&b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn of_methods(x: &[f64]) -> f64 {
    let mut rng = Lcg::new(3);
    let mut process = Process { mu: x[0], sigma: x[1] };
    for _ in 0..4 {
        process.advance(&mut rng);
    }
    process.mu * x[2] + step(process.mu, process.sigma, &mut rng)
}

#[differentiable(constant(counter))]
fn counters(x: &[f64]) -> f64 {
    let mut counter = Counter { calls: 0 };
    let mut s = 0.3;
    for v in x {
        s += counted(*v * s, &mut counter).sin();
    }
    s * s * counter.calls as f64
}

#[differentiable]
fn kept_squares(of: &[f64], to: &mut [f64]) -> usize {
    let mut n = 0;
    for v in of {
        if v.abs() > 0.5 {
            to[n] = v * v;
            n += 1;
        }
    }
    n
}

#[differentiable]
fn grows(all: &mut Vec<f64>, x: f64) -> bool {
    all.push(x * all[0]);
    all.len() < 5
}

/// Integers and answers of calls that change something, assigned again and again.
#[differentiable]
fn assigned_again(x: &[f64]) -> f64 {
    let (mut a, mut b) = ([0.0; 8], vec![0.0; 8]);
    let mut n = kept_squares(x, &mut a);
    let m: usize;
    m = kept_squares(&a[..n], &mut b);
    if x[0] > 0.0 {
        n = kept_squares(&b[..m], &mut a);
        std::mem::swap(&mut a[0], &mut b[0]);
    }
    let mut all = vec![x[2]];
    let mut more = grows(&mut all, x[1]);
    while more {
        more = grows(&mut all, a[n - 1]);
    }
    all[all.len() - 1] * b[m - 1] + a[0]
}

#[differentiable]
fn checkpointed(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut state = 9u64;
    #[checkpoint]
    for _ in 0..7 {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let mut rng = Lcg(state);
        s = step(s, x[1], &mut rng) + x[2];
    }
    s
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number in_loops(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number in_conditions(at x: Vec<f64>): [vec![0.3, 1.2, 0.4]] [vec![1.3, 0.2, 0.9]];
        number in_closures(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number of_methods(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number counters(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
        number assigned_again(at x: Vec<f64>): [vec![0.9, 1.2, -1.4]] [vec![-0.9, 0.2, 1.4]];
        number checkpointed(at x: Vec<f64>): [vec![0.3, 1.2, -0.4]];
    }
}
