//! Loops of which only some states are kept: against differences, and bit for bit against the same loops with all records.

use diffi::prelude::*;

#[differentiable]
fn logistic(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(every = 3)]
    for _ in 0..n {
        y = 2.9 * y * (1.0 - y);
    }
    y.exp()
}

#[differentiable]
fn logistic_root(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..n {
        y = 2.9 * y * (1.0 - y);
    }
    y.exp()
}

#[differentiable]
fn logistic_snapshots(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        y = 2.9 * y * (1.0 - y);
    }
    y.exp()
}

#[differentiable]
fn burgers(u0: &[f64], nt: usize, every: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    #[checkpoint(every = every)]
    for _ in 0..nt {
        let mut left = u[0];
        for i in 1..n - 1 {
            let old = u[i];
            u[i] = old - 0.3 * old * (old - left) + 0.1 * (u[i + 1] - 2.0 * old + left);
            left = old;
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += u[i] * u[i];
    }
    s
}

#[differentiable]
fn burgers_in_place(u: &mut [f64], nt: usize) {
    let n = u.len();
    #[checkpoint(snapshots = 2)]
    for _ in 0..nt {
        for i in 1..n - 1 {
            u[i] = u[i] - 0.3 * u[i] * (u[i] - u[i - 1]);
        }
    }
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut x = a;
    let mut k = 0;
    #[checkpoint]
    while (x * x - a).abs() > 1e-12 && k < 50 {
        x = 0.5 * (x + a / x);
        k += 1;
    }
    x
}

#[differentiable]
fn newton_loop(a: f64) -> f64 {
    let mut x = a;
    #[checkpoint(snapshots = 2)]
    loop {
        let next = 0.5 * (x + a / x);
        let small = (next - x).abs() < 1e-12;
        x = next;
        if small {
            break;
        }
    }
    x * a
}

#[differentiable]
fn broken(x: &[f64], limit: f64) -> f64 {
    let mut y = 1.0;
    let mut last = 0.0;
    #[checkpoint(every = 2)]
    for (i, v) in x.iter().enumerate() {
        if *v < 0.0 {
            continue;
        }
        y = y * v + (i as f64) * last;
        last = v.sin() * y;
        if y > limit {
            break;
        }
    }
    y * last
}

#[differentiable]
fn nested(x: f64, n: usize) -> f64 {
    let mut y = x;
    let mut z = 0.5 * x;
    #[checkpoint(every = 2)]
    for i in 0..n {
        #[checkpoint(snapshots = 2)]
        for j in 0..i + 1 {
            y = (y * z).sin() + 0.1 * j as f64 * x;
            z = z + 0.1 * y * y;
        }
        z = z.cos();
    }
    y + z
}

#[differentiable]
fn steps_down(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(every = 2)]
    for i in (0..=11u32).rev().step_by(3) {
        y = y.sin() * (1.0 + 0.1 * i as f64);
    }
    let mut z = y;
    #[checkpoint(snapshots = 2)]
    for i in (-3i64..8).rev() {
        z = 0.3 * z.cos() + 0.1 * y * i as f64;
    }
    z
}

#[differentiable]
fn overwritten_afterwards(x: &[f64]) -> f64 {
    let mut k = x.to_vec();
    let mut y = 1.0;
    #[checkpoint(every = 2)]
    for i in 0..k.len() {
        y = (y * k[i]).sin() + k[0];
    }
    for i in 0..k.len() {
        k[i] = y * k[i] + 1.0;
    }
    #[checkpoint]
    for i in 0..k.len() {
        y = (y * k[i]).sin() + k[0];
    }
    y
}

#[differentiable]
fn step(y: f64, h: f64) -> f64 {
    y + h * (y.sin() - y * y)
}

#[differentiable]
fn smooth(u: &mut [f64], w: f64) {
    for i in 1..u.len() {
        u[i] = (u[i] * u[i - 1] * w).sin();
    }
}

#[differentiable]
fn calls(x: &[f64], h: f64) -> f64 {
    let mut u = x.to_vec();
    let mut y = x[0];
    #[checkpoint(every = 2)]
    for k in 0..5 {
        y = step(y, h);
        smooth(&mut u, 1.5 + 0.1 * k as f64);
        u[0] = y * u[1];
    }
    y * u[x.len() - 1]
}

#[differentiable]
fn called(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for k in 0..x.len() {
        total += logistic_root(x[k], 7) * logistic_snapshots(x[k], k + 3);
        total = total.sin() + burgers(x, 4, 2);
    }
    total
}

#[differentiable]
fn accumulating(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut trail = Vec::new();
    let mut seen = vec![0.0; x.len()];
    let mut y = 1.0;
    #[checkpoint(every = 2)]
    for k in 0..x.len() {
        y = (y + x[k]).sin() * x[k];
        total += y * y;
        trail.push(y * total);
        seen[k] = y * x[0];
        let spare = vec![y; 3];
        y += spare[k % 3] * spare[0];
    }
    total + trail[0] * trail[x.len() - 1] + seen[1] * seen[0]
}

#[differentiable]
fn state_of_all_kinds(x: f64, n: usize) -> f64 {
    let mut pair = (x, 2.0 * x);
    let mut a = [x, 1.0, 0.5];
    let mut count = 0;
    let mut up = true;
    let mut order = vec![2usize, 0, 1];
    let mut flags = [false; 3];
    #[checkpoint(every = 2)]
    for i in 0..n {
        let k = order[i % 3];
        if flags[k] {
            pair.0 = pair.0 * a[k];
        } else {
            pair.1 = pair.1 * a[k] + pair.0;
        }
        flags[k] = !flags[k];
        order.swap(0, k);
        a[(k + 1) % 3] = (pair.1 * a[0]).sin();
        if up {
            count += 2;
        }
        up = !up && count < 9;
        pair.0 = pair.0.cos() + 0.1 * count as f64;
    }
    pair.0 * pair.1 + a[0] + a[1] * a[2]
}

#[differentiable]
fn late_prelude(x: f64) -> f64 {
    let mut a = x;
    let mut n = 0;
    #[checkpoint(every = 2)]
    while {
        a = a * a + 0.1;
        a < 10.0
    } {
        a = a + 0.3 * x;
        n += 1;
    }
    a * n as f64
}

mod check {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number logistic(by x: f64, fixed n: usize): [0.3, 10] [0.3, 0] [0.4, 1] [0.4, 3];
        number logistic_root(by x: f64, fixed n: usize): [0.3, 10] [0.3, 0] [0.4, 1] [0.4, 3];
        number logistic_snapshots(by x: f64, fixed n: usize): [0.3, 10] [0.3, 0] [0.4, 1] [0.4, 3];
        number burgers(at u0: Vec<f64>, fixed nt: usize, fixed every: usize): [vec![0.3, 0.9, -0.4, 0.7, 0.1, 0.6], 7, 3] [vec![0.3, 0.9, -0.4, 0.7, 0.1, 0.6], 1, 3];
        writes burgers_in_place(inout u: Vec<f64>, fixed nt: usize): [vec![0.3, 0.9, -0.4, 0.7, 0.1, 0.6], 7];
        number newton(by a: f64): [2.0] [7.0];
        number newton_loop(by a: f64): [2.0] [7.0];
        number broken(at x: Vec<f64>, by limit: f64): [vec![1.2, -0.5, 1.4, 0.9, 1.9, 1.1, -1.0, 1.3], 9.0] [vec![1.2, -0.5, 1.4, 0.9, 1.9, 1.1, -1.0, 1.3], 2.0];
        number nested(by x: f64, fixed n: usize): [0.3, 5] [0.7, 0];
        number steps_down(by x: f64): [0.3];
        number overwritten_afterwards(at x: Vec<f64>): [vec![1.2, -0.5, 1.4, 0.9, 1.9]];
        number calls(at x: Vec<f64>, by h: f64): [vec![1.2, -0.5, 1.4], 0.3];
        number called(at x: Vec<f64>): [vec![0.2, 0.5, 0.4, 0.7]];
        number accumulating(at x: Vec<f64>): [vec![0.2, 0.5, 0.4, 0.7, 1.1]];
        number state_of_all_kinds(by x: f64, fixed n: usize): [0.3, 7];
        number late_prelude(by x: f64): [1.3] [1.7];
    }
}
