//! Vectors that lose elements: `pop`, `truncate`, `clear`, `insert`, `remove`, `swap_remove`, `resize`, `drain`, `retain`, and their kind.

use diffi::prelude::*;

#[differentiable]
fn reverse_polish(x: &[f64]) -> f64 {
    let mut stack = Vec::new();
    for (i, v) in x.iter().enumerate() {
        stack.push(*v);
        if i % 2 == 1 {
            let b = stack.pop().unwrap();
            let a = stack.pop().expect("two operands");
            stack.push(a * b + a.sin());
        }
    }
    let mut total = 1.0;
    while let Some(v) = stack.pop() {
        total = total * v + 0.3 * v * v;
    }
    total
}

#[differentiable]
fn popped_in_a_loop(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|e| e * e).collect();
    let mut s = 0.0;
    while v.len() > 1 {
        let last = v.pop().unwrap();
        s += last * v[0];
        v[0] *= last;
    }
    s + v[0]
}

#[differentiable]
fn options(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = v.pop();
    let b = v.pop().unwrap_or(2.0);
    let c = v.pop().map_or(0.5, |e| e * e);
    let d = v.pop().is_some();
    let mut s = b * c;
    if let Some(e) = a {
        s += e * b;
    }
    if d { s * 3.0 } else { s }
}

#[differentiable]
fn matched(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    loop {
        match v.pop() {
            Some(e) if e < 0.0 => s -= e * e,
            Some(e) => s += e,
            None => break,
        }
        let Some(f) = v.pop() else { break };
        s *= f;
        if let Some(g) = v.last() {
            s += g * f;
        }
    }
    s
}

#[differentiable]
fn if_let_pop(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    let mut s = 1.0;
    for _ in 0..n {
        if let Some(e) = v.pop() {
            s *= e;
            v.push(s);
            v.pop();
        } else {
            s += 0.5 * s * s;
        }
    }
    s
}

#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let mut stack: Vec<(f64, f64, usize)> = vec![(x[0], x[1], 0)];
    let mut s = 0.0;
    while let Some((a, b, depth)) = stack.pop() {
        if depth < 3 && a * b < 5.0 {
            stack.push((0.5 * a, a * b, depth + 1));
            if depth == 1 {
                stack.push((b, a, depth + 1));
            }
        } else {
            s += a * b + depth as f64 * a;
        }
    }
    s
}

#[differentiable]
fn points(x: &[f64]) -> f64 {
    let mut v: Vec<[f64; 2]> = x.chunks_exact(2).map(|c| [c[0], c[0] * c[1]]).collect();
    let mut s = 0.0;
    while v.len() >= 2 {
        let a = v.pop().unwrap();
        let b = v.swap_remove(0);
        s += a[0] * b[1];
        v.push([s, a[1]]);
        v.truncate(2);
    }
    s
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut m: Vec<Vec<f64>> = Vec::new();
    for i in 0..x.len() {
        m.push(vec![x[i]; i + 1]);
        m[i][0] *= x[0];
    }
    let last = m.pop().unwrap();
    let first = m.remove(0);
    m.insert(1, vec![last[0] * first[0]]);
    m.truncate(3);
    let mut s = 0.0;
    for row in &m {
        for (j, v) in row.iter().enumerate() {
            s += v * v * (j as f64 + 1.0);
        }
    }
    m.clear();
    m.push(last);
    s * m[0][m[0].len() - 1]
}

#[differentiable]
fn shortened(x: &[f64], n: usize) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|e| e.exp()).collect();
    v.truncate(n);
    let s: f64 = v.iter().map(|e| e * e).sum();
    v.resize(n + 2, s);
    v[n + 1] *= v[0];
    let t: f64 = v.iter().product();
    v.resize(1, 0.0);
    v.resize_with(3, || t);
    v[0] * v[2] + v[1]
}

#[differentiable]
fn inserted(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for e in x {
        let mut at = 0;
        while at < v.len() && v[at] < *e {
            at += 1;
        }
        v.insert(at, *e);
    }
    v.iter().enumerate().map(|(i, e)| (i as f64 + 1.0) * e * e).sum()
}

#[differentiable]
fn removed(x: &[f64], k: usize) -> f64 {
    let mut v = x.to_vec();
    let a = v.remove(k);
    v[0] *= a;
    let b = v.swap_remove(0);
    v.insert(1, a * b);
    v.iter().enumerate().map(|(i, e)| e * e * (i + 1) as f64).sum::<f64>() * b
}

#[differentiable]
fn drained(x: &[f64], k: usize) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|e| e * e).collect();
    let a: f64 = v.drain(..k).sum();
    v.drain(1..2);
    let mut s = a * v[0];
    for e in v.drain(1..) {
        s += e * a;
    }
    v.push(s);
    v[0] * v[1]
}

#[differentiable]
fn kept(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = x.iter().map(|e| 2.0 * e).collect();
    v.retain(|e| *e > 0.0);
    v.push(0.7);
    v.push(0.7);
    v.dedup();
    v.iter().enumerate().map(|(i, e)| (i as f64 + 1.0) * e * e).sum()
}

#[differentiable]
fn split_and_appended(x: &[f64], k: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = a.split_off(k);
    b[0] *= a[0];
    a.push(b[0]);
    b.append(&mut a);
    a.push(b[1]);
    b.iter().enumerate().map(|(i, e)| (i as f64 + 1.0) * e * e).sum::<f64>() * a[0]
}

#[differentiable]
fn fills_anew(x: &[f64], out: &mut Vec<f64>) {
    out.clear();
    for v in x {
        out.push(v * v);
        if *v > 0.5 {
            out.push(v.sin());
        }
    }
}

#[differentiable]
fn pops_a_parameter(x: f64, out: &mut Vec<f64>) -> f64 {
    let a = out.pop().unwrap();
    out[0] *= a * x;
    out.push(x);
    out.push(a * a);
    a
}

#[differentiable]
fn parameters(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1] * x[1]];
    let mut s = 0.0;
    for e in x {
        s += pops_a_parameter(*e, &mut v) * v[0];
    }
    fills_anew(&v, &mut v.clone());
    let mut w = vec![s; 2];
    for _ in 0..2 {
        fills_anew(x, &mut w);
        s += w.iter().product::<f64>();
    }
    s * v[v.len() - 1]
}

#[differentiable]
fn windowed(x: &[f64], n: usize) -> f64 {
    let mut window = Vec::new();
    let mut s = 0.0;
    for v in x {
        window.push(v * v);
        if window.len() > n {
            window.remove(0);
        }
        let m: f64 = window.iter().sum::<f64>() / window.len() as f64;
        s += m * m;
    }
    s
}

#[differentiable]
fn popped_until(x: &[f64], limit: f64) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.1;
    while let Some(e) = v.pop() {
        if e < -5.0 {
            continue;
        }
        s += e * s;
        if s > limit {
            break;
        }
    }
    s * v.len() as f64 + s
}

#[differentiable]
fn buffers_in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let mut v = vec![x[i]; 3];
        v.push(x[0] * x[i]);
        v[1] *= v[3];
        let a = v.pop().unwrap();
        v.truncate(2);
        s += v.iter().product::<f64>() * a;
    }
    s
}

#[differentiable]
fn called(v: &mut Vec<f64>, x: f64) -> f64 {
    let last = v.pop().unwrap();
    v.push(last * x);
    v.push(x.sin());
    last * last
}

#[differentiable]
fn calls(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    let mut s = 0.0;
    for e in x {
        s += called(&mut v, *e);
    }
    while v.len() > 2 {
        s += called(&mut v, s);
        v.pop();
        v.pop();
    }
    s * v[0]
}

#[differentiable]
fn mutable_options(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut held = v.pop();
    let mut s = 0.0;
    while let Some(e) = held {
        s += e * e;
        held = if s < 2.0 { v.pop() } else { None };
    }
    s + v.len() as f64 * s
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number reverse_polish(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.1]] [vec![0.5]] [vec![]];
        number popped_in_a_loop(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]] [vec![0.5]];
        number options(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]] [vec![0.3, 0.9, -0.4]] [vec![0.5]];
        number matched(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, -0.6]] [vec![0.5, 0.8]] [vec![0.5]];
        number if_let_pop(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4], 5] [vec![0.3, 0.9], 1] [vec![0.3], 0];
        number pairs(at x: Vec<f64>): [vec![0.3, 0.9]] [vec![2.3, 1.9]];
        number points(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 1.1, 0.2]] [vec![0.3, 0.9]];
        number rows(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7]] [vec![0.5, 0.6, 0.8]];
        number shortened(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7], 2] [vec![0.3, 0.9], 2];
        number inserted(at x: Vec<f64>): [vec![0.3, 0.9, -0.4, 0.7, 0.1]] [vec![0.5]] [vec![]];
        number removed(at x: Vec<f64>, fixed k: usize): [vec![0.3, 0.9, -0.4, 0.7], 1] [vec![0.3, 0.9, -0.4], 2];
        number drained(at x: Vec<f64>, fixed k: usize): [vec![0.3, 0.9, -0.4, 0.7, 1.2, 0.8], 2] [vec![0.3, 0.9, -0.4], 0];
        number kept(at x: Vec<f64>): [vec![0.3, -0.9, 0.4, -0.7, 1.2]] [vec![-0.3]];
        number split_and_appended(at x: Vec<f64>, fixed k: usize): [vec![0.3, 0.9, -0.4, 0.7], 2] [vec![0.3, 0.9, -0.4], 1];
        number parameters(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]] [vec![0.8, 0.7]];
        number windowed(at x: Vec<f64>, fixed n: usize): [vec![0.3, 0.9, -0.4, 0.7, 1.2], 2] [vec![0.3, 0.9], 5];
        number popped_until(at x: Vec<f64>, by limit: f64): [vec![0.3, 0.9, -7.0, 0.7, 3.1], 0.6] [vec![0.3, 0.9], 9.0];
        number buffers_in_a_loop(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number calls(at x: Vec<f64>): [vec![0.3, 0.9, -0.4]];
        number mutable_options(at x: Vec<f64>): [vec![0.3, 0.9, -1.4, 0.7]] [vec![]];
    }
}
