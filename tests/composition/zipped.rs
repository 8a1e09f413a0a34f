//! Counters beside elements, up to an end whose type is another integer than `usize`.

use crate::check::number;
use diffi::prelude::*;

#[differentiable]
fn weighted(x: &[f64], n: i64) -> f64 {
    let mut s = 0.0;
    for (v, i) in x.iter().zip(1..=n) {
        s += v * v * i as f64;
    }
    s + x.iter().zip((0..n).rev()).map(|(v, i)| v.powi(i as i32)).sum::<f64>()
}

#[differentiable]
fn of_several(x: &[f64]) -> f64 {
    let (count, most): (usize, usize) = (2, 3);
    let last: u32 = 3;
    let counted: f64 = x.iter().zip(0..last).map(|(v, i)| v.sin() * f64::from(i)).sum();
    let plain: f64 = x.iter().zip(0..most).map(|(v, i)| v * x[i % count]).sum();
    counted * plain + weighted(x, 3) + weighted(x, -1) * x[0] + weighted(x, 0)
}

#[test]
fn counters_of_other_integers() {
    number!(of_several::D, [0.7, 1.3, 0.4], |x| x, |x| of_several(x));
}
