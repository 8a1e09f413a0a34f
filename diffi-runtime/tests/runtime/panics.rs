//! A panic in the function leaves prepared objects as good as before.

use crate::hand::panics::FAULTY;
use crate::hand::*;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use diffi_runtime::operators::{derivative::*, gradient::*, pullback::*, pushforward::*, same_point::*};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[track_caller]
fn panics<T>(f: impl FnOnce() -> T) {
    assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
}

/// The call with an argument in the function's domain, after calls with one outside.
#[track_caller]
fn recovers<T>(mut call: impl FnMut(f64) -> T) -> T {
    (0..3).for_each(|_| panics(|| call(-1.0)));
    call(1.5)
}

#[test]
fn in_the_function() {
    let mut prep = prepare_derivative(square::D, AutoForward, 2.0).unwrap();
    assert_eq!(recovers(|x| prep.derivative(x).unwrap()), 3.0);
    let mut prep = prepare_gradient(square::D, AutoReverse, 2.0).unwrap();
    assert_eq!(recovers(|x| prep.value_and_gradient(x).unwrap()), (2.25, 3.0));
    let mut prep = prepare_pullback(square::D, AutoReverse, 2.0, [1.0; 2]).unwrap();
    assert_eq!(recovers(|x| prep.pullback(x, [1.0, -2.0]).unwrap()), [3.0, -6.0]);
    let mut prep = prepare_pushforward(square::D, AutoForward, 2.0, 1.0).unwrap();
    assert_eq!(recovers(|x| prep.pushforward(x, 2.0).unwrap()), 6.0);
    let mut prep = prepare_derivative(square::D, AutoFiniteDiff, 2.0).unwrap();
    assert!((recovers(|x| prep.derivative(x).unwrap()) - 3.0).abs() < 1e-8);
}

#[test]
fn in_the_reverse_sweep() {
    let mut prep = prepare_gradient(square::D, AutoReverse, 2.0).unwrap();
    let mut at = prepare_pullback_same_point(square::D, AutoReverse, 1.5, 1.0).unwrap();
    for _ in 0..3 {
        FAULTY.set(true);
        panics(|| prep.gradient(1.5));
        panics(|| at.pullback(1.0));
        FAULTY.set(false);
        assert_eq!(prep.gradient(1.5).unwrap(), 3.0);
        assert_eq!(at.pullback(2.0).unwrap(), 6.0);
    }
}
