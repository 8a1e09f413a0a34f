//! Structs that borrow, as constants: the lifetime is left out, named, or `'_`.

use crate::check::close;
use diffi::prelude::*;

#[derive(Clone, Copy)]
struct Data<'a> {
    at: &'a [f64],
    weights: &'a [f64],
}

mod inner {
    pub struct Offsets<'a, const N: usize>(pub &'a [f64; N]);
    pub type Both<'a> = Offsets<'a, 2>;
}

#[differentiable(constant(d))]
fn loss(x: &[f64], d: &Data) -> f64 {
    let mut sum = 0.0;
    for i in 0..d.at.len() {
        sum += d.weights[i] * (x[0] * (x[1] * d.at[i]).exp() - x[2]).powi(2);
    }
    sum
}
#[differentiable(constant(d))]
fn by_value(x: &[f64], d: Data) -> f64 {
    loss(x, &d) * x[0]
}
#[differentiable(constant(all))]
fn of_several(x: &[f64], all: &[Data]) -> f64 {
    let mut sum = 0.0;
    for d in all {
        sum += loss(x, d);
    }
    sum * x[1]
}
#[differentiable(constant(offsets, d))]
fn named<'a>(x: &[f64], offsets: &inner::Both, d: &Data<'a>) -> f64 {
    x[0] * offsets.0[0] + x[1] * x[2] * offsets.0[1] + loss(x, d)
}
#[differentiable]
fn all(x: &[f64]) -> f64 {
    let (at, weights) = ([0.1, 0.2], [1.0, 2.0]);
    let d = Data { at: &at, weights: &weights };
    let offsets = inner::Offsets(&at);
    by_value(x, d) + of_several(x, &[d, Data { at: &weights, weights: &at }]) + named(x, &offsets, &d)
}

#[test]
fn constants_that_borrow() {
    let x = [0.7, 0.3, 1.1];
    let by = |f: &dyn Fn(&[f64]) -> f64, i: usize| {
        let at = |h: f64| {
            let mut x = x;
            x[i] += h;
            f(&x)
        };
        (at(1e-6) - at(-1e-6)) / 2e-6
    };
    let expected: Vec<f64> = (0..3).map(|i| by(&all, i)).collect();
    close("reverse", &gradient(all::D, AutoReverse, &x[..]).unwrap(), &expected, 1e-7);
    close("forward", &gradient(all::D, AutoForward, &x[..]).unwrap(), &expected, 1e-7);
    let row = |r: usize, i: usize| by(&|x| gradient(all::D, AutoReverse, x).unwrap()[r], i);
    let h = hessian(all::D, AutoReverse, &x[..]).unwrap();
    let expected: Vec<f64> = (0..9).map(|k| row(k / 3, k % 3)).collect();
    close("hessian", &h.iter().copied().collect::<Vec<f64>>(), &expected, 1e-7);
}

#[test]
fn operators_take_what_is_borrowed_for_ever() {
    let d = Data { at: &[0.1, 0.2], weights: &[1.0, 2.0] };
    let g = gradient(loss::D, AutoReverse, (&[0.7, 0.3, 1.1][..], Constant(&d))).unwrap();
    let forward = gradient(by_value::D, AutoForward, (&[0.7, 0.3, 1.1][..], Constant(d))).unwrap();
    let value = loss(&[0.7, 0.3, 1.1], &d);
    close("by value", &forward, &[0.7 * g[0] + value, 0.7 * g[1], 0.7 * g[2]], 1e-12);
}
