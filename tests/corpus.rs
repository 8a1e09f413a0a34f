//! Every program at every point of `data/corpus.json`: values, first derivatives in both modes, Hessians, and where these have entries.
//!
//! The expected numbers were computed with 60 digits. A Jacobian's rows are flattened outputs, its columns flattened
//! active arguments in their order; a Hessian is there where the program has one result.

#![allow(clippy::needless_range_loop)] // the programs are written as people write them

mod numbers;
mod programs;
mod table;

use std::collections::BTreeMap;

use diffi::prelude::*;
use ndarray::Array2;
use numbers::{Rows, flatten};
use serde_json::Value;

// A row is `result: module::function(role kind parameter, ..)`, where the result is `number`, `vector`, or `output` for what is
// written to an `out` parameter; the role is `active`, `constant`, `cache` or `out`; the kinds are named below (`owned!`).
rows! {
    number: l1_arm_reach::arm_reach(active f64 t1, active f64 t2, constant f64 l1, constant f64 l2);
    number: l1_dew_point::dew_point(active f64 temp_c, active f64 rel_humidity);
    number: l1_haversine::haversine(active f64 lat1, active f64 lon1, active f64 lat2, active f64 lon2);
    number: l1_inverse_functions::inverse_functions(active f64 x);
    number: l1_logit_f32::logit_f32(active f32 p, active f32 scale);
    vector: l1_rosette::rosette(active f64 theta, active f64 k);
    number: l1_smoothstep::smoothstep(active f64 x, constant f64 lo, constant f64 hi);
    number: l1_softplus::softplus(active f64 x);
    number: l2_beale::beale(active slice x);
    vector: l2_broyden_banded::broyden_banded(active slice x);
    vector: l2_discrete_boundary_value::discrete_boundary_value(active slice x);
    number: l2_kl_divergence::kl_divergence(active slice p, active slice q);
    number: l2_leading_run::leading_run(active slice x);
    number: l2_logistic_nll::logistic_nll(active slice w, constant slice features, constant slice labels);
    number: l2_sine_series::sine_series(active f64 x, constant usize n);
    number: l2_softmax_cross_entropy::softmax_cross_entropy(active slice logits, constant usize label);
    number: l2_total_variation::total_variation(active slice signal, constant f64 eps);
    number: l2_watson::watson(active slice x);
    number: l2_wood::wood(active slice x);
    number: l3_backtracking::backtracking(active f64 a, active f64 b, active f64 start);
    vector: l3_conjugate_gradient::conjugate_gradient(active slice a, active slice b);
    number: l3_euler_logistic::euler_logistic(active f64 y0, active f64 rate, active f64 capacity, constant usize steps);
    number: l3_fixed_point::fixed_point(active f64 a, active f64 b);
    vector: l3_heat_explicit::heat_explicit(active slice u0, active f64 alpha, constant usize steps);
    vector: l3_leapfrog_nbody::leapfrog_nbody(active slice pos0, active slice vel0, active slice mass, constant f64 dt, constant usize steps);
    vector: l3_max_pool::max_pool(active slice x, constant usize size);
    number: l3_neville::neville(constant slice xs, active slice ys, active f64 x);
    number: l3_quantile::quantile(active slice sample, active f64 level);
    number: l3_romberg::romberg(active f64 a, active f64 b, active f64 k);
    number: l3_rpn_program::rpn_program(active slice x, constant indices code);
    number: l3_shuffle_weigh::shuffle_weigh(active slice x);
    number: l4_american_put::american_put(active f64 spot, active f64 vol, active f64 rate, active f64 expiry, constant f64 strike, constant usize steps);
    number: l4_cubic_spline::cubic_spline(constant slice xs, active slice ys, active f64 x);
    vector: l4_implicit_euler::implicit_euler(active pair y0, active f64 mu, constant f64 dt, constant usize steps);
    number: l4_neo_hookean::neo_hookean(active matrix f, constant f64 mu, constant f64 lambda);
    number: l4_optional_state::optional_state(active slice x, active f64 rate);
    number: l4_path_smoothing::path_smoothing(active points way, active f64 radius, constant points obstacles, constant pair start, constant pair goal);
    number: l4_pnorm::pnorm(active triple x, active f64 p);
    output: l4_reaction_rates::reaction_rates(active slice conc, active slice k, out buffer rates);
    vector: l4_robot_arm::robot_arm(active slice angles, constant slice lengths);
    number: l4_scratch_features::scratch_features(active slice x, active slice freq, active slice w, cache buffer buf);
    number: l4_stack_quadrature::stack_quadrature(active f64 upper, active f64 sharp);
    number: l4_tikhonov::tikhonov(active slice x, active slice a, active slice b, constant usize cols, constant option reg);
    vector: l5_nd_softmax_rows::nd_softmax_rows(active table x);
}

/// A program's name and its test.
type Named = (&'static str, fn() -> Result<()>);

macro_rules! rows {
    ($($result:ident: $module:ident::$function:ident($($role:ident $kind:ident $parameter:ident),+);)+) => {
        $(
            #[test]
            fn $function() -> Result<()> {
                use programs::$module::$function as function;
                let expected = program(stringify!($module));
                let here = expected.points.iter().enumerate().filter(|(_, p)| {
                    $(<owned!($kind) as Input>::fits(&p.inputs[stringify!($parameter)]))&&+
                });
                for (number, point) in here {
                    let place = format!("{}, point {number}", stringify!($function));
                    $(#[allow(unused_mut)] let mut $parameter: owned!($kind) = point.input(stringify!($parameter));)+

                    let value = function($(plain!($kind $parameter)),+);
                    let value = value!($result value $($role $parameter),+);
                    close(&place, "value", &value, &point.value, expected.rtol);

                    let forward = first_order!($result function, AutoForward, ($(argument!($role $kind $parameter)),+));
                    close_rows(&place, "forward", &forward, &point.jacobian, expected.rtol);
                    let reverse = first_order!($result function, AutoReverse, ($(argument!($role $kind $parameter)),+));
                    close_rows(&place, "reverse", &reverse, &point.jacobian, expected.rtol);

                    let found = jacobian_sparsity(function::D, TracerLocalSparsityDetector, ($(argument!($role $kind $parameter)),+))?;
                    covers(&place, "Jacobian", &found, &forward);

                    let second = second_order!($result function, ($(argument!($role $kind $parameter)),+));
                    if let (Some(second), Some(rows)) = (&second, &point.hessian) {
                        close_rows(&place, "hessian", second, rows, 1e-8);
                    }
                    let found = bent!($result function, ($(argument!($role $kind $parameter)),+));
                    if let (Some(second), Some(found)) = (&second, &found) {
                        covers(&place, "Hessian", found, second);
                    }
                }
                Ok(())
            }
        )+

        #[allow(dead_code, reason = "one of several lists")]
        pub(crate) const PROGRAMS: &[Named] = &[$((stringify!($module), $function)),+];
    };
}
use rows;

#[cfg(feature = "nalgebra")]
mod nalgebra_types {
    use super::*;

    rows! {
        vector: l5_na_frames::na_frames(active three angles, active vector3 shift, constant vector3 point);
        number: l5_na_linear_solve::na_linear_solve(active dmatrix a, active dvector b);
        vector: l5_na_orbit::na_orbit(active vector3_ref r, active vector3_ref v, constant f64 mu);
        number: l5_na_quadratic_form::na_quadratic_form(active dvector x, active dmatrix a, active dvector b);
    }
}

/// All but these need a feature.
#[test]
fn every_program_has_a_row() {
    let others = |name: &String| !name.starts_with("l5_na_");
    let expected = programs_of_file().into_keys().filter(others);
    let names: Vec<&str> = PROGRAMS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, expected.collect::<Vec<_>>());
}

/// Every program once more, for the tables of what is accepted and refused.
#[test]
fn the_book_says_what_the_tests_say() {
    let mut outcomes = table::Outcomes { right: Vec::new(), wrong: Vec::new() };
    let mut run = |programs: &[Named]| {
        for (name, test) in programs {
            let right = std::panic::catch_unwind(test).is_ok_and(|result| result.is_ok());
            if right { &mut outcomes.right } else { &mut outcomes.wrong }.push((*name).to_owned());
        }
    };
    run(PROGRAMS);
    #[cfg(feature = "nalgebra")]
    run(nalgebra_types::PROGRAMS);
    let tables =
        [("levels", table::levels(&outcomes)), ("features", table::features(&outcomes)), ("refused", table::refused())];
    tables.iter().for_each(|(_, table)| println!("{table}"));
    println!("{} programs run, wrong: {:?}", outcomes.right.len() + outcomes.wrong.len(), outcomes.wrong);
    assert!(outcomes.wrong.is_empty());
    table::check(&tables);
}

/// The same function for arrays of another length.
mod of_four {
    use super::*;

    rows! {
        number: l4_pnorm::pnorm(active quadruple x, active f64 p);
    }
}

macro_rules! owned {
    (slice) => { Vec<f64> };
    (buffer) => { Vec<f64> };
    (indices) => { Vec<usize> };
    (points) => { Vec<[f64; 2]> };
    (pair) => { [f64; 2] };
    (triple) => { [f64; 3] };
    (three) => { [f64; 3] };
    (quadruple) => { [f64; 4] };
    (matrix) => { [[f64; 3]; 3] };
    (option) => { Option<f64> };
    (table) => { Array2<f64> };
    (vector3) => { nalgebra::Vector3<f64> };
    (vector3_ref) => { nalgebra::Vector3<f64> };
    (dvector) => { nalgebra::DVector<f64> };
    (dmatrix) => { nalgebra::DMatrix<f64> };
    ($number:ident) => { $number };
}
use owned;

macro_rules! plain {
    (f64 $parameter:ident) => {
        $parameter
    };
    (f32 $parameter:ident) => {
        $parameter
    };
    (usize $parameter:ident) => {
        $parameter
    };
    (pair $parameter:ident) => {
        $parameter
    };
    (vector3 $parameter:ident) => {
        $parameter
    };
    (three $parameter:ident) => {
        $parameter
    };
    (option $parameter:ident) => {
        $parameter
    };
    (buffer $parameter:ident) => {
        &mut $parameter
    };
    ($by_reference:ident $parameter:ident) => {
        &$parameter
    };
}
use plain;

macro_rules! argument {
    (constant $kind:ident $parameter:ident) => { Constant(plain!($kind $parameter)) };
    (cache $kind:ident $parameter:ident) => { Cache(plain!($kind $parameter)) };
    ($role:ident $kind:ident $parameter:ident) => { plain!($kind $parameter) };
}
use argument;

macro_rules! value {
    (output $value:ident $($role:ident $parameter:ident),+) => {{
        let () = $value;
        let mut written = Vec::new();
        $(written.extend(written!($role $parameter));)+
        written
    }};
    ($result:ident $value:ident $($role:ident $parameter:ident),+) => { flatten($value) };
}
use value;

macro_rules! written {
    (out $parameter:ident) => {
        $parameter.clone()
    };
    ($role:ident $parameter:ident) => {
        Vec::<f64>::new()
    };
}
use written;

macro_rules! first_order {
    (number $function:ident, $backend:expr, $arguments:expr) => {
        vec![flatten(gradient($function::D, $backend, $arguments)?)]
    };
    ($vector:ident $function:ident, $backend:expr, $arguments:expr) => {
        jacobian($function::D, $backend, $arguments)?.to_rows()
    };
}
use first_order;

macro_rules! second_order {
    (number $function:ident, $arguments:expr) => {
        Some(hessian($function::D, SecondOrder(AutoForward, AutoReverse), $arguments)?.to_rows())
    };
    ($vector:ident $function:ident, $arguments:expr) => {
        None::<Vec<Vec<f64>>>
    };
}
use second_order;

macro_rules! bent {
    (number $function:ident, $arguments:expr) => {
        Some(hessian_sparsity($function::D, TracerLocalSparsityDetector, $arguments)?)
    };
    ($vector:ident $function:ident, $arguments:expr) => {
        None::<Pattern>
    };
}
use bent;

struct Program {
    rtol: f64,
    points: Vec<Point>,
}

struct Point {
    inputs: Value,
    value: Vec<f64>,
    jacobian: Vec<Vec<f64>>,
    hessian: Option<Vec<Vec<f64>>>,
}

fn programs_of_file() -> BTreeMap<String, Value> {
    serde_json::from_str(include_str!("data/corpus.json")).unwrap()
}

fn program(name: &str) -> Program {
    let row = &programs_of_file()[name];
    let points = row["points"].as_array().unwrap().iter().map(|point| Point {
        inputs: point["inputs"].clone(),
        value: numbers(&point["value"]),
        jacobian: matrix(&point["jacobian"]),
        hessian: point.get("hessian").map(matrix),
    });
    Program { rtol: row["rtol"].as_f64().unwrap(), points: points.collect() }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn matrix(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().unwrap().iter().map(numbers).collect()
}

impl Point {
    fn input<T: Input>(&self, parameter: &str) -> T {
        T::read(&self.inputs[parameter])
    }
}

trait Input {
    fn read(value: &Value) -> Self;

    /// Whether the value is one of this type.
    fn fits(_: &Value) -> bool {
        true
    }
}

impl Input for f64 {
    fn read(value: &Value) -> f64 {
        value.as_f64().unwrap()
    }
}

impl Input for f32 {
    fn read(value: &Value) -> f32 {
        value.as_f64().unwrap() as f32
    }
}

impl Input for usize {
    fn read(value: &Value) -> usize {
        value.as_u64().unwrap() as usize
    }
}

impl<T: Input> Input for Vec<T> {
    fn read(value: &Value) -> Vec<T> {
        value.as_array().unwrap().iter().map(T::read).collect()
    }
}

impl<T: Input, const N: usize> Input for [T; N] {
    fn read(value: &Value) -> [T; N] {
        std::array::from_fn(|i| T::read(&value[i]))
    }

    fn fits(value: &Value) -> bool {
        value.as_array().unwrap().len() == N
    }
}

impl Input for Array2<f64> {
    fn read(value: &Value) -> Array2<f64> {
        let rows = matrix(value);
        Array2::from_shape_fn((rows.len(), rows[0].len()), |(i, j)| rows[i][j])
    }
}

#[cfg(feature = "nalgebra")]
impl Input for nalgebra::Vector3<f64> {
    fn read(value: &Value) -> Self {
        nalgebra::Vector3::from_iterator(numbers(value))
    }
}

#[cfg(feature = "nalgebra")]
impl Input for nalgebra::DVector<f64> {
    fn read(value: &Value) -> Self {
        nalgebra::DVector::from_vec(numbers(value))
    }
}

#[cfg(feature = "nalgebra")]
impl Input for nalgebra::DMatrix<f64> {
    fn read(value: &Value) -> Self {
        let rows = matrix(value);
        nalgebra::DMatrix::from_fn(rows.len(), rows[0].len(), |i, j| rows[i][j])
    }
}

impl<T: Input> Input for Option<T> {
    fn read(value: &Value) -> Option<T> {
        (!value.is_null()).then(|| T::read(value))
    }
}

fn close_rows(place: &str, what: &str, got: &[Vec<f64>], expected: &[Vec<f64>], rtol: f64) {
    assert_eq!(got.len(), expected.len(), "{place}: rows of {what}");
    for (got, expected) in got.iter().zip(expected) {
        close(place, what, got, expected, rtol);
    }
}

/// Whether a pattern has every entry of a matrix that is not zero.
fn covers(place: &str, what: &str, pattern: &Pattern, rows: &[Vec<f64>]) {
    assert_eq!(pattern.shape(), (rows.len(), rows.first().map_or(pattern.columns(), Vec::len)), "{place}: {what}");
    for (i, row) in rows.iter().enumerate() {
        let lacking = row.iter().enumerate().find(|(j, value)| **value != 0.0 && !pattern.contains(i, *j));
        assert_eq!(lacking, None, "{place}: row {i} of the {what}'s pattern");
    }
}

fn close(place: &str, what: &str, got: &[f64], expected: &[f64], rtol: f64) {
    let all_close =
        got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| (g - e).abs() <= rtol * e.abs().max(1.0));
    assert!(all_close, "{place}: {what} is {got:?}, but should be {expected:?}");
}
