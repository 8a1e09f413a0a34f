//! The facts of `conformance.json`: formulas with the patterns that SparseConnectivityTracer.jl finds.

use diffi::prelude::*;
use diffi::sparse::Pattern;
use diffi::{Real, ScalarFn};
use serde_json::Value;
use std::collections::BTreeSet;

type Places = BTreeSet<(usize, usize)>;

fn fact(id: &str) -> Value {
    let all: Value = serde_json::from_str(include_str!("conformance.json")).unwrap();
    all.as_array().unwrap().iter().find(|case| case["id"] == id).unwrap_or_else(|| panic!("no fact {id}")).clone()
}

fn rows(value: &Value) -> Places {
    let rows = value.as_array().unwrap().iter().enumerate();
    rows.flat_map(|(i, row)| row.as_array().unwrap().iter().map(move |j| (i, j.as_u64().unwrap() as usize))).collect()
}

fn pairs(value: &Value) -> Places {
    let number = |v: &Value| v.as_u64().unwrap() as usize;
    value.as_array().unwrap().iter().map(|pair| (number(&pair[0]), number(&pair[1]))).collect()
}

/// The conservative answer, and the true one if that differs.
fn expected(fact: &Value) -> (Places, Places) {
    let expected = &fact["expected"];
    if expected["entries"].is_array() {
        let entries = pairs(&expected["entries"]);
        return (entries.clone(), entries);
    }
    let all = rows(&expected["rows_to_columns"]);
    let truth = &expected["true_pattern_at_sampled_points"];
    (all.clone(), if truth.is_array() { rows(truth) } else { all })
}

fn places(pattern: &Pattern) -> Places {
    pattern.iter().collect()
}

/// Points to look from; one of them is the fact's own, if it has one.
fn points(fact: &Value) -> Vec<Vec<f64>> {
    if let Some(x) = fact["input"]["x"].as_array() {
        return vec![x.iter().map(|v| v.as_f64().unwrap()).collect()];
    }
    let n = fact["input"]["n"].as_u64().unwrap() as usize;
    let scattered = |k: usize, i: usize| 0.1 + (((k * 31 + i * 17 + 1) as f64).sin() * 1e4).fract().abs();
    (0..40).map(|k| (0..n).map(|i| scattered(k, i)).collect()).collect()
}

/// Patterns at a point are those of the fact; taken together over many points, they are the pattern that holds everywhere.
fn check_local(id: &str, find: impl Fn(&[f64]) -> Pattern) {
    let fact = fact(id);
    let (conservative, truth) = expected(&fact);
    let found: Vec<Places> = points(&fact).iter().map(|x| places(&find(x))).collect();
    let union: Places = found.iter().flatten().copied().collect();
    assert!(truth.is_subset(&union), "{id}: {union:?} lacks some of {truth:?}");
    assert!(union.is_subset(&conservative), "{id}: {union:?} has more than {conservative:?}");
}

/// A pattern that holds everywhere is that of the fact.
fn check_global(id: &str, find: impl Fn(&[f64]) -> Pattern) {
    let fact = fact(id);
    let (conservative, truth) = expected(&fact);
    for x in points(&fact) {
        let found = places(&find(&x));
        assert!(truth.is_subset(&found), "{id}: {found:?} lacks some of {truth:?}");
        assert!(found.is_subset(&conservative), "{id}: {found:?} has more than {conservative:?}");
    }
}

macro_rules! facts {
    ($sparsity:ident, $Result:ty; $($id:ident |$x:ident| $y:expr;)+) => { $(
        #[test]
        fn $id() {
            #[differentiable]
            fn f($x: &[f64]) -> $Result {
                $y
            }
            let local = TracerLocalSparsityDetector;
            check_local(stringify!($id), |x| $sparsity(f::D, local, x).unwrap());
            check_local(stringify!($id), |x| $sparsity(f::D, local.overloaded(), x).unwrap());
            if stringify!($id).starts_with("pj") || stringify!($id).starts_with("ph_") {
                check_global(stringify!($id), |x| $sparsity(f::D, TracerSparsityDetector, x).unwrap());
            }
        }
    )+ };
}
facts! {
    jacobian_sparsity, Vec<f64>;
    pj_diff4 |x| (1..x.len()).map(|i| x[i] - x[i - 1]).collect();
    pj_max |x| vec![x[0].max(x[1]), x[2].abs()];
    pj_clamp |x| {
        let (low, high) = (x[1].min(x[2]), x[1].max(x[2]));
        vec![x[0].max(low).min(high)]
    };
    pj_copysign |x| vec![x[0].copysign(x[1])];
    pj_mod |x| vec![(10.0 * x[0]).rem_euclid(x[1])];
    pj_times_zero |x| vec![0.0 * x[0] + x[1]];
    pj_cancel |x| vec![x[0] - x[0] + x[1]];
    pj_arrowhead |x| {
        let sum: f64 = x.iter().sum();
        let mut y: Vec<f64> = x.iter().map(|v| v + x[0]).collect();
        y[0] += sum;
        y
    };
    pj_tutorial8 |x| {
        let n = x.len();
        let s: Vec<f64> = x.iter().map(|v| v * v).collect();
        (1..n).map(|i| s[i] - s[i - 1] + s[n - 1 - i] - s[n - i]).collect()
    };
    pl_prod_10 |x| vec![x[0] * x[1]];
    pl_max_12 |x| vec![x[0].max(x[1])];
    pl_div_zero_num |x| vec![x[0] / x[1]];
}

facts! {
    hessian_sparsity, f64;
    ph_sumsum |x| (x[0] + x[1]) * (x[2] + x[3]);
    ph_sq4 |x| (x[0] + x[1] + x[2] + x[3]).powi(2);
    ph_foo |x| x[0] + x[1] * x[2] + 1.0 / x[3] + x[4];
    ph_sumdiffcube |x| (1..x.len()).map(|i| (x[i] - x[i - 1]).powi(3)).sum();
    ph_copysign |x| (x[0] * x[1]).copysign(x[2] * x[3]);
    ph_dead_end |x| {
        let _z = x[0] * x[1];
        x[2] * x[3]
    };
    ph_clamp1 |x| x[0] * x[0].max(x[1]).min(x[2]);
    ph_clamp2 |x| x[1] * x[0].max(x[1]).min(x[2]);
    ph_fma |x| x[0].mul_add(x[1], x[2]);
    ph_sqrt |x| x[0].sqrt();
    phl_f1_a |x| x[0] + x[1] * x[2] + 1.0 / x[3] + x[1] * x[0].max(x[4]);
    phl_f1_b |x| x[0] + x[1] * x[2] + 1.0 / x[3] + x[1] * x[0].max(x[4]);
}

macro_rules! branching {
    ($sparsity:ident, $Result:ty; $($id:ident |$x:ident| $y:expr;)+) => { $(
        #[test]
        fn $id() {
            #[differentiable]
            fn f($x: &[f64]) -> $Result {
                $y
            }
            check_local(stringify!($id), |x| $sparsity(f::D, TracerLocalSparsityDetector, x).unwrap());
            if stringify!($id).starts_with("pj") {
                check_global(stringify!($id), |x| $sparsity(f::D, TracerSparsityDetector, x).unwrap());
            }
        }
    )+ };
}
branching! {
    jacobian_sparsity, Vec<f64>;
    pj_sign |x| vec![x[0] + x[1] * x[2] + x[3].signum()];
    pj_div |x| vec![(x[0] / x[1]).floor()];
    pj_ifelse |x| vec![if x[0] > x[1] { x[0] } else { x[1] }];
    pl_branch_21 |x| vec![if x[0] > x[1] { x[0] } else { x[1] }];
    pl_branch_12 |x| vec![if x[0] > x[1] { x[0] } else { x[1] }];
}
branching! {
    hessian_sparsity, f64;
    phl_f2_a |x| if x[1] < x[2] { x[0] * x[1] } else { x[2] * x[3] };
    phl_f2_b |x| if x[1] < x[2] { x[0] * x[1] } else { x[2] * x[3] };
}

#[test]
fn ph_arrow62() {
    use crate::functions::arrow_head;
    check_local("ph_arrow62", |x| {
        hessian_sparsity(arrow_head::D, TracerLocalSparsityDetector, (x, Constant(2))).unwrap()
    });
    check_global("ph_arrow62", |x| hessian_sparsity(arrow_head::D, TracerSparsityDetector, (x, Constant(2))).unwrap());
}

/// A compiled function has no dead ends; one over any number type can have.
#[test]
fn ph_dead_end_shared() {
    struct DeadEnd;
    impl ScalarFn for DeadEnd {
        type Input = [f64];
        type Output = f64;
        fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
            let _unused = x[0] * x[1];
            x[2] * x[3]
        }
    }
    let own = hessian_sparsity(DeadEnd, TracerSparsityDetector, &[1.0; 4]).unwrap();
    assert_eq!(places(&own), expected(&fact("ph_dead_end")).0);
    let shared = hessian_sparsity(DeadEnd, TracerSparsityDetector.shared(), &[1.0; 4]).unwrap();
    assert_eq!(places(&shared), Places::from([(0, 1), (1, 0), (2, 3), (3, 2)]));
}

/// A number type cannot take both sides of a branch; the compiler can, as `pj_ifelse` has it.
#[test]
fn pj_branch_error() {
    struct Larger;
    impl ScalarFn for Larger {
        type Input = [f64];
        type Output = f64;
        fn call<S: Real<Base = f64>>(&self, x: &[S]) -> S {
            if x[0] > x[1] { x[0] } else { x[1] }
        }
    }
    assert_eq!(jacobian_sparsity(Larger, TracerSparsityDetector, &[1.0, 2.0]), Err(Error::ValueNeeded));
}

#[test]
fn pj_brusselator_sizes() {
    use crate::functions::{brusselator, point};
    let fact = fact("pj_brusselator_sizes");
    for (n, sizes) in fact["expected"].as_object().unwrap() {
        let n: usize = n.parse().unwrap();
        let (u, mut du) = (point(2 * n * n), vec![0.0; 2 * n * n]);
        let found = jacobian_sparsity(brusselator::D, TracerLocalSparsityDetector, (&u, Constant(n), &mut du)).unwrap();
        assert_eq!(found.shape(), (2 * n * n, sizes["n"].as_u64().unwrap() as usize));
        assert_eq!(found.nnz(), sizes["nnz"].as_u64().unwrap() as usize, "n = {n}");
        assert!(du.iter().all(|v| *v == 0.0), "nothing is overwritten");
    }
}

#[test]
fn pj_conv28() {
    #[differentiable(constant(kernel))]
    fn convolution(image: &[f64], kernel: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; 2 * 26 * 26];
        for to in 0..2 {
            for i in 0..26 {
                for j in 0..26 {
                    for from in 0..3 {
                        for a in 0..3 {
                            for b in 0..3 {
                                out[(to * 26 + i) * 26 + j] +=
                                    kernel[((to * 3 + from) * 3 + a) * 3 + b] * image[(from * 28 + i + a) * 28 + j + b];
                            }
                        }
                    }
                }
            }
        }
        out
    }
    let expected = &fact("pj_conv28")["expected"];
    let (image, kernel) = (crate::functions::point(28 * 28 * 3), crate::functions::point(54));
    let found = jacobian_sparsity(convolution::D, TracerLocalSparsityDetector, (&image, Constant(&kernel))).unwrap();
    assert_eq!(found.rows(), expected["rows"].as_u64().unwrap() as usize);
    assert_eq!(found.columns(), expected["cols"].as_u64().unwrap() as usize);
    assert_eq!(found.nnz(), expected["nnz"].as_u64().unwrap() as usize);
}
