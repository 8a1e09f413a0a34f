//! Copies in tangents.

use crate::ir::visit::blocks;
use crate::ir::*;
use crate::opt::differentiate::{Wanted, derivatives, normalized};
use crate::opt::dump::Dump;
use crate::support::options::Options;

/// How many arrays the tangent copies inside of loops.
fn copies(body: &str) -> usize {
    let source = format!(
        "fn f(x: &[f64], n: usize) -> f64 {{
            let (mut u, mut v, mut s) = (x.to_vec(), x.to_vec(), 0.0);
            for _ in 0..n {{ {body} }}
            s + u.iter().sum::<f64>() + v.iter().sum::<f64>()
        }}"
    );
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = normalized(lowered, &Dump::default());
    let activity = crate::analysis::activity::activity(&function);
    let wanted = Wanted { again: false, second: false };
    count(&derivatives(&function, &activity, wanted, &Dump::default()).push.body, false)
}

fn count(block: &Block, inside: bool) -> usize {
    let of = |stmt: &Stmt| match stmt {
        Stmt::Derived(Derived::Refill { with: Refill::Copy(_), .. }) | Stmt::Let { expr: Expr::ToVec(_), .. } => {
            usize::from(inside)
        }
        other => blocks(other).into_iter().map(|inner| count(inner, true)).sum(),
    };
    block.stmts.iter().map(of).sum()
}

#[test]
fn levels_that_are_exchanged_are_not_copied() {
    assert_eq!(copies("for i in 1..n { v[i] = u[i] * u[i - 1]; } std::mem::swap(&mut u, &mut v);"), 0);
    assert_eq!(copies("for i in 1..n { v[i] = u[i] * u[i - 1]; } for i in 0..n { u[i] = v[i]; }"), 0);
}

#[test]
fn a_level_that_changes_while_its_copy_is_read_is() {
    assert_eq!(copies("let old = u.clone(); for i in 1..n { u[i] = old[i] * old[i - 1]; }"), 2);
    assert_eq!(copies("let old = u.clone(); std::mem::swap(&mut u, &mut v); for i in 1..n { s += old[i] * v[i]; }"), 2);
    assert_eq!(copies("let mut old = u.clone(); for i in 1..n { old[i] *= u[i - 1]; } s += old[n - 1];"), 2);
    assert_eq!(copies("let old = u.clone(); for i in 1..n { s += old[i]; if s > 1.0 { u[0] += s; } }"), 2);
}

#[test]
fn a_copy_that_only_names_is_read_where_it_comes_from() {
    assert_eq!(copies("let old = u.clone(); for i in 1..n { s += old[i] * old[i - 1] * old.len() as f64; }"), 0);
    assert_eq!(copies("let a = u.clone(); let b = a.clone(); for i in 1..n { s += a[i] * b[i - 1]; } u[0] = s;"), 0);
}
