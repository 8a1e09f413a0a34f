//! Additions to one element of a cotangent.

use super::combine_additions;
use crate::analysis::activity::activity;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// How many additions to elements the adjoint has, before and afterwards.
fn additions(body: &str) -> (usize, usize) {
    let (before, after) = adjoint(body);
    (before, count_of(&after.stmts))
}

/// How many additions the adjoint has before, and the adjoint afterwards.
fn adjoint(body: &str) -> (usize, Block) {
    let source = format!("fn f(x: &[f64], z: &[f64], n: usize) -> f64 {{ let mut s = 0.0; {body} s }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(lowered));
    let (mut joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    let before = count_of(&joint.body.stmts);
    combine_additions(&mut joint.table, &mut joint.activity, &mut joint.body);
    (before, joint.body)
}

fn count_of(stmts: &[Stmt]) -> usize {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } => usize::from(!place.path.is_empty()),
        other => blocks(other).into_iter().map(|inner| count_of(&inner.stmts)).sum(),
    };
    stmts.iter().map(of).sum()
}

#[test]
fn reads_of_one_element_are_one_addition() {
    assert_eq!(additions("for k in 0..n { s += x[k] * z[k] - x[k].sin() + z[k] * x[k] * x[k]; }"), (6, 2));
    assert_eq!(additions("for k in 1..n { s += x[k] * x[k - 1] - x[k].exp() * x[k - 1]; }"), (4, 2));
}

#[test]
fn different_elements_stay_apart() {
    assert_eq!(additions("for k in 1..n { s += x[k] * x[k - 1] * x[0]; }"), (3, 3));
    assert_eq!(additions("let mut k = 0; s += x[k].sin(); k += 1; s += x[k].cos();"), (2, 2));
}

#[test]
fn an_element_that_is_set_in_between_has_two_cotangents() {
    let set = "let mut a = vec![0.0; n]; a[0] = x[0]; s += a[0] * a[0].sin(); a[0] = x[1] * s; s += a[0] * z[0] + a[0].exp();";
    let (before, after) = additions(set);
    assert_eq!((before, after), (6, 5), "each value of the element has its own");
}

#[test]
fn blocks_have_additions_of_their_own() {
    assert_eq!(additions("s += x[0].sin(); if n > 1 { s += x[0].cos() * x[0]; } s += x[0].exp();"), (4, 2));
}

#[test]
fn an_addition_goes_behind_a_loop_that_adds_to_the_same_array() {
    let body = adjoint("s += x[0].sin(); for k in 0..n { s += x[k] * z[k]; } s += x[1].sin();").1;
    let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::For(_) | Stmt::Derived(Derived::Loop(_)));
    let last = body.stmts.iter().rposition(is_loop).expect("a loop");
    assert_eq!(count_of(&body.stmts[..last]), 0);
}
