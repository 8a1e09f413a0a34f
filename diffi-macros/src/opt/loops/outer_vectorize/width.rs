//! The vectorization factor: how many iterations a block has.
//!
//! The more there are, the more of them share a number that all read, or a sum to which all add. But the values that a loop keeps live
//! for each iteration take registers.

use super::Iteration;
use crate::analysis::cost_model::{NARROW_BLOCK, WIDE_BLOCK, WIDE_BLOCK_NUMBERS};
use crate::analysis::loops::is_innermost;
use crate::ir::place::key;
use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Vars, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashSet;

/// How many iterations of a loop that fits go abreast.
pub(super) fn width(iteration: &Iteration) -> usize {
    if held(iteration, &iteration.around.on.body) <= WIDE_BLOCK_NUMBERS { WIDE_BLOCK } else { NARROW_BLOCK }
}

/// The most numbers that an innermost loop has at hand for an iteration.
fn held(iteration: &Iteration, block: &Block) -> usize {
    let of = |stmt: &Stmt| {
        let on = match stmt {
            Stmt::For(on) => Some(on),
            Stmt::Derived(Derived::Loop(l)) => Some(&l.on),
            _ => None,
        };
        match on.filter(|on| is_innermost(&on.body)) {
            Some(on) => held_in(iteration, on),
            None => blocks(stmt).into_iter().map(|inner| held(iteration, inner)).max().unwrap_or(0),
        }
    };
    block.stmts.iter().map(of).max().unwrap_or(0)
}

/// Numbers that differ with the iteration around a loop, and are the same in all iterations of the loop.
fn held_in(iteration: &Iteration, on: &For) -> usize {
    let mut moving = touched(&on.body.stmts, &[Access::Define]);
    moving.insert(on.var);
    let mut found = HashSet::default();
    held_by(iteration, &on.body, &moving, &mut found);
    found.len()
}

fn held_by(iteration: &Iteration, block: &Block, moving: &Vars, found: &mut HashSet<String>) {
    for stmt in &block.stmts {
        each_place(stmt, &mut |place, _| {
            let (mut varies, mut stays) = (iteration.varying.contains(&place.root), !moving.contains(&place.root));
            place.indices(&mut |o| {
                varies |= !iteration.is_same(o);
                stays &= !o.depends_on(moving);
            });
            if varies && stays {
                found.insert(key(place));
            }
        });
        let passive = passive(stmt).filter(|o| !iteration.is_same(o) && !o.depends_on(moving));
        found.extend(passive.map(|o| o.tokens.to_string()));
        blocks(stmt).into_iter().for_each(|inner| held_by(iteration, inner, moving, found));
    }
}

/// Numbers without a derivative that a statement computes with.
fn passive(stmt: &Stmt) -> impl Iterator<Item = &PassiveCode> {
    let operands = match stmt {
        Stmt::Let { expr: Expr::Op { args, .. }, .. } => &args[..],
        Stmt::Let { expr: Expr::Operand(o), .. } | Stmt::Assign { value: o, .. } => std::slice::from_ref(o),
        _ => &[],
    };
    operands.iter().filter_map(|o| match o {
        Operand::Passive(o) => Some(o),
        _ => None,
    })
}
