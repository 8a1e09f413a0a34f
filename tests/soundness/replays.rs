//! Loops under `#[checkpoint]` whose iterations see passive values of functions: the same when they are run again, or a panic.

use crate::check::agrees;
use diffi::prelude::*;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(1) };
}
static DRAWN: AtomicU64 = AtomicU64::new(1);

fn next(state: u64) -> u64 {
    state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407)
}

/// A generator with a state of the thread.
fn uniform() -> f64 {
    STATE.with(|s| {
        s.set(next(s.get()));
        (s.get() >> 11) as f64 / (1_u64 << 53) as f64
    })
}

/// The same with a static.
fn coin() -> bool {
    let drawn = DRAWN.load(Ordering::Relaxed);
    DRAWN.store(next(drawn), Ordering::Relaxed);
    drawn >> 63 == 1
}

/// Each iteration's number is that of the iteration, however often it is asked for.
fn weight(k: usize) -> f64 {
    1.0 / (k as f64 + 2.0)
}

#[differentiable]
fn hidden(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    #[checkpoint]
    for _ in 0..n {
        let u = uniform();
        y = (y * x[1] + u).sin();
    }
    y
}

#[differentiable]
fn hidden_snapshots(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    #[checkpoint(snapshots = 3)]
    for _ in 0..n {
        y = (y * x[1] + uniform()).sin();
    }
    y
}

#[differentiable]
fn hidden_choice(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let mut k = 0;
    #[checkpoint(every = 4)]
    while k < n {
        if coin() {
            y = (y * x[1]).sin();
        } else {
            y = (y + x[1]).cos();
        }
        k += 1;
    }
    y
}

#[differentiable]
fn plain(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    #[checkpoint(snapshots = 3)]
    for k in 0..n {
        let w = weight(k);
        y = (y * x[1] + w).sin();
    }
    y
}

#[differentiable]
fn plain_while(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let mut k = 0;
    #[checkpoint]
    while weight(k) > weight(n) {
        let w = weight(k);
        y = (y * x[1] + w).sin();
        k += 1;
    }
    y
}

struct Generator {
    state: Cell<u64>,
}

impl Generator {
    fn draw(&self) -> f64 {
        self.state.set(next(self.state.get()));
        (self.state.get() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The state is in a constant that changes behind its reference.
#[differentiable(constant(numbers))]
fn hidden_in_a_constant(x: &[f64], numbers: &Generator, n: usize) -> f64 {
    let mut y = x[0];
    #[checkpoint]
    for _ in 0..n {
        let u = numbers.draw();
        y = (y * x[1] + u).sin();
    }
    y
}

fn drawn(words: &Cell<u64>) -> u64 {
    words.replace(next(words.get()))
}

#[differentiable(constant(words))]
fn hidden_in_a_cell(x: &[f64], words: &Cell<u64>, n: usize) -> f64 {
    let mut y = x[0];
    #[checkpoint]
    for _ in 0..n {
        let word = drawn(words);
        y = (y * x[1] + (word >> 40) as f64 * 1e-8).sin();
    }
    y
}

/// A state that is the function's own is kept with the iterations.
#[differentiable]
fn own_state(x: &[f64], n: usize) -> f64 {
    let mut y = x[0];
    let mut state = 7;
    #[checkpoint]
    for _ in 0..n {
        state = next(state);
        y = (y * x[1] + (state >> 40) as f64 * 1e-8).sin();
    }
    y
}

#[test]
fn the_same_values_are_taken_for_the_same() {
    agrees!(plain::D, [0.4, 0.8], |x| (x, Constant(23)), |x| plain(x, 23));
    agrees!(own_state::D, [0.4, 0.8], |x| (x, Constant(23)), |x| own_state(x, 23));
    agrees!(plain_while::D, [0.4, 0.8], |x| (x, Constant(23)), |x| plain_while(x, 23));
}

#[test]
#[should_panic(expected = "was run again for the reverse sweep, and a call in it gave another value")]
fn a_generator_of_the_thread_is_found() {
    let _ = gradient(hidden::D, AutoReverse, (&[0.4, 0.8][..], Constant(23)));
}

#[test]
#[should_panic(expected = "was run again for the reverse sweep, and a call in it gave another value")]
fn a_generator_in_an_operand_is_found() {
    let _ = gradient(hidden_snapshots::D, AutoReverse, (&[0.4, 0.8][..], Constant(23)));
}

#[test]
#[should_panic(expected = "was run again for the reverse sweep, and a call in it gave another value")]
fn a_choice_by_a_static_is_found() {
    let _ = gradient(hidden_choice::D, AutoReverse, (&[0.4, 0.8][..], Constant(23)));
}

#[test]
#[should_panic(expected = "was run again for the reverse sweep, and a call in it gave another value")]
fn a_generator_that_is_a_constant_is_found() {
    let numbers = Generator { state: Cell::new(3) };
    let _ = gradient(hidden_in_a_constant::D, AutoReverse, (&[0.4, 0.8][..], Constant(&numbers), Constant(23)));
}

#[test]
#[should_panic(expected = "was run again for the reverse sweep, and a call in it gave another value")]
fn a_state_in_a_cell_is_found() {
    let words = Cell::new(3);
    let _ = gradient(hidden_in_a_cell::D, AutoReverse, (&[0.4, 0.8][..], Constant(&words), Constant(23)));
}

/// The tangent of the loop runs each iteration once.
#[test]
fn forward_mode_runs_iterations_once() {
    STATE.set(5);
    let _ = gradient(hidden::D, AutoForward, (&[0.4, 0.8][..], Constant(23)));
}

/// A call's value in a number that no iteration reads, and that is changed after the loop.
#[differentiable]
fn overwritten(x: &[f64], n: usize) -> f64 {
    let (mut y, mut z) = (x[0], x[1]);
    #[checkpoint(snapshots = 2)]
    for k in 0..n {
        z *= 1.0 + 0.1 * x[0] * z.sin();
        y = x[1] * z;
        y = weight(k);
    }
    halve(&mut y, x);
    y * z
}

#[differentiable]
fn halve(y: &mut f64, x: &[f64]) {
    *y = 0.5 * x[1];
}

#[test]
fn what_no_iteration_reads_is_compared_as_it_was_given() {
    let x = [0.4, 0.8];
    let at = |x: &[f64]| overwritten(x, 9);
    let g = gradient(overwritten::D, AutoReverse, (&x[..], Constant(9))).unwrap();
    for (k, got) in g.iter().enumerate() {
        let moved = |h: f64| {
            let mut x = x;
            x[k] += h;
            at(&x)
        };
        assert!((got - (moved(1e-5) - moved(-1e-5)) / 2e-5).abs() < 1e-8, "{got}");
    }
}
