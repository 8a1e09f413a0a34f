//! Which loops of adjoints go abreast.

use super::Trip;
use crate::activity::activity;
use crate::forward::Forward;
use crate::ir::*;
use crate::options::Options;
use crate::table::Table;
use crate::walk::blocks;

/// Whether a loop of the adjoint is taken, in which the array `y` is a trip's own; the same is true of the adjoint with tangents.
fn is_taken(trip: &str) -> bool {
    any_taken(&format!("let mut y = vec![0.0; d]; {trip} total += y[0] * y[0];"))
}

/// The same, where a trip has no arrays.
fn any_taken(trip: &str) -> bool {
    fn any(table: &Table, block: &Block) -> bool {
        let inside = |stmt| blocks(stmt).into_iter().any(|inner| any(table, inner));
        block.stmts.iter().any(|stmt| Trip::of(table, stmt).is_some() || inside(stmt))
    }
    let source = format!(
        "fn f(w: &[f64], x: &[f64], n: usize, d: usize) -> f64 {{
            let mut total = 0.0;
            for p in 0..n {{ {trip} }}
            total
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::parse::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::versions::versions(crate::sink::sink(lowered));
    let (joint, _) = crate::reverse::adjoints(&function, &activity(&function));
    let taken = any(&joint.table, &joint.body);
    let mut second = Forward::new(&function, joint.table.clone(), joint.activity.clone());
    joint.bars.values().copied().chain(joint.y_bar).for_each(|bar| second.external(bar));
    let body = second.block(&joint.body);
    assert_eq!(taken, any(&second.table, &body), "with tangents: {trip}");
    taken
}

#[test]
fn products_with_a_matrix_of_all_trips() {
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
fn what_a_loop_keeps_for_each_trip() {
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
fn not_where_trips_differ() {
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
