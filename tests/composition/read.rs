//! Exclusive references handed to functions and methods that only read, before what they lead to changes.

use crate::check::number;
use diffi::prelude::*;

#[differentiable]
fn product<const N: usize>(a: &[f64; N], x: f64) -> f64 {
    a[0] * x + a[1] * a[2]
}

#[differentiable]
fn total(a: &[f64]) -> f64 {
    a.iter().map(|v| v * v).sum()
}

#[differentiable]
fn fill(a: &mut [f64; 3], x: f64) {
    for (k, v) in a.iter_mut().enumerate() {
        *v = x * x + k as f64;
    }
}

#[differentiable]
fn of_functions(x: f64, a: &mut [f64; 3]) -> f64 {
    fill(a, x);
    let s = product(a, x);
    for v in a.iter_mut() {
        *v *= s;
    }
    s + product(a, 2.0 * x)
}

#[derive(Clone, Copy, Differentiable)]
struct Weights {
    k: f64,
}

#[differentiable]
trait Weigh {
    fn weigh(&self, a: &[f64; 3], x: f64) -> f64;
}

#[differentiable]
impl Weigh for Weights {
    fn weigh(&self, a: &[f64; 3], x: f64) -> f64 {
        a[2] * x + self.k * a[0] * a[1]
    }
}

#[differentiable]
impl Weights {
    fn dot(&self, a: &[f64; 3], x: f64) -> f64 {
        a[0] * x * self.k + a[1] * a[2]
    }
}

#[differentiable]
fn of_methods(x: f64, a: &mut [f64; 3]) -> f64 {
    let weights = Weights { k: x };
    fill(a, x);
    let s = weights.dot(a, x) + Weights::dot(&weights, a, 0.5) + weights.weigh(a, x);
    for v in a.iter_mut() {
        *v = s;
    }
    s + weights.dot(a, 2.0 * x)
}

#[differentiable]
fn lent_by_name(x: f64, a: &mut Vec<f64>) -> f64 {
    let before = total(a);
    a[0] = before * x;
    a[1] += total(a);
    a.push(x);
    before * total(a)
}

#[differentiable]
fn written_as_exclusive(x: f64) -> f64 {
    let mut a = [x, 2.0, x * x];
    #[allow(clippy::unnecessary_mut_passed, reason = "as people write it")]
    let s = (Weights { k: x }).dot(&mut a, x);
    a[1] = s;
    s * a[1] + a[0]
}

/// The files do not show how a function takes its argument that a macro writes.
macro_rules! hidden {
    ($name:ident, $ty:ty) => {
        #[differentiable]
        impl Weights {
            fn $name(&self, a: $ty, x: f64) -> f64 {
                a[0] * x * self.k + a[1] * a[2]
            }
        }
    };
}
hidden!(reads_hidden, &[f64; 3]);
hidden!(takes_hidden, &mut [f64]);

#[differentiable]
fn of_hidden(x: f64, a: &mut [f64; 3]) -> f64 {
    let weights = Weights { k: x };
    fill(a, x);
    let s = weights.reads_hidden(&*a, x) + weights.takes_hidden(a, x) + Weights::takes_hidden(&weights, a, x);
    for v in a.iter_mut() {
        *v = s * x;
    }
    s + weights.reads_hidden(&*a, 2.0 * x)
}

#[differentiable]
fn hidden(x: &[f64]) -> f64 {
    let mut a = [0.0; 3];
    of_hidden(x[0], &mut a) + a[1] * x[1]
}

#[differentiable]
fn functions(x: &[f64]) -> f64 {
    let mut a = [0.0; 3];
    of_functions(x[0], &mut a) + a[1] * x[1]
}

#[differentiable]
fn methods(x: &[f64]) -> f64 {
    let mut a = [0.0; 3];
    of_methods(x[0], &mut a) + a[1] * x[1]
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    lent_by_name(x[0], &mut a) + a[1] * x[1]
}

#[test]
fn what_a_function_reads_is_as_it_was() {
    number!(functions::D, [0.9, 1.2], |x| x, |x| functions(x));
    number!(methods::D, [0.9, 1.2], |x| x, |x| methods(x));
    number!(hidden::D, [0.9, 1.2], |x| x, |x| hidden(x));
    number!(vectors::D, [0.9, 1.2], |x| x, |x| vectors(x));
    number!(written_as_exclusive::D, [0.9], |x| x[0], |x| written_as_exclusive(x[0]));
}
