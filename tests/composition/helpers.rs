//! Functions that call functions: recursion, results of all shapes, parts of arguments, generic functions, closures.

use crate::check::{list, number};
use diffi::prelude::*;
use num_traits::Float;

#[differentiable]
fn pattern_argument((a, b): (f64, f64), [c]: [f64; 1]) -> f64 {
    a * b + c
}

/// Recursion by halves.
#[differentiable]
fn tree_sum(x: &[f64], k: f64) -> f64 {
    if x.len() == 1 {
        return x[0] * k;
    }
    let (left, right) = x.split_at(x.len() / 2);
    tree_sum(left, k * x[0]) * tree_sum(right, k) + k
}

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn even(x: &[f64], sum: f64) -> f64 {
    match x {
        [] => sum,
        [first, rest @ ..] => odd(rest, sum + first * first),
    }
}

#[differentiable]
fn odd(x: &[f64], sum: f64) -> f64 {
    match x {
        [] => sum.sin(),
        [first, rest @ ..] => even(rest, sum * first),
    }
}

#[differentiable]
fn moments(x: &[f64]) -> (f64, [f64; 2], Vec<f64>) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let deviations: Vec<f64> = x.iter().map(|v| v - mean).collect();
    let variance = deviations.iter().map(|d| d * d).sum::<f64>() / n;
    (mean, [variance, variance.sqrt()], deviations)
}

#[differentiable]
fn of_moments(x: &[f64]) -> f64 {
    let (mean, [variance, deviation], all) = moments(x);
    let last = all.last().copied().unwrap_or(0.0);
    mean * variance + deviation * all[0] * last
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let (head, tail) = x.split_at(2);
    let middle = &x[1..x.len() - 1];
    let mut sum = 0.0;
    if let (Some(first), Some(last)) = (tail.first(), middle.last()) {
        sum += first * last * head[1];
    }
    if let Some(v) = x.get(2) {
        sum += v.powi(3);
    }
    if let Some(v) = x.get(200) {
        sum += v;
    }
    let products = head.iter().zip(tail).map(|(a, b)| a * b);
    let squares = middle.iter().map(|v| v * v);
    sum + products.sum::<f64>() * squares.fold(1.0, |a, b| a * b)
}

#[differentiable]
fn nested(rows: &[Vec<f64>], grid: [[f64; 2]; 2]) -> f64 {
    let mut sum = 0.0;
    for (i, row) in rows.iter().enumerate() {
        let weights = &grid[i % 2];
        for (j, v) in row.iter().enumerate() {
            sum += v * v * weights[j % 2];
        }
    }
    let mut product = vec![vec![0.0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            product[i][j] = rows[i][j] * grid[j][i] + sum;
        }
    }
    product.iter().flatten().sum::<f64>() * sum
}

#[differentiable]
fn distance<T: Float, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    let mut sum = T::zero();
    for i in 0..N {
        let d = a[i] - b[i];
        sum = sum + d * d;
    }
    sum.sqrt()
}

#[differentiable]
fn smooth<T>(x: &[T]) -> T
where
    T: Float,
{
    let half = T::one() / (T::one() + T::one());
    let mut sum = T::zero();
    for v in x {
        sum = sum + (*v * half).exp().ln_1p() * v.abs();
    }
    sum
}

#[differentiable]
fn nested_closures(x: f64, y: f64) -> f64 {
    let scale = |v: f64| v * y;
    let twice = |v: f64| scale(scale(v)) + x;
    let by = |k: f64| {
        let inner = |v: f64| twice(v) * k;
        inner(x) + inner(y)
    };
    by(2.0) * by(x)
}

fn rows(x: &[f64]) -> Vec<Vec<f64>> {
    vec![x[..2].to_vec(), x[2..5].to_vec()]
}

fn grid(x: &[f64]) -> [[f64; 2]; 2] {
    [[x[0], x[1]], [x[2], x[3]]]
}

#[test]
fn patterns_are_parameters() {
    let g = gradient(pattern_argument::D, AutoReverse, ((2.0, 3.0), [4.0])).unwrap();
    assert_eq!(g, ((3.0, 2.0), [1.0]));
    number!(pattern_argument::D, [2.0, 3.0, 4.0], |x| ((x[0], x[1]), [x[2]]), |x| pattern_argument(
        (x[0], x[1]),
        [x[2]]
    ));
}

#[test]
fn functions_call_themselves() {
    number!(tree_sum::D, [0.7, 0.3, 1.1, 0.9, 0.4], |x| (&x[..4], x[4]), |x| tree_sum(&x[..4], x[4]));
    number!(power::D, [0.7], |x| (x[0], Constant(5)), |x| power(x[0], 5));
    number!(even::D, [0.7, 0.3, 1.1, 0.9], |x| (&x[..3], x[3]), |x| even(&x[..3], x[3]));
    number!(odd::D, [0.7, 0.3, 1.1, 0.9], |x| (&x[..3], x[3]), |x| odd(&x[..3], x[3]));
}

#[test]
fn results_have_parts() {
    list!(moments::D, [0.7, 0.3, 1.1], |x| x, |x| moments(x));
    number!(of_moments::D, [0.7, 0.3, 1.1], |x| x, |x| of_moments(x));
}

#[test]
fn arguments_have_parts() {
    number!(parts::D, [0.7, 0.3, 1.1, 0.9], |x| x, |x| parts(x));
    number!(nested::D, [0.7, 0.3, 1.1, 0.9, 0.5, 0.2, 0.4, 0.6, 0.8], |x| (&rows(x), grid(&x[5..])), |x| nested(
        &rows(x),
        grid(&x[5..])
    ));
}

#[test]
fn floats_are_generic() {
    let pair = |x: &[f64]| [x[0], x[1]];
    number!(distance::D, [0.7, 0.3, 1.1, 0.9], |x| (&pair(x), &pair(&x[2..])), |x| distance(&pair(x), &pair(&x[2..])));
    number!(smooth::D, [0.7, -0.3], |x| x, |x| smooth(x));
}

#[test]
fn closures_are_nested() {
    number!(nested_closures::D, [0.7, 0.3], |x| (x[0], x[1]), |x| nested_closures(x[0], x[1]));
}

#[differentiable]
fn compared(x: f64, n: i32) -> f64 {
    let a = x * x;
    match (a > 1.0, n % 2) {
        (true, 0) => a.ln(),
        (true, _) => a * a,
        (false, _) => -a,
    }
}

#[test]
fn comparisons_stand_in_tuples() {
    number!(compared::D, [1.7], |x| (x[0], Constant(2)), |x| compared(x[0], 2));
    number!(compared::D, [0.7], |x| (x[0], Constant(2)), |x| compared(x[0], 2));
}
