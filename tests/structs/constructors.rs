//! Constructors that may fail, `Filter::new(3).unwrap()`, against differences.

use diffi::prelude::*;

type Checked<T> = Result<T, String>;

#[derive(Clone, Debug, Differentiable)]
struct Smooth {
    weight: f64,
    current: f64,
    is_new: bool,
}

#[differentiable]
impl Smooth {
    fn new(period: usize) -> Checked<Self> {
        match period {
            0 => Err("no period".to_string()),
            _ => Ok(Self { weight: 2.0 / (period + 1) as f64, current: 0.0, is_new: true }),
        }
    }

    fn step(&mut self, x: f64) -> f64 {
        if self.is_new {
            self.is_new = false;
            self.current = x;
        } else {
            self.current = self.weight * x + (1.0 - self.weight) * self.current;
        }
        self.current
    }
}

#[derive(Clone, Differentiable)]
struct Strength {
    up: Smooth,
    down: Smooth,
    last: f64,
}

#[differentiable]
impl Strength {
    fn new(period: usize) -> Checked<Self> {
        Ok(Self { up: Smooth::new(period)?, down: Smooth::new(period)?, last: 0.0 })
    }

    fn step(&mut self, x: f64) -> f64 {
        let change = x - self.last;
        self.last = x;
        let up = self.up.step(change.max(0.1));
        let down = self.down.step((-change).max(0.1));
        up / (up + down)
    }
}

#[differentiable]
fn unwrapped(x: &[f64]) -> f64 {
    let mut smooth = Smooth::new(3).unwrap();
    x.iter().map(|v| smooth.step(*v) * v).sum()
}

#[differentiable]
fn expected(x: &[f64]) -> f64 {
    let mut strength = Strength::new(3).expect("a period");
    let mut s = 0.0;
    for &v in x {
        s += strength.step(v) * v;
    }
    s
}

/// Numbers may come out of such calls as well.
#[differentiable]
fn numbers(x: &[f64]) -> f64 {
    let mut n = "3.5".parse::<f64>().unwrap();
    n *= x[0];
    let mut list = Vec::<f64>::from([1.0, 2.0]).clone();
    list[0] = x[1];
    n * list[0] * list[1] * x[2]
}

#[test]
fn constructors_that_may_fail_give_structs() {
    let x = [1.0, 2.5, 1.5];
    macro_rules! rows {
        ($($f:ident)+) => { $(
            let expected = gradient($f::D, AutoFiniteDifferences::default(), &x[..]).unwrap();
            for g in [gradient($f::D, AutoForward, &x[..]).unwrap(), gradient($f::D, AutoReverse, &x[..]).unwrap()] {
                crate::check::close(stringify!($f), &g, &expected, 1e-7);
            }
        )+ };
    }
    rows! { unwrapped expected numbers }
}
