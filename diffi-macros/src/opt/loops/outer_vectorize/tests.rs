//! Loops of adjoints that are vectorized over their outer iterations.

use super::Iteration;
use crate::ad::forward::Forward;
use crate::analysis::activity::activity;
use crate::ir::symbols::Table;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// Whether a loop of the adjoint is taken, in which the array `y` is an iteration's own; the same is true of the adjoint with tangents.
fn is_taken(iteration: &str) -> bool {
    any_taken(&format!("let mut y = vec![0.0; d]; {iteration} total += y[0] * y[0];"))
}

/// The same, where an iteration has no arrays.
fn any_taken(iteration: &str) -> bool {
    fn any(table: &Table, block: &Block) -> bool {
        let inside = |stmt| blocks(stmt).into_iter().any(|inner| any(table, inner));
        block.stmts.iter().any(|stmt| Iteration::of(table, stmt).is_some() || inside(stmt))
    }
    let (joint, second) = adjoints(iteration);
    let taken = any(&joint.0, &joint.1);
    assert_eq!(taken, any(&second.0, &second.1), "with tangents: {iteration}");
    taken
}

/// The adjoint of a function with such a loop, and that with tangents.
fn adjoints(iteration: &str) -> ((Table, Block), (Table, Block)) {
    let source = format!(
        "fn f(w: &[f64], x: &[f64], n: usize, d: usize) -> f64 {{
            let mut total = 0.0;
            for p in 0..n {{ {iteration} }}
            total
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(
        crate::opt::normalize::array_rename::array_rename(lowered),
    ));
    let (joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    let mut second = Forward::new(&function, joint.table.clone(), joint.activity.clone());
    joint.bars.values().copied().chain(joint.y_bar).for_each(|bar| second.external(bar));
    let body = second.block(&joint.body);
    ((joint.table, joint.body), (second.table, body))
}

/// How many iterations of a loop go abreast, in the adjoint and in that with tangents.
fn widths(iteration: &str) -> [usize; 2] {
    fn first(table: &Table, block: &Block) -> Option<usize> {
        let inside = |stmt| blocks(stmt).into_iter().find_map(|inner| first(table, inner));
        block
            .stmts
            .iter()
            .find_map(|stmt| Iteration::of(table, stmt).map(|iteration| iteration.width).or_else(|| inside(stmt)))
    }
    let (joint, second) = adjoints(iteration);
    [joint, second].map(|(table, body)| first(&table, &body).expect("the loop fits"))
}

#[test]
fn products_with_a_matrix_of_all_iterations() {
    assert!(is_taken("for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * w[i]; } }"));
    assert!(is_taken("for i in 0..d { let a = 2.0 * x[p * d + i]; for j in 0..i { y[j] += w[i * d + j] * a; } }"));
    assert!(is_taken("if d > 2 { for i in 0..d { for j in 0..y.len() { y[j] += w[i * d + j]; } } }"));
}

#[test]
fn numbers_alone_by_one_loop() {
    assert!(any_taken("let t = p as f64; let mut s = 0.0; for j in 0..d { s += w[j] * t; } total += s * s;"));
    assert!(any_taken(
        "let t = if p > 2 { 1.0 } else { p as f64 }; let mut s = 0.0; for j in 0..d { s += w[j] * t; } total += s;"
    ));
    assert!(!any_taken(
        "let t = if p > 2 { random() } else { 0.0 }; let mut s = 0.0; for j in 0..d { s += w[j] * t; } total += s;"
    ));
    assert!(!any_taken("let mut s = 0.0; for j in 0..d { s += w[j] * x[p * d + j]; } total += s * s;"));
}

#[test]
fn what_a_loop_keeps_for_each_iteration() {
    let powers =
        "let t = p as f64; let mut power = 1.0; let mut s = 0.0; for j in 0..d { s += w[j] * power; power *= t; }";
    assert!(any_taken(&format!("{powers} total += s * s;")));
    assert!(any_taken("let t = p as f64; let mut s = 1.0; for j in 0..d { s = s * w[j] + t; } total += s;"));
}

#[test]
fn not_where_lanes_would_be_collected() {
    assert!(!is_taken("for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * x[p * d + i]; } }"));
    assert!(!is_taken("for i in 0..d { for j in 0..d { y[j] += x[p * d + j]; } }"));
    assert!(!is_taken("let a = 2.0 * x[p]; for i in 0..d { y[i] += w[i] * a; }"));
}

#[test]
fn not_where_iterations_differ() {
    assert!(!is_taken("for i in 0..p { for j in 0..d { y[j] += w[i * d + j]; } }"));
    assert!(!is_taken("if x[p] > 0.0 { for i in 0..d { for j in 0..d { y[j] += w[i * d + j]; } } }"));
}

#[test]
fn not_where_sums_would_grow_in_another_order() {
    assert!(!is_taken("for i in 0..d { for j in 0..d { y[j] += w[i * d + j]; } total += y[i]; }"));
    assert!(!is_taken("for i in 0..d { for j in 0..d { y[j] += w[i * d + j]; } } total += w[0];"));
}

#[test]
fn not_what_may_be_different_each_time() {
    assert!(!is_taken("let a = random(); for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * a; } }"));
}

#[test]
fn many_where_loops_have_little_at_hand_for_a_iteration() {
    let sums = |more: &str| {
        format!(
            "let t = p as f64; let (mut s, mut r) = (0.0, 1.0); for j in 0..d {{ s += w[j] * t; {more} }} total += s * r;"
        )
    };
    assert_eq!(widths(&sums("")), [8, 4]);
    assert_eq!(widths(&sums("r -= w[j] * w[j] * t;")), [4, 4]);
    let product = "for i in 0..d { for j in 0..d { y[j] += w[i * d + j] * t; } }";
    assert_eq!(widths(&format!("let t = p as f64; let mut y = vec![0.0; d]; {product} total += y[0] * y[0];")), [8, 8]);
}
