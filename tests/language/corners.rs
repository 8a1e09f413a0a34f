//! Cases in which a derivative is easily wrong without a word: aliases, overwritten values, dead iterations, values used late.

use diffi::prelude::*;

#[differentiable]
fn squared_in_place_many_times(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..n {
        for i in 0..y.len() {
            y[i] = y[i] * y[i] - 0.5 * y[(i + 1) % y.len()];
        }
    }
    y.iter().sum()
}

#[differentiable]
fn self_assignment(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] = y[i];
        y[i] = y[i - 1] + y[i] * y[i];
        y[i - 1] = y[i];
        y[i] *= y[i];
    }
    y[0] * y[y.len() - 1]
}

#[differentiable]
fn same_index_by_two_names(x: &[f64], i: usize, j: usize) -> f64 {
    let mut y = x.to_vec();
    let a = y[i];
    y[j] = a * a;
    let b = y[i];
    y[i] += b * y[j];
    y[j] *= y[i];
    a * b + y[i] * y[j]
}

#[differentiable]
fn index_chosen_by_the_value(x: &[f64], t: f64) -> f64 {
    let mut y = x.to_vec();
    let k = (t * 3.0) as usize % x.len();
    y[k] *= t;
    let m = if y[0] > y[1] { 0 } else { 1 };
    y[m] = y[1 - m] * y[m];
    y[m] + y[k]
}

#[differentiable]
fn conditionally_overwritten(x: &[f64]) -> f64 {
    let mut v = 1.0;
    let mut s = 0.0;
    for &a in x {
        if a > 0.5 {
            v = a * v;
        } else if a > 0.0 {
            v = 2.0;
        }
        s += v * a;
    }
    s * v
}

#[differentiable]
fn overwritten_in_one_branch(x: f64, flag: bool) -> f64 {
    let mut a = x * x;
    let mut b = a;
    if flag {
        a = 3.0;
        b += a * x;
    }
    a * b
}

#[differentiable]
fn array_overwritten_in_one_branch(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    for i in 0..4 {
        if i % 2 == 0 {
            a = [a[1] * x[0], a[0]];
        } else {
            a[0] += a[1];
        }
    }
    a[0] * a[1]
}

#[differentiable]
fn local_of_the_last_iteration(x: &[f64]) -> f64 {
    let mut last = [0.0; 2];
    let mut count = 0.0;
    for &v in x {
        let t = v * v;
        last = [t, last[0] * v];
        count += 1.0;
    }
    last[0] * last[1] * count
}

#[differentiable]
fn reads_before_and_after_a_loop(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    let before = y[0];
    for v in y.iter_mut() {
        *v = v.sin();
    }
    let between = y[0];
    for v in y.iter_mut() {
        *v *= before;
    }
    before * between * y[0]
}

#[differentiable]
fn passive_becomes_active(x: f64, n: usize) -> f64 {
    let mut v = vec![1.0, 2.0, 3.0];
    let mut c = 2.0;
    for i in 0..n {
        v[i % 3] *= c;
        if i == 1 {
            c = x;
        }
    }
    v[0] * v[1] * v[2] + c
}

#[differentiable]
fn active_becomes_passive(x: f64) -> f64 {
    let mut a = x * x;
    let s = a.sin();
    a = 2.0;
    let t = s * a;
    a += x;
    t * a
}

#[differentiable]
fn aggregate_assigned_from_literals(x: f64, n: usize) -> f64 {
    let mut a = [x, x];
    let mut s = 0.0;
    for i in 0..n {
        s += a[0] * a[1];
        a = [1.0, 2.0];
        if i % 2 == 0 {
            a[1] = s * x;
        }
    }
    s + a[1]
}

#[differentiable]
fn vec_replaced(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    for k in 0..n {
        let z: Vec<f64> = y.iter().map(|v| v * v + k as f64).collect();
        y = z;
        y[0] = y[0] * x[0];
    }
    y.iter().product()
}

#[differentiable]
fn vec_grows(x: &[f64]) -> f64 {
    let mut y = vec![1.0];
    for &v in x {
        let last = y[y.len() - 1];
        y.push(last * v);
        y[0] += last;
    }
    y.iter().map(|v| v * v).sum()
}

#[differentiable]
fn vec_of_vecs_grows(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (i, &v) in x.iter().enumerate() {
        let mut row = vec![v; i + 1];
        row[0] *= v;
        rows.push(row);
    }
    let mut s = 0.0;
    for row in &rows {
        for (k, v) in row.iter().enumerate() {
            s += v * k as f64 + v;
        }
    }
    s
}

#[differentiable]
fn stops_at_once(x: &[f64]) -> f64 {
    let mut s = x[0];
    for i in 0..x.len() {
        if i == 0 {
            break;
        }
        s *= x[i];
    }
    s * s
}

#[differentiable]
fn break_after_the_change(x: &[f64]) -> f64 {
    let mut s = 1.0;
    let mut seen = 0.0;
    for &v in x {
        s *= v;
        if s < 0.3 {
            seen = s;
            break;
        }
        s += v;
    }
    s + seen * seen
}

#[differentiable]
fn break_inside_a_value(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for &v in x {
        let t = if v < 0.0 { break } else { v * v };
        s += t * (s + 1.0);
    }
    s
}

#[differentiable]
fn continue_inside_a_match(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for (i, v) in x.iter().enumerate() {
        let w = match i % 3 {
            0 => *v,
            1 => continue,
            _ => v * s,
        };
        s += w * s;
    }
    s
}

#[differentiable]
fn return_from_a_nested_loop(x: &[f64]) -> f64 {
    let mut s = 0.1;
    for i in 0..x.len() {
        for j in 0..x.len() {
            s += x[i] * x[j] * s;
            if s > 0.5 {
                return s * x[j];
            }
        }
    }
    s
}

#[differentiable]
fn loop_variable_shadows(x: &[f64]) -> f64 {
    let i = x[0];
    let mut s = 0.0;
    for i in 0..x.len() {
        let x = x[i] * x[0];
        s += x * i as f64;
    }
    s * i
}

#[differentiable]
fn names_of_generated_code(ws: f64, x_bar: f64, y_dot: f64) -> f64 {
    let t_1 = ws * x_bar;
    let rec = t_1 + y_dot;
    let words = rec * rec;
    let count = words.sin();
    let spare_dot_0 = count * ws;
    let (on_0, ws_off, x_bar_fresh, kin_t) = (ws + 1.0, x_bar * 2.0, words + x_bar, count);
    let mut value = on_0 * ws_off;
    for count in 0..2 {
        for words in 0..2 {
            let word_0 = value * count as f64;
            value += word_0 * (words + count) as f64 * x_bar_fresh;
        }
    }
    spare_dot_0 * t_1 + words * kin_t * value + x_bar_fresh
}

#[differentiable]
fn same_names_everywhere(x: f64) -> f64 {
    let a = x;
    let a = {
        let a = a * a;
        let a = a + 1.0;
        a
    };
    let f = |a: f64| {
        let a = a * a;
        a
    };
    let a = f(a) + a;
    a
}

#[differentiable]
fn raw_names(r#type: f64, r#match: f64) -> f64 {
    let r#in = r#type * r#match;
    r#in.exp() * r#type
}

#[differentiable]
fn products_with_zeros(x: &[f64]) -> f64 {
    x.iter().product::<f64>() + x.iter().fold(1.0, |p, v| p * v * v)
}

#[differentiable]
fn absent_terms(x: &[f64], w: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if w[i] != 0.0 {
            s += x[i] / w[i];
        }
    }
    s
}

#[differentiable]
fn powers(x: f64, y: f64, n: i32) -> f64 {
    x.powf(y) + x.powf(2.5) * y.powi(n) + 2f64.powf(x) + x.powi(n - 1) + y.sqrt() * x.cbrt() + x.exp_m1().ln_1p()
}

#[differentiable]
fn ranges_from_lengths(x: &[f64]) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    for i in 1..n.max(1) {
        s += x[i] * x[i - 1];
    }
    for i in (n / 2)..n {
        s *= x[i];
    }
    for i in n..2 {
        s += i as f64;
    }
    s
}

#[differentiable]
fn backwards_with_state(x: &[f64], r: f64) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    let mut next = 0.0;
    for i in (0..x.len()).rev() {
        next = x[i] + r * next * x[i];
        out[i] = next;
    }
    out
}

#[differentiable]
fn banded_solve(d: &[f64], e: &[f64], b: &[f64]) -> Vec<f64> {
    let n = d.len();
    let mut c = vec![0.0; n];
    let mut x = b.to_vec();
    c[0] = e[0] / d[0];
    x[0] /= d[0];
    for i in 1..n {
        let m = d[i] - e[i - 1] * c[i - 1];
        if i + 1 < n {
            c[i] = e[i] / m;
        }
        x[i] = (x[i] - e[i - 1] * x[i - 1]) / m;
    }
    for i in (0..n - 1).rev() {
        let later = x[i + 1];
        x[i] -= c[i] * later;
    }
    x
}

#[differentiable]
fn cholesky(a: &[f64], n: usize) -> f64 {
    let mut l = a.to_vec();
    let mut log = 0.0;
    for j in 0..n {
        for k in 0..j {
            let f = l[j * n + k];
            for i in j..n {
                l[i * n + j] -= l[i * n + k] * f;
            }
        }
        let p = l[j * n + j].sqrt();
        for i in j..n {
            l[i * n + j] /= p;
        }
        log += p.ln();
    }
    2.0 * log
}

#[differentiable]
fn runge_kutta(x: [f64; 2], k: f64, n: usize) -> [f64; 2] {
    let field = |s: [f64; 2]| [s[1], -k * s[0].sin() - 0.1 * s[1]];
    let h = 0.1;
    let mut s = x;
    for _ in 0..n {
        let a = field(s);
        let b = field([s[0] + 0.5 * h * a[0], s[1] + 0.5 * h * a[1]]);
        s = [s[0] + h * b[0], s[1] + h * b[1]];
    }
    s
}

#[differentiable]
fn tuple_state(x: f64, n: usize) -> f64 {
    let mut s = (x, 1.0, [x, 2.0]);
    for i in 0..n {
        s.0 *= s.1;
        s.1 += s.2[0] * i as f64;
        s.2[i % 2] = s.0;
        let (a, _, c) = s;
        s.2[1] += a * c[0];
    }
    s.0 + s.1 * s.2[1]
}

#[differentiable]
fn vec_of_tuples(x: &[f64]) -> f64 {
    let mut v: Vec<(f64, f64)> = x.iter().map(|a| (*a, a * a)).collect();
    for p in v.iter_mut() {
        p.0 *= p.1;
        p.1 += 1.0;
    }
    for (a, b) in &mut v {
        *a += *b;
    }
    let s: f64 = v.iter().map(|(a, b)| a * b).sum();
    s + v.first().map_or(0.0, |p| p.0)
}

#[differentiable]
fn swapped_vectors(x: &[f64], y: &[f64], n: usize) -> f64 {
    let (mut a, mut b) = (x.to_vec(), y.to_vec());
    for k in 0..n {
        for i in 0..a.len() {
            a[i] += b[i] * (k + 1) as f64;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().zip(&b).map(|(p, q)| p * q).sum()
}

#[differentiable]
fn another_length(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let z = y.clone();
    let mut s = z.iter().map(|v| v * v).sum::<f64>();
    y = vec![y[0] * s];
    s += y[0];
    for k in 0..n {
        y = y.iter().chain(x).map(|v| v * 0.5).collect();
        s += y[k] * y[y.len() - 1];
    }
    s * y[0]
}

#[differentiable]
fn rows_of_another_length(x: &[f64]) -> f64 {
    let mut m = vec![x.to_vec(), vec![1.0]];
    let mut s = m[0][x.len() - 1];
    let copy = m[0].clone();
    m[0] = vec![s * x[0]];
    m[1] = copy;
    s += m[0][0] * m[1][1];
    m = vec![vec![s; 2]];
    m.push(x.to_vec());
    m.iter().map(|row| row.iter().map(|v| v * v).sum::<f64>()).product()
}

#[differentiable]
fn chosen_then_assigned(x: f64) -> f64 {
    let mut a = if x > 0.3 {
        let b = x * x;
        b
    } else {
        x.sin()
    };
    a = a * x + 1.0;
    let mut s = a;
    for i in 0..3 {
        let mut t = match i {
            0 => x,
            _ => s * x,
        };
        t = t.sin() * a;
        s += t;
    }
    a * s
}

#[differentiable]
fn tripled(x: f64, y: &mut f64) {
    *y = 3.0 * x * *y;
}

#[differentiable]
fn assigned_before_a_call(x: f64) -> f64 {
    let mut a = x.sin();
    a = 0.5 * a;
    tripled(x, &mut a);
    a * a
}

#[differentiable]
fn passive_reading_of_a_reference(x: f64, y: &mut f64) {
    let n = (0..3).skip_while(|k| *k < 2 && (if *y > 0.25 { 0.375 } else { *y }) > 0.1).count();
    *y = *y * x + n as f64;
    let m = (0..3).filter(|k| (*y).abs() > *k as f64).count();
    *y *= x * m as f64;
}

#[differentiable]
fn counted_in_an_operand(x: &[f64]) -> f64 {
    0.1 * (x.iter().copied().filter(|v| *v > 0.4).count() as f64) * x[0] + x[(x[0].abs() * 3.0) as usize % 2]
}

#[differentiable]
fn second_of(x: &[f64]) -> f64 {
    x[1].sin()
}

#[differentiable]
fn reads_what_it_overwrites(x: &mut [f64]) {
    x[0] -= second_of(&*x);
    x[1] = 0.5;
}

#[differentiable]
fn masked(x: &[f64], mask: &[bool], names: &str) -> f64 {
    let k = names.len() as f64;
    x.iter().zip(mask).filter(|(_, m)| **m).map(|(v, _)| v * v * k).sum::<f64>()
        + x.iter().zip(mask).map(|(v, &m)| if m { *v } else { -v * k }).product::<f64>()
}

#[differentiable]
fn integer_state(x: &[f64], seed: u32) -> f64 {
    let mut state = seed;
    let mut s = 1.0;
    for &v in x {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        let w = (state >> 16) as f64 / 65536.0;
        if state % 3 == 0 {
            s *= v * w;
        } else {
            s += v * w;
        }
    }
    s
}

#[differentiable]
fn permuted(x: &[f64], order: &[usize]) -> f64 {
    let mut y = vec![0.0; x.len()];
    for (i, &k) in order.iter().enumerate() {
        y[k] = x[i] * (i + 1) as f64;
    }
    let p: Vec<usize> = order.iter().rev().map(|k| (k + 1) % x.len()).collect();
    p.iter().zip(&y).map(|(&k, v)| x[k] * v).sum()
}

#[differentiable]
fn parameter_shadowed_by_a_local(x: &[f64], k: f64) -> f64 {
    let x: Vec<f64> = x.iter().map(|v| v * k).collect();
    let k = x.iter().sum::<f64>();
    let mut x = x;
    x[0] = k * k;
    x[0] * x[1]
}

#[differentiable]
fn sum_of_one_result_twice(x: f64) -> (f64, f64) {
    let y = x.sin();
    (y, y)
}

#[differentiable]
fn array_of_one_value(x: f64, y: f64) -> [f64; 3] {
    let z = x * y;
    [z, z, x]
}

#[differentiable]
fn returned_slice(x: &[f64]) -> Vec<f64> {
    x[1..].to_vec()
}

#[differentiable]
fn returned_argument(x: Vec<f64>, k: f64) -> (Vec<f64>, f64) {
    let s = x[0] * k;
    (x, s)
}

#[differentiable]
fn returned_clone(x: &[f64], k: f64) -> (Vec<f64>, Vec<f64>) {
    let y: Vec<f64> = x.iter().map(|v| v * k).collect();
    let z = y.clone();
    (y, z)
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number squared_in_place_many_times(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4], 3] [vec![0.3], 2] [vec![], 2];
        number self_assignment(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.7]];
        number same_index_by_two_names(at x: Vec<f64>, fixed i: usize, fixed j: usize): [vec![0.3, 0.9], 0, 0] [vec![0.3, 0.9], 0, 1];
        number index_chosen_by_the_value(at x: Vec<f64>, by t: f64): [vec![0.3, 0.9], 0.5] [vec![0.9, 0.3, 0.7], 0.2];
        number conditionally_overwritten(at x: Vec<f64>): [vec![0.7, 0.3, -0.4, 0.9]] [vec![]];
        number overwritten_in_one_branch(by x: f64, fixed flag: bool): [0.7, true] [0.7, false];
        number array_overwritten_in_one_branch(at x: Vec<f64>): [vec![0.7, 0.3]];
        number local_of_the_last_iteration(at x: Vec<f64>): [vec![0.7, 0.3]] [vec![0.7]] [vec![]];
        number reads_before_and_after_a_loop(at x: Vec<f64>): [vec![0.7, 0.3]];
        number passive_becomes_active(by x: f64, fixed n: usize): [0.7, 5] [0.7, 1] [0.7, 0];
        number active_becomes_passive(by x: f64): [0.7];
        number aggregate_assigned_from_literals(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        number vec_replaced(at x: Vec<f64>, fixed n: usize): [vec![0.7, 0.3], 2] [vec![0.7, 0.3], 0];
        number vec_grows(at x: Vec<f64>): [vec![0.7, 0.3, -0.2]] [vec![]];
        number vec_of_vecs_grows(at x: Vec<f64>): [vec![0.7, 0.3, -0.2]] [vec![]];
        number stops_at_once(at x: Vec<f64>): [vec![0.7, 0.3, -0.2]];
        number break_after_the_change(at x: Vec<f64>): [vec![0.7, 0.3, 0.1, 0.8]] [vec![]] [vec![0.9, 0.8]] [vec![0.2]];
        number break_inside_a_value(at x: Vec<f64>): [vec![0.7, 0.3, -0.1, 0.8]] [vec![]] [vec![-0.2]];
        number continue_inside_a_match(at x: Vec<f64>): [vec![0.7, 0.3, -0.1, 0.8]] [vec![]];
        number return_from_a_nested_loop(at x: Vec<f64>): [vec![0.7, 0.9, 0.8]] [vec![]] [vec![0.1, 0.2]];
        number loop_variable_shadows(at x: Vec<f64>): [vec![0.7, 0.9, 0.8]];
        number names_of_generated_code(by x: f64, by y: f64, by z: f64): [0.7, 0.9, 0.8];
        number same_names_everywhere(by x: f64): [0.7];
        number raw_names(by x: f64, by y: f64): [0.7, 0.4];
        number products_with_zeros(at x: Vec<f64>): [vec![0.7, 0.0, 0.8]] [vec![0.0, 0.0]] [vec![0.0]];
        number absent_terms(at x: Vec<f64>, at w: Vec<f64>): [vec![0.7, 0.2], vec![0.5, 0.4]] [vec![], vec![]];
        number powers(by x: f64, by y: f64, fixed n: i32): [0.7, 0.4, 3] [0.7, 0.4, 0] [0.7, 0.4, 1] [0.7, 0.4, -2];
        number ranges_from_lengths(at x: Vec<f64>): [vec![0.7, 0.2, 0.4]] [vec![]] [vec![0.4]];
        list backwards_with_state(at x: Vec<f64>, by r: f64): [vec![0.7, 0.2, 0.4], 0.8] [vec![], 0.8];
        list banded_solve(at d: Vec<f64>, at e: Vec<f64>, at b: Vec<f64>): [vec![2.0, 2.1, 2.2], vec![0.3, 0.4], vec![1.0, 2.0, 3.0]];
        number cholesky(at a: Vec<f64>, fixed n: usize): [vec![4.0, 0.0, 0.0, 0.5, 3.0, 0.0, 0.6, 0.7, 2.0], 3];
        list runge_kutta(by x: [f64; 2], by k: f64, fixed n: usize): [[0.3, 0.4], 1.1, 4] [[0.3, 0.4], 1.1, 0];
        number tuple_state(by x: f64, fixed n: usize): [0.7, 4] [0.7, 0];
        number vec_of_tuples(at x: Vec<f64>): [vec![0.7, 0.3]] [vec![]];
        number swapped_vectors(at x: Vec<f64>, at y: Vec<f64>, fixed n: usize): [vec![0.7, 0.3], vec![0.4, 0.2], 3] [vec![], vec![], 1];
        number another_length(at x: Vec<f64>, fixed n: usize): [vec![0.7, 0.3, 0.4], 2] [vec![0.7, 0.3, 0.4], 0] [vec![0.7], 3];
        number rows_of_another_length(at x: Vec<f64>): [vec![0.7, 0.3, 0.4]];
        number chosen_then_assigned(by x: f64): [0.7] [0.2];
        number assigned_before_a_call(by x: f64): [0.7];
        writes passive_reading_of_a_reference(by x: f64, inout y: f64): [0.7, 0.4] [0.7, -0.4];
        number counted_in_an_operand(at x: Vec<f64>): [vec![0.7, 0.3]];
        writes reads_what_it_overwrites(inout x: Vec<f64>): [vec![0.7, 0.3]];
        number masked(at x: Vec<f64>, fixed_at mask: Vec<bool>, fixed_at names: String): [vec![0.7, 0.3], vec![true, false], "abc".to_string()];
        number integer_state(at x: Vec<f64>, fixed seed: u32): [vec![0.7, 0.3, 0.4, 0.5, 0.6], 7];
        number permuted(at x: Vec<f64>, fixed_at order: Vec<usize>): [vec![0.7, 0.3, 0.4], vec![2, 0, 1]];
        number parameter_shadowed_by_a_local(at x: Vec<f64>, by k: f64): [vec![0.7, 0.3, 0.4], 0.8];
        list sum_of_one_result_twice(by x: f64): [0.7];
        list array_of_one_value(by x: f64, by y: f64): [0.7, 0.4];
        list returned_slice(at x: Vec<f64>): [vec![0.7, 0.3, 0.4]] [vec![0.7]];
        list returned_argument(by x: Vec<f64>, by k: f64): [vec![0.7, 0.3, 0.4], 0.8];
        list returned_clone(at x: Vec<f64>, by k: f64): [vec![0.7, 0.3, 0.4], 0.8] [vec![], 0.8];
    }
}
