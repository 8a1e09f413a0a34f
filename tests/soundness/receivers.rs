//! The index of a sequence in a sequence is evaluated once, before the method that is called there changes anything.

use crate::check::check;
use diffi::prelude::*;

#[differentiable]
fn resized(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[2]], vec![x[3]]];
    let mut k = 0;
    rows[{
        k += 1;
        k
    }]
    .resize_with(3, || x[0] * x[1]);
    rows[1][2] * rows[1][0] + rows[2].len() as f64 * x[3] + k as f64 * x[1]
}

#[differentiable]
fn retained(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[2], x[3]], vec![x[3]]];
    let mut k = 0;
    rows[k].retain_mut(|v| {
        k += 1;
        *v *= 2.0;
        k < 2
    });
    rows[0][0] * rows[1][0] + rows[0].len() as f64 * x[3] + k as f64 * x[1]
}

#[differentiable]
fn spliced_from_the_end(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], x[2], x[3]];
    v.splice(v.len() - 3..v.len() - 1, [x[0] * x[1]]);
    v[0] * v[1] + v[2]
}

#[differentiable]
fn spliced_with_its_own(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], x[2], x[3]];
    v.splice(1..2, v[2..].to_vec());
    v[0] * v[1] + v[2] * v[3] * v[4]
}

#[differentiable]
fn extended(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1], x[2], x[3]];
    let mut w = vec![vec![x[0]], vec![x[1]]];
    let mut k = 0;
    w[{
        k += 1;
        k
    }]
    .extend_from_slice(&v[..2]);
    v.push(w[1][2]);
    w[1][1] * v[4] + k as f64 * x[0]
}

#[differentiable]
fn swapped_reversed_inserted(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let mut k = 0;
    w[{
        k += 1;
        k - 1
    }]
    .swap(0, 1);
    w[{
        k += 1;
        k - 1
    }]
    .reverse();
    w[{
        k -= 1;
        k
    }]
    .insert(0, x[3]);
    w[0][0] * w[1][0] + w[1][1] * k as f64
}

#[differentiable]
fn sorted_rotated_retained(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let mut k = 0;
    w[{
        k += 1;
        k
    }]
    .sort_by(|a, b| b.total_cmp(a));
    w[{
        k -= 1;
        k
    }]
    .rotate_left(1);
    w[{
        k += 1;
        k
    }]
    .retain(|v| *v > 1.2);
    w[0][0] * w[1][0] + w[1].len() as f64 * x[3] + k as f64 * x[1]
}

#[differentiable]
fn popped_removed_drained(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let mut k = 0;
    let a = w[{
        k += 1;
        k
    }]
    .pop()
    .unwrap();
    let b = w[{
        k -= 1;
        k
    }]
    .remove(0);
    w[{
        k += 1;
        k
    }]
    .push(b);
    for v in w[{
        k -= 1;
        k
    }]
    .iter_mut()
    {
        *v *= a;
    }
    w[0][0] * w[1][1]
        + k as f64 * x[1]
        + w[{
            k += 1;
            k
        }]
        .drain(..1)
        .sum::<f64>()
            * k as f64
}

#[differentiable]
fn filled_split_off(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let mut k = 0;
    w[{
        k += 1;
        k
    }]
    .dedup_by(|a, b| *a < *b);
    w[{
        k -= 1;
        k
    }]
    .truncate(1);
    w[{
        k += 1;
        k
    }]
    .fill(x[3]);
    let t = w[{
        k -= 1;
        k
    }]
    .split_off(0);
    w[1][0] * t[0] + k as f64 * x[1]
}

#[differentiable]
fn parts(x: &[f64]) -> f64 {
    let mut w = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let mut k = 0;
    let [a, b] = w.get_mut(..2).unwrap() else { return 0.0 };
    std::mem::swap(
        &mut a[{
            k += 1;
            k
        }],
        &mut b[0],
    );
    *w[{
        k -= 1;
        k
    }]
    .last_mut()
    .unwrap() *= x[3];
    *w[{
        k += 1;
        k
    }]
    .iter_mut()
    .next()
    .unwrap() *= x[2];
    w[0][1] * w[1][0] + k as f64 * x[1]
}

#[test]
fn sound() {
    check!(resized at [0.77, 1.14, 1.51, 1.88]);
    check!(retained at [0.77, 1.14, 1.51, 1.88]);
    check!(spliced_from_the_end at [0.77, 1.14, 1.51, 1.88]);
    check!(spliced_with_its_own at [0.77, 1.14, 1.51, 1.88]);
    check!(extended at [0.77, 1.14, 1.51, 1.88]);
    check!(swapped_reversed_inserted at [0.77, 1.14, 1.51, 1.88]);
    check!(sorted_rotated_retained at [0.77, 1.14, 1.51, 1.88]);
    check!(popped_removed_drained at [0.77, 1.14, 1.51, 1.88]);
    check!(filled_split_off at [0.77, 1.14, 1.51, 1.88]);
    check!(parts at [0.77, 1.14, 1.51, 1.88]);
}
