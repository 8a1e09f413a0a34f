//! What is accepted at the edges of the language, and how its derivatives conduct themselves there: casts, checks, panics,
//! missing values. The documentation of `#[differentiable]` promises what is tested here.

#![allow(clippy::needless_range_loop)] // an index out of range is what is tested

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, UnwindSafe, catch_unwind};

use diffi::prelude::*;

fn panics(f: impl FnOnce() + UnwindSafe) -> bool {
    catch_unwind(f).is_err()
}

/// The gradients of both modes, which have to agree.
macro_rules! both {
    ($function:ident, $at:expr) => {{
        let forward = gradient($function::D, AutoForward, $at)?;
        assert_eq!(gradient($function::D, AutoReverse, $at)?, forward);
        forward
    }};
}

#[differentiable]
fn times_its_integer_part(x: f64) -> f64 {
    let n = x as i64;
    n as f64 * x
}

#[test]
fn a_cast_to_an_integer_is_constant() -> Result<()> {
    assert_eq!(both!(times_its_integer_part, 2.5), 2.0);
    Ok(())
}

#[differentiable]
fn power_of_three_halves(x: f64) -> f64 {
    x * x.sqrt()
}

/// The product's rule would multiply zero with infinity.
#[test]
fn a_number_times_its_root_is_one_power() -> Result<()> {
    assert_eq!(both!(power_of_three_halves, 0.0), 0.0);
    assert_eq!(both!(power_of_three_halves, 4.0), 3.0);
    Ok(())
}

#[differentiable]
fn as_often_as(x: f64) -> f64 {
    let mut total = 0.0;
    for _ in 0..(x as usize) {
        total += x;
    }
    total
}

#[test]
fn a_loop_bound_is_constant() -> Result<()> {
    assert_eq!(both!(as_often_as, 3.25), 3.0);
    Ok(())
}

#[differentiable]
fn looked_up(table: &[f64], t: f64) -> f64 {
    let k = (t * 10.0) as usize;
    table[k] * t
}

#[test]
fn an_index_is_constant() -> Result<()> {
    let table = [1.0, 2.0, 5.0, 7.0];
    let (by_table, by_t) = both!(looked_up, (&table, 0.25));
    assert_eq!((by_table.as_slice(), by_t), ([0.0, 0.0, 0.25, 0.0].as_slice(), 5.0));
    Ok(())
}

#[differentiable]
fn checked(x: f64) -> f64 {
    assert!(x.is_finite(), "not finite: {x}");
    debug_assert!(x > -1e6);
    x.exp()
}

#[test]
fn checks_are_kept() -> Result<()> {
    assert_eq!(both!(checked, 0.5), 0.5f64.exp());
    assert!(panics(|| drop(gradient(checked::D, AutoForward, f64::INFINITY))));
    assert!(panics(|| drop(gradient(checked::D, AutoReverse, f64::INFINITY))));
    Ok(())
}

#[differentiable]
fn first_four(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        s += x[i] * x[i];
    }
    s
}

#[test]
fn an_index_out_of_range_panics() -> Result<()> {
    assert_eq!(both!(first_four, &[1.0, 2.0, 3.0, 4.0]), [2.0, 4.0, 6.0, 8.0]);
    assert!(panics(|| drop(gradient(first_four::D, AutoForward, &[1.0, 2.0, 3.0]))));
    assert!(panics(|| drop(gradient(first_four::D, AutoReverse, &[1.0, 2.0, 3.0]))));
    Ok(())
}

#[differentiable]
fn of_positive(x: f64) -> f64 {
    if x < 0.0 {
        panic!("negative input");
    }
    x.sqrt()
}

#[test]
fn a_panic_is_a_panic() -> Result<()> {
    assert_eq!(both!(of_positive, 4.0), 0.25);
    assert!(panics(|| drop(gradient(of_positive::D, AutoForward, -1.0))));
    assert!(panics(|| drop(gradient(of_positive::D, AutoReverse, -1.0))));
    Ok(())
}

#[differentiable]
fn logarithm(x: f64) -> f64 {
    x.ln()
}

#[test]
fn no_number_gives_no_number() -> Result<()> {
    assert_eq!(both!(logarithm, 2.0), 0.5);
    for mode in [gradient(logarithm::D, AutoForward, f64::NAN)?, gradient(logarithm::D, AutoReverse, f64::NAN)?] {
        assert!(mode.is_nan());
    }
    Ok(())
}

#[differentiable]
fn taken_apart((a, b): (f64, f64), [c]: [f64; 1]) -> f64 {
    a * b + c
}

#[test]
fn patterns_in_the_signature() -> Result<()> {
    assert_eq!(both!(taken_apart, ((2.0, 3.0), [5.0])), ((3.0, 2.0), [1.0]));
    Ok(())
}

#[differentiable]
fn through_a_buffer(x: &[f64], buffer: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for (b, v) in buffer.iter_mut().zip(x) {
        *b = v * v;
        s += *b * v;
    }
    s
}

/// What is not declared a cache is an output too: its derivatives are rows of the Jacobian.
#[test]
fn an_undeclared_buffer_is_an_output() -> Result<()> {
    let expected = [[3.0, 12.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [0.0, 4.0, 0.0, 0.0]];
    let (mut b, mut c) = ([0.0; 2], [0.0; 2]);
    let forward = jacobian(through_a_buffer::D, AutoForward, (&[1.0, 2.0], &mut b))?;
    let reverse = jacobian(through_a_buffer::D, AutoReverse, (&[1.0, 2.0], &mut c))?;
    for (by_x, by_buffer) in [forward, reverse] {
        let rows: Vec<Vec<f64>> =
            by_x.rows().into_iter().zip(by_buffer.rows()).map(|(x, b)| x.iter().chain(b).copied().collect()).collect();
        assert_eq!(rows, expected);
    }
    Ok(())
}

#[differentiable]
fn timed(x: f64) -> f64 {
    let start = std::time::Instant::now();
    let y = x.sin();
    y * (1.0 + start.elapsed().as_secs_f64())
}

/// A value from outside is constant, and read once.
#[test]
fn a_clock_is_constant() -> Result<()> {
    for slope in [gradient(timed::D, AutoForward, 0.5)?, gradient(timed::D, AutoReverse, 0.5)?] {
        assert!((0.5f64.cos()..60.0).contains(&slope));
    }
    Ok(())
}

/// Checks that end a loop, a branch and the function, without a semicolon.
#[differentiable]
fn ends_in_checks(x: &[f64], y: &mut [f64]) {
    for (v, w) in x.iter().zip(y.iter_mut()) {
        *w = v * v;
        if *v > 1.0 {
            *w = v * v + v;
            if *v > 3.0 {
                panic!("too much")
            }
        }
    }
    if x.len() > 3 {
        refuse(x.len())
    }
}

fn refuse(n: usize) {
    assert!(n < 4, "too many")
}

#[test]
fn a_check_at_the_end_is_kept() -> Result<()> {
    let diagonal = |x: &[f64], backend: bool| {
        let mut y = vec![0.0; x.len()];
        match backend {
            true => jacobian(ends_in_checks::D, AutoForward, (x, &mut y)),
            false => jacobian(ends_in_checks::D, AutoReverse, (x, &mut y)),
        }
    };
    for backend in [true, false] {
        assert_eq!(diagonal(&[0.5, 2.0], backend)?.diag().to_vec(), [1.0, 5.0]);
        assert!(panics(move || drop(diagonal(&[0.5, 4.0], backend))));
        assert!(panics(move || drop(diagonal(&[0.5; 4], backend))));
    }
    Ok(())
}

/// Panics in the middle of the loop, when half of its values are kept and its arrays are in use.
#[differentiable]
fn halting(x: &[f64]) -> f64 {
    let table = [1.0, 0.5, 2.0, 1.5];
    let mut trail = vec![0.0; x.len()];
    let mut y = 0.25;
    for k in 0..x.len() {
        let seen = trail.to_vec();
        trail[k] = y * x[k].sin() + seen[0];
        assert!(!x[k].is_nan(), "not a number at {k}");
        y = (y + table[x[k].abs() as usize]) * trail[k].cos();
        if x[k] == -3.5 {
            panic!("refused");
        }
    }
    y
}

/// The same, in place.
#[differentiable]
fn halting_outputs(x: &[f64], y: &mut [f64]) {
    for k in 0..x.len() {
        let h: f64 = halting(&x[..k + 1]);
        y[k] = h * x[k];
    }
}

#[differentiable]
fn halting_number(x: f64) -> f64 {
    let mut y = x;
    for k in 0..4 {
        let h: f64 = halting(&[y, x, 0.1 * k as f64]);
        y = y.sin() * h;
    }
    y
}

const GOOD: [f64; 4] = [0.3, -1.2, 2.5, 0.7];

/// Where `x` brings `f` down: by an index, by a check and by a panic.
const BAD: [[f64; 4]; 3] = [[0.3, -1.2, 4.5, 0.7], [0.3, f64::NAN, 2.5, 0.7], [0.3, -1.2, 2.5, -3.5]];

/// A panic is the function's own, and the call after it as right as the one before, however often.
fn recovers<T: PartialEq + Debug, X: Copy>(what: &str, good: X, bad: &[X], mut call: impl FnMut(X) -> Result<T>) {
    let expected = call(good).unwrap();
    for &bad in bad.iter().cycle().take(7) {
        assert!(panics(AssertUnwindSafe(|| drop(call(bad)))), "{what} does not panic");
        assert_eq!(call(good).unwrap(), expected, "{what} after a panic");
    }
}

macro_rules! recovering {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            let backend = $backend;
            let mut p = prepare_gradient(halting::D, backend, &GOOD)?;
            recovers("gradient", GOOD, &BAD, |x| p.gradient(&x));
            recovers("value and gradient", GOOD, &BAD, |x| p.value_and_gradient(&x));
            let mut p = prepare_pullback(halting::D, backend, &GOOD, [1.0, 2.0])?;
            recovers("pullback", GOOD, &BAD, |x| p.pullback(&x, [1.5, -1.0]));
            let mut p = prepare_pushforward(halting::D, backend, &GOOD, [&GOOD, &GOOD])?;
            recovers("pushforward", GOOD, &BAD, |x| p.value_and_pushforward(&x, [&GOOD, &x]));
            let mut p = prepare_jacobian(halting_outputs::D, backend, (&GOOD, &mut [0.0; 4]))?;
            recovers("jacobian", GOOD, &BAD, |x| p.jacobian((&x, &mut [0.0; 4])));
            let mut p = prepare_pullback(halting_outputs::D, backend, (&GOOD, &mut [0.0; 4]), &GOOD)?;
            recovers("pullback of outputs", GOOD, &BAD, |x| p.pullback((&x, &mut [0.0; 4]), &GOOD));
            let mut p = prepare_derivative(halting_number::D, backend, 0.3)?;
            recovers("derivative", 0.3, &[7.0, f64::NAN], |x| p.value_and_derivative(x));
            recovers("same point", GOOD, &BAD, |x| {
                let mut p = prepare_pullback_same_point(halting::D, backend, &x, 1.0)?;
                Ok((p.value(), p.pullback(2.0)?, p.pullback(-1.0)?))
            });
            Ok(())
        }
    )+ };
}

recovering! {
    forward_recovers: AutoForward;
    reverse_recovers: AutoReverse;
    differences_recover: AutoFiniteDiff;
}

macro_rules! recovering_twice {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() -> Result<()> {
            let backend = $backend;
            let mut p = prepare_hvp(halting::D, backend, &GOOD, &GOOD)?;
            recovers("hvp", GOOD, &BAD, |x| p.gradient_and_hvp(&x, &GOOD));
            let mut p = prepare_hessian(halting::D, backend, &GOOD)?;
            recovers("hessian", GOOD, &BAD, |x| p.value_gradient_and_hessian(&x));
            let mut p = prepare_second_derivative(halting_number::D, backend, 0.3)?;
            recovers("second derivative", 0.3, &[7.0, f64::NAN], |x| p.value_derivative_and_second_derivative(x));
            recovers("hvp at the same point", GOOD, &BAD, |x| {
                let mut p = prepare_hvp_same_point(halting::D, backend, &x, &GOOD)?;
                Ok((p.hvp(&GOOD)?, p.hvp(&[1.0, 0.0, 2.0, 0.0])?))
            });
            Ok(())
        }
    )+ };
}

recovering_twice! {
    second_order_recovers: AutoReverse;
    forward_over_reverse_recovers: SecondOrder(AutoForward, AutoReverse);
    differences_of_gradients_recover: SecondOrder(AutoFiniteDiff, AutoReverse);
    differences_alone_recover: AutoFiniteDiff;
}

thread_local! {
    static TRIPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    static MOST: std::cell::Cell<usize> = const { std::cell::Cell::new(usize::MAX) };
}

/// Counts, and panics when it is called too often.
fn tick(k: usize) -> usize {
    TRIPS.set(TRIPS.get() + 1);
    assert!(TRIPS.get() <= MOST.get(), "too often");
    k
}

macro_rules! ticking {
    ($($name:ident: $attribute:meta;)+) => { $(
        #[differentiable]
        fn $name(x: f64, n: usize) -> f64 {
            let mut y = x;
            #[$attribute]
            for k in 0..n {
                let j = tick(k);
                y = (y + 0.01 * j as f64).sin();
            }
            y
        }
    )+ };
}
ticking! {
    ticking_every: checkpoint(every = 7);
    ticking_root: checkpoint;
    ticking_snapshots: checkpoint(snapshots = 3);
}

/// The primal's iterations, the iterations that are run again without being reversed, and those that are reversed.
#[test]
fn iterations_that_are_run_again() -> Result<()> {
    let iterations = |run: &dyn Fn() -> Result<f64>| {
        TRIPS.set(0);
        run().map(|_| TRIPS.get())
    };
    assert_eq!(iterations(&|| gradient(ticking_every::D, AutoReverse, (0.3, Constant(100))))?, 200);
    assert_eq!(iterations(&|| gradient(ticking_root::D, AutoReverse, (0.3, Constant(100))))?, 200);
    // the code after the loop is one more iteration of the schedule, whose first sweep is the primal's:
    // r = 7 repeats reach (3 + 7)! / (3! 7!) = 120 iterations, and r l - (4 + 6)! / (4! 6!) = 7 * 101 - 210
    assert_eq!(iterations(&|| gradient(ticking_snapshots::D, AutoReverse, (0.3, Constant(100))))?, 7 * 101 - 210 + 100);
    Ok(())
}

/// A panic in an iteration that is run again.
#[test]
fn panics_in_the_reverse_sweep() -> Result<()> {
    let mut prepared = prepare_gradient(ticking_snapshots::D, AutoReverse, (0.3, Constant(20)))?;
    let mut held = prepare_pullback_same_point(ticking_every::D, AutoReverse, (0.3, Constant(20)), 1.0)?;
    let (expected, product) = (prepared.gradient((0.3, Constant(20)))?, held.pullback(2.0)?);
    for most in [0, 5, 19, 20, 23, 40] {
        TRIPS.set(0);
        MOST.set(most);
        assert!(panics(AssertUnwindSafe(|| drop(prepared.gradient((0.3, Constant(20)))))));
        TRIPS.set(0);
        MOST.set(most.min(19));
        assert!(panics(AssertUnwindSafe(|| drop(held.pullback(2.0)))));
        MOST.set(usize::MAX);
        assert_eq!(prepared.gradient((0.3, Constant(20)))?, expected);
        assert_eq!(held.pullback(2.0)?, product);
    }
    Ok(())
}
