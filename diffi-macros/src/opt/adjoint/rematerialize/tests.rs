//! Tangents that tape frames of second derivatives hold.

use super::rematerialize;
use crate::ad::forward::Forward;
use crate::analysis::activity::activity;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::blocks;
use crate::ir::*;
use crate::support::options::Options;

/// How many tangents an iteration keeps for the reverse sweep, before and after.
fn kept(iteration: &str) -> [usize; 2] {
    let source = format!("fn f(p: &[f64], y: &mut [f64]) {{ for i in 0..y.len() {{ {iteration} }} }}");
    let item: syn::ItemFn = syn::parse_str(&source).expect("the function parses");
    let lowered = crate::frontend::lower::lower(&Options::default(), &item, None).expect("the function is accepted");
    let function = crate::opt::scalar::dead_code::dead_code(crate::opt::normalize::rename::rename(
        crate::opt::normalize::array_rename::array_rename(lowered),
    ));
    let (joint, _) = crate::ad::reverse::adjoints(&function, &activity(&function));
    let mut second = Forward::new(&function, joint.table.clone(), joint.activity.clone());
    joint.bars.values().copied().chain(joint.y_bar).for_each(|bar| second.external(bar));
    let mut body = second.block(&joint.body);
    let before = count(&second.table, &body);
    rematerialize(&second.table, &mut [&mut body]);
    [before, count(&second.table, &body)]
}

/// The tangents in frames that are written; where they are read, and in the width of the block, there are as many.
fn count(table: &Table, block: &Block) -> usize {
    let (mut written, mut read) = (0, 0);
    ends(table, block, &mut written, &mut read);
    assert_eq!(written, read);
    written
}

fn ends(table: &Table, block: &Block, written: &mut usize, read: &mut usize) {
    let tangents = |r: &TapeFrame| r.floats.iter().filter(|v| table.role(**v) == Role::Dot).count();
    for stmt in &block.stmts {
        match stmt {
            Stmt::Derived(Derived::PushFrame(r) | Derived::StoreFrame(r)) => *written += tangents(r),
            Stmt::Derived(Derived::PopFrame(r) | Derived::LoadFrame(r)) => *read += tangents(r),
            Stmt::Derived(Derived::Loop(l)) => {
                let own =
                    l.on.body
                        .stmts
                        .iter()
                        .filter_map(|s| crate::ir::frames::pushed(s).or(crate::ir::frames::popped(s)));
                assert_eq!(l.frame.map_or(0, |w| w.tangents), own.map(tangents).sum());
            }
            _ => {}
        }
        blocks(stmt).into_iter().for_each(|inner| ends(table, inner, written, read));
    }
}

#[test]
fn of_an_inverse() {
    assert_eq!(kept("let z = y[i]; let s = 1.0 / (1.0 + (-z * p[i]).exp()); y[i] = s * z;"), [3, 2]);
}

#[test]
fn one_after_the_other() {
    assert_eq!(kept("let z = y[i]; let e = z.exp(); let s = 1.0 / (1.0 + e); let t = s.exp(); y[i] = t * e;"), [3, 1]);
}

#[test]
fn not_of_two_tangents() {
    let [before, after] = kept("let z = y[i]; let s = (z * p[i]).sin(); y[i] = s * s * z;");
    assert_eq!(before, after);
}

#[test]
fn of_a_value_as_it_was() {
    let changes = |change: &str| kept(&format!("let mut z = y[i]; let e = z.exp(); {change} y[i] = z.sin() * e;"));
    assert_eq!(changes(""), [3, 2]);
    assert_eq!(changes("if p[i] > 0.0 { z = z.sin(); }"), [4, 3]); // both values of z are kept
}
