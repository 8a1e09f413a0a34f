//! Errors that cannot be copied, and functions that change what they get and give an answer: `bool`, a count, `Result<(), E>`.

use crate::check::number;
use diffi::prelude::*;
use std::error::Error as StdError;
use std::fmt;

/// It has no `Clone`, as most errors.
#[derive(Debug)]
enum ModelError {
    Negative(f64),
    Singular { step: usize },
    Other(Box<dyn StdError>),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelError::Negative(x) => write!(f, "{x} is negative"),
            ModelError::Singular { step } => write!(f, "singular in step {step}"),
            ModelError::Other(e) => write!(f, "{e}"),
        }
    }
}

impl StdError for ModelError {}

#[differentiable]
fn root(x: f64) -> Result<f64, ModelError> {
    if x < 0.0 {
        return Err(ModelError::Negative(x));
    }
    Ok(x.sqrt())
}

#[derive(Clone, Debug, Differentiable)]
struct Tank {
    level: f64,
    flow: f64,
    fills: usize,
}

#[differentiable]
impl Tank {
    fn new(level: f64, flow: f64) -> Result<Self, ModelError> {
        let level = root(level)?;
        Ok(Tank { level, flow, fills: 0 })
    }

    fn fill(&mut self, amount: f64) -> Result<(), ModelError> {
        if self.fills > 3 {
            return Err(ModelError::Singular { step: self.fills });
        }
        self.level += amount * self.flow;
        self.fills += 1;
        Ok(())
    }

    fn overflows(&mut self, most: f64) -> bool {
        if self.level > most {
            self.level = most + 0.1 * (self.level - most);
            return true;
        }
        false
    }

    fn leak(&mut self, rate: f64) -> Option<()> {
        if rate < 0.0 {
            return None;
        }
        self.level *= (-rate).exp();
        Some(())
    }
}

#[differentiable]
fn next(tank: &Tank, x: f64) -> Result<Tank, ModelError> {
    Ok(Tank { level: root(tank.level * x)?, flow: tank.flow + x, fills: tank.fills })
}

#[differentiable]
fn steps(x: &[f64]) -> Result<f64, Box<dyn StdError>> {
    let mut tank = Tank::new(x[0], x[1])?;
    for k in 0..3 {
        tank = next(&tank, x[2] + k as f64)?;
    }
    let halves = x.iter().map(|v| root(*v)).collect::<Vec<_>>().len();
    if halves > 5 {
        return Err("long".into());
    }
    Ok(tank.level * tank.flow)
}

#[differentiable]
fn filled(x: &[f64]) -> Result<f64, ModelError> {
    let mut tank = Tank::new(x[0], x[1])?;
    tank.fill(x[2])?;
    tank.fill(x[2] * tank.level)?;
    let mut over = 0;
    while tank.overflows(x[1]) {
        over += 1;
        if over == 2 || tank.leak(0.1 * x[0]).is_none() {
            break;
        }
    }
    if let Err(e) = tank.fill(x[0]) {
        return Err(ModelError::Other(e.into()));
    }
    Ok(tank.level * over as f64)
}

#[differentiable]
fn normalised(v: &mut [f64], least: f64) -> Result<(), ModelError> {
    let norm = root(v.iter().map(|a| a * a).sum::<f64>())?;
    if norm < least {
        return Err(ModelError::Singular { step: 0 });
    }
    for a in v.iter_mut() {
        *a /= norm;
    }
    Ok(())
}

#[differentiable]
fn newton(x: &mut f64, a: f64) -> usize {
    for k in 0..50 {
        let step = (*x * *x - a) / (2.0 * *x);
        *x -= step;
        if step.abs() < 1e-13 {
            return k;
        }
    }
    50
}

#[differentiable]
fn answers(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if normalised(&mut v, 1e-3).is_err() {
        return 0.0;
    }
    let failed = match normalised(&mut [0.0, 0.0], 1.0) {
        Ok(()) => 0.0,
        Err(ModelError::Singular { step: 1.. }) => 1.0,
        Err(ModelError::Negative(_)) | Err(ModelError::Other(_)) => 2.0,
        Err(e) => e.to_string().len() as f64 * x[0],
    };
    let mut r = v[0] + 1.0;
    let few = newton(&mut r, x[1]) < 40;
    let least = match root(-x[2]) {
        Err(ModelError::Negative(_)) => v[2],
        _ => 1.0,
    };
    if few { r * v[1] + failed * least } else { 0.0 }
}

/// The value is tested within the pattern.
#[differentiable]
fn hit(origin: f64, direction: f64) -> Option<(f64, bool)> {
    if direction == 0.0 {
        return None;
    }
    let t = -origin / direction;
    Some((t * t, t > 0.0))
}

#[differentiable]
fn shaded(x: &[f64]) -> f64 {
    let shade = |at: f64| match hit(at, x[1]) {
        Some((t, true)) => t * x[2],
        Some((t, false)) => t + x[2] * x[2],
        None => 0.0,
    };
    shade(x[0]) + 3.0 * shade(-x[0])
}

#[test]
fn errors_that_cannot_be_copied() {
    let x = [1.3, 0.7, 2.1];
    number!(steps::D, x, |x| x, |x| steps(x).unwrap(), unwrapped);
    number!(filled::D, x, |x| x, |x| filled(x).unwrap(), unwrapped);
    assert_eq!(gradient(steps::D, AutoReverse, &[-1.0, 1.0, 1.0]), Err(Error::NoValue));
    assert_eq!(pushforward(filled::D, AutoForward, &[-1.0, 1.0, 1.0], &[1.0, 0.0, 0.0]).unwrap(), None);
    let (y, g) = value_and_pushforward(root::D, AutoForward, -2.0, &1.0).unwrap();
    assert!(matches!((y, g), (Err(ModelError::Negative(-2.0)), None)));
}

#[test]
fn answers_of_functions_that_change_what_they_get() {
    number!(answers::D, [1.3, 0.7, 2.1], |x| x, |x| answers(x));
    number!(shaded::D, [1.3, 0.7, 2.1], |x| x, |x| shaded(x));
}
