//! Calls of other annotated functions.

use diffi::prelude::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn fill(x: &[f64], k: f64, y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * k;
    }
}

#[differentiable]
fn halve(mut x: f64, mut a: [f64; 2]) -> f64 {
    x *= 0.5;
    a[0] *= x;
    a[1] = x;
    x * a[0] + a[1]
}

#[differentiable]
fn update(x: &mut [f64], k: f64) {
    for v in x.iter_mut() {
        *v = *v * *v * k;
    }
}

#[differentiable]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| v * v * 2.0).collect()
}

#[differentiable]
fn both(x: f64, y: f64) -> (f64, f64) {
    (x * y, x + y * y)
}

#[differentiable]
fn step(s: [f64; 2], k: f64) -> [f64; 2] {
    [s[0] + k * s[1], s[1] - k * s[0].sin()]
}

mod far {
    use diffi::prelude::*;

    #[differentiable]
    pub fn cube(x: f64) -> f64 {
        super::square(x) * x
    }

    pub mod away {
        use diffi::prelude::*;

        #[differentiable]
        pub fn scaled<T: num_traits::Float>(x: T, k: T) -> T {
            x * k + x.sin()
        }
    }
}
use far::away;

#[differentiable]
fn paths(x: f64) -> f64 {
    far::cube(x) + crate::calls::square(x) * away::scaled(x, 2.0) + self::far::away::scaled::<f64>(x, x)
}

#[differentiable]
fn same_slice_twice(x: &[f64]) -> f64 {
    dot(x, x) * dot(&x[1..], &x[..x.len() - 1])
}

#[differentiable]
fn same_local_twice(x: &[f64]) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    let s = dot(&y, &y);
    s * dot(&y, x)
}

#[differentiable]
fn same_number_twice(x: f64) -> f64 {
    let (a, b) = both(x, x);
    let (c, d) = both(a, a);
    a * b + c * d
}

#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.1;
    for i in 0..x.len() {
        s += square(x[i] * s) + dot(&x[i..], x);
    }
    s
}

#[differentiable]
fn changing_local_in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for i in 0..n {
        s += dot(&y, x);
        y[i % x.len()] *= s;
        s += dot(&y[..1], &y[..1]);
    }
    s
}

#[differentiable]
fn state_in_a_loop(x: f64, k: f64, n: usize) -> f64 {
    let mut s = [x, 1.0];
    let mut e = 0.0;
    for _ in 0..n {
        s = step(s, k);
        e += s[0] * s[1];
    }
    e + s[1]
}

#[differentiable]
fn filled_by_a_call(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    fill(x, 3.0, &mut y);
    let a = dot(&y, x);
    fill(&x, a, &mut y);
    a * dot(&y, &y)
}

#[differentiable]
fn part_filled_by_a_call(x: &[f64]) -> f64 {
    let mut y = vec![x[0]; 2 * x.len()];
    let n = x.len();
    fill(x, x[0], &mut y[n..]);
    let (a, b) = y.split_at_mut(n);
    update(a, 2.0);
    fill(x, 0.5, a);
    b[0] *= a[1];
    y.iter().product()
}

#[differentiable]
fn updated_in_a_loop(x: &[f64], k: f64, n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for i in 0..n {
        update(&mut y, k);
        s += y[0] * (i + 1) as f64;
        update(&mut y[1..], 0.9);
    }
    s + y.iter().sum::<f64>()
}

#[differentiable]
fn changed_copies(x: f64, a: [f64; 2]) -> f64 {
    let p = halve(x, a);
    let q = halve(a[0], a);
    p * q + x * a[1] + halve(x * p, [a[1], q])
}

#[differentiable]
fn changed_copies_in_a_loop(x: f64, a: [f64; 2], n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s += halve(s, a) * halve(x, [s, a[0]]);
    }
    s
}

#[differentiable]
fn results_as_iterators(x: &[f64]) -> f64 {
    let y = doubled(x);
    let z = doubled(&y);
    let w: Vec<f64> = doubled(&doubled(x));
    y.iter().zip(&z).map(|(a, b)| a * b).sum::<f64>() + w.iter().sum::<f64>() + z.len() as f64
}

#[differentiable]
fn inside_closures(x: &[f64]) -> f64 {
    let f = |v: f64| square(v) + x[0];
    x.iter().map(|v| f(*v) * far::cube(*v)).sum::<f64>() + x.iter().copied().map(square).sum::<f64>()
}

#[differentiable]
fn conditional_calls(x: f64, y: f64) -> f64 {
    let a = if x > y { square(x) } else { far::cube(y) };
    match a {
        v if v > 1.0 => square(v) + both(x, v).0,
        v => both(v, y).1,
    }
}

#[differentiable]
fn power(x: f64, n: usize) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let half = power(x, n / 2);
    if n % 2 == 0 { half * half } else { half * half * x }
}

/// Called with lists of integers that it changes, and restores.
#[differentiable]
fn expansion(a: &[f64], n: usize) -> f64 {
    let mut columns: Vec<usize> = (1..=n + 1).collect();
    columns[n] = 0;
    minor(a, n, 0, &mut columns)
}

/// The determinant of the rows from `row` on, in the columns that are linked.
#[differentiable]
fn minor(a: &[f64], n: usize, row: usize, columns: &mut [usize]) -> f64 {
    if row == n {
        return 1.0;
    }
    let mut total = 0.0;
    let (mut before, mut column) = (n, columns[n]);
    let mut sign = 1.0;
    while column < n {
        columns[before] = columns[column];
        total += sign * a[row * n + column] * minor(a, n, row + 1, columns);
        columns[before] = column;
        before = column;
        column = columns[column];
        sign = -sign;
    }
    total
}

#[differentiable]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x * x, n - 1) + x }
}

#[differentiable]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 { x.sin() } else { even(x * 0.5, n - 1) * x }
}

#[differentiable]
fn literals_as_arguments(x: f64) -> f64 {
    dot(&[x, 2.0], &[3.0, x]) + dot(&[1.0, 2.0], &[3.0, 4.0]) * square(2.0) * x + dot(&vec![x; 3], &[x, 1.0, x * x])
}

#[differentiable]
fn constant_parts(x: &[f64], w: &[f64]) -> f64 {
    let y = doubled(w);
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        s += dot(&y, w) * v + square(w[i]) * v;
    }
    s * dot(x, w)
}

#[differentiable]
fn weighed(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let y = doubled(x);
        for (j, v) in y.iter().enumerate() {
            s += v * v.sin() * (i + j) as f64 * k;
        }
    }
    s
}

/// The result of a call has no type here, and so its cotangent is shaped by it.
#[differentiable(cache(buffer))]
fn kept_in_scratch(x: &[f64], buffer: &mut [f64]) -> f64 {
    let y = same_slice_twice(x);
    buffer[0] = y;
    buffer[0]
}

#[differentiable]
fn result_without_a_type(x: &[f64]) -> f64 {
    let mut buffer = [0.0; 2];
    kept_in_scratch(x, &mut buffer) + buffer[0]
}

#[differentiable]
fn turned([x, y]: [f64; 2], by: f64) -> [f64; 2] {
    [x - by * y, y + by * x * x]
}

#[differentiable]
fn turned_twice(p: [f64; 2], by: f64) -> [f64; 2] {
    let a = turned(p, by);
    let b = turned(a, 0.5 * by * p[0]);
    [a[0] * b[1], b[0] + a[1]]
}

#[differentiable]
fn turned_and_scaled(mut p: [f64; 2], by: f64) -> ([f64; 2], f64) {
    for k in 0..2 {
        p = turned_twice(p, by);
        p[k] *= by;
    }
    let length = dot(&p, &p);
    (p, length)
}

#[differentiable]
fn formulas_of_formulas(x: &[f64], by: f64) -> f64 {
    let mut p = [0.3, 0.4];
    let mut total = 0.0;
    for v in x {
        let (q, length) = turned_and_scaled([p[0] + v, p[1]], by);
        p = turned_twice(q, *v);
        total += length * p[0];
    }
    total + p[1]
}

#[allow(non_snake_case)]
#[differentiable]
fn P_sat(T: f64) -> f64 {
    const N1: f64 = 0.3;
    N1 * T * T + T.sqrt()
}
#[allow(non_snake_case)]
mod region {
    #[diffi::differentiable]
    pub fn B2_3(p: f64, T: f64) -> (f64, f64) {
        (p * super::P_sat(T), p / T)
    }
}
#[differentiable]
fn in_capitals(x: f64, y: f64) -> f64 {
    let (a, b) = region::B2_3(x, P_sat(y));
    if P_sat(x) > 0.1 { a * b + P_sat(a) } else { b }
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number in_capitals(by x: f64, by y: f64): [0.7, 0.4];
        number halve(by x: f64, by a: [f64; 2]): [0.7, [0.3, 0.4]];
        list step(by s: [f64; 2], by k: f64): [[0.3, 0.4], 0.1];
        number paths(by x: f64): [0.7];
        number same_slice_twice(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.4]];
        number same_local_twice(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![]];
        number same_number_twice(by x: f64): [0.7];
        number in_a_loop(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![]];
        number expansion(at a: Vec<f64>, fixed n: usize): [vec![1.0, 2.0, 0.5, -1.0, 3.0, 1.5, 0.2, 0.7, 2.0], 3] [vec![1.5], 1];
        number changing_local_in_a_loop(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9], 3] [vec![0.3, 0.9], 0];
        number state_in_a_loop(by x: f64, by k: f64, fixed n: usize): [0.3, 0.2, 3] [0.3, 0.2, 0];
        number filled_by_a_call(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![]];
        number part_filled_by_a_call(at x: Vec<f64>): [vec![0.3, 0.9]];
        number updated_in_a_loop(at x: Vec<f64>, by k: f64, fixed n: usize): [vec![0.8, 0.9], 1.1, 3] [vec![0.8], 0.7, 0];
        number changed_copies(by x: f64, by a: [f64; 2]): [0.7, [0.3, 0.4]];
        number changed_copies_in_a_loop(by x: f64, by a: [f64; 2], fixed n: usize): [0.7, [0.3, 0.4], 3];
        number results_as_iterators(at x: Vec<f64>): [vec![0.3, 0.9]] [vec![]];
        number inside_closures(at x: Vec<f64>): [vec![0.3, 0.9]] [vec![]];
        number conditional_calls(by x: f64, by y: f64): [0.7, 0.3] [0.3, 0.7] [1.4, 0.3];
        number power(by x: f64, fixed n: usize): [0.7, 5] [0.7, 0];
        number even(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        number literals_as_arguments(by x: f64): [0.7];
        number constant_parts(at x: Vec<f64>, at w: Vec<f64>): [vec![0.3, 0.9], vec![0.5, 0.6]] [vec![], vec![]];
        number result_without_a_type(at x: Vec<f64>): [vec![0.3, 0.9]] [vec![0.7]];
        list turned_twice(by p: [f64; 2], by k: f64): [[0.3, 0.4], 0.7];
        number formulas_of_formulas(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, -0.4], 0.7] [vec![], 0.7];
        number weighed(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 0.8] [vec![], 0.8];
    }
}
