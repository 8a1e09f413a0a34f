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

    fn held(&self) -> f64 {
        2.0
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

fn consume(_: Level) {}

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

/// A guard that gets another name ends with it.
#[differentiable]
fn renamed(x: &[f64]) -> f64 {
    let outer = Level::enter();
    let mut s = x[0];
    {
        let _moved = outer;
        s *= x[1] * depth();
    }
    let second = enter();
    if s > 0.0 {
        let second = second;
        s *= depth();
    }
    s * depth() * x[2]
}

#[differentiable]
fn renamed_twice(x: &[f64]) -> f64 {
    let first = Level::enter();
    let second = first;
    let s = x[0] * depth() * second.held();
    let t = {
        let _third = second;
        s * depth()
    };
    t * depth() * x[1] * x[2]
}

/// What is assigned to a guard ends the one before.
#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut first = Level::enter();
    let second = Level::enter();
    let mut s = x[0] * depth();
    first = second;
    s *= x[1] * depth();
    first = enter();
    s *= depth();
    first = Level::enter();
    s * x[2] * depth()
}

#[differentiable]
fn replaced_in_a_loop(x: &[f64]) -> f64 {
    let mut level = None;
    let mut s = 1.0;
    for k in 0..3 {
        if k == 1 {
            level = Some(Level::enter());
        }
        s *= x[k] + depth();
        if k == 2 {
            level = None;
        }
    }
    s * depth()
}

/// `drop` of what was read before.
#[differentiable]
fn dropped_after_a_read(x: &[f64]) -> f64 {
    let level = Level::enter();
    let mut s = x[0] * level.held();
    drop(level);
    s *= x[1] * depth();
    for k in 0..3 {
        let inner = enter();
        s = s * x[k] + depth() * inner.held() * s;
        if k == 1 {
            continue;
        }
        drop(inner);
        s *= depth();
    }
    s * x[2] * depth()
}

#[differentiable]
fn unlocked_after_a_read(x: &[f64]) -> f64 {
    let mutex = Mutex::new(vec![2.0, 3.0]);
    let mut held = mutex.lock().unwrap();
    let mut s = x[0] * x[1] * held[1];
    held[0] += 1.0;
    drop(held);
    for k in 0..2 {
        let mut held = mutex.lock().unwrap();
        let w = held[k];
        s = s * w + x[k];
        held[1] += 1.0;
        drop(held);
        let again = mutex.lock().unwrap()[1];
        s *= again;
    }
    s * x[2]
}

/// Guards in options, boxes, tuples, lists, and what is given to a function without the attribute.
#[differentiable]
fn in_others(x: &[f64]) -> f64 {
    let mut option = Some(Level::enter());
    let mut s = x[0] * depth();
    drop(option.take());
    s *= x[1] * depth();
    option = Some(enter());
    s *= depth();
    option.take();
    let boxed = Box::new(Level::enter());
    s *= depth();
    drop(boxed);
    s *= depth();
    {
        let (_a, _b) = (Level::enter(), enter());
        s *= depth();
    }
    let mut list = vec![Level::enter(), enter()];
    s *= depth();
    list.pop();
    s *= depth();
    drop(list);
    let last = enter();
    s *= depth();
    consume(last);
    s * x[2] * depth()
}

/// A value that gets no name ends at once.
#[differentiable]
fn without_a_name(x: &[f64]) -> f64 {
    let _ = Level::enter();
    let mut s = x[0] * depth();
    _ = enter();
    s *= x[1] * depth();
    Level::enter();
    match Level::enter() {
        _level => s *= depth(),
    }
    if let Some(_level) = Some(enter()) {
        s *= depth();
    }
    s * x[2] * depth()
}

/// A named guard that nothing reads, of a function.
#[differentiable]
fn never_read(x: &[f64]) -> f64 {
    let mut s = x[0];
    {
        let level = enter();
        s *= x[1] * depth();
    }
    let f = |v: f64| {
        let level = enter();
        v * depth()
    };
    f(s) * depth() * x[2]
}

crate::check::sound! {
    of_a_block of_a_value of_a_function of_a_closure of_a_labelled_block of_branches taken_back assigned_first borrowed
    beside_a_chosen_reference dropped unlocked renamed renamed_twice replaced replaced_in_a_loop dropped_after_a_read
    unlocked_after_a_read in_others without_a_name never_read
}
