//! Dead code elimination on the tape (LLVM's DCE): tape frames of second derivatives hold no tangent that nothing reads.
//!
//! A value on the tape comes with its tangent. The reverse sweep may only compare the value, or multiply by it without a tangent: then the
//! tangent is dead. Without it in the frame, LLVM sees that the tangent need not be computed at all, and neither need everything that
//! it alone depends on: the tangents of all candidates of which a minimum selects one.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

const USE: &[Access] = &[Access::Read, Access::Write, Access::Shape];

/// Rewrites the bodies of one derivative: where both sweeps are apart, that of each.
pub fn dead_tape(table: &Table, bodies: &mut [&mut Block]) {
    let mut useless: HashMap<Vec<Var>, Vars> = HashMap::default();
    bodies.iter().for_each(|body| find(table, body, &mut useless));
    useless.retain(|_, vars| !vars.is_empty());
    if !useless.is_empty() {
        bodies.iter_mut().for_each(|body| forget(table, body, &useless));
    }
}

/// The tangents in a record that nobody reads where it is read back: both ends have the same list of variables.
fn find(table: &Table, block: &Block, useless: &mut HashMap<Vec<Var>, Vars>) {
    for (at, stmt) in block.stmts.iter().enumerate() {
        if let Stmt::Derived(Derived::PopFrame(record) | Derived::LoadFrame(record)) = stmt {
            let used = touched(&block.stmts[at + 1..], USE);
            let moved: Vars = record.carried.iter().flat_map(|c| [c.cell, c.value, c.was]).collect();
            let is_idle = |v: &Var| table.role(*v) == Role::Dot && !used.contains(v) && !moved.contains(v);
            let idle: Vars = record.floats.iter().copied().filter(is_idle).collect();
            let known = useless.entry(record.floats.clone()).or_insert_with(|| idle.clone());
            *known = known.intersection(&idle).copied().collect();
        }
        blocks(stmt).into_iter().for_each(|inner| find(table, inner, useless));
    }
}

fn forget(table: &Table, block: &mut Block, useless: &HashMap<Vec<Var>, Vars>) {
    for stmt in &mut block.stmts {
        if let Stmt::Derived(
            Derived::PushFrame(r) | Derived::StoreFrame(r) | Derived::PopFrame(r) | Derived::LoadFrame(r),
        ) = stmt
            && let Some(idle) = useless.get(&r.floats)
        {
            r.floats.retain(|v| !idle.contains(v));
        }
        blocks_mut(stmt).into_iter().for_each(|inner| forget(table, inner, useless));
        if let Stmt::Derived(Derived::Loop(l)) = stmt {
            recount(table, l);
        }
    }
}

/// A loop's block has as many tangents for each iteration as the iterations keep now.
pub fn recount(table: &Table, l: &mut Loop) {
    if let Some(widths) = &mut l.record {
        widths.tangents = l.on.body.stmts.iter().map(|s| tangents(table, s)).max().unwrap_or(0);
    }
}

/// How many tangents are in an iteration's record.
pub fn tangents(table: &Table, stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => {
            r.floats.iter().filter(|v| table.role(**v) == Role::Dot).count()
        }
        _ => 0,
    }
}
