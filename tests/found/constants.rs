//! Values without derivatives, of types that only rustc knows, in loops and branches.

use diffi::prelude::*;

#[derive(Clone, Debug, Differentiable)]
pub struct Gas {
    pub heat: f64,
    pub name: String,
}

impl Gas {
    fn next(&self) -> Gas {
        Gas { heat: self.heat * 1.1, ..self.clone() }
    }
}

fn gas(k: usize) -> Gas {
    Gas { heat: 1.0 + k as f64, name: "air".into() }
}

/// A struct that each iteration gets from a function.
#[differentiable]
fn struct_of_a_iteration(x: f64) -> f64 {
    let mut y = x;
    let mut last = gas(2);
    for k in 0..3 {
        let here = gas(k);
        y = (y * here.heat).sin() + 0.3 * y * y;
        last = last.next();
        if k > 0 {
            let next = last.next();
            y = (y * next.heat).sin() * last.heat;
        }
    }
    y
}

/// A struct behind an early return.
#[differentiable]
fn struct_after_a_return(x: f64) -> f64 {
    if x > 1.0 {
        return x * x;
    }
    let made = gas(1);
    let mut y = x;
    for _ in 0..2 {
        y = y.sin() * made.heat;
    }
    y
}

#[derive(Clone, Debug, Differentiable)]
pub enum Law {
    Ideal,
    Scaled(f64),
    Shifted { by: f64 },
}

impl Law {
    fn shift(self) -> Law {
        match self {
            Law::Ideal => Law::Scaled(0.5),
            Law::Scaled(a) => Law::Shifted { by: a },
            other => other,
        }
    }
}

/// What a pattern binds by reference, in an arm that may return.
#[differentiable]
fn constants_matched(x: f64) -> f64 {
    let law = Law::Ideal.shift();
    let mut y = x;
    match &law {
        Law::Scaled(a) => {
            let b = *a;
            for _ in 0..2 {
                y = b * y.sin() + 1.0 * a;
            }
            if y * b > 0.5 {
                return 3.0 * y * b;
            }
            y = 0.5 * a * y.sin();
        }
        Law::Shifted { by } => y *= *by * y,
        Law::Ideal => y += x,
    }
    x * y
}

/// The last of some constants, by reference.
#[differentiable]
fn last_constant(x: f64) -> f64 {
    let weights = [0.5, 0.25, 1.5];
    let (mut y, mut k) = (x, 0);
    while k < 2 {
        if let Some(w) = weights.last() {
            y = y.sin() * if *w > 1.0 { y } else { x };
            if y > 0.9 {
                return y * *w;
            }
        }
        k += 1;
    }
    y * *weights.first().unwrap()
}

#[differentiable]
impl Law {
    fn grow(&mut self, x: f64) -> f64 {
        *self = Law::Scaled(x * x);
        x.sin()
    }
    fn value(&self) -> f64 {
        match self {
            Law::Scaled(a) => a * a,
            Law::Shifted { by } => *by,
            Law::Ideal => 1.0,
        }
    }
}

/// A variant that a branch chooses and a call changes.
#[differentiable]
fn variant_of_a_branch(x: f64) -> f64 {
    let mut s = 0.0;
    for k in 1..3 {
        let mut law = if {
            let y = x * k as f64;
            y
        } < 1.0
        {
            Law::Ideal
        } else {
            Law::Shifted { by: 2.0 }
        };
        s += Law::grow(&mut law, x * k as f64);
        s += law.value();
    }
    s
}

#[derive(Clone, Debug, Differentiable)]
pub struct Cells {
    pub at: [f64; 2],
    pub rest: Vec<f64>,
}

/// An option of what a field's element was.
#[differentiable]
fn option_of_a_field(c: &mut Cells, x: f64) -> f64 {
    let before = Some(c.at[1]);
    let all = Some(c.rest.clone());
    c.at[1] = x * x;
    c.rest[0] *= 2.0;
    let some = if x > 0.3 { Some(c.at[1]) } else { None };
    c.at[1] *= 3.0;
    before.unwrap_or(0.0) * c.at[1] + some.unwrap_or(0.5) + all.unwrap()[0] * c.rest[0]
}

#[differentiable]
fn option_of_a_cell(x: f64) -> f64 {
    let mut c = Cells { at: [x.sin(), x], rest: vec![x * x] };
    option_of_a_field(&mut c, x) + c.at[1]
}

/// A constant that takes its type from the variable alone.
#[differentiable]
fn bare_constant(x: f64) -> f64 {
    let one: f64 = 1.0;
    let mut pair = (one, 0.5 * one);
    pair = ((pair.1 - one).tanh(), pair.0.sin());
    pair.0 = 0.6875;
    x * (0.9 * pair.0).sin() + pair.1
}

/// A pair that a call gave, set to a pair with a number that carries nothing.
#[differentiable]
fn pair_of_a_call(x: f64) -> f64 {
    let mut pair = both_of(x);
    let weights = vec![0.25, 0.5];
    for w in weights.iter().copied() {
        pair = (w, pair.0 * pair.1);
        pair.0 *= (w * x).cos();
    }
    pair.0 * pair.1
}

/// A parameter's pair that is exchanged for one of which a member carries nothing.
#[differentiable]
fn pair_exchanged(pair: (f64, f64), x: f64) -> f64 {
    let (mut pair, mut y) = (pair, x);
    let weights = vec![0.25, 0.5];
    for _ in 0..3 {
        let old = std::mem::replace(&mut pair, (y.powi(2).tanh(), weights.iter().fold(0.3, |s, w| 0.5 * s + w)));
        y += old.0 * old.1;
    }
    y + pair.0 * pair.1
}

/// The same by an assignment.
#[differentiable]
fn pair_assigned(mut pair: (f64, f64), x: f64) -> f64 {
    let weights = vec![0.25, 0.5];
    for _ in 0..3 {
        let before = pair.0;
        pair = (pair.1 * x, weights.iter().fold(0.3, |s, w| 0.5 * s + w));
        pair.1 *= before;
    }
    pair.0 + pair.1 * x
}

#[differentiable]
fn both_of(x: f64) -> (f64, f64) {
    (x.sin(), x * x)
}

/// A constant variant that an arm changes through what it binds.
#[differentiable]
fn constant_changed_in_an_arm(x: f64) -> f64 {
    let mut law = Law::Scaled(1.0);
    let mut y = x;
    for k in 0..3 {
        match &mut law {
            Law::Scaled(a) => *a += 1.0,
            _ => {}
        }
        let w = match &law {
            Law::Scaled(a) => *a,
            _ => 1.0,
        };
        y = y * x * w + y.sin();
        if k > 5 {
            law = Law::Ideal;
        }
    }
    y
}

#[derive(Clone, Debug, Differentiable)]
pub enum Stored {
    Pair(f64, f64),
    Three { at: [f64; 3] },
}

/// A variant made of constants, in which a pattern's reference stores what carries a derivative.
#[differentiable]
fn stored_by_a_pattern(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..3 {
        let mut stored = if k != 1 { Stored::Three { at: [1.0, 2.0, 3.0] } } else { Stored::Pair(1.0, 2.0) };
        if let Stored::Three { at: v } = &mut stored {
            v[k] -= 0.2 * x[1] * x[k];
        }
        s += match &stored {
            Stored::Three { at } => at[0] * at[2] * x[0],
            Stored::Pair(a, b) => a * b * x[2],
        };
    }
    s
}

/// Weights in the other float, kept for the reverse sweep.
#[differentiable]
fn weighted_by_singles(x: &[f64]) -> f64 {
    let weights: Vec<f32> = (0..x.len()).map(|i| 1.0 / (i as f32 + 1.0)).collect();
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        let w = 1.0f32 / (i as f32 + 2.0);
        let t = v * w as f64;
        sum += t.sin() * f64::from(w * w) + v.exp() * weights[i] as f64;
        sum = sum * sum + t;
    }
    sum + x.iter().zip(&weights).map(|(v, w)| v.exp().ln_1p() * *w as f64).sum::<f64>()
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number struct_of_a_iteration(by x: f64): [0.7];
        number struct_after_a_return(by x: f64): [0.7] [1.7];
        number constants_matched(by x: f64): [0.7] [1.9];
        number last_constant(by x: f64): [0.7] [1.9];
        number variant_of_a_branch(by x: f64): [0.7];
        number option_of_a_cell(by x: f64): [0.6] [0.2];
        number bare_constant(by x: f64): [0.7];
        number constant_changed_in_an_arm(by x: f64): [0.7];
        number pair_of_a_call(by x: f64): [0.7];
        number pair_exchanged(by pair: (f64, f64), by x: f64): [(0.4, 0.9), 0.7];
        number pair_assigned(by pair: (f64, f64), by x: f64): [(0.4, 0.9), 0.7];
        number weighted_by_singles(at x: Vec<f64>): [vec![0.3, 0.9]];
        number stored_by_a_pattern(at x: Vec<f64>): [vec![0.3, 0.9, 0.4]];
    }
}
