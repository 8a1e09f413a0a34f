//! Calls that change an argument, and whose results nothing reads: the cotangent of the result has its shape all the same.

use diffi::prelude::*;

#[differentiable]
fn listed(m: &mut f64, v: f64) -> Vec<f64> {
    *m += v * v;
    let w = v.exp();
    (0..30).map(|i| w * i as f64 + v).collect()
}

#[differentiable]
fn beside(m: &mut f64, v: f64) -> (Vec<f64>, f64) {
    *m += v * v;
    let w = v.exp();
    ((0..30).map(|i| w * i as f64 + v).collect(), w)
}

#[differentiable]
fn nested(m: &mut f64, v: f64) -> Vec<Vec<f64>> {
    *m += v * v;
    vec![vec![v; 30], vec![v.exp()], vec![]]
}

#[derive(Clone, Differentiable)]
pub struct Report {
    pub parts: Vec<f64>,
    pub number: usize,
    pub last: Option<f64>,
}

#[differentiable]
fn reported(m: &mut f64, v: f64) -> Report {
    *m += v * v;
    let mut parts = vec![];
    for i in 0..20 {
        parts.push(v * i as f64);
    }
    Report { parts, number: 2, last: Some(v) }
}

#[derive(Clone, Differentiable)]
pub enum Found {
    All(Vec<f64>),
    One { value: f64 },
    Nothing,
}

#[differentiable]
fn found(m: &mut f64, v: f64) -> Found {
    *m += v * v;
    if v > 1.0 {
        return Found::Nothing;
    }
    if v > 0.5 {
        return Found::One { value: v.exp() };
    }
    Found::All(vec![v; 30])
}

#[differentiable]
fn perhaps(m: &mut f64, v: f64) -> Option<Vec<f64>> {
    *m += v * v;
    if v > 1.0 {
        return None;
    }
    Some(vec![v; 30])
}

#[differentiable]
fn tried(m: &mut f64, v: f64) -> Result<Vec<f64>, String> {
    *m += v * v;
    if *m > 9.0 {
        return Err(format!("{m} is too much"));
    }
    Ok(vec![v; 30])
}

#[differentiable]
fn tried_number(m: &mut f64, v: f64) -> Result<f64, String> {
    *m += v * v;
    if *m > 9.0 {
        return Err(format!("{m} is too much"));
    }
    Ok(v)
}

#[differentiable]
fn a_list(x: &[f64]) -> f64 {
    let mut m = x[0];
    for v in x {
        listed(&mut m, *v);
    }
    let _ = listed(&mut m, x[1]);
    let _kept = listed(&mut m, x[2]);
    m * m
}

#[differentiable]
fn a_length(x: &[f64]) -> f64 {
    let mut m = x[0];
    let mut n = 0;
    for v in x {
        let list = listed(&mut m, *v);
        n += list.len();
    }
    let all = nested(&mut m, x[1]);
    m * m * all[0].len() as f64 + n as f64 * all.len() as f64 * x[2]
}

#[differentiable]
fn a_part(x: &[f64]) -> f64 {
    let mut m = x[0];
    let (list, w) = beside(&mut m, x[1]);
    let (_, u) = beside(&mut m, x[2]);
    m * list.len() as f64 + w * u
}

#[differentiable]
fn a_struct(x: &[f64]) -> f64 {
    let mut m = x[0];
    let report = reported(&mut m, x[1]);
    reported(&mut m, x[2]);
    m * m * report.parts.len() as f64 + m * report.number as f64
}

#[differentiable]
fn an_enum(x: &[f64]) -> f64 {
    let mut m = x[0];
    for v in x {
        if let Found::All(_) | Found::Nothing = found(&mut m, *v) {
            m *= 1.1;
        }
    }
    found(&mut m, x[2]);
    m * m
}

#[differentiable]
fn an_option(x: &[f64]) -> f64 {
    let mut m = x[0];
    for v in x {
        if perhaps(&mut m, *v).is_some() {
            m *= m;
        }
    }
    m
}

#[differentiable]
fn try_all(x: &[f64]) -> Result<f64, String> {
    let mut m = x[0];
    tried(&mut m, x[1])?;
    tried_number(&mut m, x[2])?;
    let kept = tried(&mut m, x[0])?;
    Ok(m * m * kept[0])
}

#[differentiable]
fn a_result(x: &[f64]) -> f64 {
    let mut m = try_all(x).unwrap_or(1.0);
    if tried(&mut m, x[0]).is_err() {
        m *= 0.1;
    }
    match tried(&mut m, x[1]) {
        Ok(list) if list.len() > 100 => m += 1.0,
        Ok(_) => m *= 2.0,
        Err(_) => m *= 0.5,
    }
    m
}

#[derive(Clone, Default, Differentiable)]
pub struct Tank {
    pub level: f64,
    pub log: Vec<f64>,
}

#[differentiable]
impl Tank {
    fn pour(&mut self, v: f64) -> Vec<f64> {
        self.level += v * v;
        self.log.push(v);
        self.log.clone()
    }

    /// A name that std's vectors have.
    fn capacity(&self) -> f64 {
        self.level * 2.0
    }
}

#[differentiable]
fn a_method(x: &[f64]) -> f64 {
    let mut tank = Tank::default();
    for v in x {
        tank.pour(*v);
    }
    let log = tank.pour(x[0]);
    tank.capacity() * tank.log[1] * log.len() as f64
}

crate::check::sound! { a_list a_length a_part a_struct an_enum an_option a_result a_method }
