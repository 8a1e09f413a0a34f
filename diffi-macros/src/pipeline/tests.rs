//! What three functions become: the IR behind the passes, and the code of one of them.
//!
//! After a change, look at the difference, and accept it with `INSTA_UPDATE=always cargo test -p diffi-macros`.

use super::*;
use crate::ir::print;
use quote::quote;

const PRODUCT: &str = "fn product(x: f64, y: f64) -> f64 { x.sin() * y }";

const SQUARES: &str = "fn squares(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += v * v;
    }
    total
}";

const SMOOTHED: &str = "fn smoothed(x: &mut [f64], rate: f64) {
    for i in 1..x.len() {
        if x[i] > x[i - 1] {
            x[i] = x[i - 1] + rate * x[i];
        }
    }
}";

const LAYER: &str = "fn layer(w: &[f64], x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..y.len() {
        let mut z = 0.0;
        for k in 0..n {
            z += w[i * n..(i + 1) * n][k] * x[k];
        }
        y[i] = z.tanh();
    }
}";

const PAIRS: &str = "fn pairs(x: &[f64], y: &mut [f64], p: f64) {
    for i in 0..x.len() / 2 {
        for j in 0..i {
            y[2 * i] += x[2 * i] * p * x[2 * j + 1];
            y[2 * j + 1] -= x[2 * i] * p * x[2 * j];
        }
    }
}";

const RECURRENCE: &str = "fn recurrence(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..3 {
        y = x * y.sin();
    }
    y
}";

const SEARCH: &str = "fn search(x: f64) -> f64 {
    let mut y = x;
    for _ in 0..20 {
        y = x * y.sin();
        if y < 0.5 {
            break;
        }
    }
    y
}";

/// The function as the transforms see it, and its derivative code after the last pass.
fn stages(source: &str) -> String {
    let (options, dump) = (Options::default(), Dump::default());
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    let function = normal(&options, &item, None, &dump).expect("the function is accepted");
    let wanted = Wanted { again: true, second: false };
    let mut code = derivatives(&function, &activity(&function), wanted, &dump);
    format!("// function\n{}\n{}", print::function(&function), crate::opt::dump::text(&function, &mut code))
}

#[test]
fn stages_of_a_formula() {
    insta::assert_snapshot!(stages(PRODUCT));
}

#[test]
fn stages_of_a_loop() {
    insta::assert_snapshot!(stages(SQUARES));
}

#[test]
fn stages_of_changes_in_a_branch() {
    insta::assert_snapshot!(stages(SMOOTHED));
}

#[test]
fn stages_of_a_nest() {
    insta::assert_snapshot!(stages(LAYER));
}

#[test]
fn stages_of_pairs() {
    insta::assert_snapshot!(stages(PAIRS));
}

#[test]
fn stages_of_a_few_iterations() {
    insta::assert_snapshot!(stages(SEARCH));
}

fn code(source: &str) -> String {
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    let tokens = compile(&Options::default(), &item, &quote!(::diffi)).expect("the function is accepted");
    let file = syn::parse2(tokens).expect("generated code is Rust");
    prettyplease::unparse(&file)
}

#[test]
fn code_of_a_formula() {
    insta::assert_snapshot!(code(PRODUCT));
}

#[test]
fn code_of_two_sweeps_that_begin_and_end_as_one_does() {
    insta::assert_snapshot!(code(RECURRENCE));
}
