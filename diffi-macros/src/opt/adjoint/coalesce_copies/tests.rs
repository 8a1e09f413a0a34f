//! Cotangents of copies.

use super::coalesce_copies;
use crate::analysis::activity::activity;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::opt::differentiate::normalized;
use crate::opt::dump::Dump;
use crate::support::options::Options;

/// How many cotangents the adjoint has, of vectors, that begin with zeros inside of loops, before and afterwards.
fn zeros(body: &str) -> (usize, usize) {
    let source = format!(
        "fn f(x: &[f64], n: usize) -> f64 {{
            let (mut u, mut s) = (x.to_vec(), 0.0);
            for _ in 0..n {{ {body} }}
            s + u.iter().sum::<f64>()
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = normalized(lowered, &Dump::default());
    let (mut joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    let before = count(&joint.body, false);
    coalesce_copies(&joint.table, &joint.activity, &mut joint.body);
    (before, count(&joint.body, false))
}

fn count(block: &Block, inside: bool) -> usize {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Derived(Derived::Zero { .. }) => usize::from(inside),
        other => blocks(other).into_iter().map(|inner| count(inner, true)).sum(),
    };
    block.stmts.iter().map(of).sum()
}

#[test]
fn the_copy_of_a_level_shares_its_cotangent() {
    let (before, after) =
        zeros("let mut v = vec![0.0; n]; for i in 1..n { v[i] = u[i] * u[i - 1] + u[i].sin(); } u = v;");
    assert_eq!(before, after + 1);
    let (before, after) = zeros("let old = u.clone(); for i in 1..n { u[i] = old[i] * old[i - 1]; }");
    assert!(before >= after, "{before} {after}");
}

#[test]
fn a_copy_that_outlives_a_change_of_the_original_has_its_own() {
    let (before, after) =
        zeros("let old = u.clone(); for i in 0..n { u[i] *= 2.0; } for i in 0..n { s += old[i] * u[i]; }");
    assert_eq!(before, after);
}
