//! `Option`s and `Result`s: the derivative of the value that is there, and none where there is none.

use crate::check::number;
use diffi::prelude::*;

#[differentiable]
fn root(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[differentiable]
fn checked_ln(x: f64) -> Result<f64, String> {
    if x > 0.0 { Ok(x.ln()) } else { Err(format!("ln of {x}")) }
}

#[differentiable]
fn question_mark_result(x: f64) -> Result<f64, String> {
    let r = checked_ln(x)?;
    Ok(r * x)
}

#[differentiable]
fn question_mark_option(x: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for v in x {
        sum += root(*v)? * x[0];
    }
    let first = x.first()?;
    Some(sum * first)
}

#[differentiable]
fn either(x: f64, y: f64) -> f64 {
    let mut sum = root(x).unwrap_or(y * y);
    if let Some(r) = root(y) {
        sum += r * x;
    }
    sum += match checked_ln(x * y) {
        Ok(v) => v * v,
        Err(_) => x,
    };
    let r = root(x * x);
    sum * r.map(|v| v * y).unwrap_or(2.0) + root(y * y).unwrap()
}

#[differentiable]
fn converted(x: f64, y: f64) -> Result<f64, String> {
    let r = root(x).ok_or("no root".to_string())?;
    let l = checked_ln(y).map_err(|e| format!("{e}!"))?;
    if l > 5.0 {
        return Err("large".into());
    }
    let sign = if r > 1.0 { Ok(r * l) } else { Err("small") };
    Ok(sign.map(|v| v + r)? * y)
}

#[differentiable]
fn passed_on(x: f64) -> Option<f64> {
    root(x)
}

#[differentiable]
fn vectors(x: &[f64]) -> Result<Vec<f64>, usize> {
    let mut out = Vec::new();
    for (i, v) in x.iter().enumerate() {
        let r = root(*v).ok_or(i)?;
        out.push(r * x[0]);
    }
    Ok(out)
}

#[differentiable]
fn of_vectors(x: &[f64]) -> Option<f64> {
    let v = vectors(x).ok()?;
    let mut sum = 0.0;
    for a in &v {
        sum += a * a;
    }
    Some(sum * v[0])
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Scale(f64);

#[differentiable]
impl Scale {
    fn checked(&self, x: f64) -> Result<f64, &'static str> {
        if self.0 == 0.0 {
            return Err("zero");
        }
        Ok(x / self.0)
    }

    fn twice(&self, x: f64) -> Result<f64, &'static str> {
        let once = self.checked(x)?;
        self.checked(once * x)
    }
}

#[test]
fn values_that_are_there() {
    number!(root::D, [0.7], |x| x[0], |x| root(x[0]).unwrap(), unwrapped);
    number!(question_mark_result::D, [0.7], |x| x[0], |x| question_mark_result(x[0]).unwrap(), unwrapped);
    number!(question_mark_option::D, [0.7, 1.2], |x| x, |x| question_mark_option(x).unwrap(), unwrapped);
    number!(passed_on::D, [0.7], |x| x[0], |x| passed_on(x[0]).unwrap(), unwrapped);
    number!(converted::D, [1.7, 2.5], |x| (x[0], x[1]), |x| converted(x[0], x[1]).unwrap(), unwrapped);
    number!(of_vectors::D, [0.7, 1.2], |x| x, |x| of_vectors(x).unwrap(), unwrapped);
    number!(either::D, [0.7, 1.2], |x| (x[0], x[1]), |x| either(x[0], x[1]));
    number!(either::D, [-0.7, 1.2], |x| (x[0], x[1]), |x| either(x[0], x[1]));
    number!(either::D, [-0.7, -1.2], |x| (x[0], x[1]), |x| either(x[0], x[1]));
    let s = Scale(1.3);
    number!(Scale::twice_d, [0.7], |x| (Constant(&s), x[0]), |x| s.twice(x[0]).unwrap(), unwrapped);
}

#[test]
fn values_that_are_not() {
    assert_eq!(gradient(question_mark_result::D, AutoReverse, -1.0), Err(Error::NoValue));
    assert_eq!(gradient(question_mark_result::D, AutoForward, -1.0), Err(Error::NoValue));
    assert_eq!(hessian(question_mark_result::D, AutoReverse, -1.0).unwrap_err(), Error::NoValue);
    assert_eq!(hvp(question_mark_option::D, AutoReverse, &[1.0, -1.0], &[1.0, 0.0]).unwrap_err(), Error::NoValue);
    assert_eq!(pullback(vectors::D, AutoReverse, &[1.0, -1.0], Some(vec![1.0, 1.0])).unwrap_err(), Error::NoValue);
    assert_eq!(pushforward(vectors::D, AutoForward, &[1.0, -1.0], &[1.0, 0.0]), Ok(None));
    assert_eq!(derivative(root::D, AutoForward, -1.0), Ok(None));
    assert_eq!(derivative(root::D, AutoForward, 4.0), Ok(Some(0.25)));
    assert_eq!(converted(0.25, 2.0).unwrap_err(), "small");
}

#[differentiable(constant(wanted))]
fn sometimes(x: &[f64], wanted: bool) -> f64 {
    let r = vectors(x);
    if wanted { r.unwrap()[1] * x[0] } else { x[1] }
}

#[test]
fn values_that_nobody_takes() {
    number!(sometimes::D, [0.7, 1.2], |x| (x, Constant(true)), |x| sometimes(x, true));
    number!(sometimes::D, [0.7, 1.2], |x| (x, Constant(false)), |x| sometimes(x, false));
}

/// A measurement, and its error where it is known.
#[derive(Clone, Debug, Differentiable)]
struct Measured {
    value: f64,
    error: Option<f64>,
    trial: Option<usize>,
}

#[differentiable]
fn first_large(x: &[f64]) -> Measured {
    for (k, v) in x.iter().enumerate() {
        if *v > 0.8 {
            return Measured { value: v * v, error: Some(v.sin()), trial: Some(k) };
        }
    }
    Measured { value: x[0], error: None, trial: None }
}

#[differentiable]
fn fields_that_may_be_there(x: &[f64]) -> f64 {
    let large = first_large(x);
    let found = x.iter().copied().find(|v| *v > 0.6);
    let p = Measured { value: x[0], error: found, trial: None };
    let q = Measured { value: x[1], error: if x[0] > 0.3 { Some(x[0] * x[2]) } else { None }, trial: Some(2) };
    let mut r = Measured { error: q.error.as_ref().map(|v| v * 2.0), ..p.clone() };
    let y = match r.error {
        Some(v) => v * p.value,
        None => x[0],
    };
    r.error = if y > 0.5 { Some(y * x[1]) } else { None };
    let of_p = p.error.map_or(0.0, |v| v * v);
    y + of_p + large.value * large.error.unwrap_or(0.1) + r.error.unwrap_or(0.3)
}

#[differentiable]
fn fields_that_come_and_go(x: &[f64]) -> f64 {
    let mut r = Measured { value: x[0], error: Some(x[1]), trial: None };
    if let Some(v) = &mut r.error {
        *v *= x[2];
    }
    if let Some(v) = r.error.as_mut() {
        *v += 0.1;
    }
    match r.error {
        Some(ref mut v) => *v *= 3.0,
        None => {}
    }
    while let Some(v) = r.error {
        if v > 3.0 {
            r.error = None;
        } else {
            r.error = Some(v * 2.0);
            r.value *= v;
        }
    }
    r.value
}

#[test]
fn fields_are_options() {
    for at in [[0.4, 0.7, 0.9], [0.2, 0.3, 0.1], [0.9, 0.3, 0.8]] {
        number!(fields_that_may_be_there::D, at, |x| x, |x| fields_that_may_be_there(x));
        number!(fields_that_come_and_go::D, at, |x| x, |x| fields_that_come_and_go(x));
    }
}
