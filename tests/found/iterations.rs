//! Ranges with their last number, what iterations leave, queues, and constants that become active.

use diffi::prelude::*;
use std::collections::VecDeque;

/// A loop over a range with its last number that may be left.
#[differentiable]
fn left_early(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    for i in 1..=x.len() {
        s *= x[i - 1];
        if s > 0.5 {
            return s * s;
        }
    }
    s * k
}

/// What a number of a range stands for, `k + 2`, is one factor in a condition, too.
#[differentiable]
fn filtered_by_number(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    for (i, &v) in (2..4).zip(x).filter(|(i, v)| x[3 - *i] * (3 - *i) as f64 <= **v) {
        s += v * x[3 - i] * s;
    }
    s
}

/// Steps through a range with its last number.
#[differentiable]
fn steps_to_the_last(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    for i in (0..=x.len() - 1).step_by(2) {
        s = s * x[i].sin() + s;
    }
    s
}

/// What an iteration leaves is a record of the next one, and lies behind `&mut`.
#[differentiable]
fn left_behind(x: &mut f64, y: &[f64]) -> f64 {
    for i in 1..y.len() {
        let small = y.iter().map(|v| v * v).sum::<f64>() < 1.125;
        *x = ((if (*x < 2.0) && small { *x } else { y[i] }) - *x * *x).tanh();
    }
    (0.9 * *x).sin()
}

/// A queue in a loop that is run again from its states.
#[differentiable]
fn queue_run_again(x: &[f64], k: f64) -> f64 {
    let mut s = k;
    #[checkpoint(every = 2)]
    for _ in 0..=x.len() {
        for w in x.windows(2) {
            let mut q: VecDeque<f64> = w.iter().copied().collect();
            let last = q.pop_back().unwrap_or(0.5);
            s *= last.cos();
        }
        s /= x[0];
    }
    s
}

/// A loop within the arguments of a macro.
#[differentiable]
fn loop_in_a_macro(x: f64) -> f64 {
    let y = vec![
        {
            let (mut s, mut k) = (x, 0);
            #[checkpoint]
            while k < 4 {
                s = s.sin() * x;
                k += 1;
            }
            s
        };
        2
    ];
    y[0] * y[1]
}

/// Constants that are collected, and changed later.
#[differentiable]
fn collected_constants(x: f64) -> f64 {
    let mut y = (0..2)
        .map(|i| {
            let a = 0.5 * i as f64;
            a + 1.0
        })
        .collect::<Vec<f64>>();
    let mut rows = (0..2).map(|i| (0..2).map(|j| (i + j) as f64).collect::<Vec<_>>()).collect::<Vec<_>>();
    y[0] *= x;
    rows[1][0] += x * x;
    y.iter().sum::<f64>() * rows.iter().map(|r| r.iter().sum::<f64>()).sum::<f64>()
}

#[differentiable]
fn constants_of(x: f64) -> [f64; 3] {
    [0.5 * x, x.sin(), 0.25]
}

/// Parts of what a call gives for constants.
#[differentiable]
fn parts_of_constants(x: f64) -> f64 {
    let y = constants_of(0.75);
    let mut s = x;
    for ((a, b), c) in y.chunks(1).zip(y.iter()).zip(y.windows(1)) {
        s -= a[0] * b * c[0] * x;
    }
    s * x
}
/// An index that the function computes, and a result that carries no derivative.
#[differentiable]
fn computed_index(x: &[f64], k: f64) -> [f64; 2] {
    [f64::from(1.25).powi(2), x[((k.abs() * 3.0) as usize) % 3]]
}

#[differentiable]
fn product_of_firsts(a: &[f64], b: &[f64]) -> f64 {
    a[0] * b[1]
}

/// A part that is named, among passive code.
#[differentiable]
fn named_part(x: &[f64]) -> f64 {
    let part = &x[0..3];
    let mut a = x[0];
    if product_of_firsts(part, part) < part.iter().zip(part).map(|(v, &w)| v * w).sum::<f64>() {
        a *= a * part[1];
    }
    a
}

/// A queue of constants, to which others come.
#[differentiable]
fn queue_of_constants(x: f64) -> f64 {
    let start = [0.5, 0.25];
    let mut q: VecDeque<f64> = start.iter().copied().collect();
    if let Some(v) = q.remove(1) {
        q.push_back(v + x.sin());
    }
    q.push_back(q[0] * x);
    q.iter().map(|v| v * v).sum::<f64>()
}

#[derive(Clone, Debug)]
struct Table {
    entries: Vec<Vec<(usize, f64)>>,
}

/// Passive tables, row by row.
#[differentiable(constant(table))]
fn rows_of_a_table(table: &Table, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in 0..table.entries.len() {
        let mut s = x[v];
        for &(b, w) in &table.entries[v] {
            s += w * x[b] * x[v];
        }
        for (k, entry) in table.entries[v].iter().enumerate() {
            s *= entry.1 + x[entry.0] * k as f64;
        }
        sum += s * s;
    }
    sum
}

#[test]
fn tables_are_walked_through_again() {
    let table = Table { entries: vec![vec![(0, 0.5), (1, -0.25)], vec![], vec![(2, 1.5), (0, 0.75)]] };
    let x = [0.3, 0.9, -0.4];
    let g = gradient(rows_of_a_table::D, AutoReverse, (Constant(&table), &x[..])).unwrap();
    let f = gradient(rows_of_a_table::D, AutoForward, (Constant(&table), &x[..])).unwrap();
    for i in 0..3 {
        let at = |h: f64| {
            let mut x = x;
            x[i] += h;
            rows_of_a_table(&table, &x)
        };
        let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!((g[i] - slope).abs() < 1e-8 && (f[i] - slope).abs() < 1e-8, "{g:?} {f:?} {slope}");
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Cell {
    kind: usize,
    weight: f64,
}

/// Structs of constants, of which one changes later.
#[differentiable]
fn collected_structs(x: f64) -> f64 {
    let mut cells = (0..3).map(|i| Cell { kind: i, weight: 0.25 * i as f64 }).collect::<Vec<_>>();
    cells[1].weight += x * x;
    cells.iter().map(|c| c.weight * c.weight).sum::<f64>()
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Level {
    Listed(Vec<f64>, usize),
    Missing,
}

/// An integer of a variant that may not be there.
#[differentiable]
fn listed(level: &Level, y: f64) -> f64 {
    let mut s = y * y;
    if let Level::Listed(v, n) = level {
        s = y * v[0] * (*n as f64);
    }
    s
}

#[test]
fn missing_variants_are_not_read() {
    let value = |level: Level| {
        let forward = gradient(listed::D, AutoForward, (Constant(&level), 0.5)).unwrap();
        let reverse = gradient(listed::D, AutoReverse, (Constant(&level), 0.5)).unwrap();
        let (tangent, _) = gradient(listed::D, AutoReverse, (&level, 0.5)).unwrap();
        assert_eq!(tangent.to_flat().len(), if level == Level::Missing { 0 } else { 1 });
        (forward, reverse)
    };
    assert_eq!(value(Level::Missing), (1.0, 1.0));
    assert_eq!(value(Level::Listed(vec![0.25], 3)), (0.75, 0.75));
}

/// A field that is told apart like an integer, and nowhere else used as one.
#[differentiable]
fn told_apart(cell: &Cell, x: f64) -> f64 {
    match cell.kind {
        0 => x * cell.weight,
        1 | 2 => x - cell.weight,
        _ => x * x,
    }
}

#[test]
fn integers_are_told_apart() {
    for (kind, expected) in [(0, (0.75, 0.5)), (2, (-1.0, 1.0)), (7, (0.0, 1.5))] {
        let cell = Cell { kind, weight: 0.5 };
        for g in [
            gradient(told_apart::D, AutoReverse, (&cell, 0.75)).unwrap(),
            gradient(told_apart::D, AutoForward, (&cell, 0.75)).unwrap(),
        ] {
            assert_eq!((g.0.weight, g.1), expected);
        }
    }
}

/// What an iteration computes of what the one before handed on is overwritten in it.
#[differentiable]
fn overwritten_in_the_iteration(x: &[f64]) -> f64 {
    let (mut y, mut s) = (x[0], 0.0);
    for v in x {
        let t = 0.1 * ((y - x[1]) * (v + v) * v);
        y = t * v;
        y = 0.5;
        s += y * v;
    }
    y + s
}

mod rows {
    use crate::check::rows;
    use diffi::prelude::*;

    rows! {
        number overwritten_in_the_iteration(at x: Vec<f64>): [vec![0.3, 0.8, 0.4]];
        number left_early(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9], 1.4] [vec![0.9, 0.9], 0.7];
        number filtered_by_number(at x: Vec<f64>, by k: f64): [vec![0.3, 0.2, 0.7, 0.4], 0.5] [vec![0.1, 0.6, 0.7, 0.4], 0.5];
        number steps_to_the_last(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, 0.4], 1.4] [vec![0.9, 0.8], 0.7];
        writes left_behind(inout x: f64, at y: Vec<f64>): [0.4, vec![0.3, 0.9, 0.4]];
        number queue_run_again(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, 0.4], 1.4];
        number loop_in_a_macro(by x: f64): [0.8];
        number collected_constants(by x: f64): [0.8];
        number parts_of_constants(by x: f64): [0.8];
        list computed_index(at x: Vec<f64>, by k: f64): [vec![0.3, 0.9, 0.4], 0.5];
        number named_part(at x: Vec<f64>): [vec![0.3, 0.9, 0.4]] [vec![0.8, 0.9, 0.2]];
        number queue_of_constants(by x: f64): [0.8];
        number collected_structs(by x: f64): [0.8];
    }
}
