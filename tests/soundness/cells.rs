//! Cells, locks, statics and text beside active values: passive ones are followed as they are.
//!
//! What would keep an active value there is refused: tests/ui/active_value_in_a_cell.rs and others.

use crate::check::agrees;
use diffi::prelude::*;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, OnceLock};

/// A cell counts calls.
#[differentiable(constant(calls))]
fn counted(x: &[f64], calls: &Cell<usize>) -> f64 {
    calls.set(calls.get() + 1);
    x[0] * x[1]
}

#[test]
fn a_cell_counts_calls() {
    let calls = Cell::new(0);
    agrees!(counted::D, [1.5, 0.7], |x| (x, Constant(&calls)), |x| counted(x, &calls));
    assert!(calls.get() > 10);
}

thread_local! {
    static TRIPS: Cell<usize> = const { Cell::new(0) };
}
static ADDED: AtomicUsize = AtomicUsize::new(0);

/// Statics count iterations.
#[differentiable]
fn iterations(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        TRIPS.with(|n| n.set(n.get() + 1));
        ADDED.fetch_add(1, Ordering::Relaxed);
        s += v * v;
    }
    s
}

/// Constants come out of cells, of locks and of what is made once.
#[differentiable(constant(table))]
fn scaled(x: &[f64], table: &RefCell<Vec<f64>>) -> f64 {
    static WEIGHTS: OnceLock<Vec<f64>> = OnceLock::new();
    static SHIFTS: LazyLock<[f64; 2]> = LazyLock::new(|| [0.25, 0.5]);
    table.borrow_mut().push(2.0);
    let k = table.borrow()[0];
    let w = WEIGHTS.get_or_init(|| vec![1.5, 2.5]);
    k * w[0] * x[0] * x[0] * (x[1] + SHIFTS[1])
}

/// An index in a cell: which element is the largest.
#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let best = Cell::new(0_usize);
    for i in 0..x.len() {
        if x[i] > x[best.get()] {
            best.set(i);
        }
    }
    x[best.get()] * x[1]
}

/// How often each rounded value comes, by its text.
#[differentiable]
fn histogram(x: &[f64]) -> f64 {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for v in x {
        *counts.entry(format!("{v:.0}")).or_insert(0) += 1;
    }
    x[0] * x[1] * counts.len() as f64
}

fn note(text: &str) {
    assert!(!text.is_empty());
}

struct Journal {
    level: usize,
}

impl Journal {
    fn info(&self, text: &str) {
        assert!(self.level > 0 && !text.is_empty());
    }
}

/// Active values are written down: nothing reads numbers there.
#[differentiable(constant(journal))]
fn written_down(x: &[f64], journal: &Journal) -> f64 {
    let mut lines = String::new();
    for v in x {
        writeln!(lines, "{v}").unwrap();
        note(&format!("v = {v}"));
        journal.info(&v.to_string());
    }
    lines.push_str(&x[0].to_string());
    assert!(lines.len() > 2);
    x[0] * x[1] * journal.level as f64
}

struct Domain {
    low: f64,
    high: f64,
}

impl Domain {
    fn place(&self, v: f64) -> f64 {
        (v - self.low) / (self.high - self.low)
    }
}

/// A plain structure is asked about active values.
#[differentiable(constant(domain))]
fn inside(x: &[f64], domain: &Domain) -> f64 {
    if domain.place(x[0]) > 0.1 { x[0] * x[1] * domain.high } else { x[0] * domain.low }
}

/// What a condition makes for itself.
#[differentiable]
fn own_list(x: &[f64]) -> f64 {
    let large = {
        let mut squares = Vec::new();
        for v in x {
            squares.push(v * v);
        }
        squares.iter().sum::<f64>() > 1.0
    };
    if large { x[0] * x[1] } else { x[0] }
}

/// What is dropped was computed before; what a condition runs is run.
#[differentiable]
fn dropped(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    drop(v.pop());
    drop(v.push(x[0] * x[1]));
    (x[0] > 0.0).then(|| v.push(x[1]));
    v[1] * x[0] + v.len() as f64 * x[1]
}

#[test]
fn passive_cells_change_nothing() {
    let at = [1.5, 0.7];
    agrees!(iterations::D, at, |x| x, |x| iterations(x));
    let table = RefCell::new(Vec::new());
    agrees!(scaled::D, at, |x| (x, Constant(&table)), |x| scaled(x, &table));
    agrees!(largest::D, at, |x| x, |x| largest(x));
    let domain = Domain { low: 0.0, high: 3.0 };
    agrees!(inside::D, at, |x| (x, Constant(&domain)), |x| inside(x, &domain));
    agrees!(own_list::D, at, |x| x, |x| own_list(x));
    agrees!(dropped::D, at, |x| x, |x| dropped(x));
}

#[test]
fn text_may_be_written_and_counted() {
    let journal = Journal { level: 2 };
    agrees!(written_down::D, [1.5, 0.7], |x| (x, Constant(&journal)), |x| written_down(x, &journal));
    agrees!(histogram::D, [1.6, 0.7], |x| x, |x| histogram(x));
}
