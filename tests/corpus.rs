//! Every program at every point of `data/corpus.json`: values, first derivatives in both modes, Hessians.
//!
//! The expected numbers were computed with 60 digits. A Jacobian's rows are flattened outputs, its columns flattened
//! active arguments in their order; a Hessian is there where the program has one result.

#![allow(clippy::needless_range_loop)] // the programs are written as people write them

mod numbers;
mod programs;

use std::collections::BTreeMap;

use diffi::prelude::*;
use numbers::{Rows, flatten};
use serde_json::Value;

// A row is `result: module::function(role kind parameter, ..)`, where the result is `number` or `vector`, the role
// `active` or `constant`, and the kind `f64`, `f32`, `usize` or `slice`.
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
}

macro_rules! rows {
    ($($result:ident: $module:ident::$function:ident($($role:ident $kind:ident $parameter:ident),+);)+) => {
        $(
            #[test]
            fn $function() -> Result<()> {
                use programs::$module::$function as function;
                let expected = program(stringify!($module));
                for (number, point) in expected.points.iter().enumerate() {
                    let place = format!("{}, point {number}", stringify!($function));
                    $(let $parameter: owned!($kind) = point.input(stringify!($parameter));)+
                    let arguments = || ($(argument!($role $kind $parameter)),+);

                    let value = function($(plain!($kind $parameter)),+);
                    close(&place, "value", &flatten(value), &point.value, expected.rtol);

                    let forward = first_order!($result function, AutoForward, arguments());
                    close_rows(&place, "forward", &forward, &point.jacobian, expected.rtol);
                    let reverse = first_order!($result function, AutoReverse, arguments());
                    close_rows(&place, "reverse", &reverse, &point.jacobian, expected.rtol);

                    let second = second_order!($result function, arguments());
                    if let (Some(second), Some(rows)) = (second, &point.hessian) {
                        close_rows(&place, "hessian", &second, rows, 1e-8);
                    }
                }
                Ok(())
            }
        )+

        #[test]
        fn every_program_of_levels_1_and_2_has_a_row() {
            let rows = [$(stringify!($module)),+];
            let expected: Vec<String> =
                programs_of_file().into_keys().filter(|name| name.starts_with("l1_") || name.starts_with("l2_")).collect();
            assert_eq!(rows.as_slice(), expected);
        }
    };
}
use rows;

macro_rules! owned {
    (slice) => { Vec<f64> };
    ($number:ident) => { $number };
}
use owned;

macro_rules! plain {
    (slice $parameter:ident) => {
        &$parameter
    };
    ($number:ident $parameter:ident) => {
        $parameter
    };
}
use plain;

macro_rules! argument {
    (active $kind:ident $parameter:ident) => { plain!($kind $parameter) };
    (constant $kind:ident $parameter:ident) => { Constant(plain!($kind $parameter)) };
}
use argument;

macro_rules! first_order {
    (number $function:ident, $backend:expr, $arguments:expr) => {
        vec![flatten(gradient($function::D, $backend, $arguments)?)]
    };
    (vector $function:ident, $backend:expr, $arguments:expr) => {
        jacobian($function::D, $backend, $arguments)?.to_rows()
    };
}
use first_order;

macro_rules! second_order {
    (number $function:ident, $arguments:expr) => {
        Some(hessian($function::D, SecondOrder(AutoForward, AutoReverse), $arguments)?.to_rows())
    };
    (vector $function:ident, $arguments:expr) => {
        None::<Vec<Vec<f64>>>
    };
}
use second_order;

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

impl Input for Vec<f64> {
    fn read(value: &Value) -> Vec<f64> {
        numbers(value)
    }
}

fn close_rows(place: &str, what: &str, got: &[Vec<f64>], expected: &[Vec<f64>], rtol: f64) {
    assert_eq!(got.len(), expected.len(), "{place}: rows of {what}");
    for (got, expected) in got.iter().zip(expected) {
        close(place, what, got, expected, rtol);
    }
}

fn close(place: &str, what: &str, got: &[f64], expected: &[f64], rtol: f64) {
    let all_close =
        got.len() == expected.len() && got.iter().zip(expected).all(|(g, e)| (g - e).abs() <= rtol * e.abs().max(1.0));
    assert!(all_close, "{place}: {what} is {got:?}, but should be {expected:?}");
}
