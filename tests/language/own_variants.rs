//! Variants of own enums that are named like those of std, and integers in variants.

use diffi::prelude::*;

// `None` and `Some` of an own enum.

#[derive(Clone, Copy, Differentiable)]
enum Load {
    None,
    Some(f64),
    Pair(f64, f64),
}

#[differentiable]
fn work_of(l: &Load, k: f64) -> f64 {
    match l {
        Load::None => k,
        Load::Some(v) => v * k,
        Load::Pair(a, b) => a * b * k,
    }
}

#[differentiable]
fn loads(x: &[f64]) -> f64 {
    let ls = [Load::None, Load::Some(x[0]), Load::Pair(x[0], x[1])];
    let mut s = 0.0;
    for l in &ls {
        s += work_of(l, x[1]);
    }
    s
}

// `Ok`, `Err` and a `Some` with a named member.

#[derive(Clone, Copy, Differentiable)]
enum Force {
    Ok(f64),
    Err,
    Some { v: f64 },
}

#[differentiable]
fn forces(x: &[f64]) -> f64 {
    let a = Force::Some { v: x[0] };
    let b = Force::Ok(x[1]);
    let mut s = 0.0;
    for q in [a, b, Force::Err] {
        if let Force::Ok(v) = q {
            s += v * x[0];
        }
        if let Force::Some { v } = q {
            s += v.sin();
        }
    }
    s
}

// `None` of an own enum beside that of `Option`.

#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(dead_code)]
enum Barrier {
    None,
    Up,
    Down,
}
#[derive(Differentiable)]
struct Knock {
    barrier: Barrier,
    strike: f64,
    level: Option<f64>,
}

#[differentiable]
impl Knock {
    fn pay(&self, s: f64) -> f64 {
        if let Some(l) = self.level {
            if s > l {
                return 0.0;
            }
        }
        match self.barrier {
            Barrier::None => (s - self.strike).max(0.0),
            Barrier::Up => s * s,
            Barrier::Down => s.sqrt(),
        }
    }
}

#[differentiable]
fn barriers(x: &[f64]) -> f64 {
    let o = Knock { barrier: Barrier::None, strike: 0.2, level: None };
    let p = Knock { barrier: Barrier::Down, strike: 0.2, level: Some(x[0]) };
    if p.barrier == Barrier::None {
        return 0.0;
    }
    o.pay(x[0]) * p.pay(x[1])
}

// The same by `Self`, beside a `Result`.

#[derive(Clone, Differentiable)]
enum Reg {
    None,
    Ok { l: f64 },
    Err(f64, f64),
}

#[differentiable]
impl Reg {
    fn new(k: f64) -> Self {
        if k > 0.5 {
            Self::Ok { l: k }
        } else if k > 0.2 {
            Self::Err(k, k * k)
        } else {
            Self::None
        }
    }
    fn pen(&self, w: &[f64]) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Ok { l } => l * w.iter().map(|v| v * v).sum::<f64>(),
            Reg::Err(a, b) => a * w[0].abs() + b * w[1],
        }
    }
}

#[differentiable]
fn logarithm(x: f64) -> Result<f64, String> {
    if x > 0.0 { Ok(x.ln()) } else { Err("no".into()) }
}

#[differentiable]
fn regularised(x: &[f64]) -> f64 {
    let r = Reg::new(x[0]);
    let q = Reg::new(x[1]);
    let z = match logarithm(x[0]) {
        Ok(v) => v,
        Err(_) => 0.0,
    };
    r.pen(x) * q.pen(x) + Reg::None.pen(x) * x[0] + z
}

// An integer in a variant that a function changes.

#[derive(Clone, Differentiable)]
enum Decay {
    Fast(f64),
    Slow { k: f64, n: usize },
}

#[differentiable]
fn decay_by(m: &mut Decay, q: f64) {
    match m {
        Decay::Fast(v) => *v *= q,
        Decay::Slow { k, n } => {
            *k += q;
            *n += 1;
        }
    }
}

#[differentiable]
fn read_decay(m: &Decay) -> f64 {
    match m {
        Decay::Fast(v) => *v,
        Decay::Slow { k, n } => k * *n as f64,
    }
}

#[differentiable]
fn decaying(x: &[f64]) -> f64 {
    let mut m = Decay::Fast(x[0]);
    let mut n = Decay::Slow { k: x[1], n: 1 };
    decay_by(&mut m, x[1]);
    decay_by(&mut n, x[0]);
    read_decay(&m) * read_decay(&n)
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number loads(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number forces(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number barriers(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number regularised(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
        number decaying(at x: Vec<f64>): [vec![0.8, 0.3]] [vec![1.1, 0.6]];
    }
}
