//! Resets of cotangents: those that something reads stay.

use super::{dead_code, dead_derivative_code};
use crate::analysis::activity::activity;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::opt::normalize::rename::rename;
use crate::support::options::Options;

/// How many resets the adjoint has, before and after.
fn resets(source: &str) -> [usize; 2] {
    let item: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = dead_code(rename(lowered));
    let (mut joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    let before = count(&joint.body);
    dead_derivative_code(&joint.table, &mut [&mut joint.body]);
    [before, count(&joint.body)]
}

fn count(block: &Block) -> usize {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Derived(Derived::Clear { .. }) => 1,
        other => blocks(other).into_iter().map(count).sum(),
    };
    block.stmts.iter().map(of).sum()
}

#[test]
fn of_the_last_loop_over_a_vector() {
    let last = "fn f(x: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; n];
        for i in 0..n { v[i] = x[i] * x[i]; }
        let mut total = 0.0;
        for i in 0..n { total += v[i] * v[i]; }
        total
    }";
    assert_eq!(resets(last), [1, 0]);
}

#[test]
fn not_before_a_pop() {
    let overwritten = "fn f(x: &[f64]) -> f64 {
        let mut v = Vec::new();
        for i in 0..2 { v.push(x[i]); }
        for i in 0..4 { v[i % 2] = 0.5; }
        v[0] * x[1]
    }";
    assert_eq!(resets(overwritten), [1, 1]);
}

#[test]
fn not_where_the_next_iteration_reads() {
    let shifted = "fn f(x: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; n];
        for i in 1..n { v[i] = v[i - 1] * x[i]; }
        v[n - 1]
    }";
    let [before, after] = resets(shifted);
    assert_eq!(before, after);
}
