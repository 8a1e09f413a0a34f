//! Results of which no error is seen are results all the same, where passive code sees them whole.

use crate::check::check;
use diffi::prelude::*;

fn is_good(r: &Result<f64, String>) -> bool {
    r.is_ok()
}

#[differentiable]
fn half(v: f64) -> Result<f64, String> {
    if v > 100.0 {
        return Err("big".into());
    }
    Ok(v / 2.0)
}

#[differentiable]
fn with_its_types(x: &[f64]) -> f64 {
    let r = Ok::<f64, ()>(x[0]);
    let s = format!("{r:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn mutable(x: &[f64]) -> f64 {
    let mut r: Result<f64, String> = Ok(x[0]);
    if x[1] > 5.0 {
        r = Err("big".to_string());
    }
    let s = format!("{r:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn mutable_that_fails(x: &[f64]) -> f64 {
    let mut r: Result<f64, String> = Ok(x[0]);
    if x[1] > 0.5 {
        r = Err("big".to_string());
    }
    let s = format!("{r:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] * s.len() as f64 }
}

#[differentiable]
fn of_a_branch(x: &[f64]) -> f64 {
    let r: Result<f64, String> = if x[0] > 0.5 { Ok(x[0] * x[0]) } else { Ok(x[1]) };
    let s = format!("{r:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let r: Result<f64, String> = Ok(x[0]);
    let q = r.clone().map(|v| v * x[1]);
    let s = format!("{q:?}");
    if s.starts_with("Ok") { x[0] * x[1] * q.unwrap() } else { x[1] }
}

#[differentiable]
fn with_another_error(x: &[f64]) -> f64 {
    let r: Result<f64, String> = Ok(x[0]);
    let q: Result<f64, usize> = r.map_err(|e| e.len());
    let s = format!("{q:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn both(x: &[f64]) -> f64 {
    let a: Result<f64, String> = Ok(x[0]);
    let b: Result<f64, String> = Ok(x[1]);
    let q = a.and(b);
    let s = format!("{q:?}");
    if s.starts_with("Ok") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let a: Result<f64, String> = Ok(x[0]);
    if a == Ok(x[0]) { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn in_a_tuple(x: &[f64]) -> f64 {
    let a: Result<f64, String> = Ok(x[0]);
    let t = (a.clone(), 3);
    let s = format!("{:?}", t);
    if s.starts_with("(Ok") { x[0] * x[1] * a.unwrap() } else { x[1] }
}

#[differentiable]
fn seen_by_a_function(x: &[f64]) -> f64 {
    let a = Ok(x[0]);
    if is_good(&a) { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut a: Result<f64, String> = Ok(x[0]);
    for k in 0..3 {
        a = a.map(|v| v * x[k]);
    }
    let s = format!("{a:?}");
    if s.starts_with("Ok") { x[0] * a.unwrap() } else { x[1] }
}

#[differentiable]
fn of_an_option(x: &[f64]) -> f64 {
    let a: Result<Option<f64>, String> = Ok(Some(x[0]));
    let s = format!("{a:?}");
    if s.starts_with("Ok(Some") { x[0] * x[1] } else { x[1] }
}

#[differentiable]
fn of_a_call(x: &[f64]) -> f64 {
    let a = half(x[0]);
    let s = format!("{a:?}");
    if s.starts_with("Ok") { x[0] * x[1] * a.unwrap() } else { x[1] }
}

#[differentiable]
fn collected(x: &[f64]) -> f64 {
    let a: Result<Vec<f64>, String> =
        x.iter().map(|v| if *v > 100.0 { Err("big".to_string()) } else { Ok(v * v) }).collect();
    let s = format!("{a:?}");
    if s.starts_with("Ok") { x[0] * a.unwrap()[1] } else { x[1] }
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let a: Result<f64, String> = Ok(x[0]);
    match a {
        Ok(v) if v > 0.0 => v * x[1],
        Ok(v) => v,
        Err(e) => e.len() as f64,
    }
}

#[differentiable]
fn matched_that_changes(x: &[f64]) -> f64 {
    let mut a: Result<f64, String> = Ok(x[0]);
    if x[0] > 9.0 {
        a = Err("e".into());
    }
    match a {
        Ok(v) if v > 0.0 => v * x[1],
        Ok(v) => v,
        Err(e) => e.len() as f64 * x[2],
    }
}

#[differentiable]
fn and_then(x: &[f64]) -> f64 {
    let a: Result<f64, String> = Ok(x[0]).and_then(|v| Ok(v * v));
    let s = format!("{a:?}");
    if s.starts_with("Ok") { x[0] * a.unwrap() } else { x[1] }
}

#[differentiable]
fn of_a_slice(x: &[f64]) -> f64 {
    let a: Result<&[f64], String> = Ok(x);
    let s = format!("{a:?}");
    if s.starts_with("Ok") { x[0] * a.unwrap()[1] } else { x[1] }
}

#[test]
fn sound() {
    check!(with_its_types at [0.77, 1.14, 1.51, 1.88]);
    check!(mutable at [0.77, 1.14, 1.51, 1.88]);
    check!(mutable_that_fails at [0.77, 1.14, 1.51, 1.88]);
    check!(of_a_branch at [0.77, 1.14, 1.51, 1.88]);
    check!(mapped at [0.77, 1.14, 1.51, 1.88]);
    check!(with_another_error at [0.77, 1.14, 1.51, 1.88]);
    check!(both at [0.77, 1.14, 1.51, 1.88]);
    check!(compared at [0.77, 1.14, 1.51, 1.88]);
    check!(in_a_tuple at [0.77, 1.14, 1.51, 1.88]);
    check!(seen_by_a_function at [0.77, 1.14, 1.51, 1.88]);
    check!(in_a_loop at [0.77, 1.14, 1.51, 1.88]);
    check!(of_an_option at [0.77, 1.14, 1.51, 1.88]);
    check!(of_a_call at [0.77, 1.14, 1.51, 1.88]);
    check!(collected at [0.77, 1.14, 1.51, 1.88]);
    check!(matched at [0.77, 1.14, 1.51, 1.88]);
    check!(matched_that_changes at [0.77, 1.14, 1.51, 1.88]);
    check!(and_then at [0.77, 1.14, 1.51, 1.88]);
    check!(of_a_slice at [0.77, 1.14, 1.51, 1.88]);
}
