//! Cotangents that rules initialise: alone, beside others, in loops, and for parameters whose slots are used again.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis};

#[differentiable]
fn rows_and_columns(x: &Array1<f64>) -> f64 {
    let a = Array2::from_shape_fn((3, x.len()), |(i, j)| x[j] * (1.0 + i as f64) + x[0]);
    let column = a.sum_axis(Axis(1)).insert_axis(Axis(1));
    let shares = &a / &column;
    let centred = &shares - &shares.mean_axis(Axis(0)).unwrap();
    let turned = centred.t().dot(&(&a * &column));
    (&turned * &turned).sum() + shares.mean().unwrap() * x.sum()
}

#[differentiable]
fn used_once_and_twice(x: &Array1<f64>) -> f64 {
    let y = x * 2.0;
    let z = &y * &y;
    let w = &z + &y;
    let v = -&w;
    let u = v.to_owned() + &z;
    (1.0 / &u).sum() + (&u - 3.0).mapv(|v| v * v).sum() + w.dot(&w)
}

#[differentiable]
fn filter(x: &Array1<f64>) -> f64 {
    let n = x.len();
    let a = Array2::from_shape_fn((n, n), |(i, j)| 0.3 * x[(i + 2 * j) % n]);
    let mut m = x.clone();
    let mut p = Array2::<f64>::eye(n);
    let mut total = 0.0;
    for k in 0..3 {
        m = a.dot(&m);
        p = a.dot(&p).dot(&a.t()) + &a;
        let ph = p.dot(x);
        let s = x.dot(&ph) + 2.0;
        let gain = &ph / s;
        let v = k as f64 - x.dot(&m);
        m = m + &gain * v;
        p = p - gain.insert_axis(Axis(1)).dot(&ph.insert_axis(Axis(0)));
        total += s * s + m.sum();
    }
    total + p.sum()
}

/// Values under several names, and overwritten before they are read.
#[differentiable]
fn renamed(x: &Array1<f64>) -> f64 {
    let mut y = x * 3.0;
    let first = &y * x;
    y = first;
    y = &y + x;
    let kept = y.clone();
    if kept[0] > 0.0 {
        y = &y * &kept;
    }
    let mut z = x - 1.0;
    for _ in 0..2 {
        z = y;
        y = &z * x;
    }
    (&y * &z).sum() + kept.sum()
}

#[differentiable]
fn parameters(w: &Array2<f64>, b: &Array1<f64>, x: &Array2<f64>) -> f64 {
    let h = x.dot(w) + b;
    (&h * &h).sum()
}

/// The same parameter first in a rule, and then in another.
#[differentiable]
fn twice(w: &Array2<f64>) -> f64 {
    let v = w.dot(w);
    (&v * w).sum()
}

mod tests {
    use super::*;
    use crate::check::point;

    crate::number!(rows_and_columns(4));
    crate::number!(used_once_and_twice(4));
    crate::number!(filter(3));
    crate::number!(renamed(4));

    fn matrix(n: usize, m: usize) -> Array2<f64> {
        point(n * m).into_shape_with_order((n, m)).expect("as many elements")
    }

    /// `2 xᵀ h`, the sums of `2 h`, and `2 h wᵀ`; whatever the buffers hold before, in any subset of active arguments.
    #[test]
    fn buffers_are_overwritten() -> diffi::Result<()> {
        let (w, b, x) = (matrix(4, 3), point(3), matrix(5, 4));
        let h = (x.dot(&w) + &b) * 2.0;
        let wanted = (x.t().dot(&h), h.sum_axis(Axis(0)), h.dot(&w.t()));
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        let mut prepared = prepare_gradient(parameters::D, AutoReverse, (&w, &b, &x))?;
        let mut to = (Array2::from_elem((4, 3), f64::NAN), Array1::from_elem(3, 7.0), Array2::from_elem((5, 4), 9.0));
        for _ in 0..3 {
            prepared.gradient_into(&mut to, (&w, &b, &x))?;
            to.0.iter().zip(&wanted.0).for_each(|(a, b)| close(*a, *b));
            to.1.iter().zip(&wanted.1).for_each(|(a, b)| close(*a, *b));
            to.2.iter().zip(&wanted.2).for_each(|(a, b)| close(*a, *b));
        }
        let alone = gradient(parameters::D, AutoReverse, (Constant(&w), &b, Constant(&x)))?;
        alone.iter().zip(&wanted.1).for_each(|(a, b)| close(*a, *b));
        let other = gradient(parameters::D, AutoReverse, (&w, Constant(&b), Constant(&x)))?;
        other.iter().zip(&wanted.0).for_each(|(a, b)| close(*a, *b));
        Ok(())
    }

    /// `v + g wᵀ + wᵀ g`, where `g = w`.
    #[test]
    fn a_parameter_with_several_uses_is_the_sum() -> diffi::Result<()> {
        let w = matrix(3, 3);
        let mut prepared = prepare_gradient(twice::D, AutoReverse, &w)?;
        let mut to = Array2::from_elem((3, 3), 5.0);
        prepared.gradient_into(&mut to, &w)?;
        let wanted = w.dot(&w) + w.dot(&w.t()) + w.t().dot(&w);
        to.iter().zip(&wanted).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a} is not {b}"));
        Ok(())
    }
}
