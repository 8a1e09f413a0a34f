//! Which loops run four trips at a time.

use super::Nest;
use crate::ir::*;
use crate::options::Options;
use crate::table::Table;
use crate::walk::blocks;

/// Whether a loop of the function's own is taken.
fn is_taken(body: &str) -> bool {
    let source = format!("fn f(a: &[f64], x: &[f64], y: &mut [f64], m: usize, n: usize) {{ {body} }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::parse::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::versions::versions(lowered);
    any(&Table::of(&function), &function.body)
}

fn any(table: &Table, block: &Block) -> bool {
    block
        .stmts
        .iter()
        .any(|stmt| Nest::of(table, stmt).is_some() || blocks(stmt).into_iter().any(|inner| any(table, inner)))
}

#[test]
fn sums_of_rows() {
    assert!(is_taken(
        "for i in 0..m { let mut z = 0.0; for k in 0..n { z += a[i * n..(i + 1) * n][k] * x[k]; } y[i] = z; }"
    ));
    assert!(is_taken(
        "for (y, row) in y.iter_mut().zip(a.chunks_exact(n)) {
        let z: f64 = row.iter().zip(x).map(|(a, x)| a * x).sum();
        *y = z.exp();
    }"
    ));
}

#[test]
fn sums_of_columns() {
    assert!(is_taken("for i in 0..n { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
}

#[test]
fn not_a_sum_through_all_trips() {
    assert!(!is_taken(
        "let mut z = 0.0; for i in 0..m { for k in 0..n { z += a[i * n..(i + 1) * n][k] * x[k]; } } y[0] = z;"
    ));
}

#[test]
fn not_what_later_trips_read() {
    assert!(!is_taken(
        "for i in 0..n { let mut z = 0.0; for k in 0..n { z += a[i * n..(i + 1) * n][k] * y[k]; } y[i] = z; }"
    ));
    assert!(!is_taken(
        "for i in 0..m { let mut z = y[0]; for k in 0..n { z += a[i * n..(i + 1) * n][k] * x[k]; } y[0] = z; }"
    ));
    assert!(!is_taken("for i in 0..m { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * y[i]; } }"));
}

#[test]
fn not_other_writes_than_sums() {
    assert!(!is_taken("for i in 0..n { for k in 0..m { y[k] = a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(!is_taken("for i in 0..n { for k in 0..m { y[k] += a[k]; y[k] -= x[i]; } }"));
}

#[test]
fn not_rows_that_grow_shorter() {
    assert!(!is_taken("for i in 0..n { for k in 0..m - i { y[i..][k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
}

#[test]
fn not_backwards_or_in_steps() {
    assert!(!is_taken("for i in (0..n).rev() { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(!is_taken("for i in (0..n).step_by(2) { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(!is_taken("for i in 0..n { for k in (0..m).rev() { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
}
