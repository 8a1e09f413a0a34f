//! Functions that are handed iterators.

use crate::check::number;
use diffi::prelude::*;
use std::collections::{BTreeMap, HashMap};

#[differentiable]
fn discounted(flows: impl Iterator<Item = f64>, rate: f64) -> f64 {
    let (mut factor, mut value) = (1.0, 0.0);
    for flow in flows {
        factor /= 1.0 + rate;
        value += factor * flow;
    }
    value
}

/// Chains over active values, arrays by value, and iterators without derivatives.
#[differentiable]
fn present_values(x: &[f64]) -> f64 {
    discounted(x[1..].iter().map(|c| c * c.sin()), x[0])
        + discounted([1.0, 2.0].into_iter(), x[0])
        + discounted((0..3).map(|i| i as f64), x[1])
}

#[differentiable]
fn norm<'a, I: Iterator<Item = &'a f64>>(values: I) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}

#[differentiable]
fn product_of_norms(x: &[f64]) -> f64 {
    let mut rest = x.iter();
    let first = rest.next().unwrap();
    norm(x.iter()) * norm(rest.clone()) * norm(rest.filter(|v| **v > 0.4)) + first
}

#[differentiable]
fn root_mean_square<I>(items: I) -> f64
where
    I: IntoIterator<Item = f64>,
{
    let (mut sum, mut count) = (0.0, 0);
    for v in items {
        sum += v * v;
        count += 1;
    }
    (sum / count as f64).sqrt()
}

/// What is turned into an iterator; and an iterator that goes on to a third function.
#[differentiable]
fn averages(x: &[f64]) -> f64 {
    root_mean_square(x.to_vec())
        + root_mean_square(x.iter().copied().filter(|v| *v > 0.4)) * root_mean_square([x[0], x[1]])
        + root_mean_square(vec![x[0] * x[1]; 2])
        + first_and_rest(x.iter().skip(1).copied(), x[0])
}

#[differentiable]
fn first_and_rest(values: impl Iterator<Item = f64>, scale: f64) -> f64 {
    let mut scaled = values.map(|v| v * scale);
    let first = scaled.next().unwrap_or(0.0);
    first.exp() + root_mean_square(scaled)
}

/// In a loop that may be left: the sweeps run apart.
#[differentiable]
fn left_early(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..2 {
        total += first_and_rest(x.iter().skip(k).copied(), x[k]);
        if total > 5.0 {
            return total * x[0];
        }
    }
    total
}

#[differentiable]
fn picked(places: impl Iterator<Item = usize>, x: &[f64]) -> f64 {
    places.map(|i| x[i]).sum()
}

/// Indices carry no derivative.
#[differentiable]
fn picks(x: &[f64]) -> f64 {
    picked((0..x.len()).step_by(2), x) * picked([1, 0].into_iter(), x)
}

#[differentiable]
fn correlation(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    pairs.map(|(a, b)| a * b.exp()).sum()
}

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    correlation(x.iter().copied().zip(x.iter().skip(1).copied()))
}

#[differentiable]
fn compound<'a>(rates: impl IntoIterator<Item = &'a f64>) -> f64 {
    rates.into_iter().fold(1.0, |all, rate| all * (1.0 + rate))
}

/// References to what is iterated over.
#[differentiable]
fn growth(x: &[f64]) -> f64 {
    let cosines: Vec<f64> = x.iter().map(|a| a.cos()).collect();
    compound(x) + compound(&cosines) * compound(cosines.iter().rev()) + compound(&[x[0], 2.0])
}

#[derive(Clone, Differentiable)]
struct Weight {
    w: f64,
}

#[differentiable]
impl Weight {
    fn total(&self, values: impl Iterator<Item = f64>) -> f64 {
        values.map(|v| v * self.w).sum()
    }
}

#[differentiable]
fn by_a_method(x: &[f64]) -> f64 {
    let weight = Weight { w: x[0] };
    weight.total(x.iter().map(|v| v.sin())) * weight.total(std::iter::once(x[1]))
}

/// An iterator under a name, without derivatives: its elements choose among active values.
#[differentiable]
fn chosen(x: &[f64], order: &[usize]) -> f64 {
    let places = order.iter().rev();
    places.enumerate().map(|(k, &i)| x[i] * (k as f64 + 1.0).ln() * x[k]).sum()
}

/// Keys and values of constant maps, whose references the pattern opens.
#[differentiable(constant(map, other))]
fn over_maps(map: &HashMap<usize, f64>, other: &BTreeMap<usize, (f64, usize)>, x: &[f64]) -> f64 {
    let mut s = 1.0;
    for (&i, &w) in map {
        s += w * x[i] * x[i];
    }
    for (i, w) in map.iter() {
        s += w * x[*i];
    }
    for (&i, &(w, k)) in other {
        s *= w * x[i] + x[k];
    }
    s + other.iter().map(|(&i, &(w, _))| w * x[i].sin()).sum::<f64>()
        + other.iter().fold(x[0], |s, (i, &(w, k))| s * w + x[*i] * x[k])
}

#[test]
fn maps_are_walked_over() {
    let map = HashMap::from([(0, 1.5), (2, 0.5)]);
    let other = BTreeMap::from([(1, (0.3, 2)), (2, (0.7, 0))]);
    number!(over_maps::D, [0.3, 0.8, 0.45], |x| (Constant(&map), Constant(&other), x), |x| over_maps(&map, &other, x));
}

#[test]
fn iterators_are_handed_over() {
    let x = [0.3, 0.8, 0.45];
    number!(present_values::D, x, |x| x, |y| present_values(y));
    number!(product_of_norms::D, x, |x| x, |y| product_of_norms(y));
    number!(averages::D, x, |x| x, |y| averages(y));
    number!(left_early::D, x, |x| x, |y| left_early(y));
    number!(left_early::D, [1.9, 2.8, 0.45], |x| x, |y| left_early(y));
    number!(picks::D, x, |x| x, |y| picks(y));
    number!(neighbours::D, x, |x| x, |y| neighbours(y));
    number!(growth::D, x, |x| x, |y| growth(y));
    number!(by_a_method::D, x, |x| x, |y| by_a_method(y));
    number!(chosen::D, x, |x| (x, Constant(&[2, 0, 1][..])), |y| chosen(y, &[2, 0, 1]));
}

/// Operators take a list for what such a function walks over.
#[test]
fn operators_take_lists() {
    number!(discounted::D, [1.0, 2.0, 0.1], |x| (&x[..2], x[2]), |y| discounted(y[..2].iter().copied(), y[2]));
    number!(compound::D, [0.1, 0.2], |x| x, |y| compound(y));
}

/// Numbers of other kinds have lists of their own.
#[test]
fn other_backends_walk() {
    let x = [0.3, 0.8, 0.45];
    let reverse = gradient(averages::D, AutoReverse, &x).unwrap();
    for other in [
        gradient(averages::D, AutoDual::default(), &x).unwrap(),
        gradient(averages::D, AutoTape::default(), &x).unwrap(),
        gradient(averages::D, AutoTape::default().replayed(), &x).unwrap(),
    ] {
        crate::check::close("gradient", &other, &reverse, 1e-13);
    }
    let pattern = hessian_sparsity(neighbours::D, TracerSparsityDetector::default(), &x).unwrap();
    assert_eq!(pattern.nnz(), 6);
}
