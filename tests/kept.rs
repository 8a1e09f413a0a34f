//! How many bytes prepared objects keep: by their parts, and all together as the allocator sees it.

mod counting;

use diffi::prelude::*;
use std::fmt::Debug;

const N: usize = 100;
const X: [f64; N] = [0.5; N];

#[differentiable]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2).map(|w| (1.0 - w[0]).powi(2) + 100.0 * (w[1] - w[0] * w[0]).powi(2)).sum()
}

/// Keeps every state, and a local array.
#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..20 {
        for v in y.iter_mut() {
            *v = (*v).sin() + 0.1 * *v * *v;
        }
    }
    y.iter().sum()
}

/// Keeps every state, and of the increments, which enter linearly, the length.
#[differentiable]
fn increments(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for _ in 0..20 {
        let change: Vec<f64> = y.iter().map(|v| v.sin()).collect();
        for (v, d) in y.iter_mut().zip(&change) {
            *v += 0.1 * d;
        }
    }
    y.iter().sum()
}

#[differentiable]
fn neighbours(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[0] * w[1] + w[0].sin()).collect()
}

#[differentiable]
fn overwritten(x: &mut [f64]) {
    for v in x.iter_mut() {
        *v = *v * *v;
    }
}

#[differentiable]
fn single(x: &[f32]) -> f32 {
    x.iter().map(|v| v * v).sum()
}

#[differentiable]
fn wave(x: f64) -> Vec<f64> {
    vec![x.sin(); N]
}

/// The parts and their bytes, as `Debug` shows them.
fn parts(shown: &str) -> impl Iterator<Item = (&str, usize)> {
    let (_, cached) = shown.split_once("cached: {").expect("the parts are shown");
    let (cached, _) = cached.split_once('}').expect("the parts end");
    cached.split(", ").filter_map(|part| part.split_once(": ")).map(|(name, bytes)| {
        let bytes = bytes.strip_suffix(" B").expect("bytes");
        (name, bytes.parse().expect("a number"))
    })
}

/// The bytes of a part.
fn part(shown: &str, name: &str) -> usize {
    parts(shown).filter(|(found, _)| *found == name).map(|(_, bytes)| bytes).sum()
}

/// All parts together.
fn sum(shown: &str) -> usize {
    parts(shown).map(|(_, bytes)| bytes).sum()
}

fn shown(prepared: &impl Debug) -> String {
    format!("{prepared:?}")
}

#[test]
fn parts_have_the_sizes_of_what_they_hold() -> Result<()> {
    // Eight tangents for each of ten numbers, and a row of the Jacobian.
    let x = [0.5; 10];
    let forward = prepare_gradient(rosenbrock::D, AutoForward, &x)?;
    assert_eq!(
        shown(&forward),
        "GradientPrep { backend: AutoForward, sizes: 10, cached: {results: 80 B, seeds: 640 B}, bytes: 720, tape_bytes: 0, .. }"
    );
    assert_eq!(forward.bytes(), 10 * 8 * 8 + 10 * 8);
    let forward = shown(&prepare_gradient(single::D, AutoForward, &[0.5f32; 10])?);
    assert_eq!((part(&forward, "seeds"), part(&forward, "results")), (10 * 8 * 4, 10 * 4));
    let one = shown(&prepare_gradient(rosenbrock::D, AutoForward.batch_size(1), &x)?);
    assert_eq!((part(&one, "seeds"), part(&one, "results")), (10 * 8, 10 * 8));
    // Copies of the arguments, a direction and a point, a tangent.
    let differences = shown(&prepare_pushforward(rosenbrock::D, AutoFiniteDiff, &x, x)?);
    assert_eq!((part(&differences, "arguments"), part(&differences, "seeds")), (10 * 8, 10 * 8));
    // Numbers with twelve directions.
    let dual = shown(&prepare_gradient(rosenbrock::D, AutoDual.chunk_size(12), &x)?);
    assert_eq!((part(&dual, "arguments"), part(&dual, "results")), (10 * 13 * 8, 10 * 8));
    // A gradient that nobody asked for, and the product.
    let products = shown(&prepare_hvp(rosenbrock::D, AutoReverse, &x, x)?);
    assert_eq!((part(&products, "seeds"), part(&products, "results")), (10 * 8, 2 * 10 * 8));
    // What is overwritten is kept, so that every pass begins with it.
    let mut y = x;
    let overwritten = shown(&prepare_jacobian(overwritten::D, AutoForward, &mut y)?);
    assert_eq!(part(&overwritten, "seeds"), 10 * 8 * 8);
    Ok(())
}

#[test]
fn tapes_are_a_part() -> Result<()> {
    let gradient = prepare_gradient(stepped::D, AutoReverse, &X)?;
    assert!(gradient.tape_bytes() >= 20 * N * 8);
    assert!((gradient.tape_bytes()..=2 * gradient.tape_bytes()).contains(&part(&shown(&gradient), "tape")));
    let at = prepare_pullback_same_point(stepped::D, AutoReverse, &X, 1.0)?;
    assert!(part(&shown(&at), "tape") >= at.tape_bytes());
    assert_eq!(sum(&shown(&at)), at.bytes());
    let resized = {
        let mut gradient = prepare_gradient(stepped::D, AutoReverse, &X[..10])?;
        gradient.resize(&X)?;
        gradient
    };
    assert_eq!(resized.bytes(), gradient.bytes());
    Ok(())
}

/// Numbers that may stand in the object itself where an argument or the result is a number: at most two with eight lanes each,
/// and the value.
const IN_PLACE: usize = 2 * 8 * 8 + 16;

/// What is on the heap after preparation, and was not before, is what the object tells, but for so many bytes. Prepares once
/// before, for what is kept by the thread.
fn told<P: Debug>(what: &str, in_place: usize, prepare: impl Fn() -> Result<(usize, P)>) {
    drop(prepare().unwrap());
    let before = counting::held();
    let (told, prepared) = prepare().unwrap();
    let heap = usize::try_from(counting::held() - before).unwrap();
    let shown = shown(&prepared);
    assert_eq!(sum(&shown), told, "{what}: {shown}");
    assert!(shown.contains(&format!("bytes: {told},")), "{what}: {shown}");
    assert!((heap..=heap + in_place).contains(&told), "{what}: {heap} bytes on the heap, {shown}");
}

macro_rules! told {
    ($what:literal, $prepare:expr) => {
        told!($what, 0, $prepare)
    };
    ($what:literal, $in_place:expr, $prepare:expr) => {
        told($what, $in_place, || {
            let prepared = $prepare?;
            Ok((prepared.bytes(), prepared))
        })
    };
}

#[test]
fn the_counter_counts_what_lives() {
    let before = counting::held();
    let mut kept = std::hint::black_box(vec![1.0; 10]);
    drop(std::hint::black_box(vec![1.0; 10]));
    assert_eq!(counting::held() - before, 80);
    kept.reserve_exact(10);
    assert_eq!(counting::held() - before, 160);
}

macro_rules! first_order {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() {
            let b = $backend;
            told!("gradient", IN_PLACE, prepare_gradient(rosenbrock::D, b, &X));
            told!("gradient with a tape", IN_PLACE, prepare_gradient(stepped::D, b, &X));
            told!("Jacobian", prepare_jacobian(neighbours::D, b, &X));
            told!("pushforward", prepare_pushforward(neighbours::D, b, &X, &X));
            told!("pullback", prepare_pullback(neighbours::D, b, &X, &X[1..]));
            told!("pullbacks", IN_PLACE, prepare_pullback(rosenbrock::D, b, &X, [1.0, 2.0]));
            told!("derivative", IN_PLACE, prepare_derivative(wave::D, b, 0.5));
        }
    )+ };
}
first_order! {
    by_forward: AutoForward;
    by_reverse: AutoReverse;
    by_dual: AutoDual;
    by_tape: AutoTape;
    by_replayed_tape: AutoTape.replayed();
    by_symbolic: AutoSymbolic;
    by_differences: AutoFiniteDiff;
    by_cost: MixedMode(AutoForward, AutoReverse);
    by_zero: AutoZero;
}

macro_rules! second_order {
    ($($name:ident: $backend:expr;)+) => { $(
        #[test]
        fn $name() {
            let b = $backend;
            told!("Hessian", IN_PLACE, prepare_hessian(rosenbrock::D, b, &X));
            told!("product", IN_PLACE, prepare_hvp(stepped::D, b, &X, &X));
            told!("products", IN_PLACE, prepare_hvp(rosenbrock::D, b, &X, [&X, &X]));
            told!("curvature", IN_PLACE, prepare_second_derivative(wave::D, b, 0.5));
        }
    )+ };
}
second_order! {
    twice_by_reverse: AutoReverse;
    twice_by_dual: AutoDual;
    twice_by_hyper_dual: AutoHyperDual;
    twice_by_tape: AutoTape;
    twice_by_differences: SecondOrder(AutoFiniteDiff, AutoReverse);
}

#[test]
fn of_sparse_matrices() {
    let jacobian = |b| prepare_jacobian(neighbours::D, b, &X);
    told!("by columns", jacobian(AutoSparse::new(AutoForward)));
    told!("by rows", prepare_jacobian(neighbours::D, AutoSparse::new(AutoReverse), &X));
    let both = AutoSparse::new(MixedMode(AutoForward, AutoReverse));
    told!("by both", prepare_jacobian(neighbours::D, both.clone(), &X));
    told!("Hessian", prepare_hessian(rosenbrock::D, AutoSparse::new(AutoReverse), &X));
    let shown = shown(&jacobian(AutoSparse::new(AutoForward)).unwrap());
    let entries = 2 * (N - 1);
    // By columns: where each begins, and the row of each entry; one block, and one stretch of columns that are alike.
    let pattern = (N + 1 + entries) * 4;
    assert!((pattern..pattern + 300).contains(&part(&shown, "patterns")), "{shown}");
    assert!(part(&shown, "coloring") >= N * 4 + entries * 4, "{shown}");
    // Where the colors come in turns, one turn; otherwise every entry.
    assert!((1..300).contains(&part(&shown, "decompression")), "{shown}");
    let random = diffi::sparse::GreedyColoring::new(diffi::sparse::Order::Random(1));
    let shown =
        self::shown(&prepare_jacobian(neighbours::D, AutoSparse::new(AutoForward).coloring(random), &X).unwrap());
    assert!(part(&shown, "decompression") >= entries * 4, "{shown}");
}

#[test]
fn arrays_of_which_only_the_length_is_asked_for_are_not_kept() -> Result<()> {
    let mut prepared = prepare_gradient(increments::D, AutoReverse, &X)?;
    let found = prepared.gradient(&X)?;
    let expected = gradient(increments::D, AutoForward, &X)?;
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, not {expected:?}");
    let states = 20 * N * 8;
    assert!((states..states + states / 4).contains(&prepared.tape_bytes()), "{} bytes", prepared.tape_bytes());
    Ok(())
}
