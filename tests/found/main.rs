//! What random programs found, made small: each function once had no derivative, or a wrong one. `changes.rs` has those in which
//! calls and loops change what is read.
#![allow(clippy::all, unused_assignments, unused_variables)] // programs as they were found

#[path = "../language/check.rs"]
mod check;
mod constants;
mod kinds;
#[path = "../numbers/mod.rs"]
mod numbers;
mod order;
mod unset;

use diffi::prelude::*;
use std::collections::VecDeque;

#[differentiable]
fn squared(x: f64) -> f64 {
    x * x
}

/// A call of which nobody wants the result, beside a record.
#[differentiable]
fn unused_call(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for v in x.iter() {
        if let Some(&first) = x.first() {
            let [_a, _b] = [squared(x[0]), 0.5];
            s *= first * v;
        }
    }
    s
}

#[differentiable]
fn pair(a: f64, b: f64) -> Vec<f64> {
    vec![a, b]
}

#[differentiable]
fn unused_list(x: &[f64], p: f64) -> f64 {
    let mut y = x.to_vec();
    let mut t = 0.5;
    for _ in (1..y.len()).rev().step_by(2) {
        let _list = pair(x[0], y[0]);
        t = t * (1.5 + y[0].sin()).powf(p);
        y[0] = t;
    }
    t
}

/// What is returned lies at a place that the function finds out.
#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut best = 0;
    for i in 0..x.len() {
        if x[i] > x[best] {
            best = i;
        }
    }
    x[best]
}

#[differentiable]
fn smallest_with_its_neighbor(x: &[f64]) -> (f64, f64) {
    let best = (0..x.len()).min_by(|i, j| x[*i].partial_cmp(&x[*j]).unwrap()).unwrap();
    (x[best], x[(best + 1) % x.len()])
}

#[differentiable]
fn row_of_the_largest(rows: &[[f64; 2]]) -> [f64; 2] {
    let mut best = 0;
    for i in 1..rows.len() {
        if rows[i][0] > rows[best][0] {
            best = i;
        }
    }
    rows[best]
}

/// An element is added to another of the same vector.
#[differentiable]
fn running(x: &[f64]) -> Vec<f64> {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1];
        y[i - 1] -= y[i];
    }
    y
}

/// Both halves in one passive expression.
#[differentiable]
fn halves(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 1..x.len() {
        let mut g = vec![0.25, 0.5];
        let (a, b) = g.split_at_mut(1);
        b[0] -= a.iter().chain(b.iter()).enumerate().map(|(k, v)| v * k as f64).fold(f64::NEG_INFINITY, f64::max);
        a[0] = x[i - 1] * x[i];
        s += g[0] * g[1];
    }
    s
}

/// A value of a loop that nobody reads, and has no type of its own.
#[differentiable]
fn unread_value(x: f64) -> Vec<f64> {
    let mut k = 0;
    let mut _a = loop {
        k += 1;
        if k >= 3 {
            break f64::from(0.5);
        }
    };
    vec![0.5, x * x]
}

/// A `Vec` that has its first value in branches.
#[differentiable]
fn returned_early(x: &[f64], n: usize) -> Vec<f64> {
    if n > 2 {
        return vec![0.5, x[1]];
    }
    let k = n + 1;
    let v = x[k] * x[0];
    vec![v, 0.5, v * v]
}

#[differentiable]
fn first_value_in_branches(x: &[f64], n: usize) -> f64 {
    let mut rows;
    if n > 2 {
        rows = vec![x[0] * x[1], x[1]];
    } else {
        rows = vec![x[0], 0.5, x[1]];
    }
    rows[0] = rows[0] * x[1];
    let s = rows[0] * rows[1];
    rows = vec![s];
    rows[0] * rows[0]
}

#[differentiable]
fn scaled(a: &[[f64; 2]], b: &[[f64; 2]], y: &mut f64) -> f64 {
    *y = *y * a[0][1];
    a[0][0] * b[0][1]
}

/// A slice of arrays twice, and a result that nobody reads beside an argument that changes.
#[differentiable]
fn twice(x: f64, rows: &[[f64; 2]]) -> f64 {
    let mut y = x * x;
    let _unread = scaled(rows, rows, &mut y);
    let read = scaled(rows, rows, &mut y);
    y * read
}

/// A branch within an array within a tuple: its cotangent comes last.
#[differentiable]
fn branch_in_a_list(x: &[f64; 4], c: f64) -> (f64, Vec<f64>) {
    (x[0] * c, vec![if c > 0.8 { x[2] * x[1] } else { 0.4375 }, 0.5])
}

#[differentiable]
fn branch_in_an_array(x: &[f64; 4], c: f64) -> (f64, [f64; 2]) {
    let t = [if c > 0.8 { x[2] * x[1] } else { x[3] }, x[0]];
    (x[0] * c, t)
}

#[differentiable]
fn matched_in_a_list(x: &[f64], k: usize) -> (f64, Vec<f64>) {
    let a = x[1] * x[0];
    let rest = match k {
        0 => a,
        1 | 2 => x[1],
        _ => x[0],
    };
    let both = vec![rest, a];
    (0.125, both)
}

/// A passive row among active ones.
#[differentiable]
fn passive_row(x: f64) -> f64 {
    let mut g: Vec<f64> = Vec::new();
    for i in 0..2 {
        g.push(0.25 * i as f64);
    }
    let r = [x, 0.5];
    let m = vec![g.iter().map(|v| v + 1.0).collect::<Vec<f64>>(), r.iter().map(|v| v.sin()).collect::<Vec<_>>()];
    m[0][1] * m[1][0] * m[1][0]
}

/// A number behind `&mut` that keeps its value.
#[differentiable]
fn shadowed(x: &[f64], y: &mut f64) -> f64 {
    let y = x[0] * x[1];
    y
}

#[differentiable]
fn set_sometimes(x: f64, y: &mut f64) {
    if x > 0.5 {
        *y = x * x;
    }
}

/// A range over integers whose type comes from nowhere.
#[differentiable]
fn untyped_range(x: f64) -> (f64, f64) {
    let mut k = 4;
    let mut s = x;
    for i in (1..k).rev().step_by(2) {
        s *= x + i as f64;
    }
    k += 1;
    (s, k as f64 * x)
}

/// A call within arithmetic within a tuple.
#[differentiable]
fn scaled_call(x: f64) -> (f64, f64) {
    (x, 2.0 * squared(x))
}

#[differentiable]
fn queue_in_the_middle(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = x.iter().copied().collect();
    let first = q.pop_front().unwrap_or(0.5);
    q.insert(1, first * x[1]);
    let mut s = 0.0;
    if let Some(v) = q.remove(2) {
        s += v * v;
    }
    s += q.remove(9).unwrap_or(first);
    q.retain(|v| *v > 0.0);
    for (i, v) in q.iter().enumerate() {
        s += v * v * (i as f64 + 1.0);
    }
    s
}

#[test]
fn a_number_that_keeps_its_value_is_an_input() {
    for forward in [true, false] {
        let (x, mut y) = ([0.7, 0.2], 0.9);
        let (of_x, of_y) = match forward {
            true => jacobian(shadowed::D, AutoForward, (&x[..], &mut y)).unwrap(),
            false => jacobian(shadowed::D, AutoReverse, (&x[..], &mut y)).unwrap(),
        };
        assert_eq!((of_x, of_y), (ndarray::array![[0.2, 0.7], [0.0, 0.0]], ndarray::array![[0.0], [1.0]]));
    }
}

/// A callee that takes `&mut` and changes nothing: its argument changes afterwards.
#[differentiable]
fn exclusive_reader(x: &mut [f64]) -> f64 {
    (x[0] * x[1]).sin() + x.iter().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn read_and_replaced(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let s = exclusive_reader(&mut v);
    v = vec![v[0] * s, 0.25];
    s * exclusive_reader(&mut v)
}

#[differentiable]
fn bumped(x: &mut [f64]) {
    let n = x.len();
    for i in 0..x.len() {
        x[i] *= 0.5 + x[n - 1 - i];
    }
}

/// A slice of a `Vec` that becomes longer, and shorter, after the call.
#[differentiable]
fn longer_after_a_call(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    bumped(&mut v);
    v.push(x[0]);
    bumped(&mut v);
    v.truncate(1);
    bumped(&mut v);
    v[0]
}

/// A call's result takes the place of a number.
#[differentiable]
fn number_of_a_call(mut x: f64, y: Vec<f64>) -> f64 {
    x = scaled_by(x, &y);
    y.iter().sum::<f64>() + x
}

#[differentiable]
fn scaled_by(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

#[differentiable]
fn longer(x: &mut Vec<f64>, y: f64) -> f64 {
    let s = x[0] * y;
    x.push(s * s);
    x[1] *= y;
    s
}

#[differentiable]
fn shorter(x: &mut Vec<f64>, y: f64) -> f64 {
    let last = x.pop().unwrap_or(0.5);
    x[0] *= last * y;
    last
}

#[differentiable]
fn with_squares(x: &[f64], y: &mut Vec<f64>) {
    let s = x.iter().map(|v| v * v).sum::<f64>();
    y.push(s * y[0]);
}

#[differentiable]
fn without_the_last(x: &[f64], y: &mut Vec<f64>) -> f64 {
    y.pop().unwrap_or(0.5) * x[0]
}

/// The same in several passes, and when what was prepared is used again; where passes cannot follow, the error says so.
#[test]
fn a_vec_of_another_length_again_and_again() -> diffi::Result<()> {
    let x: Vec<f64> = (0..11).map(|i| 0.1 * i as f64).collect();
    let start = || vec![0.5, 0.7];
    let s: f64 = x.iter().map(|v| v * v).sum();
    let (mut p, mut q) = (
        prepare_jacobian(with_squares::D, AutoForward, (&x, &mut start()))?,
        prepare_jacobian(with_squares::D, AutoReverse, (&x, &mut start()))?,
    );
    for _ in 0..2 {
        for (by_x, by_y) in [p.jacobian((&x, &mut start()))?, q.jacobian((&x, &mut start()))?] {
            assert_eq!((by_x.dim(), by_y.dim()), ((3, 11), (3, 2)));
            assert!((0..11).all(|i| (by_x[[2, i]] - 0.5 * 2.0 * x[i]).abs() < 1e-15 && by_x[[0, i]] == 0.0));
            assert!((by_y[[2, 0]] - s).abs() < 1e-15 && by_y[[1, 1]] == 1.0 && by_y[[2, 1]] == 0.0);
        }
    }
    let (dx, dy) = (vec![1.0; 11], vec![1.0; 2]);
    let mut p = prepare_pushforward(without_the_last::D, AutoForward, (&x, &mut start()), (dx.clone(), dy.clone()))?;
    for _ in 0..2 {
        assert_eq!(p.pushforward((&x, &mut start()), (dx.clone(), dy.clone()))?, (0.7 + x[0], vec![1.0]));
    }
    let resized = |found: Option<diffi::Error>| {
        assert!(matches!(found, Some(diffi::Error::Resized { argument: 2, name: Some("y"), .. })), "{found:?}");
    };
    resized(pushforward(with_squares::D, AutoReverse, (&x, &mut start()), (dx.clone(), dy.clone())).err());
    resized(jacobian(with_squares::D, AutoDual, (&x, &mut start())).err());
    resized(jacobian(with_squares::D, AutoTape, (&x, &mut start())).err());
    resized(jacobian(with_squares::D, AutoTaylor, (&x, &mut start())).err());
    resized(jacobian(with_squares::D, AutoFiniteDiff, (&x, &mut start())).err());
    resized(prepare_jacobian(with_squares::D, AutoHyperDual, (&x, &mut start())).err());
    let message = jacobian(with_squares::D, AutoDual, (&x, &mut start())).unwrap_err().to_string();
    assert!(
        message.starts_with("the function changed the size of argument 2, `y`: from (11, 2) to (11, 3)"),
        "{message}"
    );
    Ok(())
}

/// A `Vec` that the function makes longer or shorter: a row for each number that it leaves, a column for each that it gets.
#[test]
fn a_vec_of_another_length_at_the_end() {
    fn all(longer_: bool, forward: bool) -> (Matrix, Matrix) {
        let mut x = vec![0.3, 0.7];
        match (longer_, forward) {
            (true, true) => jacobian(longer::D, AutoForward, (&mut x, 1.2)).unwrap(),
            (true, false) => jacobian(longer::D, AutoReverse, (&mut x, 1.2)).unwrap(),
            (false, true) => jacobian(shorter::D, AutoForward, (&mut x, 1.2)).unwrap(),
            (false, false) => jacobian(shorter::D, AutoReverse, (&mut x, 1.2)).unwrap(),
        }
    }
    type Matrix = ndarray::Array2<f64>;
    let near = |a: Matrix, b: Matrix| assert!(a.dim() == b.dim() && (a - b).iter().all(|d| d.abs() < 1e-15));
    for forward in [true, false] {
        let (x, y) = all(true, forward);
        near(x, ndarray::array![[1.2, 0.0], [1.0, 0.0], [0.0, 1.2], [2.0 * 0.36 * 1.2, 0.0]]);
        near(y, ndarray::array![[0.3], [0.0], [0.7], [2.0 * 0.36 * 0.3]]);
        let (x, y) = all(false, forward);
        near(x, ndarray::array![[0.0, 1.0], [0.7 * 1.2, 0.3 * 1.2]]);
        near(y, ndarray::array![[0.0], [0.3 * 0.7]]);
    }
}

/// A number behind `&mut` in a passive expression.
#[differentiable]
fn asked_behind(x: f64, y: &mut f64) {
    let n = (2..6).filter(|k| *y * *k as f64 > 1.25).count();
    *y = x * x * n as f64 * *y;
}

/// A tuple of constants in place of one that a call gave.
#[differentiable]
fn pair_of(x: f64) -> (f64, f64) {
    (x, 2.0 * x)
}

#[differentiable]
fn replaced_pair(x: f64, k: usize) -> f64 {
    let mut y = pair_of(x);
    let z = y.0;
    if k > 1 {
        y = (f64::from(0.5).powi(2), 0.375 * k as f64);
    }
    z + y.0 * y.1
}

/// Chains that can only be run through.
#[differentiable]
fn streams(x: &[f64], t: f64) -> f64 {
    let s = x.iter().filter(|v| **v > t).step_by(2).map(|v| v * v).sum::<f64>();
    s * x.iter().filter(|v| **v > t).map(|v| v.sin()).reduce(|a, b| a * b + 0.5 * a).unwrap_or(0.25)
}

/// A value that branches give, and a loop adds to.
#[differentiable]
fn given_and_added_to(k: f64, x: f64, n: usize) -> f64 {
    let mut sum = match n {
        0 => 0.0,
        1 => -k * x,
        _ => k * (k * x).sin(),
    };
    for i in 0..n {
        sum += 0.5 * k * (x - i as f64).powi(2);
    }
    sum
}

/// A value that branches give, and statements add to that are reversed later.
#[differentiable]
fn given_and_added_to_at_once(k: f64, x: f64, n: usize) -> f64 {
    let mut sum = if n == 0 { k * x } else { k * (k * x).sin() };
    let t = x * k * 3.0;
    sum += t.sin() * k;
    sum
}

/// The same, by a loop whose iterations depend on each other.
#[differentiable]
fn given_and_added_to_in_turn(k: f64, x: f64, n: usize) -> f64 {
    let mut sum = if n == 0 { k * x } else { k.sin() };
    let mut z = k;
    let mut i = 0;
    while i < 3 {
        z = (z * x).sin() + i as f64;
        sum += z * z;
        i += 1;
    }
    sum
}

/// An element that a `while` loop sets, or not.
#[differentiable]
fn set_in_a_while(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let square = x[1] * x[1];
    let mut k = 0;
    while k < n {
        k += 1;
        y[0] = square;
    }
    y[0] *= x[2];
    y[0] * y[0]
}

/// A passive array whose elements are indices on the way back.
#[differentiable]
fn indexed_by_an_array(x: &[f64], y: &mut f64) -> f64 {
    for k in x.iter().take(3).skip_while(|v| **v > 0.8) {
        let places = [x.len() as f64; 2];
        *y = *k * x[(places[0] as usize) % 3] * *y;
    }
    *y
}

#[differentiable]
fn chosen_element(x: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        let mut order = [i, i + 1];
        order[0] += 1;
        s *= x[order[0] % 3] + s * x[order[1] % 3];
    }
    s
}

/// An element that is not there, and that no iteration of a loop touches.
#[differentiable]
fn missing_element(x: &[f64], k: f64) -> f64 {
    let (mut a, mut b) = (k, k * k);
    for _ in 1..4 {
        a *= b.cos();
        b -= 0.2 * x.get(2).map_or(0.25, |v| v * v).tanh();
    }
    a * b
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number unused_call(at x: Vec<f64>): [vec![0.388, 1.2]];
        number unused_list(at x: Vec<f64>, by p: f64): [vec![0.8, 0.3, 0.4, 0.5], 0.6];
        number halves(at x: Vec<f64>): [vec![0.7, 0.9, -0.4]];
        list unread_value(by x: f64): [1.2];
        list returned_early(at x: Vec<f64>, fixed n: usize): [vec![0.2, 0.4, 0.7], 1] [vec![0.2, 0.4, 0.7], 3];
        number first_value_in_branches(at x: Vec<f64>, fixed n: usize): [vec![0.2, 0.4], 1] [vec![0.2, 0.4], 3];
        number twice(by x: f64, at rows: Vec<[f64; 2]>): [0.6, vec![[0.7, 0.3], [0.2, 0.1]]];
        list branch_in_a_list(at x: [f64; 4], by c: f64): [[0.2, 0.4, 0.7, 0.3], 0.9] [[0.2, 0.4, 0.7, 0.3], 0.3];
        list branch_in_an_array(at x: [f64; 4], by c: f64): [[0.2, 0.4, 0.7, 0.3], 0.9] [[0.2, 0.4, 0.7, 0.3], 0.3];
        list matched_in_a_list(at x: Vec<f64>, fixed k: usize): [vec![0.3, 0.8], 0] [vec![0.3, 0.8], 1] [vec![0.3, 0.8], 4];
        number passive_row(by x: f64): [0.7];
        writes set_sometimes(by x: f64, inout y: f64): [0.3, 0.9] [0.8, 0.9];
        list untyped_range(by x: f64): [0.7];
        list scaled_call(by x: f64): [0.7];
        number read_and_replaced(at x: Vec<f64>): [vec![0.3, 0.9]];
        number longer_after_a_call(at x: Vec<f64>): [vec![0.3, 0.9, 0.4]];
        number number_of_a_call(by x: f64, by y: Vec<f64>): [0.3, vec![0.9, 0.2]];
        writes asked_behind(by x: f64, inout y: f64): [0.3, 0.4];
        number replaced_pair(by x: f64, fixed k: usize): [0.3, 1] [0.3, 2];
        number streams(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9, 0.1, 0.7, 0.6], 0.2] [vec![0.3], 0.5];
        number given_and_added_to(by k: f64, by x: f64, fixed n: usize): [0.7, 0.3, 0] [0.7, 0.3, 1] [0.7, 0.3, 3];
        number given_and_added_to_at_once(by k: f64, by x: f64, fixed n: usize): [0.7, 0.3, 0] [0.7, 0.3, 1];
        number given_and_added_to_in_turn(by k: f64, by x: f64, fixed n: usize): [0.7, 0.3, 0] [0.7, 0.3, 1];
        number set_in_a_while(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, 0.4], 0] [vec![0.3, 0.9, 0.4], 2];
        writes indexed_by_an_array(at x: Vec<f64>, inout y: f64): [vec![0.9, 0.3, 0.4], 0.7];
        number chosen_element(at x: Vec<f64>, fixed n: usize): [vec![0.9, 0.3, 0.4], 4];
        number missing_element(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.4] [vec![0.3, 0.9, 0.7], 0.4];
        number queue_in_the_middle(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.2]];
        number largest(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![1.3, 0.9, -0.4]];
        list smallest_with_its_neighbor(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.3, 0.9, 1.4]];
        list row_of_the_largest(at rows: Vec<[f64; 2]>): [vec![[0.3, 0.9], [0.8, -0.4]]] [vec![[1.3, 0.9], [0.8, -0.4]]];
        list running(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
    }
}
