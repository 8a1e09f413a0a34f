//! Scenarios pass where the numbers are right, and fail where anything is wrong.

use std::cell::Cell;

mod counting;

use counting::{bytes, requests};
use diffi::prelude::*;
use diffi_test::*;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

fn calls() -> usize {
    CALLS.get()
}

fn tick() {
    CALLS.set(CALLS.get() + 1);
}

fn checks() -> Checks {
    Checks::default().allocations(requests)
}

#[differentiable]
fn cubes(x: &[f64]) -> f64 {
    tick();
    x.iter().map(|v| v * v * v).sum()
}

#[differentiable(output(y))]
fn squares_written(x: &[f64], y: &mut [f64]) {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
}

#[differentiable]
fn in_place(x: &mut [f64], scale: f64) {
    for v in x.iter_mut() {
        *v = scale * *v * *v;
    }
}

#[differentiable]
fn tones(x: f64) -> [f64; 2] {
    [x.sin(), x * x]
}

#[differentiable]
fn single(x: &[f32]) -> f32 {
    x[0] * x[1]
}

#[differentiable]
fn of_two(x: &[f64], s: f64) -> f64 {
    s * x[0] * x[0] * x[1]
}

in_context!(mod cubes_in_context: cubes(&[f64]) -> f64);

const X: [f64; 3] = [1.0, -2.0, 3.0];
const G: [f64; 3] = [3.0, 12.0, 27.0];

#[test]
fn first_order() {
    let (v, mut y, mut z) = ([1.0, 0.5, -1.0], [0.0; 3], [0.0; 2]);
    let gradient = || Scenario::gradient(cubes::D, &X[..]).value([20.0]).result(G).counted_by(calls);
    let mut buffer = [f64::NAN];
    let rows = (
        gradient().prepared_at(&[0.1, 0.2, 0.3]).resized_from(&X[..2]),
        gradient().in_context(cubes_in_context::constantified::D, (&X, Constant(-2.0)), -2.0),
        gradient().in_context(cubes_in_context::cachified::D, (&X, Cache(&mut buffer)), 1.0),
        Scenario::pushforward(cubes::D, &X, &v).value([20.0]).result([-18.0]).batchify(&X, [60.0]),
        Scenario::pullback(cubes::D, &X, 2.0).value([20.0]).result(G.map(|v| 2.0 * v)).batchify(0.0, [0.0; 3]),
        Scenario::jacobian(squares_written::D, (&X, &mut y))
            .value([1.0, 4.0, 9.0])
            .result([2.0, 0.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 6.0]),
        Scenario::derivative(tones::D, 0.5).value([0.5f64.sin(), 0.25]).result([0.5f64.cos(), 1.0]),
        Scenario::gradient(single::D, &[3.0, 4.0]).value([12.0]).result([4.0, 3.0]),
        Scenario::jacobian(of_two::D, (&[1.0, 2.0], 3.0)).named("two arguments").result([12.0, 3.0, 2.0]),
        Scenario::pushforward(squares_written::D, (&X[..2], &mut z), &[1.0, 1.0]).value([1.0, 4.0]).result([2.0, -4.0]),
    );
    test_differentiation((AutoForward, AutoReverse, AutoFiniteDiff), rows, checks()).assert_passed();
}

#[test]
fn what_is_read_and_written() {
    let mut x = [3.0, 4.0];
    let rows =
        Scenario::jacobian(in_place::D, (&mut x, Constant(2.0))).value([18.0, 32.0]).result([12.0, 0.0, 0.0, 16.0]);
    test_differentiation((AutoForward, AutoReverse, AutoFiniteDiff), rows, checks()).assert_passed();
}

#[test]
fn second_order() {
    let h = [6.0, 0.0, 0.0, 0.0, -12.0, 0.0, 0.0, 0.0, 18.0];
    let tones_in = || Scenario::second_derivative(tones::D, 0.5).value([0.5f64.sin(), 0.25]);
    let rows = (
        Scenario::hessian(cubes::D, &X).value([20.0]).first(G).result(h).counted_by(calls),
        Scenario::hvp(cubes::D, &X, &[1.0, 1.0, 1.0])
            .first(G)
            .result([6.0, -12.0, 18.0])
            .batchify(&X, [6.0, 24.0, 54.0]),
        tones_in().first([0.5f64.cos(), 1.0]).result([-0.5f64.sin(), 2.0]),
    );
    let backends =
        (AutoReverse, SecondOrder(AutoForward, AutoReverse), SecondOrder(AutoFiniteDiff, AutoReverse), AutoFiniteDiff);
    test_differentiation(backends, rows, checks()).assert_passed();
}

/// Sparse matrices are compared entry by entry, those that are not stored as zeros.
#[test]
fn sparse_matrices() {
    let (mut y, h) = ([0.0; 3], [6.0, 0.0, 0.0, 0.0, -12.0, 0.0, 0.0, 0.0, 18.0]);
    let rows = (
        Scenario::jacobian(squares_written::D, (&X, &mut y))
            .value([1.0, 4.0, 9.0])
            .result([2.0, 0.0, 0.0, 0.0, -4.0, 0.0, 0.0, 0.0, 6.0]),
        Scenario::hessian(cubes::D, &X[..]).value([20.0]).first(G).result(h).prepared_at(&[0.1, 0.2, 0.3]),
        Scenario::hessian(cubes::D, &X[..]).value([20.0]).first(G).result(h).resized_from(&X[..2]),
    );
    let backends = (
        AutoSparse::new(AutoReverse),
        AutoSparse::new(AutoForward).detector(TracerLocalSparsityDetector),
        AutoSparse::new(AutoReverse).coloring(GreedyColoring::default()),
    );
    test_differentiation(backends, rows, Checks::default()).assert_passed();
    let rows = Scenario::hessian(cubes::D, &X).first(G).result(h.map(|v| 2.0 * v));
    let report = test_differentiation((AutoSparse::new(AutoReverse),), rows, Checks::default());
    assert_eq!(report.failures().count(), 1, "wrong numbers are found");
}

#[test]
fn closures() {
    let rows = (
        Scenario::gradient(|x: &[f64]| x[0] * x[1], &[2.0, 3.0]).result([3.0, 2.0]),
        Scenario::gradient(cubes::D, &X).result(G).closurify(),
        Scenario::hessian(cubes::D, &[1.0]).result([6.0]).closurify(),
    );
    test_differentiation((AutoFiniteDiff,), rows, Checks::default()).assert_passed();
}

/// The failures of one row on one backend.
fn failures<S: EachScenario<(AutoForward,)>>(row: S) -> Vec<String> {
    let report = test_differentiation((AutoForward,), row, checks());
    report
        .failures()
        .flat_map(|cell| match &cell.outcome {
            Outcome::Failed(why) => why.clone(),
            _ => Vec::new(),
        })
        .collect()
}

#[test]
fn wrong_numbers_are_found() {
    let found = failures(Scenario::gradient(cubes::D, &X).result([3.0, 12.0, 27.1]));
    assert!(found.iter().all(|why| why.contains("number 2 of result is 27.0, expected 27.1")), "{found:?}");
    assert!(
        ["unprepared gradient:", "prepared gradient_into:", "prepared value_and_gradient_into:"]
            .iter()
            .all(|call| found.iter().any(|why| why.starts_with(call))),
        "{found:?}"
    );
    let found = failures(Scenario::gradient(cubes::D, &X).value([21.0]).result(G));
    assert_eq!(found.len(), 6, "{found:?}");
    let found = failures(Scenario::gradient(cubes::D, &X).result([3.0]));
    assert!(found[0].contains("result has 3 numbers, expected 1"), "{found:?}");
}

thread_local! {
    static DRIFT: Cell<f64> = const { Cell::new(0.0) };
}

/// A number that is another one each time.
fn drift() -> f64 {
    DRIFT.set(DRIFT.get() + 1.0);
    drop(std::hint::black_box(Vec::<u8>::with_capacity(10)));
    DRIFT.get()
}

#[differentiable]
fn drifting(x: f64) -> f64 {
    let scale = drift();
    scale * x
}

#[test]
fn changing_results_and_allocations_are_found() {
    let found = failures(Scenario::derivative(drifting::D, 1.0));
    assert!(found.iter().any(|why| why == "prepared derivative: another result the second time"), "{found:?}");
    assert!(found.iter().any(|why| why.contains("derivative_into: 1 allocations")), "{found:?}");
}

#[test]
fn the_table_of_tests() {
    let mut report =
        test_differentiation((AutoForward, AutoReverse), Scenario::gradient(cubes::D, &X).result(G), checks());
    let outcome = Outcome::NotApplicable("no time".to_owned());
    report.push(Entry {
        scenario: "cubes".to_owned(),
        operator: "hessian",
        backend: "AutoForward".to_owned(),
        outcome,
    });
    let expected = "                AutoForward\n                │ AutoReverse\ncubes (gradient) ✓ ✓\ncubes (hessian)  a\na: no time\n\
                    2 passed, 0 failed, 1 not applicable\n";
    let squeezed = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(squeezed(&report.to_string()), squeezed(expected));
}

#[test]
fn benchmarks() {
    let rows = (
        vec![
            Scenario::gradient(cubes::D, &X[..1]).counted_by(calls),
            Scenario::gradient(cubes::D, &X[..]).counted_by(calls),
        ],
        Scenario::gradient(of_two::D, (&[1.0, 2.0], Constant(1.0))),
    );
    let settings = Benchmark::default().seconds(1e-4).allocations(|| (requests(), bytes()));
    let table = benchmark_differentiation((AutoForward, AutoReverse), rows, settings);
    assert_eq!(table.0.len(), 3 * 2 * 9);
    let row = |operator: &str, prepared: bool| {
        table.0.iter().find(|row| row.operator == operator && row.prepared == prepared && row.backend == "AutoReverse")
    };
    let prepared = row("gradient_into", true).unwrap();
    assert_eq!((prepared.allocations, prepared.bytes, prepared.calls, prepared.size), (Some(0), Some(0), Some(1), 1));
    assert!(prepared.time > 0.0 && prepared.samples >= 3);
    assert!(row("gradient", true).unwrap().allocations > Some(0));
    assert!(row("prepare_gradient", false).is_some() && row("value_and_gradient_into", false).is_some());

    let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!(json.as_array().unwrap().len(), table.0.len());
    assert_eq!(json[0]["operator"], "prepare_gradient");
    assert!(json[0]["time"].as_f64().unwrap() > 0.0);
    assert_eq!(table.to_csv().lines().count(), 1 + table.0.len());
    assert_eq!(table.to_string().lines().count(), 1 + table.0.len());

    let svg = plot(&table, "x < y");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("x &lt; y"));
    assert_eq!(svg.matches("<polyline").count(), 4);
    assert_eq!(svg.matches("<circle").count(), table.0.len());
}

/// What is measured is what is asked for.
#[test]
fn some_variants_only() {
    let rows = Scenario::hessian(cubes::D, &X);
    let settings = Benchmark::default().seconds(1e-5).variants(&[Variant::OpInto]);
    let table = benchmark_differentiation((AutoReverse,), rows, settings);
    let names: Vec<_> = table.0.iter().map(|row| (&*row.operator, row.prepared)).collect();
    assert_eq!(names, [("hessian_into", false), ("hessian_into", true)]);
}
