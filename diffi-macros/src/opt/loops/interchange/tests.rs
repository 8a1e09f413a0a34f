//! Nests that go down columns.

use super::Nest;
use crate::ir::symbols::Table;
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// Whether a nest of the function's own is taken.
fn is_taken(body: &str) -> bool {
    fn any(table: &Table, block: &Block) -> bool {
        let inside = |stmt| blocks(stmt).into_iter().any(|inner| any(table, inner));
        block.stmts.iter().any(|stmt| Nest::of(table, stmt).is_some() || inside(stmt))
    }
    let source = format!("fn f(a: &[f64], x: &mut [f64], y: &mut [f64], m: usize, n: usize) {{ {body} }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(lowered));
    any(&Table::of(&function), &function.body)
}

/// In a nest of `k` around `i`.
fn inside(body: &str) -> bool {
    is_taken(&format!("for k in 1..n {{ for i in 0..m {{ {body} }} }}"))
}

#[test]
fn recurrences_along_rows() {
    assert!(inside("x[i * n + k] += 0.5 * x[i * n + k - 1];"));
    assert!(inside("x[n * i + k] = 0.5 * y[i * m + (k - 1)] + x[k + n * i];"));
    assert!(inside("x[i * n + k] -= x[i * n]; y[i * n + k + 2] = a[i * n + k] * a[i];"));
    assert!(is_taken("for k in (0..n).rev() { for i in (1..m - 1).rev() { x[i * n + k] *= 0.5; } }"));
}

#[test]
fn not_other_elements() {
    assert!(!inside("x[i * n + k] += x[(i - 1) * n + k];"));
    assert!(!inside("x[i * n + k] += x[k];"));
    assert!(!inside("x[i * n + k] += x[i * n + i];"));
    assert!(!inside("x[i * n + k] += x[i * n + 2 * k];"));
    assert!(!inside("x[i * n + k] += x[i * m + k];"));
    assert!(!inside("x[i + k] += 1.0;"));
    assert!(!inside("x[i * k + k] += 1.0;"));
    assert!(!inside("x[i * n] += 1.0;"));
    assert!(!inside("x[k * n + i] += x[(k - 1) * n + i];"));
}

#[test]
fn not_what_inner_iterations_share() {
    assert!(!inside("x[i * n + k] += 0.5; y[k] += x[i * n + k];"));
    assert!(!is_taken(
        "let mut s = 0.0; for k in 1..n { for i in 0..m { s += x[i * n + k]; x[i * n + k] = s; } } y[0] = s;"
    ));
}

#[test]
fn not_what_differs_from_iteration_to_iteration() {
    assert!(!is_taken("for k in 1..n { for i in 0..k { x[i * n + k] += x[i * n + k - 1]; } }"));
    assert!(!is_taken("for k in 1..n { let w = n - k; for i in 0..m { x[i * w + k] += 1.0; } }"));
    assert!(!is_taken("for k in (1..n).step_by(2) { for i in 0..m { x[i * n + k] += 1.0; } }"));
    assert!(!is_taken("for k in 1..n { y[k] = 1.0; for i in 0..m { x[i * n + k] += 1.0; } }"));
}
