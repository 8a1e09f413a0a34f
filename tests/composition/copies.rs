//! What a call reads changes afterwards: its cotangents go to where the copy came from.

use crate::check::number;
use diffi::prelude::*;

#[differentiable]
fn weighted(w: &[f64], v: &[f64]) -> f64 {
    w.iter().zip(v).map(|(w, v)| w * v.sin()).sum()
}

#[differentiable(output(rate))]
fn rates(x: &[f64], y: &[f64], rate: &mut [f64]) {
    rate[0] = x[0];
    for i in 1..x.len() {
        rate[i] = x[i] * y[i - 1] * y[i - 1];
    }
}

#[differentiable]
fn stretch(v: &mut [f64], by: &[f64]) {
    for i in 0..v.len() {
        v[i] *= 0.3 * by[i].cos() + 0.8;
    }
}

#[differentiable]
fn read_once(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..3 {
        let s = weighted(x, &y);
        for i in 0..y.len() {
            y[i] = y[i] * s.cos() + x[i];
        }
    }
    y.iter().sum()
}

#[differentiable]
fn read_as_both_arguments(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..3 {
        let s = weighted(&y, &y);
        for i in 0..y.len() {
            y[i] += s * x[i];
        }
    }
    y.iter().sum()
}

#[differentiable]
fn read_by_two_calls(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..3 {
        let s = weighted(x, &y) - weighted(&y, x).powi(2);
        for i in 0..y.len() {
            y[i] *= 1.0 + 0.1 * s;
        }
    }
    y.iter().map(|v| v * v).sum()
}

#[differentiable]
fn read_and_changed(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let mut z = x.to_vec();
    for _ in 0..3 {
        stretch(&mut z, &y);
        stretch(&mut y, &z);
        z[0] += y[1];
    }
    weighted(&z, &y)
}

#[differentiable]
fn in_stages(x: &[f64]) -> f64 {
    let n = x.len();
    let (mut y, mut stage) = (vec![0.3; n], vec![0.0; n]);
    let (mut k1, mut k2) = (vec![0.0; n], vec![0.0; n]);
    for _ in 0..4 {
        rates(x, &y, &mut k1);
        for i in 0..n {
            stage[i] = y[i] + 0.2 * k1[i];
        }
        rates(x, &stage, &mut k2);
        for i in 0..n {
            stage[i] = y[i] - 0.1 * k2[i];
        }
        rates(&stage, &y, &mut k2);
        for i in 0..n {
            y[i] += 0.1 * (k1[i] + k2[i]) * stage[i];
        }
    }
    y.iter().enumerate().map(|(i, v)| i as f64 * v).sum()
}

#[test]
fn copies_that_calls_read() {
    let x = [0.3, 0.8, -0.45, 0.6];
    number!(read_once::D, x, |x| x, |x| read_once(x));
    number!(read_as_both_arguments::D, x, |x| x, |x| read_as_both_arguments(x));
    number!(read_by_two_calls::D, x, |x| x, |x| read_by_two_calls(x));
    number!(read_and_changed::D, x, |x| x, |x| read_and_changed(x));
    number!(in_stages::D, x, |x| x, |x| in_stages(x));
}
