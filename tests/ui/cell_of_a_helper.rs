use diffi::prelude::*;
use std::cell::{Cell, RefCell};

struct Pool {
    values: RefCell<Vec<f64>>,
}

impl Pool {
    fn put(&self, value: f64) -> usize {
        self.values.borrow_mut().push(value);
        self.values.borrow().len() - 1
    }

    fn at(&self, k: usize) -> f64 {
        self.values.borrow()[k]
    }
}

fn put(cell: &Cell<f64>, value: f64) -> bool {
    cell.set(value);
    true
}

#[differentiable(constant(pool))]
fn method(x: &[f64], pool: &Pool) -> f64 {
    let k = pool.put(x[0] * x[1]) as usize;
    pool.at(k) * x[0]
}

#[differentiable]
fn helper(x: &[f64]) -> f64 {
    let cell = Cell::new(0.0);
    assert!(put(&cell, x[0] * x[1]));
    cell.get() * x[0]
}

fn main() {}
