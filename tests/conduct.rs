//! What is accepted at the edges of the language, and how its derivatives conduct themselves there: casts, checks, panics,
//! missing values. The documentation of `#[differentiable]` promises what is tested here.

#![allow(clippy::needless_range_loop)] // an index out of range is what is tested

use std::panic::{UnwindSafe, catch_unwind};

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
