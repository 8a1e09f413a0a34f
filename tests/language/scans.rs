//! `scan`, `map_while`, and iterators that are bound to a name and cloned.

use diffi::prelude::*;
#[differentiable]
fn scanned(x: &[f64]) -> f64 {
    let running: Vec<f64> = x
        .iter()
        .scan(1.0, |acc, v| {
            *acc *= v + 1.0;
            Some(*acc)
        })
        .collect();
    let best = x
        .iter()
        .scan(x[0], |m, &v| {
            *m = m.max(v);
            Some(*m * v)
        })
        .sum::<f64>();
    let short: f64 = x
        .iter()
        .scan((0.0, 0usize), |st, v| {
            st.0 += v * v;
            st.1 += 1;
            if st.0 > 1.0 { None } else { Some(st.0 * st.1 as f64) }
        })
        .map(|v| v * 2.0)
        .sum();
    running.iter().enumerate().map(|(i, v)| v * (i as f64 + 1.0)).sum::<f64>() + best + short
}
#[differentiable]
fn while_there(x: &[f64]) -> f64 {
    let a: f64 = x.iter().map_while(|v| if *v > 0.0 { Some(v.ln()) } else { None }).sum();
    let mut n = 0;
    for _ in x.iter().map_while(|v| (*v < 0.8).then(|| v * v)) {
        n += 1;
        if n > 2 {
            break;
        }
    }
    a * (n as f64 + 1.0)
}
#[differentiable]
fn again(x: &[f64]) -> f64 {
    let it = x.iter().map(|v| v * v);
    let total: f64 = it.clone().sum();
    let n = it.clone().count();
    let m = it.clone().fold(0.0, |a: f64, b| a.max(b));
    it.map(|v| v / total).map(|p| p * p).sum::<f64>() * m + n as f64 * total
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number scanned(at x: Vec<f64>): [vec![0.3, 0.7, -0.4, 0.8]];
        number while_there(at x: Vec<f64>): [vec![0.3, 0.7, 0.5, -0.4, 0.8]] [vec![0.3, 0.9]];
        number again(at x: Vec<f64>): [vec![0.3, 0.7, 0.5, -0.4, 0.8]];
    }
}
