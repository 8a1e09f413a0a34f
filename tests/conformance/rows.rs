//! Every fact as a scenario, on the backends of the test's `cells`. A fact is one line of [`rows`].

use super::*;
use crate::applicable::*;
use crate::facts::{Fact, Facts, FromJson};
use crate::functions::*;
use diffi::prelude::*;
use diffi_test::{Entry, Outcome, Report, Scenario};
use ndarray::Array2;
use std::io::Write;

/// The column of facts that are not about one backend.
const ANY: &str = "any";

/// Runs a fact: its name, the function, the types of its point and of its result, how they are passed at the point and where it is
/// prepared, and the operators, with the number of their seeds.
macro_rules! rows {
    ($table:ident, $facts:ident; $(
        $id:literal: $f:expr, |$x:ident: $X:ty, $y:ident: $Y:ty| $point:expr $(, prepared with $elsewhere:expr)?;
        $($op:ident $(($seeds:tt))?),+;
    )+) => { $({
        /// A function of its own, so that rustc does not see all facts at once.
        fn fact(table: &mut Report, fact: Fact<'_>) {
            rows!(@points table fact [$f] [$x: $X, $y: $Y] [$point] [$($elsewhere)?] [$([$op $($seeds)?])+]);
            let mut missing = fact.operators();
            missing.retain(|operator| ![$(stringify!($op)),+].contains(operator));
            assert!(missing.is_empty(), "{}: {missing:?} left out", fact.id());
        }
        fact($table, $facts.get($id));
    })+ };
    (@points $table:ident $fact:ident $f:tt $types:tt $point:tt [] $ops:tt) => {
        rows!(@points $table $fact $f $types $point $point $ops);
    };
    (@points $table:ident $fact:ident $f:tt $types:tt $point:tt $elsewhere:tt [$($op:tt)+]) => {
        $(rows!(@op $table $fact $f $types $point $elsewhere $op);)+
    };
    (@op $table:ident $fact:ident $f:tt [$x:ident: $X:ty, $y:ident: $Y:ty] [$point:expr] [$elsewhere:expr] $op:tt) => {{
        #[allow(unused_mut, unused_variables)]
        let (mut $x, mut $y) = ($fact.point::<$X>(), $fact.unknown::<$Y>());
        let point = $point;
        #[allow(unused_mut, unused_variables)]
        let (mut $x, mut $y) = ($fact.point::<$X>().elsewhere(), $fact.unknown::<$Y>());
        let elsewhere = $elsewhere;
        rows!(@scenario $table $fact $f point elsewhere [$X] [$Y] $op);
    }};
    (@scenario $table:ident $fact:ident $f:tt $point:ident $elsewhere:ident [$X:ty] $Y:tt [pushforward $n:tt]) => {
        rows!(@seeds $table $fact $f $point $elsewhere ["tx": $X] [pushforward $n]);
    };
    (@scenario $table:ident $fact:ident $f:tt $point:ident $elsewhere:ident $X:tt [$Y:ty] [pullback $n:tt]) => {
        rows!(@seeds $table $fact $f $point $elsewhere ["ty": $Y] [pullback $n]);
    };
    (@scenario $table:ident $fact:ident $f:tt $point:ident $elsewhere:ident [$X:ty] $Y:tt [hvp $n:tt]) => {
        rows!(@seeds $table $fact $f $point $elsewhere ["tx_hvp": $X] [hvp $n]);
    };
    (@scenario $table:ident $fact:ident [$f:expr] $point:ident $elsewhere:ident $X:tt $Y:tt [$op:ident]) => {
        let scenario = Scenario::$op($f, $point).prepared_at($elsewhere).result($fact.expected(stringify!($op)));
        rows!(@run $table $fact scenario $op);
    };
    (@seeds $table:ident $fact:ident [$f:expr] $point:ident $elsewhere:ident [$seeds:literal: $S:ty] [$op:ident 1]) => {
        let seed = $fact.seed::<$S>($seeds, 0);
        let result = $fact.expected(stringify!($op));
        let scenario = Scenario::$op($f, $point, &seed).prepared_at($elsewhere).result(result);
        rows!(@run $table $fact scenario $op);
    };
    (@seeds $table:ident $fact:ident [$f:expr] $point:ident $elsewhere:ident [$seeds:literal: $S:ty] [$op:ident 2]) => {
        let (one, two) = ($fact.seed::<$S>($seeds, 0), $fact.seed::<$S>($seeds, 1));
        let results = $fact.expected(stringify!($op));
        let (first, second) = results.split_at(results.len() / 2);
        let scenario = Scenario::$op($f, $point, &one).prepared_at($elsewhere).result(first).batchify(&two, second);
        rows!(@run $table $fact scenario $op);
    };
    (@run $table:ident $fact:ident $scenario:ident $op:ident) => {
        let mut scenario = $scenario.named($fact.id()).value($fact.value());
        if let Some(first) = $fact.first(stringify!($op)) {
            scenario = scenario.first(first);
        }
        cells!(scenario, $table);
    };
}

#[test]
fn every_cell_passes() {
    let (facts, mut table) = (Facts::read(), Report::default());
    derivatives(&facts, &mut table);
    complex(&facts, &mut table);
    nesting(&facts, &mut table);
    others(&facts, &mut table);
    // Past the test harness, which shows what is printed only when a test fails.
    let _ = write!(std::io::stdout().lock(), "\n{table}\n");
    table.assert_passed();
}

fn derivatives(facts: &Facts, table: &mut Report) {
    rows! { table, facts;
        "dit_num_to_num": num_to_num::D, |x: f64, y: f64| &x; derivative, second_derivative, pushforward(2), pullback(2);
        "dit_onevec_to_onevec": onevec_to_onevec::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian, pushforward(2), pullback(2);
        "dit_num_to_mat_inplace": num_to_mat_written::D, |x: f64, y: [[f64; 2]; 6]| (&x, &mut y);
            derivative, pushforward(1), pullback(1);
        "dit_mat_to_num": powers_of_matrix::D, |x: Array2<f64>, y: f64| &x; gradient, hessian, pushforward(1), pullback(1), hvp(1);
        "dit_vec_to_vec": waves::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian, pushforward(2), pullback(2);
        "dit_mat_to_vec": waves_of_matrix::D, |x: Array2<f64>, y: Vec<f64>| &x; jacobian, pushforward(1), pullback(1);
        "dit_mat_to_mat": wave_columns_of_matrix::D, |x: Array2<f64>, y: [[f64; 2]; 6]| &x; jacobian, pushforward(1), pullback(1);
        "dit_vec_to_vec_inplace": waves_written::D, |x: Vec<f64>, y: Vec<f64>| (&x, &mut y); jacobian, pushforward(2), pullback(2);
        "dit_vec_to_mat_inplace": wave_columns_written::D, |x: Vec<f64>, y: Vec<[f64; 2]>| (&x, &mut y);
            jacobian, pushforward(1), pullback(1);
        "dit_mat_to_vec_inplace": waves_of_matrix_written::D, |x: Array2<f64>, y: Vec<f64>| (&x, &mut y);
            jacobian, pushforward(1), pullback(1);
        "dit_mat_to_mat_inplace": wave_columns_of_matrix_written::D, |x: Array2<f64>, y: Array2<f64>| (&x, &mut y);
            jacobian, pushforward(1), pullback(1);
        "ctx_constant": scaled_powers::D, |x: Vec<f64>, y: f64| (&x, Constant(3.0)), prepared with (&x, Constant(-3.0));
            gradient, hessian, hvp(1);
        "ctx_constant_scalar": scaled_squares::D, |x: Vec<f64>, y: f64| (&x, Constant(10.0)), prepared with (&x, Constant(100.0));
            gradient, hessian;
        "ctx_cache": waves_by_cache::D, |x: Vec<f64>, y: Vec<f64>| (&x, Cache(&mut y)); jacobian, pushforward(1), pullback(1);
        "ctx_constant_or_cache": powers_by_cache_and_constants::D,
            |x: Vec<f64>, y: [f64; 1]| (&x, Cache(&mut y), Constant(3.0), Constant(&[4.0])),
            prepared with (&x, Cache(&mut y), Constant(6.0), Constant(&[12.0])); gradient, hessian, hvp(1);
        "dit_diffsquare": squared_differences::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian;
        "dit_diffsquarecube_mat": differences_of_matrix::D, |x: Array2<f64>, y: [[f64; 2]; 5]| &x; jacobian;
        "dit_diffcube_wide": cubed_differences::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian;
        "dit_sumdiffcube": sum_of_cubed_differences::D, |x: Vec<f64>, y: f64| &x; gradient, hessian, hvp(1);
        "paper_sumdiffsq": sum_of_squared_differences::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "dit_sum": sum::D, |x: Vec<f64>, y: f64| &x; gradient, pushforward(1), pullback(1);
        "cf_branch_pos": branch::D, |x: f64, y: f64| x, prepared with -x; derivative, second_derivative;
        "cf_branch_neg": branch::D, |x: f64, y: f64| x, prepared with -x; derivative, second_derivative;
        "cf_cumprod_inplace": cumulative_product::D, |x: Vec<f64>, y: Vec<f64>| (&x, &mut y); jacobian, pushforward(1), pullback(1);
        "cf_sort_weighted": sorted_and_weighted::D, |x: Vec<f64>, y: f64| &x; gradient;
        "cf_poly_horner_loop": polynomial::D, |x: f64, y: f64| x; derivative, second_derivative;
        "nonsmooth_relu_mix": rectified::D, |x: Vec<f64>, y: f64| &x; gradient;
        "ode_lotka": lotka_volterra::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian;
        "ode_vdp": van_der_pol::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian, pushforward(1);
        "ml_softmax": softmax::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian, pushforward(1), pullback(1);
        "ml_logistic_loss": logistic_loss::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "ml_mlp_221": perceptron::D, |x: Vec<f64>, y: f64| &x; gradient, hessian, hvp(1);
        "opt_product": product::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "opt_arrowhead": arrowhead::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "mat_inv": inverse::D, |x: Array2<f64>, y: [[f64; 2]; 2]| &x; jacobian, pushforward(1), pullback(1);
        "mat_det3": determinant::D, |x: Array2<f64>, y: f64| &x; gradient, hessian;
        "geo_polar": polar::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian, pushforward(2);
        "misc_xpowx": x_to_the_x::D, |x: f64, y: f64| x; derivative, second_derivative;
        "misc_frac": fraction::D, |x: f64, y: f64| x; derivative, second_derivative;
        "misc_di_tutorial_sparse": differences_both_ways::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian;
        "empty_gradient": sum::D, |x: Vec<f64>, y: f64| &x; gradient;
        "empty_jacobian": copy::D, |x: Vec<f64>, y: Vec<f64>| &x; jacobian;
        "empty_derivative": no_number::D, |x: Vec<f64>, y: Vec<f64>| 1.0; derivative;
        "elem_sin": num_to_num::D, |x: f64, y: f64| x; derivative, second_derivative;
        "elem_cos": elementary::D, |x: f64, y: f64| (x, Constant(COS)); derivative, second_derivative;
        "elem_tan": elementary::D, |x: f64, y: f64| (x, Constant(TAN)); derivative, second_derivative;
        "elem_asin": elementary::D, |x: f64, y: f64| (x, Constant(ASIN)); derivative, second_derivative;
        "elem_acos": elementary::D, |x: f64, y: f64| (x, Constant(ACOS)); derivative, second_derivative;
        "elem_atan": elementary::D, |x: f64, y: f64| (x, Constant(ATAN)); derivative, second_derivative;
        "elem_sinh": elementary::D, |x: f64, y: f64| (x, Constant(SINH)); derivative, second_derivative;
        "elem_acosh": elementary::D, |x: f64, y: f64| (x, Constant(ACOSH)); derivative, second_derivative;
        "elem_atanh": elementary::D, |x: f64, y: f64| (x, Constant(ATANH)); derivative, second_derivative;
        "elem_exp": elementary::D, |x: f64, y: f64| (x, Constant(EXP)); derivative, second_derivative;
        "elem_log": elementary::D, |x: f64, y: f64| (x, Constant(LOG)); derivative, second_derivative;
        "elem_sqrt": elementary::D, |x: f64, y: f64| (x, Constant(SQRT)); derivative, second_derivative;
        "elem_lgamma": log_gamma::D, |x: f64, y: f64| x; derivative, second_derivative;
        "elem_expm1": elementary::D, |x: f64, y: f64| (x, Constant(EXPM1)); derivative, second_derivative;
        "elem_log2": elementary::D, |x: f64, y: f64| (x, Constant(LOG2)); derivative, second_derivative;
        "elem_log10": elementary::D, |x: f64, y: f64| (x, Constant(LOG10)); derivative, second_derivative;
        "elem_recip": elementary::D, |x: f64, y: f64| (x, Constant(RECIP)); derivative, second_derivative;
        "elem_softplus": elementary::D, |x: f64, y: f64| (x, Constant(SOFTPLUS)); derivative, second_derivative;
        "elem_sigmoid": elementary::D, |x: f64, y: f64| (x, Constant(SIGMOID)); derivative, second_derivative;
        "elem2_atan2": angle::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "elem2_div": quotient::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
        "elem2_max_left": larger::D, |x: Vec<f64>, y: f64| &x; gradient;
        "elem2_fma": multiply_add::D, |x: Vec<f64>, y: f64| &x; gradient, hessian;
    }
}

/// A complex number is a pair of numbers, and its gradient is the pullback of 1: what DI takes for it.
fn complex(facts: &Facts, table: &mut Report) {
    macro_rules! rows {
        ($($id:literal: $op:ident($f:expr $(, $seed:expr)?) $result:literal;)+) => { $({
            let fact = facts.get($id);
            let x = fact.complex("x");
            let scenario = Scenario::$op($f, &x $(, $seed)?);
            let mut scenario = scenario.named($id).value(fact.value()).result(fact.expected($result));
            cells!(scenario, table);
        })+ };
    }
    let sin = facts.get("complex_sin");
    let (dz, dw) = (sin.seed::<Vec<f64>>("tx", 0), sin.seed::<Vec<f64>>("ty", 0));
    rows! {
        "complex_sin": pushforward(complex_sin::D, &[1.0, 0.0]) "derivative";
        "complex_sin": pushforward(complex_sin::D, &dz) "pushforward";
        "complex_sin": pullback(complex_sin::D, &dw) "pullback";
        "complex_square_gradient": pullback(complex_square::D, &[1.0, 0.0]) "gradient";
        "complex_abs2_gradient": gradient(complex_abs2::D) "gradient";
    }
}

/// The inner derivatives by a rule, and by dual numbers inside of a function over any number.
fn nesting(facts: &Facts, table: &mut Report) {
    let (confusion, third) = (facts.get("nest_confusion_2"), facts.get("nest_third_mixed"));
    let row = |fact: Fact<'_>| fact.value();
    let mut scenario = Scenario::derivative(slope_times::D, 3.0).named(confusion.id()).result(row(confusion));
    cells!(scenario, table);
    let mut scenario = Scenario::derivative(SlopeTimes, &3.0).named("nest_confusion_2, duals").result(row(confusion));
    cells!(scenario, table);
    let mut scenario = Scenario::derivative(MixedSlope, &0.5).named(third.id()).result(row(third));
    cells!(scenario, table);
}

/// Kinds of facts that are not about one backend's derivatives.
const LATER: &[(&str, &str)] = &[
    ("taylor", "tested in `tests/backends/taylor.rs`"),
    ("multivariate_taylor", "tested in `tests/backends/taylor.rs`"),
    ("fd_coefficients", "tested in `tests/backends/finite_differences.rs`"),
    ("jacobian_sparsity", "tested in `tests/sparsity`"),
    ("hessian_sparsity", "tested in `tests/sparsity`"),
    ("sparsity_counts", "tested in `tests/sparsity`"),
    ("coloring", "tested in `tests/colouring`"),
    ("coloring_reference", "matrices of SuiteSparse: `tests/colouring` makes two and reads the others where they are"),
];

fn others(facts: &Facts, table: &mut Report) {
    for fact in facts.all() {
        let (kind, outcome) = match fact.kind() {
            "derivative" | "complex" | "nesting" => {
                let tested = table.cells().iter().any(|cell| cell.scenario == fact.id());
                assert!(tested, "{} is not tested", fact.id());
                continue;
            }
            "behaviour" => ("behaviour", crate::behaviour::outcome(fact)),
            "batch_size" => ("batch_size", crate::behaviour::outcome(fact)),
            kind => {
                let (kind, reason) = LATER.iter().find(|(name, _)| *name == kind).expect("a row for every kind");
                (*kind, Outcome::NotApplicable((*reason).to_owned()))
            }
        };
        table.push(Entry { scenario: fact.id().to_owned(), operator: kind, backend: ANY.to_owned(), outcome });
    }
}
