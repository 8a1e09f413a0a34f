//! Checks panic in derivative code where they panic in the function, wherever they stand.

#![allow(clippy::all, unused)] // what is odd is what is tested

use diffi::prelude::*;
use std::panic::catch_unwind;

#[differentiable]
fn in_a_block(x: f64) -> f64 {
    {
        assert!(x > 5.0, "too small");
    }
    x
}

#[differentiable]
fn in_debug_builds(x: f64) -> f64 {
    debug_assert!(x > 5.0, "too small");
    x
}

#[differentiable]
fn changed(x: f64) -> f64 {
    let mut s = x;
    assert!({
        s *= 2.0;
        s > 5.0
    });
    s
}

#[differentiable]
fn of_elements(x: f64) -> f64 {
    [x, 2.0 * x].iter().for_each(|v| assert!(*v > 5.0));
    x
}

#[differentiable]
fn in_an_arm(x: f64) -> f64 {
    match [x].len() {
        1 => assert!(x > 5.0),
        _ => {}
    }
    x
}

#[differentiable]
fn with_a_message_that_changes(x: f64) -> f64 {
    let mut s = x;
    assert!(s < 0.0, "{}", {
        s *= 2.0;
        s
    });
    s
}

#[differentiable]
fn changed_in_debug_builds(x: f64) -> f64 {
    let mut s = x;
    debug_assert_eq!(
        {
            s *= 2.0;
            s
        },
        77.0
    );
    s
}

#[differentiable]
fn panics(x: f64) -> f64 {
    let mut s = x;
    if s > 0.0 {
        panic!("{}", {
            s *= 2.0;
            s
        })
    }
    s
}

#[differentiable]
fn by_a_closure(x: f64) -> f64 {
    let check = |v: f64| assert!(v > 5.0);
    check(x);
    x
}

#[differentiable]
fn of_no_name(x: f64) -> f64 {
    let _ = {
        assert!(x > 5.0);
        1
    };
    x
}

#[differentiable]
fn beside_a_count(x: f64) -> f64 {
    let n = {
        assert!(x > 5.0);
        2
    };
    x * n as f64
}

macro_rules! thrown {
    ($($f:ident)*) => {
        #[test]
        fn thrown() {
            $(
                let name = stringify!($f);
                assert!(catch_unwind(|| $f(1.0)).is_err(), "{name}");
                assert!(catch_unwind(|| derivative($f::D, AutoForward, 1.0)).is_err(), "{name}, forward");
                assert!(catch_unwind(|| gradient($f::D, AutoReverse, 1.0)).is_err(), "{name}, reverse");
            )*
        }
    };
}

thrown! {
    in_a_block in_debug_builds changed of_elements in_an_arm with_a_message_that_changes changed_in_debug_builds panics by_a_closure
    of_no_name beside_a_count
}
