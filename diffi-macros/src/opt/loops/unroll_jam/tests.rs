//! Loops that are jammed, four iterations at a time.

use super::{Nest, unroll_jam};
use crate::ir::symbols::Table;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// A function with this body, as transforms see it.
fn lowered(body: &str) -> Function {
    let source = format!("fn f(a: &[f64], x: &[f64], y: &mut [f64], m: usize, n: usize) {{ {body} }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(lowered))
}

/// Whether a loop of the function's own is taken.
fn is_taken(body: &str) -> bool {
    let function = lowered(body);
    any(&Table::of(&function), &function.body)
}

fn any(table: &Table, block: &Block) -> bool {
    block
        .stmts
        .iter()
        .any(|stmt| Nest::of(table, stmt).is_some() || blocks(stmt).into_iter().any(|inner| any(table, inner)))
}

/// Whether a nest has a second version, for inner loops of different lengths.
fn has_two_versions(body: &str) -> bool {
    fn any_else(block: &Block) -> bool {
        let is_one = |s: &Stmt| matches!(s, Stmt::If { els, .. } if !els.stmts.is_empty());
        block.stmts.iter().any(|s| is_one(s) || blocks(s).into_iter().any(any_else))
    }
    assert!(is_taken(body));
    let mut function = lowered(body);
    unroll_jam(&mut Table::of(&function), &mut function.body);
    any_else(&function.body)
}

#[test]
fn lengths_that_are_plainly_the_same() {
    assert!(!has_two_versions(
        "for i in 0..m { let mut z = 0.0; for k in 0..x.len() { z += a[i * n..(i + 1) * n][k] * x[k]; } y[i] = z; }"
    ));
    assert!(has_two_versions(
        "for i in 0..m { let mut z = 0.0; for k in 0..i { z += a[i * n..(i + 1) * n][k] * x[k]; } y[i] = z; }"
    ));
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
fn not_a_sum_through_all_iterations() {
    assert!(!is_taken(
        "let mut z = 0.0; for i in 0..m { for k in 0..n { z += a[i * n..(i + 1) * n][k] * x[k]; } } y[0] = z;"
    ));
}

#[test]
fn not_what_later_iterations_read() {
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
fn triangles_that_end_together() {
    assert!(is_taken("for i in 0..n { for k in 0..m - i { y[i..][k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(is_taken("for i in 0..n { for k in i + 1..n { y[k] += a[i * n..(i + 1) * n][k] * x[i]; } }"));
    assert!(is_taken(
        "for i in 0..n {
        let mut z = 0.0;
        for k in i..n { z += a[i * n..(i + 1) * n][k] * x[k]; }
        y[i] = z;
    }"
    ));
}

#[test]
fn rows_that_are_only_read_lie_as_they_like() {
    assert!(is_taken("for i in 0..n { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i..][k]; } }"));
    assert!(is_taken("for i in 0..n { for k in 0..m - i { y[i..][k] += a[k] * x[i]; } }"));
    assert!(is_taken(
        "for i in 0..m { let mut z = 0.0; for k in 0..n { z += a[i * n..(i + 1) * n][k] * x[i..][k]; } y[i] = z; }"
    ));
}

#[test]
fn not_rows_that_lie_to_each_other_in_two_ways() {
    assert!(!is_taken("for i in 0..n { for k in i..n { y[i..][k] += a[i * n..(i + 1) * n][k]; } }"));
}

#[test]
fn not_backwards_or_in_steps() {
    assert!(!is_taken("for i in (0..n).rev() { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(!is_taken("for i in (0..n).step_by(2) { for k in 0..m { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
    assert!(!is_taken("for i in 0..n { for k in (0..m).rev() { y[k] += a[i * m..(i + 1) * m][k] * x[i]; } }"));
}

/// How many inner iterations those outer ones have at most that no block takes.
fn rest(body: &str) -> Option<usize> {
    fn first(table: &Table, block: &Block) -> Option<Option<usize>> {
        let inside = |stmt| blocks(stmt).into_iter().find_map(|inner| first(table, inner));
        block.stmts.iter().find_map(|stmt| Nest::of(table, stmt).map(|nest| nest.rest(table)).or_else(|| inside(stmt)))
    }
    let function = lowered(body);
    first(&Table::of(&function), &function.body).expect("a loop is taken")
}

#[test]
fn triangles_whose_last_iterations_are_short() {
    let packed = |iterations: &str, from: &str, length: &str| {
        format!(
            "let mut start = 0;
            for i in 0..{iterations} {{
                let column = &a[start..start + {length}];
                for (s, l) in y[{from}..].iter_mut().zip(column) {{ *s += l * x[i]; }}
                start += {length};
            }}"
        )
    };
    assert_eq!(rest(&packed("n", "i + 1", "n - 1 - i")), Some(2));
    assert_eq!(rest(&packed("n", "i", "n - i")), Some(3));
    // the rows of a trapezoid end behind the outer loop
    assert_eq!(rest(&packed("m", "i + 1", "n - 1 - i")), None);
    assert_eq!(rest(&packed("n", "i", "n + 1 - i")), None);
}
