//! Patterns within `Some(..)`, `Ok(..)` and slices that fit some values only.

use super::check::sound;
use diffi::prelude::*;

#[differentiable]
fn flag_in_an_option(x: &[f64]) -> f64 {
    let found = if x[0] > 0.5 { Some((x[0] * x[1], x[2] > 1.0)) } else { None };
    match found {
        Some((t, true)) => t * t,
        Some((t, _)) => 3.0 * t,
        None => x[2],
    }
}

#[differentiable]
fn number_in_an_option(x: &[f64]) -> f64 {
    let found = if x[0] > 0.5 { Some((2usize, x[0] * x[1])) } else { None };
    if let Some((1, t)) = found {
        return 5.0 * t;
    }
    match found {
        Some((0 | 3, t)) => t,
        Some((k @ 1..=4, t)) => k as f64 * t * x[2],
        _ => 0.0,
    }
}

#[differentiable]
fn flag_in_a_result(x: &[f64]) -> f64 {
    let made: Result<(f64, bool), usize> = if x[1] > 1.0 { Ok((x[0] * x[2], false)) } else { Err(3) };
    match made {
        Ok((t, true)) => t,
        Ok((t, false)) => t * x[1],
        Err(_) => 0.0,
    }
}

#[differentiable]
fn range_in_an_option(x: &[f64]) -> f64 {
    let found = Some(x[0] * x[1]);
    match found {
        Some(0.0..0.5) => x[2],
        Some(t) => t * x[2],
        None => 0.0,
    }
}

#[differentiable]
fn let_else(x: &[f64]) -> f64 {
    let pair = Some((x[0], x[1] > 2.0));
    let Some((t, true)) = pair else { return x[0] * x[1] * x[2] };
    t
}

/// What carries no derivative is bound so, too.
#[differentiable]
fn passive_places(x: &[f64]) -> f64 {
    let mut factor = 1.5 - f64::from(0.5);
    match factor {
        ref mut r => *r = 0.5 * *r + 2.0,
    }
    let mut pair = (1, 2.0);
    if let (1, ref mut r) = pair {
        *r += factor;
    }
    x[0] * x[1] * factor + x[2] * pair.1
}

sound! { flag_in_an_option number_in_an_option flag_in_a_result range_in_an_option let_else passive_places }
