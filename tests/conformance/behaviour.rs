//! What happens besides numbers. What DifferentiationInterface.jl finds out when it runs, the compiler often finds before.

use crate::facts::Fact;
use crate::functions::*;
use diffi::prelude::*;
use diffi_test::Outcome;
use std::cell::Cell;
use std::path::Path;

/// What came of a fact about behaviour or batch sizes.
pub fn outcome(fact: Fact<'_>) -> Outcome {
    match fact.id() {
        "batchsize_heuristic" => batch_sizes(fact),
        "batch_settings" => batches(),
        "beh_prep_mismatch_fn" => return refused("prepared_with_another_function"),
        "beh_prep_mismatch_x" => return refused("single_precision_argument"),
        "beh_prep_mismatch_ctx" => return refused("prepared_for_other_roles"),
        "beh_prep_const_changes" => constants_change().unwrap(),
        "beh_same_point" => same_point().unwrap(),
        "beh_identity" => identity().unwrap(),
        "beh_inplace_y" => outputs_are_written().unwrap(),
        "beh_prep_resize" => resized().unwrap(),
        "beh_second_order_first" => return refused("second_order_for_a_gradient"),
        "beh_mixed_requires" => return refused("mixed_mode_of_two_forward_backends"),
        "beh_no_autodiff" => return refused("no_backend_chosen"),
        "beh_call_count_gradient_forward" => calls_forward().unwrap(),
        "beh_call_count_gradient_reverse" => calls_reverse().unwrap(),
        "beh_threads" => return refused("prepared_in_two_threads"),
        "beh_sparse_only_matrices" | "beh_known_pattern_size" | "beh_known_wrong_kind" | "beh_global_branch" => {
            return Outcome::NotApplicable("needs sparsity detection".to_owned());
        }
        other => panic!("no test for {other}"),
    }
    Outcome::Passed
}

/// It does not compile, as a test in `tests/ui` shows.
fn refused(test: &str) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui").join(test).with_extension("stderr");
    assert!(path.exists(), "{} shows it", path.display());
    Outcome::Passed
}

/// As the table has it for batches of at most 8.
fn batch_sizes(fact: Fact<'_>) {
    let table = fact.0["expected"]["table_N,Bmax"].as_object().unwrap();
    let mut compared = 0;
    for (key, size) in table {
        let (n, most) = key.split_once(',').unwrap();
        if most == "8" {
            assert_eq!(AutoForward.batch_size_of(n.parse().unwrap()) as u64, size.as_u64().unwrap(), "of {n}");
            compared += 1;
        }
    }
    assert!(compared > 10);
}

/// Fixed sizes; one that is larger than needed leaves lanes unused, where DI refuses it.
fn batches() {
    let four = AutoForward.batch_size(4);
    assert_eq!([10, 12, 4, 0].map(|n| four.passes(n)), [3, 3, 1, 0]);
    let five = AutoForward.batch_size(5);
    let x = [1.0, 2.0, 3.0, 4.0];
    assert_eq!(gradient(sum_of_squared_differences::D, five, &x).unwrap(), [-2.0, 0.0, 0.0, 2.0]);
}

fn constants_change() -> Result<()> {
    let mut prepared = prepare_gradient(scaled_squares::D, AutoReverse, (&[1.0, 2.0], Constant(-3.0)))?;
    assert_eq!(prepared.gradient((&[1.0, 2.0], Constant(3.0)))?, [6.0, 12.0]);
    Ok(())
}

fn same_point() -> Result<()> {
    let x = [0.5, -1.0, 2.0];
    let mut at = prepare_pullback_same_point(softmax::D, AutoReverse, &x, &[0.0; 3])?;
    for dy in [[1.0, 0.0, 0.0], [0.3, -2.0, 1.0]] {
        assert_eq!(at.pullback(&dy)?, pullback(softmax::D, AutoReverse, &x, &dy)?);
    }
    Ok(())
}

/// A buffer is borrowed, so that nobody can put another in its place; and its memory stays where it is.
fn identity() -> Result<()> {
    let mut g = vec![0.0; 3];
    let place = g.as_ptr();
    gradient_into(sum_of_squared_differences::D, AutoReverse, &mut g, &[1.0, 2.0, 4.0])?;
    assert_eq!((g.as_ptr(), &*g), (place, &[-2.0, -2.0, 4.0][..]));
    Ok(())
}

fn outputs_are_written() -> Result<()> {
    let (x, mut y) = ([1.0, 2.0, 3.0], [f64::NAN; 6]);
    let expected: Vec<f64> = waves(&x);
    value_and_pushforward(waves_written::D, AutoForward, (&x, &mut y), &x)?;
    assert_eq!(y, *expected);
    y.fill(f64::NAN);
    value_and_pullback(waves_written::D, AutoReverse, (&x, &mut y), &expected)?;
    assert_eq!(y, *expected);
    y.fill(f64::NAN);
    value_and_jacobian(waves_written::D, AutoReverse, (&x, &mut y))?;
    assert_eq!(y, *expected);
    Ok(())
}

fn resized() -> Result<()> {
    let mut prepared = prepare_gradient(sum_of_squared_differences::D, AutoReverse, &[1.0, 2.0])?;
    let longer = [1.0, 2.0, 4.0, 8.0];
    assert!(matches!(prepared.gradient(&longer), Err(Error::PreparationMismatch { .. })));
    prepared.resize(&longer)?;
    assert_eq!(prepared.gradient(&longer)?, [-2.0, -2.0, -4.0, 8.0]);
    Ok(())
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn tick() {
    CALLS.set(CALLS.get() + 1);
}

#[differentiable]
fn counted_sum(x: &[f64]) -> f64 {
    tick();
    x.iter().map(|v| v * v).sum()
}

/// Batches of at most 8 here, of at most 12 in DI: 7 + 7 + 7 + 4.
fn calls_forward() -> Result<()> {
    let x = [1.0; 25];
    let mut prepared = prepare_gradient(counted_sum::D, AutoForward, &x)?;
    CALLS.set(0);
    prepared.gradient(&x)?;
    assert_eq!(CALLS.get(), 4);
    Ok(())
}

fn calls_reverse() -> Result<()> {
    let x = [1.0; 25];
    let mut prepared = prepare_gradient(counted_sum::D, AutoReverse, &x)?;
    CALLS.set(0);
    prepared.value_and_gradient(&x)?;
    assert_eq!(CALLS.get(), 1);
    Ok(())
}
