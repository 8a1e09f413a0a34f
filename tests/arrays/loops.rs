//! Loops over elements and over parts.

use diffi::prelude::*;
use ndarray::{Array1, Array2, Axis, Zip, azip, s};

#[differentiable]
fn table(x: &Array1<f64>) -> Array2<f64> {
    Array2::from_shape_fn((3, x.len()), |(i, j)| x[j] * x[0] + i as f64 * x[j])
}

#[differentiable]
fn over_rows(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mut sum = 0.0;
    for row in a.outer_iter() {
        sum += row.dot(x).sin();
    }
    for (i, column) in a.axis_iter(Axis(1)).enumerate() {
        sum += column[0] * column.sum() * x[i];
    }
    for (row, v) in a.rows().into_iter().zip(x.iter()) {
        sum += row[1] * v;
    }
    sum
}

#[differentiable]
fn over_elements(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mut sum = a.iter().map(|v| v.exp()).sum::<f64>();
    for v in &a {
        sum += v * v;
    }
    for (i, v) in x.iter().enumerate() {
        sum *= 1.0 + v * i as f64 * 0.1;
    }
    sum
}

#[differentiable]
fn together(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mut b = a.mapv(|v| v * v);
    Zip::from(&mut b).and(&a).for_each(|b, &a| *b += a.sin() * *b);
    let mut c = Array1::zeros(x.len());
    azip!((c in &mut c, &x in x) *c = x * x);
    let d = Zip::from(&c).and(x).map_collect(|&c, &x| c * x.exp());
    (&b * &a).sum() + c.dot(&d)
}

#[differentiable]
fn maps(x: &Array1<f64>) -> f64 {
    let c = x[1];
    let y = x.map(|v| v * c);
    let mut z = y.mapv(|v| if v > 0.0 { v.sqrt() } else { v * v });
    z.mapv_inplace(|v| v * v + c);
    z.map_inplace(|v| *v *= c);
    z.zip_mut_with(x, |z, &x| *z += x * c);
    z.sum() + y.exp().sum()
}

#[differentiable]
fn a_recurrence(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mut state = Array1::from_elem(x.len(), 0.1);
    let mut sum = 0.0;
    for row in a.outer_iter() {
        state = (&state * &row).mapv(|v| v.tanh()) + &row * 0.1;
        sum += state.dot(&row);
    }
    sum
}

#[differentiable]
fn folded_together(x: &Array1<f64>) -> f64 {
    let y = x.mapv(|v| v * v);
    let weights = Array1::from_shape_fn(x.len(), |i| 1.0 + i as f64);
    let products = Zip::from(x).and(&y).fold(0.5, |sum, a, b| sum * a + b);
    products + Zip::from(&y).and(x).and(&weights).fold(0.0, |sum, &a, &b, w| sum + a * b * *w)
}

/// Arrays of another length in every iteration, of which one is broadcast in all but the first, and operations on twice the same array.
#[differentiable]
fn growing(x: &Array1<f64>) -> f64 {
    let mut total = 0.0;
    for k in 1..=x.len() {
        let head = x.slice(s![..k]).to_owned();
        let squares = &head * &head;
        let doubled = &squares + &squares;
        let shifted = &doubled - &x.slice(s![..1]);
        let outer = head.view().insert_axis(Axis(1)).dot(&shifted.view().insert_axis(Axis(0)));
        total += shifted.dot(&head) * shifted.sum() + outer.dot(&squares).sum();
    }
    total
}

/// The same shapes in every iteration, where the cotangents of some iterations are added to once more.
#[differentiable]
fn steady(x: &Array1<f64>) -> f64 {
    let a = table(x);
    let mut state = x.clone();
    let mut total = 0.0;
    for k in 0..4 {
        let image = a.dot(&state);
        let squares = &image * &image;
        let back = image.dot(&a) - squares.sum();
        if k % 2 == 0 {
            total += squares.sum() * back.sum();
        }
        state = &state * 0.5 + &back * 0.01;
    }
    total + state.sum()
}

/// Sums over parts that are changed later, in place.
#[differentiable]
fn changed_later(x: &Array1<f64>) -> f64 {
    let mut m = table(x);
    let mut sum = 0.0;
    for column in m.axis_iter(Axis(1)) {
        sum += column[0] * column[1];
    }
    for v in m.iter_mut() {
        *v *= 3.0;
    }
    for row in m.outer_iter() {
        sum += row.dot(&row);
    }
    for v in &mut m {
        *v += x[0];
    }
    sum + m.into_iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn slices(x: &Array1<f64>) -> f64 {
    let mut y = x * 2.0;
    for v in y.as_slice_mut().unwrap() {
        *v *= *v;
    }
    let part = y.as_slice_mut().expect("one axis");
    part[0] *= part[1];
    let all = y.as_slice().unwrap();
    let mut sum = 0.0;
    for i in 0..all.len() {
        sum += all[i] * x[i];
    }
    sum
}

#[differentiable]
fn with_indices(x: &Array1<f64>) -> f64 {
    let mut y = Array1::zeros(x.len());
    Zip::indexed(&mut y).and(x).for_each(|i, y, &x| *y = x * x * (i + 1) as f64);
    let z = Zip::indexed(&y).and(x).map_collect(|i, &y, &x| y * x.sin() + i as f64 * x);
    let lanes = table(x).fold_axis(Axis(0), 1.0, |product, v| product * v);
    z.sum() + lanes.dot(&y)
}

mod tests {
    crate::number!(changed_later(3));
    crate::number!(slices(3));
    crate::number!(with_indices(3));
    crate::number!(over_rows(3));
    crate::number!(over_elements(3));
    crate::number!(together(3));
    crate::number!(folded_together(3));
    crate::number!(maps(3));
    crate::number!(a_recurrence(3));
    crate::number!(growing(3));
    crate::number!(steady(3));
}
