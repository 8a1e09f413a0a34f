//! Arrays that loops read before they change (`array_versions`): once in several loops, or again in each iteration.

use diffi::prelude::*;

#[differentiable]
fn product(a: &[f64], x: &[f64]) -> Vec<f64> {
    let n = x.len();
    (0..n).map(|i| a[i * n..(i + 1) * n].iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

/// Every row's product reads the same vector.
#[differentiable(constant(start))]
fn largest_eigenvalue(a: &[f64], start: &[f64]) -> f64 {
    let mut v = start.to_vec();
    let mut value = 0.0;
    for _ in 0..4 {
        let w = product(a, &v);
        value = v.iter().zip(&w).map(|(v, w)| v * w).sum();
        let norm = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        v = w.iter().map(|w| w / norm).collect();
    }
    value
}

/// One loop for each use, and a change between the second and the third.
#[differentiable(constant(steps))]
fn between_loops(x: &[f64], steps: usize) -> f64 {
    let n = x.len();
    let mut p = x.to_vec();
    let mut s = 0.0;
    for _ in 0..steps {
        for k in 0..n {
            s += p[k] * p[n - 1 - k];
        }
        for k in 0..n {
            s += p[k].sin() * x[k];
        }
        p[0] = s.cos();
        for k in 0..n {
            s -= p[k] * p[k] * 0.1;
        }
        let mut q = vec![0.0; n];
        for k in 0..n {
            q[k] = p[k] * x[k] + 0.2 * p[n - 1 - k].cos();
        }
        p = q;
    }
    s + p[0]
}

/// The index of the array lacks the outer loop's variable, or has it behind a name.
#[differentiable]
fn outer_products(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len();
    let mut p = y.to_vec();
    let mut s = 0.0;
    for _ in 0..3 {
        let mut q = vec![0.0; n];
        for i in 0..n {
            for j in 0..=i {
                let k = i - j;
                q[i] += x[i] * p[j] * p[k] + p[0] * x[j];
            }
        }
        std::mem::swap(&mut p, &mut q);
        s += p[n - 1];
    }
    s
}

/// A branch changes the array after only some of the loops.
#[differentiable]
fn changed_at_times(x: &[f64]) -> f64 {
    let n = x.len();
    let mut p = x.to_vec();
    let mut s = 0.0;
    for t in 0..3 {
        for i in 0..n {
            for j in 0..n {
                s += 0.1 * p[i] * p[j] * x[j];
            }
        }
        if t != 1 {
            p = (0..n).map(|k| p[k] * 0.5 + 0.2 * s.sin()).collect();
        }
        for k in 0..n {
            s += p[k] * x[k] * p[k];
        }
    }
    s
}

/// Every level stays in a list that grows.
#[differentiable(constant(steps))]
fn list_of_levels(x: &[f64], steps: usize) -> f64 {
    let mut levels = vec![x.to_vec()];
    for t in 0..steps {
        let mut new = levels[t].clone();
        for k in 1..x.len() {
            new[k] = levels[t][k] * levels[t][k - 1] + levels[0][k].sin();
        }
        levels.push(new);
    }
    levels.iter().map(|u| u.iter().map(|v| v * v).sum::<f64>()).sum()
}

/// A list that grows, shrinks, and grows again; and one that gets other elements.
#[differentiable]
fn list_that_shrinks(x: &[f64]) -> f64 {
    let mut list = Vec::new();
    let mut s = 0.0;
    for k in 0..x.len() {
        list.push(x[k] * x[0]);
        s += list[k / 2] * list[k / 2] * x[k];
        if k % 3 == 2 {
            let last = list.pop().unwrap();
            s += last.sin() * list[k - 1];
            list.push(s);
        }
        s += list[k] * list[k];
    }
    list[0] = s;
    list.push(list[0] * list[1]);
    s + list[0] * list[x.len()]
}

/// A list that is emptied and filled again.
#[differentiable]
fn list_that_is_cleared(x: &[f64]) -> f64 {
    let mut list: Vec<f64> = Vec::new();
    let mut s = 0.0;
    for t in 0..3 {
        list.clear();
        for k in 0..x.len() {
            list.push(x[k] + s);
        }
        for k in 0..x.len() {
            s += list[k] * list[k] * x[t];
        }
    }
    s
}

/// Rows of an elimination that are pushed one by one.
#[differentiable]
fn pushed_rows(x: &[f64], n: usize) -> f64 {
    let mut p = Vec::new();
    for i in 0..n {
        let mut row = vec![0.0; n];
        for j in 0..n {
            row[j] = (x[i] * x[j]).sin() + if i == j { 3.0 } else { 0.0 };
        }
        p.push(row);
    }
    let mut log = 0.0;
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                p[i][j] -= p[i][k] * p[j][k];
            }
        }
        let d = p[j][j].sqrt();
        log += d.ln();
        for i in j..n {
            p[i][j] /= d;
        }
    }
    log
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    const A: [f64; 9] = [2.0, 0.3, 0.2, 0.5, 3.0, -0.4, 0.7, -0.6, 1.0];
    const X: [f64; 5] = [0.3, 1.2, -0.4, 0.7, 0.9];

    rows! {
        number largest_eigenvalue(at a: Vec<f64>, fixed_at start: Vec<f64>): [A.to_vec(), vec![1.0, 0.4, -0.2]] [vec![2.0], vec![0.5]];
        number between_loops(at x: Vec<f64>, fixed steps: usize): [X.to_vec(), 3] [X.to_vec(), 0] [vec![0.4], 2];
        number outer_products(at x: Vec<f64>, at y: Vec<f64>): [X.to_vec(), vec![0.5, -0.1, 0.8, 1.3, 0.2]] [vec![0.3], vec![0.2]];
        number changed_at_times(at x: Vec<f64>): [X.to_vec()] [vec![0.4]];
        number list_of_levels(at x: Vec<f64>, fixed steps: usize): [X.to_vec(), 3] [X.to_vec(), 0] [vec![0.4], 2];
        number list_that_shrinks(at x: Vec<f64>): [X.to_vec()] [vec![0.4, 0.2]];
        number list_that_is_cleared(at x: Vec<f64>): [X.to_vec()];
        number pushed_rows(at x: Vec<f64>, fixed n: usize): [X.to_vec(), 5] [vec![0.4], 1];
    }
}
