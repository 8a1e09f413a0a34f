//! The loop without the statements that move, and the nest behind it.

use super::live::{Leaf, Live, leaves};
use super::{Carrier, Iteration, Sink};
use crate::ir::affine::{atom, runs};
use crate::ir::clone::Twins;
use crate::ir::purity::{is_choice, repeatable};
use crate::ir::symbols::Table;
use crate::ir::visit::places::each_place_mut;
use crate::ir::visit::{Access, Vars, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Span;
use quote::quote;

/// What stands in the loop's place.
pub(super) fn build(table: &mut Table, iteration: Iteration) -> Vec<Stmt> {
    let sums: Vec<Var> = iteration.carriers.iter().map(|c| sum(table, c.var)).collect();
    let mut out: Vec<Stmt> = iteration.carriers.iter().zip(&sums).map(|(c, sum)| zero(*sum, c)).collect();
    let behind = behind(table, &iteration, &sums);
    let cond = runs(&iteration.around.on.lo, &iteration.around.on.hi, iteration.around.on.inclusive);
    let body = within(table, &iteration, &sums);
    let mut around = iteration.around;
    around.on.body = body;
    out.push(Stmt::Derived(Derived::Loop(around)));
    out.push(Stmt::If { cond, then: behind, els: Block::default() });
    out.extend(sums.into_iter().map(|var| Stmt::Derived(Derived::Release { var })));
    out
}

/// The array that the iterations' arrays are added up in.
fn sum(table: &mut Table, of: Var) -> Var {
    table.companion(of, "sum", table.role(of))
}

fn zero(var: Var, carrier: &Carrier) -> Stmt {
    let like = ShapeOf::Len(match &carrier.row {
        Some(on) => product(&on.hi, &carrier.len),
        None => carrier.len.clone(),
    });
    Stmt::Derived(Derived::Zero { var, like })
}

fn product(count: &PassiveCode, len: &PassiveCode) -> PassiveCode {
    let (n, m) = (atom(count), atom(len));
    let mut product = count.clone().map(|_| quote!(#n * #m));
    product.reads.extend(&len.reads);
    product.shapes.extend(&len.shapes);
    product
}

/// An element of the array that an iteration has, in that for all iterations.
fn element(table: &Table, carrier: &Carrier, sum: Var, path: &[Proj]) -> Place {
    let row = carrier.row.as_ref().map(|on| {
        let lo = product(&table.read(on.var), &carrier.len);
        let hi = product(&table.read(on.var).map(|i| quote!((#i + 1))), &carrier.len);
        Proj::Range(Some(lo), Some(hi))
    });
    Place { root: sum, path: row.into_iter().chain(path.iter().cloned()).collect() }
}

/// Which statements they are.
pub(super) fn places(sinks: &[Sink]) -> Vec<usize> {
    sinks.iter().map(|sink| sink.at).collect()
}

/// An iteration in which terms go to their sums one by one.
pub(super) fn with_terms(body: &Block, sinks: &[Sink]) -> Block {
    rewritten(body, &mut |at, stmt| {
        vec![sinks.iter().find(|sink| sink.at == at).map_or(stmt, |sink| sink.stmt.clone())]
    })
}

/// Other statements for those without blocks; what is empty then is left out.
fn rewritten(body: &Block, f: &mut dyn FnMut(usize, Stmt) -> Vec<Stmt>) -> Block {
    fn block(body: &Block, at: &mut usize, f: &mut dyn FnMut(usize, Stmt) -> Vec<Stmt>) -> Block {
        let mut stmts = Vec::new();
        for stmt in &body.stmts {
            let mut new = stmt.clone();
            let inner = blocks_mut(&mut new);
            if inner.is_empty() {
                stmts.extend(f(*at, new));
                *at += 1;
                continue;
            }
            let mut any = false;
            for within in inner {
                *within = block(within, at, f);
                any |= !within.stmts.is_empty();
            }
            stmts.extend(any.then_some(new));
        }
        Block { stmts }
    }
    block(body, &mut 0, f)
}

/// What the iterations do not need any more.
pub(super) fn gone(all: &[Leaf<'_>], own: &Vars, sinks: &[Sink], sets: &[usize]) -> Vec<bool> {
    let moved = places(sinks);
    let roots: Vec<usize> = (0..all.len()).filter(|at| sets.contains(at) || !is_plain(all[*at].stmt, own)).collect();
    let kept: Vec<usize> = roots.iter().copied().filter(|at| !moved.contains(at)).collect();
    let none = Vars::new();
    let (before, after) = (Live::of(all, &roots, &none, &[]), Live::of(all, &kept, &none, &moved));
    let gone = |(before, after): (&bool, &bool)| *before && !*after;
    before.leaves.iter().zip(&after.leaves).map(gone).collect()
}

/// Whether the statement does nothing but that it gives a value to what the iteration defines.
fn is_plain(stmt: &Stmt, own: &Vars) -> bool {
    match stmt {
        Stmt::Let { expr, .. } => match expr {
            Expr::Operand(_) | Expr::Op { .. } | Expr::Zero | Expr::Scratch { .. } | Expr::VecRepeat { .. } => true,
            Expr::Passive(o) => repeatable(o) || is_choice(o),
            _ => false,
        },
        Stmt::Declare { .. } => true,
        Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, .. }) => own.contains(&place.root),
        Stmt::Derived(Derived::Zero { .. } | Derived::View { .. }) => true,
        Stmt::Derived(Derived::Release { var }) => own.contains(var),
        _ => false,
    }
}

/// The iteration without what moves, with what adds up.
fn within(table: &Table, iteration: &Iteration, sums: &[Var]) -> Block {
    let sets: Vec<usize> = iteration.carriers.iter().map(|c| c.set).collect();
    let body = &iteration.around.on.body;
    let gone = gone(&leaves(body), &iteration.own, &iteration.sinks, &sets);
    rewritten(body, &mut |at, stmt| {
        let added = iteration
            .carriers
            .iter()
            .zip(sums)
            .find(|(c, _)| c.set == at)
            .map(|(c, sum)| add(table, iteration, c, *sum, &stmt));
        if gone[at] { Vec::new() } else { [stmt].into_iter().chain(added).collect() }
    })
}

/// Adds the element that the statement sets, if anything wants the sum.
fn add(table: &Table, iteration: &Iteration, carrier: &Carrier, sum: Var, set: &Stmt) -> Stmt {
    let Stmt::Assign { place, value, .. } = set else { unreachable!("an element is set by an assignment") };
    let place = element(table, carrier, sum, &place.path);
    let stmt = Stmt::Assign { place, op: Assign::Add, value: value.clone(), span: Span::call_site() };
    let guards: Option<Vec<ParamSet>> = iteration.sinks.iter().map(|sink| sink.on).collect();
    match guards {
        Some(all) => {
            let on = all.into_iter().fold(ParamSet::default(), ParamSet::or);
            Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![stmt] } })
        }
        None => stmt,
    }
}

/// What moves, over the sums.
fn behind(table: &mut Table, iteration: &Iteration, sums: &[Var]) -> Block {
    let moved = with_terms(&iteration.around.on.body, &iteration.sinks);
    let given = iteration.vars();
    let live = Live::of(&leaves(&moved), &places(&iteration.sinks), &given, &[]);
    let mut block = rewritten(&moved, &mut |at, mut stmt| {
        if !live.leaves[at] {
            return Vec::new();
        }
        each_place_mut(&mut stmt, &mut |place| {
            if let Some((carrier, sum)) = iteration.carriers.iter().zip(sums).find(|(c, _)| c.var == place.root) {
                *place = element(table, carrier, *sum, &place.path);
            }
        });
        vec![stmt]
    });
    let own = touched(&block.stmts, &[Access::Define]);
    let mut map = HashMap::default();
    for var in own.iter() {
        let hint = table.info(*var).hint.clone();
        map.insert(*var, table.twin(*var, hint.trim_start_matches('_')));
    }
    block.stmts = Twins { map: &map, vars: table.vars() }.stmts(&block.stmts);
    block
}
