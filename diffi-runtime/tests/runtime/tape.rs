//! How many bytes prepared objects keep for reverse sweeps: `products` keeps its argument and a length, `cubes` and `advance`
//! keep what they overwrite, and the other functions keep nothing.

use crate::hand::*;
use diffi_runtime::backend::second_order::SecondOrder;
use diffi_runtime::backend::{AutoFiniteDiff, AutoForward, AutoReverse};
use diffi_runtime::operators::{gradient::*, hessian::*, hvp::*, jacobian::*, pullback::*, pushforward::*};
use diffi_runtime::operators::{same_point::*, second_derivative::*};
use diffi_runtime::signature::arguments::Constant;

const NUMBER: usize = size_of::<f64>();

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 - 0.5).collect()
}

#[test]
fn a_pass_backwards_keeps_what_its_tape_holds() {
    for n in [2, 3, 10, 1000] {
        let (x, dy) = (numbers(n), numbers(n - 1));
        let prep = prepare_pullback(products::D, AutoReverse, &x, &dy).unwrap();
        assert_eq!(prep.tape_bytes(), (n + 1) * NUMBER);
        let mut y = numbers(n);
        let prep = prepare_pullback(cubes::D, AutoReverse, (&x, &mut y), &x).unwrap();
        assert_eq!(prep.tape_bytes(), n * NUMBER);
    }
}

#[test]
fn values_are_kept_once_for_all_seeds() {
    let (x, dy) = (numbers(20), numbers(19));
    let prep = prepare_pullback(products::D, AutoReverse, &x, [&dy, &dy, &dy]).unwrap();
    assert_eq!(prep.tape_bytes(), 21 * NUMBER);
    let prep = prepare_jacobian(products::D, AutoReverse, &x).unwrap();
    assert_eq!(prep.tape_bytes(), 21 * NUMBER);
    let prep = prepare_pushforward(products::D, AutoReverse, &x, &x).unwrap();
    assert_eq!(prep.tape_bytes(), 21 * NUMBER);
}

#[test]
fn the_peak_is_that_of_the_calls_so_far() {
    let mut x = numbers(7);
    let mut prep = prepare_gradient(advance::D, AutoReverse, (&mut x, Constant(2.0))).unwrap();
    assert_eq!(prep.tape_bytes(), 7 * NUMBER);
    for _ in 0..3 {
        prep.gradient((&mut x, Constant(2.0))).unwrap();
        assert_eq!(prep.tape_bytes(), 7 * NUMBER);
    }
    prep.resize((&mut numbers(3), Constant(2.0))).unwrap();
    assert_eq!(prep.tape_bytes(), 3 * NUMBER);
}

#[test]
fn a_point_that_is_held_keeps_a_second_copy() {
    let (x, dy) = (numbers(5), numbers(4));
    let mut at = prepare_pullback_same_point(products::D, AutoReverse, &x, &dy).unwrap();
    assert_eq!(at.tape_bytes(), 2 * 6 * NUMBER);
    at.pullback(&dy).unwrap();
    assert_eq!(at.tape_bytes(), 2 * 6 * NUMBER);
}

#[test]
fn what_goes_forward_keeps_nothing() {
    let (x, dy) = (numbers(5), numbers(4));
    assert_eq!(prepare_pullback(products::D, AutoForward, &x, &dy).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_pullback(products::D, AutoFiniteDiff, &x, &dy).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_jacobian(products::D, AutoForward, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_pushforward(products::D, AutoForward, &x, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_gradient(rosenbrock::D, AutoFiniteDiff, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_pullback_same_point(products::D, AutoForward, &x, &dy).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_pushforward_same_point(products::D, AutoReverse, &x, &x).unwrap().tape_bytes(), 0);
}

#[test]
fn a_function_whose_inputs_are_at_hand_keeps_nothing() {
    let x = numbers(5);
    assert_eq!(prepare_gradient(rosenbrock::D, AutoReverse, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_hvp(rosenbrock::D, AutoReverse, &x, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_hessian(rosenbrock::D, AutoReverse, &x).unwrap().tape_bytes(), 0);
    let differences = SecondOrder(AutoFiniteDiff, AutoReverse);
    assert_eq!(prepare_hvp(rosenbrock::D, differences, &x, &x).unwrap().tape_bytes(), 0);
    assert_eq!(prepare_second_derivative(cube::D, AutoReverse, 1.0).unwrap().tape_bytes(), 0);
}
