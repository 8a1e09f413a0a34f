//! Passive values whose end does something: a guard counts until its block is left, and a cell is lent until then.

use diffi::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::Mutex;

struct Guard<'a>(&'a Cell<f64>);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1.0);
    }
}

struct Named<'a> {
    at: &'a Cell<f64>,
}

impl Drop for Named<'_> {
    fn drop(&mut self) {
        self.at.set(self.at.get() * 3.0);
    }
}

thread_local! {
    static DEPTH: Cell<f64> = const { Cell::new(1.0) };
}

struct Level;

impl Level {
    fn enter() -> Level {
        DEPTH.with(|depth| depth.set(depth.get() + 1.0));
        Level
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get() - 1.0));
    }
}

fn enter() -> Level {
    Level::enter()
}

fn depth() -> f64 {
    DEPTH.with(Cell::get)
}

#[differentiable]
fn of_a_block(x: &[f64]) -> f64 {
    let c = Cell::new(1.0);
    let mut s = x[0];
    {
        let _guard = Guard(&c);
        s *= x[1] * c.get();
    }
    {
        let _named = Named { at: &c };
        s *= x[2] * c.get();
    }
    s * c.get()
}

#[differentiable]
fn of_a_value(x: &[f64]) -> f64 {
    let s = {
        let _level = Level::enter();
        x[0] * depth()
    };
    let t = {
        let level = Level::enter();
        let product = x[1] * depth();
        drop(level);
        product * depth()
    };
    s * t * x[2] * depth()
}

#[differentiable]
fn of_a_function(x: &[f64]) -> f64 {
    let mut s = x[0];
    {
        let _level = enter();
        s *= x[1] * depth();
    }
    s * depth() * x[2]
}

#[differentiable]
fn of_a_closure(x: &[f64]) -> f64 {
    let f = |v: f64| {
        let _level = Level::enter();
        v * depth()
    };
    f(x[0]) * f(x[1]) * depth() * x[2]
}

#[differentiable]
fn of_a_labelled_block(x: &[f64]) -> f64 {
    let s = 'found: {
        let _level = Level::enter();
        for v in x {
            if *v > 1.0 {
                break 'found v * depth();
            }
        }
        x[2]
    };
    s * depth() * x[0]
}

#[differentiable]
fn of_branches(x: &[f64]) -> f64 {
    let mut s = x[0];
    for v in x {
        let _level = Level::enter();
        s *= v * depth();
    }
    if let Some(v) = Some(x[1]) {
        let _level = Level::enter();
        s *= v * depth();
    }
    s * depth()
}

#[differentiable]
fn taken_back(x: &[f64]) -> f64 {
    let mut level = Some(Level::enter());
    let s = x[0] * depth();
    level = None;
    let t = s * x[1] * depth();
    t * x[2] * depth()
}

#[differentiable]
fn assigned_first(x: &[f64]) -> f64 {
    let s;
    {
        let _level = Level::enter();
        s = x[0] * depth();
    }
    s * x[1] * x[2] * depth()
}

/// What a block borrows is given back at its end.
#[differentiable]
fn borrowed(x: &[f64]) -> f64 {
    let cell = RefCell::new(vec![1.0]);
    let mut s = x[0];
    {
        let mut list = cell.borrow_mut();
        list.push(2.0);
        s *= x[1];
    }
    let mutex = Mutex::new(2.0);
    {
        let mut k = mutex.lock().unwrap();
        *k += 1.0;
        s *= x[2];
    }
    s * cell.borrow()[1] * *mutex.lock().unwrap()
}

/// A reference that a condition chooses is one up to its last use; the guard beside it lasts as long as the block.
#[differentiable]
fn beside_a_chosen_reference(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let w = if x[2] > 0.5 { &mut a } else { &mut b };
    let _level = Level::enter();
    *w += x[2];
    let s = a * depth();
    s + b
}

#[differentiable]
fn dropped(x: &[f64]) -> f64 {
    let level = Level::enter();
    let mut s = x[0] * depth();
    drop(level);
    s *= depth();
    for k in 0..3 {
        let inner = Level::enter();
        s += depth() * x[k];
        if k == 1 {
            std::mem::drop(inner);
            s *= depth();
        }
    }
    s * depth()
}

#[differentiable]
fn unlocked(x: &[f64]) -> f64 {
    let mutex = Mutex::new(2.0);
    let held = mutex.lock().unwrap();
    let s = x[0] * x[1];
    drop(held);
    s * *mutex.lock().unwrap() * x[2]
}

crate::check::sound! {
    of_a_block of_a_value of_a_function of_a_closure of_a_labelled_block of_branches taken_back assigned_first borrowed
    beside_a_chosen_reference dropped unlocked
}
