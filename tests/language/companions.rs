//! Iterators and macros of `itertools`, errors of `anyhow`.

use anyhow::{Context, anyhow, bail, ensure};
use diffi::prelude::*;
use itertools::{Itertools, iproduct, izip};

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    let mut area = 0.0;
    for (k, (a, b)) in x.iter().circular_tuple_windows().enumerate() {
        area += a * b * b * k as f64;
    }
    let curvature: f64 = x.iter().map(|v| v.sin()).tuple_windows().map(|(a, b, c)| (a - 2.0 * b + c).powi(2)).sum();
    let pairs = x.iter().copied().tuples().fold(0.5, |s, (a, b)| s + a * b * s);
    area + curvature * pairs + x.iter().tuple_windows::<(_, _)>().step_by(2).map(|(a, b)| a / b).sum::<f64>()
}
#[differentiable]
fn all_pairs(x: &[f64], y: &[f64]) -> f64 {
    let triples: f64 = x.iter().tuple_combinations().map(|(a, b, c)| a * b.sin() * c).sum();
    let squares = x.iter().map(|v| v * v).tuple_combinations().map(|(a, b)| a * b).fold(0.0, |s, v| s + v);
    let mut products = 0.0;
    for (i, j) in (0..x.len()).tuple_combinations() {
        products += x[i] / x[j];
    }
    for (a, b) in x.iter().cartesian_product(y) {
        products += a * b * b;
    }
    triples + squares * products
}
#[differentiable]
fn product_macros(x: &[f64], y: &[f64]) -> f64 {
    let mut total = 0.0;
    for (i, j, k) in iproduct!(0..2, 0..3, 1..3) {
        total += x[i] * y[j] / k as f64;
    }
    total *= iproduct!(x, y.iter().rev().skip(1)).map(|(a, b)| a / b).sum::<f64>();
    izip!(x, y, x.iter().skip(1)).map(|(a, b, c)| a * b * c).sum::<f64>() * total
}
#[differentiable]
fn sorted(x: &[f64], y: &[f64]) -> f64 {
    let largest: f64 = x.iter().sorted_by(|a, b| b.total_cmp(a)).take(2).map(|v| v * v).product();
    let ranked = x.iter().copied().sorted_by_key(|v| (v * 10.0) as i64).zip_eq(y).map(|(a, b)| a * b).collect_vec();
    let order = (0..x.len()).sorted_by(|i, j| x[*i].partial_cmp(&x[*j]).unwrap()).collect_vec();
    largest * ranked[1] + ranked.iter().sum::<f64>() * x[order[0]]
}

#[differentiable]
fn logarithm(x: f64) -> anyhow::Result<f64> {
    ensure!(x > 0.0, "the logarithm of {x:.2}");
    ensure!(x < 1e6);
    if x > 1e3 {
        bail!("{} is too large", 2.0 * x);
    }
    match x as i32 {
        50 => bail!("fifty"),
        _ => Ok(x.ln()),
    }
}
#[differentiable]
fn product_of_logarithms(x: &[f64]) -> anyhow::Result<f64> {
    let mut product = 1.0;
    for v in x {
        product *= logarithm(*v)?;
    }
    if product > 100.0 {
        return Err(anyhow!("the product is {product:.3}"));
    }
    Ok(product)
}

#[test]
fn errors_of_text_end_the_function() {
    let cases: [&[f64]; 4] = [&[2.0, -1.0], &[2.0, 2e3], &[50.5], &[900.0; 3]];
    for x in cases {
        assert!(product_of_logarithms(x).is_err());
        assert!(gradient(product_of_logarithms::D, AutoReverse, x).is_err(), "{x:?}");
        assert!(gradient(product_of_logarithms::D, AutoForward, x).is_err(), "{x:?}");
    }
    let [a, b] = [2.0f64, 3.0].map(f64::ln);
    assert_eq!(gradient(product_of_logarithms::D, AutoReverse, &[2.0, 3.0]).unwrap(), [b / 2.0, a / 3.0]);
    assert_eq!(gradient(product_of_logarithms::D, AutoForward, &[2.0, 3.0]).unwrap(), [b / 2.0, a / 3.0]);
}

#[test]
#[should_panic(expected = "zip_eq")]
fn chains_of_two_lengths_are_not_of_one() {
    let _ = gradient(sorted::D, AutoReverse, (&[1.0, 2.0, 3.0], &[1.0, 2.0]));
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number neighbours(at x: Vec<f64>): [vec![0.7, 0.4, 1.2, 0.9, 0.3]] [vec![0.7]];
        number all_pairs(at x: Vec<f64>, at y: Vec<f64>): [vec![0.7, 0.4, 1.2, 0.9], vec![0.5, 0.8]] [vec![0.7], vec![]];
        number product_macros(at x: Vec<f64>, at y: Vec<f64>): [vec![0.7, 0.4, 1.2], vec![0.5, 0.8, 1.1, 0.6]];
        number sorted(at x: Vec<f64>, at y: Vec<f64>): [vec![0.7, 0.4, 1.2, 0.9], vec![0.5, 0.8, 1.1, 0.6]];
    }
}

#[differentiable]
fn told(x: &[f64]) -> anyhow::Result<f64> {
    let first = x.first().context("no number")?;
    let third = x.get(2).with_context(|| format!("{} numbers", x.len()))?;
    Ok(logarithm(*first).context("of the first")? * logarithm(first * third).with_context(|| format!("of {first}"))?)
}

#[test]
fn errors_say_what_was_done() {
    let x = [2.0, 5.0, 3.0];
    let (ln2, ln6) = (2f64.ln(), 6f64.ln());
    for found in [gradient(told::D, AutoForward, &x[..]).unwrap(), gradient(told::D, AutoReverse, &x[..]).unwrap()] {
        let expected = [(ln2 + ln6) / 2.0, 0.0, ln2 / 3.0];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
    }
    for (x, text) in [(&[][..], "no number"), (&x[..1], "1 numbers"), (&[-1.0, 0.0, 1.0], "of the first")] {
        assert_eq!(told(x).unwrap_err().to_string(), text);
        assert!(gradient(told::D, AutoReverse, x).is_err(), "{text}");
    }
}
