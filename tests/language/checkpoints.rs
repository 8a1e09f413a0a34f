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

#[differentiable]
fn two_buffers(x: &[f64], nt: usize) -> f64 {
    let n = x.len();
    let mut now = x.to_vec();
    let mut next = vec![0.0; n];
    #[checkpoint(snapshots = 3)]
    for _ in 0..nt {
        for i in 0..n {
            next[i] = now[i] * now[(i + 1) % n] - 0.2 * now[i];
        }
        std::mem::swap(&mut now, &mut next);
    }
    now[0] + now[1] * now[2]
}

#[differentiable]
fn loop_with_a_value(x: f64) -> f64 {
    let mut y = x;
    let mut k = 0;
    let last = #[checkpoint]
    loop {
        y = (y * x).sin() + 0.5;
        k += 1;
        if k == 11 {
            break y * x;
        }
    };
    last * y
}

#[differentiable]
fn single(x: &[f32], n: usize) -> f32 {
    let mut y = x[0];
    let mut z = 0.0;
    #[checkpoint(every = 4)]
    for k in 0..n {
        y = (y * x[k % x.len()]).sin() + 0.5;
        z += y * y;
    }
    z
}

#[differentiable]
fn matrix_of_rows(x: f64, n: usize) -> f64 {
    let mut m = vec![vec![x, 1.0], vec![0.5, x * x]];
    #[checkpoint(every = 2)]
    for i in 0..n {
        let row = m[i % 2].to_vec();
        m[(i + 1) % 2][0] = (row[0] * row[1]).sin();
        m[i % 2][1] = row[0] + 0.3 * m[(i + 1) % 2][1];
    }
    m[0][0] * m[1][1] + m[0][1]
}

#[differentiable]
fn chained(a: &[f64], b: &[f64]) -> f64 {
    let mut y = 1.0;
    #[checkpoint(every = 2)]
    for v in a.iter().chain(b.iter()).filter(|v| **v > 0.0) {
        y = (y + v).sin() * v;
    }
    y
}

#[differentiable]
fn nothing_to_keep(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[checkpoint]
    for v in x {
        s = 0.5 * s + v;
    }
    let mut names = Vec::new();
    #[checkpoint]
    for k in 0..3 {
        names.push(k);
    }
    s * names.len() as f64
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
        number two_buffers(at x: Vec<f64>, fixed nt: usize): [vec![1.2, 0.9, 1.1, 0.7], 6];
        number loop_with_a_value(by x: f64): [0.7];
        number single(at x: Vec<f32>, fixed n: usize): [vec![0.7, 1.1, 0.4], 9];
        number matrix_of_rows(by x: f64, fixed n: usize): [0.7, 5];
        number chained(at a: Vec<f64>, at b: Vec<f64>): [vec![0.7, -1.1, 0.4], vec![0.5, 1.3]];
        number nothing_to_keep(at x: Vec<f64>): [vec![0.7, -1.1, 0.4]];
        number late_prelude(by x: f64): [1.3] [1.7];
    }
}

/// The same loop without the attribute and with each of its forms.
macro_rules! forms {
    ($($name:ident: $($attribute:meta)?;)+) => { $(
        #[differentiable]
        fn $name(x: &[f64], h: f64) -> f64 {
            let n = x.len();
            let mut u = x.to_vec();
            let (mut energy, mut t) = (1.0, 0);
            $(#[$attribute])?
            while energy > 0.2 && t < 50 {
                let old = u.to_vec();
                for i in 0..n {
                    u[i] = old[i] - h * (old[i] * old[(i + 1) % n] + 0.3 * old[(i + n - 1) % n].sin());
                }
                energy = 0.0;
                for v in &u {
                    energy += v * v;
                }
                t += 1;
            }
            energy * u[0]
        }
    )+ };
}
forms! {
    unmarked: ;
    marked: checkpoint;
    marked_every: checkpoint(every = 5);
    marked_rarely: checkpoint(every = 500);
    marked_snapshots: checkpoint(snapshots = 4);
    marked_one_snapshot: checkpoint(snapshots = 1);
}

/// What is run again gives the same numbers, and so do the sweeps over it.
#[test]
fn equal_bit_for_bit() -> Result<()> {
    let x = [0.9, 0.7, 1.1, 0.8];
    let v = [1.0, -0.5, 0.3, 2.0];
    let expected = value_and_gradient(unmarked::D, AutoReverse, (&x, 0.1))?;
    let product = gradient_and_hvp(unmarked::D, AutoReverse, (&x, Constant(0.1)), &v)?;
    macro_rules! equal {
        ($($name:ident)+) => { $(
            assert_eq!(value_and_gradient($name::D, AutoReverse, (&x, 0.1))?, expected);
            assert_eq!(gradient_and_hvp($name::D, AutoReverse, (&x, Constant(0.1)), &v)?, product);
            let mut held = prepare_pullback_same_point($name::D, AutoReverse, (&x, 0.1), 1.0)?;
            assert_eq!((held.value(), held.pullback(1.0)?), expected);
            assert_eq!(held.pullback(1.0)?, expected.1);
        )+ };
    }
    equal!(marked marked_every marked_rarely marked_snapshots marked_one_snapshot);
    Ok(())
}
