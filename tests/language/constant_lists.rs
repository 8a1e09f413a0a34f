//! Lists of constants that become parts of values which carry derivatives: as long as nothing is written to them, nothing says so.

use diffi::prelude::*;

#[differentiable]
fn rows_of_chains(x: f64) -> f64 {
    let mut m = vec![
        (2..4).map(|_| f64::from(1.75)).map(|v| v.sin()).collect::<Vec<_>>(),
        (0..2).enumerate().map(|_| f64::from(0.875)).collect::<Vec<f64>>(),
    ];
    let mut k = 0;
    while k < 2 {
        k += 1;
        m[0][(k + 1) % 2] *= (0.5 * (m[(k + 1) % 2][1] - m[1][1])).cos();
    }
    m[0][k % 2] = x * x;
    m[0][0] + m[0][1] * m[1][0]
}

#[differentiable]
fn rows_by_a_closure(x: f64) -> f64 {
    let row = |n: usize| (0..n).map(|i| i as f64 + 1.0).collect::<Vec<f64>>();
    let mut m = [row(2), row(3)];
    m[0][1] *= x;
    m[1][2] += x * m[0][1];
    m[0][0] + m[0][1] * m[1][0] + m[1][2]
}

#[differentiable]
fn lists_in_a_tuple(x: f64) -> f64 {
    let mut m = (std::iter::repeat(2.0).take(3).collect::<Vec<f64>>(), vec![0.5; 2]);
    m.0[1] *= x;
    m.1[1] += x * m.0[1];
    m.0[0] + m.0[1] * m.1[0] + m.1[1]
}

#[differentiable]
fn pushed_lists(x: f64) -> f64 {
    let mut m = vec![];
    m.push((0..2).map(|i| i as f64 + 1.0).collect::<Vec<_>>());
    m.push(vec![1.0, 2.0]);
    m[0][1] *= x;
    m[1][1] += m[0][1];
    m[0][0] + m[0][1] * m[1][1]
}

#[differentiable]
fn list_in_an_option(x: f64) -> f64 {
    let mut m = Some((0..2).map(|i| i as f64 + 1.0).collect::<Vec<_>>());
    if let Some(v) = &mut m {
        v[1] *= x;
    }
    m.map_or(0.0, |v| v[0] + v[1] * v[1])
}

#[differentiable]
fn one_row_several_times(x: f64) -> f64 {
    let mut m = vec![(0..2).map(|i| i as f64 + 1.0).collect::<Vec<f64>>(); 3];
    m[2][1] *= x;
    m[1][0] = x;
    m[2][1] * m[1][0] + m[0][1]
}

#[differentiable]
fn copies_of_a_table(x: f64) -> f64 {
    let table = [1.0, 2.0, 3.0];
    let mut m = [table.to_vec(), table.iter().map(|v| v * 2.0).collect::<Vec<f64>>()];
    m[1][1] *= x;
    m[0][2] = x * m[1][1];
    m[1][1] * m[0][2] + m[0][1]
}

#[differentiable]
fn triangle(x: f64) -> f64 {
    let mut m = Vec::new();
    for n in 1..4 {
        m.push((0..n).map(|i| (i * n) as f64).collect::<Vec<f64>>());
    }
    for row in m.iter_mut() {
        for v in row.iter_mut() {
            *v *= x;
        }
    }
    m.iter().map(|r| r.iter().map(|v| v * v).sum::<f64>()).sum()
}

#[differentiable]
fn collected_rows(x: f64) -> f64 {
    let mut m: Vec<Vec<f64>> = (0..3).map(|n| (0..=n).map(|i| (i + n) as f64).collect()).collect();
    m[2][1] *= x;
    m.push(vec![x, 1.0]);
    m[2][1] * m[3][0]
}

#[differentiable]
fn boxed_list(x: f64) -> f64 {
    let mut m = Box::new((0..3).map(|i| i as f64).collect::<Vec<f64>>());
    m[1] *= x;
    m[1] * m[2] * x
}

#[differentiable]
fn lists_in_lists(x: f64) -> f64 {
    let mut m = vec![vec![(0..2).map(|i| i as f64 + 1.0).collect::<Vec<f64>>()], vec![vec![x; 2]]];
    m[0][0][1] *= x;
    m[1][0][0] * m[0][0][1]
}

#[differentiable]
fn beside_lists_of_integers(x: f64) -> f64 {
    let names = vec!["a".to_string(), "b".to_string()];
    let kinds = vec![names.iter().map(|n| n.len()).collect::<Vec<usize>>(), (0..2).map(|i| i + 1).collect::<Vec<_>>()];
    let mut w = vec![names.iter().map(|n| n.len() as f64).collect::<Vec<_>>()];
    w[0][kinds[0][0]] *= x;
    w[0][1] * kinds[1][1] as f64
}

#[differentiable]
fn queue_of_lists(x: f64) -> f64 {
    let mut m = std::collections::VecDeque::new();
    m.push_back((0..2).map(|i| i as f64 + 1.0).collect::<Vec<f64>>());
    m.push_front(vec![x, x * x]);
    m[1][1] *= m[0][1];
    m[1][1] * m[1][0]
}

/// Functions without the attribute give constants.
fn zeros(n: usize) -> Vec<f64> {
    vec![0.0; n]
}

fn table() -> [f64; 3] {
    [1.0, 2.0, 3.0]
}

struct Setup {
    rows: Vec<Vec<f64>>,
}

impl Setup {
    fn new() -> Setup {
        Setup { rows: vec![vec![1.0, 2.0]; 2] }
    }

    fn row_of_constants(&self, k: usize) -> Vec<f64> {
        self.rows[k].clone()
    }
}

#[differentiable]
fn given_by_a_function(x: f64) -> f64 {
    let mut m = vec![zeros(2), zeros(3)];
    m[0][1] = x;
    m[1][0] += x * m[0][1];
    m[1][0] * x
}

#[differentiable]
fn given_and_pushed(x: f64) -> f64 {
    let mut m = Vec::new();
    for k in 1..4 {
        m.push(zeros(k));
    }
    m[2][1] = x;
    m[1][0] += x * m[2][1];
    m[1][0] * x
}

#[differentiable]
fn given_and_repeated(x: f64) -> f64 {
    let mut m = vec![zeros(2); 3];
    m[2][1] = x;
    m[1][0] += x * m[2][1];
    m[1][0] * x
}

#[differentiable]
fn arrays_of_a_function(x: f64) -> f64 {
    let mut m = [table(), table()];
    m[0][1] *= x;
    m[1][0] += x * m[0][1];
    m[1][0] * x
}

#[differentiable]
fn given_in_an_option(x: f64) -> f64 {
    let mut m = Some(zeros(2));
    if let Some(v) = &mut m {
        v[0] = x;
    }
    m.map_or(0.0, |v| v[0] * v[0])
}

#[differentiable]
fn given_by_a_method(x: f64) -> f64 {
    let s = Setup::new();
    let mut m = vec![s.row_of_constants(0), s.row_of_constants(1)];
    m[0][1] *= x;
    m[1][0] += x * m[0][1];
    m[1][0] * x
}

#[differentiable]
fn given_in_a_tuple(x: f64) -> f64 {
    let mut m = (zeros(2), table());
    m.0[1] = x;
    m.1[0] *= m.0[1];
    m.1[0] * x
}

#[derive(Clone)]
enum Command {
    Add(Vec<usize>),
    Scale(f64),
    Both { k: usize, w: f64 },
}
#[differentiable]
fn walked_commands(x: &[f64]) -> f64 {
    let cmds = vec![Command::Add(vec![0, 1]), Command::Scale(2.5), Command::Both { k: 1, w: 0.5 }];
    let mut s = x[0];
    for c in cmds {
        match c {
            Command::Add(v) => {
                for k in v {
                    s += x[k] * s;
                }
            }
            Command::Scale(w) => s *= w,
            Command::Both { k, w } => s += w * x[k] * s,
        }
    }
    s
}

#[differentiable]
fn walked_lists_of_lists(x: &[f64]) -> f64 {
    let lists: Vec<Vec<usize>> = vec![vec![0, 1], vec![1]];
    let mut s = x[0];
    for l in lists {
        for k in l {
            s += x[k] * s;
        }
    }
    s
}

#[differentiable]
fn walked_texts(x: &[f64]) -> f64 {
    let names: Vec<String> = vec!["sin".to_string(), "cos".to_string()];
    let mut s = x[0];
    for n in names {
        if n == "sin" {
            s = s.sin() * x[1];
        } else {
            s = s.cos();
        }
    }
    s
}

#[differentiable]
fn walked_pairs(x: &[f64]) -> f64 {
    let items: Vec<(String, f64)> = vec![("a".to_string(), 2.0), ("b".to_string(), 3.0)];
    let mut s = x[0];
    for (n, w) in items {
        s = s * w + x[1] * n.len() as f64;
    }
    s
}

#[differentiable]
fn walked_parsed_texts(x: &[f64]) -> f64 {
    let words: Vec<String> = "0 1 1".split(' ').map(|s| s.to_string()).collect();
    let mut s = x[0];
    for w in words.into_iter() {
        let k: usize = w.parse().unwrap();
        s += x[k] * s;
    }
    s
}

#[derive(Clone)]
struct Part {
    name: String,
    weight: f64,
}
#[differentiable]
fn walked_parts(x: &[f64]) -> f64 {
    let parts = vec![Part { name: "a".to_string(), weight: 2.0 }, Part { name: "bc".to_string(), weight: 3.0 }];
    let mut s = 0.0;
    for p in parts {
        let q = p;
        s += q.weight * x[0] * x[1] * q.name.len() as f64;
    }
    s
}

#[differentiable]
fn drained_weights(x: &[f64]) -> f64 {
    let mut weights = vec![1.0, 2.0, 3.0];
    let mut s = x[0];
    for w in weights.drain(1..) {
        s = s * w + x[1] * s;
    }
    s + weights[0] * weights.len() as f64 * x[0]
}

#[differentiable]
fn drained_texts(x: &[f64]) -> f64 {
    let mut names: Vec<String> = vec!["a".to_string(), "bc".to_string()];
    let mut s = x[0];
    for name in names.drain(..) {
        s = s * x[1] + name.len() as f64 * x[0];
    }
    s + names.len() as f64
}

#[differentiable]
fn drained_into_a_sum(x: &[f64]) -> f64 {
    let mut weights = vec![1.0, 2.0, 3.0];
    let s: f64 = weights.drain(..2).map(|w| w * x[0].powi(2)).sum();
    s * weights[0] * x[1]
}

#[differentiable]
fn list_behind_an_option(x: &[f64]) -> f64 {
    let weights: Option<Vec<f64>> = Some(vec![1.0, 2.0]);
    let w = weights.as_ref().unwrap();
    x[0] * w[0] * x[1] * w[1]
}

#[differentiable]
fn text_behind_an_option(x: &[f64]) -> f64 {
    let name: Option<String> = Some("abc".to_string());
    let other: Option<String> = None;
    let n = name.as_deref().unwrap_or("none");
    let m = other.as_deref().unwrap_or("none");
    x[0] * n.len() as f64 * x[1] + m.len() as f64 * x[0] * x[0]
}

mod check {
    use super::*;
    use crate::check::rows;

    rows! {
        number walked_parts(at x: Vec<f64>): [vec![1.3, 0.7]];
        number drained_weights(at x: Vec<f64>): [vec![1.3, 0.7]];
        number drained_texts(at x: Vec<f64>): [vec![1.3, 0.7]];
        number drained_into_a_sum(at x: Vec<f64>): [vec![1.3, 0.7]];
        number list_behind_an_option(at x: Vec<f64>): [vec![1.3, 0.7]];
        number text_behind_an_option(at x: Vec<f64>): [vec![1.3, 0.7]];
        number walked_commands(at x: Vec<f64>): [vec![1.3, 0.7]];
        number walked_lists_of_lists(at x: Vec<f64>): [vec![1.3, 0.7]];
        number walked_texts(at x: Vec<f64>): [vec![1.3, 0.7]];
        number walked_pairs(at x: Vec<f64>): [vec![1.3, 0.7]];
        number walked_parsed_texts(at x: Vec<f64>): [vec![1.3, 0.7]];
        number rows_of_chains(by x: f64): [1.3];
        number rows_by_a_closure(by x: f64): [1.3];
        number lists_in_a_tuple(by x: f64): [1.3];
        number pushed_lists(by x: f64): [1.3];
        number list_in_an_option(by x: f64): [1.3];
        number one_row_several_times(by x: f64): [1.3];
        number copies_of_a_table(by x: f64): [1.3];
        number triangle(by x: f64): [1.3];
        number collected_rows(by x: f64): [1.3];
        number boxed_list(by x: f64): [1.3];
        number lists_in_lists(by x: f64): [1.3];
        number beside_lists_of_integers(by x: f64): [1.3];
        number queue_of_lists(by x: f64): [1.3];
        number given_by_a_function(by x: f64): [1.3];
        number given_and_pushed(by x: f64): [1.3];
        number given_and_repeated(by x: f64): [1.3];
        number arrays_of_a_function(by x: f64): [1.3];
        number given_in_an_option(by x: f64): [1.3];
        number given_by_a_method(by x: f64): [1.3];
        number given_in_a_tuple(by x: f64): [1.3];
    }
}
