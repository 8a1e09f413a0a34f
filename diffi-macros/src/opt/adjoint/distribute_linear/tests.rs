//! Loops of adjoints that add up cotangents, and propagate the sums.

use super::distribute_linear;
use crate::ad::forward::Forward;
use crate::analysis::activity::activity;
use crate::ir::symbols::Table;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// How many arrays the adjoint adds up, and its tangent, where an iteration gets `y` from `x`, which is `p[..] - m[..]`.
fn added_up(iteration: &str) -> [usize; 2] {
    sums(&format!(
        "let mut x = vec![0.0; d]; let mut y = vec![0.0; d];
        for i in 0..d {{ x[i] = p[k * d + i] - m[i]; }}
        {iteration}
        for j in 0..d {{ total += y[j] * y[j]; }}"
    ))
}

fn sums(iteration: &str) -> [usize; 2] {
    let source = format!(
        "fn f(w: &[f64], m: &[f64], p: &[f64], n: usize, d: usize) -> f64 {{
            let mut total = 0.0;
            let mut x = vec![0.0; d];
            for k in 0..n {{ {iteration} }}
            total
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let options = Options { constant: vec![quote::format_ident!("p")], ..Options::default() };
    let lowered = crate::frontend::lower::lower(&options, &item, None).expect("the function is accepted");
    let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(
        crate::opt::normalize::array_rename::array_rename(lowered),
    ));
    let (mut joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    crate::opt::scalar::dead_code::dead_derivative_code(&joint.table, &mut [&mut joint.body]);
    let mut second = Forward::new(&function, joint.table.clone(), joint.activity.clone());
    joint.bars.values().copied().chain(joint.y_bar).for_each(|bar| second.external(bar));
    let body = second.block(&joint.body);
    [(joint.table, joint.body), (second.table, body)].map(|(mut table, mut body)| {
        let known = table.vars().len();
        distribute_linear(&mut table, &mut body);
        count(&table, &body, known)
    })
}

/// How many arrays are new and begin with zeros.
fn count(table: &Table, block: &Block, known: usize) -> usize {
    let new = |v: Var| v.0 as usize >= known && table.info(v).hint.ends_with("_sum");
    let of = |stmt: &Stmt| match stmt {
        Stmt::Derived(Derived::Zero { var, .. }) => usize::from(new(*var)),
        other => blocks(other).into_iter().map(|inner| count(table, inner, known)).sum(),
    };
    block.stmts.iter().map(of).sum()
}

const NEST: &str = "for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * x[i]; } }";

#[test]
fn what_goes_on_through_a_matrix_of_all_iterations() {
    assert_eq!(added_up(NEST), [1, 2]);
    assert_eq!(added_up("for i in 0..d { for j in 0..i { y[j] -= w[i * d + j] * x[i]; } }"), [1, 2]);
    assert_eq!(added_up(&format!("if d > 2 {{ {NEST} }}")), [1, 2]);
}

#[test]
fn rows_of_what_has_as_many() {
    let nest = |mean: &str| {
        sums(&format!(
            "for c in 0..4 {{
                let mut x = vec![0.0; d]; let mut y = vec![0.0; d];
                for i in 0..d {{ x[i] = p[k * d + i] - {mean}; }}
                {NEST}
                for j in 0..d {{ total += y[j] * y[j]; }}
            }}"
        ))
    };
    assert_eq!(nest("m[c * d + i]"), [1, 2]);
    assert_eq!(nest("m[i]")[0], 0);
}

#[test]
fn not_what_is_as_long_by_itself() {
    assert_eq!(added_up("for j in 0..d { y[j] = w[j] * x[j]; }"), [0, 0]);
}

#[test]
fn not_by_factors_of_a_iteration() {
    assert_eq!(added_up("for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * x[i] * p[k]; } }")[0], 0);
    assert_eq!(added_up("for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * x[i] * x[j]; } }")[0], 0);
    assert_eq!(added_up(&format!("if p[k] > 0.5 {{ {NEST} }}"))[0], 0);
    assert_eq!(added_up("for i in 0..k { for j in 0..d { y[j] += w[i * d + j] * x[i]; } }")[0], 0);
}

#[test]
fn not_where_iterations_hand_on() {
    let carried = "let mut x = vec![0.0; d]; for i in 0..d { x[i] = p[k * d + i] - m[i] * total; }
        let mut y = vec![0.0; d];";
    assert_eq!(sums(&format!("{carried} {NEST} for j in 0..d {{ total += y[j] * y[j]; }}"))[0], 0);
}

#[test]
fn not_where_a_condition_asks() {
    let x = "for i in 0..d { x[i] = p[k * d + i] - m[i]; }";
    let add = "for j in 0..d { total += w[i * d + j] * x[i]; }";
    assert_eq!(sums(&format!("{x} for i in 0..d {{ {add} }}")), [1, 1]);
    assert_eq!(sums(&format!("{x} for i in 0..d {{ if x[i] > 0.1 {{ {add} }} }}")), [0, 0]);
}
