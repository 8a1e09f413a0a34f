use diffi::prelude::*;
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::mpsc::channel;
use std::sync::{Mutex, RwLock};

thread_local! {
    static LAST: Cell<f64> = const { Cell::new(0.0) };
}
static SEEN: Mutex<Vec<f64>> = Mutex::new(Vec::new());

struct Tracker {
    seen: RefCell<Vec<f64>>,
}

#[differentiable]
fn local(x: &[f64]) -> f64 {
    let store = RefCell::new(Vec::new());
    for &v in x {
        store.borrow_mut().push(v * v);
    }
    store.borrow().iter().sum::<f64>() * x[1]
}

#[differentiable(constant(store))]
fn parameter(x: &[f64], store: &RefCell<Vec<f64>>) -> f64 {
    store.borrow_mut().extend(x.iter().map(|v| v * v));
    store.borrow()[0] * x[1]
}

#[differentiable(constant(tracker))]
fn field(x: &[f64], tracker: &Tracker) -> f64 {
    tracker.seen.borrow_mut().extend_from_slice(x);
    tracker.seen.borrow()[0] * x[1]
}

#[differentiable]
fn guard(x: &[f64]) -> f64 {
    let store = RefCell::new(vec![0.0]);
    {
        let mut open = store.borrow_mut();
        open[0] = x[0] * x[1];
    }
    store.borrow()[0] * x[1]
}

#[differentiable]
fn lock(x: &[f64]) -> f64 {
    let m = Mutex::new(Vec::new());
    m.lock().unwrap().push(x[0] * x[1]);
    m.into_inner().unwrap()[0] * x[1]
}

#[differentiable]
fn read_and_write_lock(x: &[f64]) -> f64 {
    let m = RwLock::new(Vec::new());
    m.write().unwrap().push(x[0] * x[1]);
    m.into_inner().unwrap()[0] * x[1]
}

#[differentiable]
fn shared(x: &[f64]) -> f64 {
    let a = Rc::new(RefCell::new(Vec::new()));
    let b = a.clone();
    b.borrow_mut().push(x[0] * x[1]);
    a.borrow()[0] * x[1]
}

#[differentiable]
fn of_a_static(x: &[f64]) -> f64 {
    SEEN.lock().unwrap().push(x[0] * x[1]);
    SEEN.lock().unwrap().pop().unwrap() * x[1]
}

#[differentiable]
fn of_a_thread(x: &[f64]) -> f64 {
    let y = x[0];
    let square = LAST.with(|last| {
        last.set(y * y);
        last.get()
    });
    square * x[1]
}

#[differentiable]
fn closure(x: &[f64]) -> f64 {
    let store = RefCell::new(Vec::new());
    let note = |v: f64| store.borrow_mut().push(v * v);
    x.iter().for_each(|v| note(*v));
    store.borrow()[0] * x[1]
}

#[differentiable]
fn condition(x: &[f64]) -> f64 {
    let cell = Cell::new(0.0);
    if cell.replace(x[0] * x[1]) > 5.0 { 0.0 } else { cell.get() * x[1] }
}

#[differentiable]
fn question(x: &[f64]) -> f64 {
    let (sender, receiver) = channel();
    if sender.send(x[0] * x[1]).is_ok() { receiver.recv().unwrap() * x[1] } else { 0.0 }
}

#[differentiable]
fn cast(x: &[f64]) -> f64 {
    let cell = Cell::new(1.0);
    let at = cell.replace(x[0] * x[1]) as usize;
    cell.get() * x[at]
}

#[differentiable]
fn assertion(x: &[f64]) -> f64 {
    let cell = OnceCell::new();
    assert!(cell.set(x[0] * x[1]).is_ok());
    cell.get().unwrap() * x[1]
}

#[differentiable]
fn filter(x: &[f64]) -> f64 {
    let store = RefCell::new(Vec::new());
    let large = |v: &&f64| {
        store.borrow_mut().push(**v * **v);
        **v > 1.0
    };
    let count = x.iter().filter(large).count();
    store.borrow()[0] * x[1] * count as f64
}

#[differentiable]
fn appended(x: &[f64]) -> f64 {
    let store = RefCell::new(Vec::new());
    let mut all = x.to_vec();
    store.borrow_mut().append(&mut all);
    store.borrow()[0] * x[1]
}

#[differentiable]
fn named_guard(x: &[f64]) -> f64 {
    let store = RefCell::new((0.0, 1.0));
    let mut open = store.borrow_mut();
    open.0 += x[0] * x[1];
    open.0 * x[1]
}

fn main() {}
