//! Loop fission by linearity (Allen & Kennedy 6): a linear map that all iterations share runs once, on their sum.
//!
//! `for p in 0..n { .. for i in 0..d { let mut sum = 0.0; for j in 0..i { sum += s[j] * l[i][j]; } mean[i] -= sum; } }`, where iterations
//! have an `s` of their own and share `l`: the contribution to `mean` is linear in `s`, with the same coefficients for all iterations.
//! So the iterations add `s` to one array, element by element, and the nest runs once behind the loop, over that array.
//!
//! The rule by which it is legal:
//!
//! - No iteration reads anything that another one changes: its writes are private, or additions to elements that it never reads.
//! - Statements that move behind the loop add to cotangents or their tangents: sums without an order of the user's.
//! - Their operands are the same for all iterations, or linear in the elements of such arrays, each of which an iteration sets once.
//! - Arrays that a loop within the iteration makes are rows of one array. The statements that move add to elements that differ with that
//!   loop's iterations, so that there are as many of these already.
//!
//! A sum with some terms of this kind, and others that are not, is divided. It pays if the statements that move stand in more loops than
//! those that set the elements, and nothing else needs them within the iterations.

mod build;
mod facts;
mod live;

use crate::analysis::loops::vary;
use crate::ir::purity::cannot_fail;
use crate::ir::symbols::Table;
use crate::ir::visit::{Access, Vars, outermost, touched};
use crate::ir::*;
use facts::Facts;
use live::{Leaf, leaves};

/// Rewrites the outermost loops that fit.
pub fn distribute_linear(table: &mut Table, block: &mut Block) {
    outermost(table, block, &Iteration::of, &build::build);
}

/// What is known of a loop that fits.
struct Iteration {
    /// The loop.
    around: Box<Loop>,
    /// What its body defines.
    own: Vars,
    /// Arrays that are added up.
    carriers: Vec<Carrier>,
    /// What moves behind the loop.
    sinks: Vec<Sink>,
}

/// An array of an iteration whose elements are set once each.
#[derive(Clone)]
struct Carrier {
    var: Var,
    len: PassiveCode,
    /// The loop within the iteration that makes one of them each time.
    row: Option<For>,
    /// The statement that sets an element.
    set: usize,
    /// In how many loops within the iteration that stands.
    depth: usize,
}

/// A statement that adds to what all iterations share.
#[derive(Clone)]
struct Sink {
    /// Which statement of the iteration it is, or makes a term of what that adds.
    at: usize,
    /// It, or one for the term alone.
    stmt: Stmt,
    /// A guard that it stands under.
    on: Option<ParamSet>,
}

impl Iteration {
    fn of(table: &Table, stmt: &Stmt) -> Option<Iteration> {
        let Stmt::Derived(Derived::Loop(l)) = stmt else { return None };
        if !is_plain(l) || l.on.down || l.sweep != LoopSweep::Primal {
            return None;
        }
        let all = leaves(&l.on.body);
        let own = touched(&l.on.body.stmts, &[Access::Define]);
        let mut carriers: Vec<Carrier> = (0..all.len()).filter_map(|at| carrier(table, &own, &all, at)).collect();
        if carriers.is_empty() || !is_apart(&l.on.body, &own) {
            return None;
        }
        let mut varying: Vars = [l.on.var].into();
        while vary(&l.on.body, &own, &mut varying) {}
        for at in (0..carriers.len()).rev() {
            let one = carriers.remove(at);
            if !Facts::of(table, &own, &varying, &carriers, &all).linear.contains(&one.var) {
                carriers.insert(at, one);
            }
        }
        let facts = Facts::of(table, &own, &varying, &carriers, &all);
        let sinks = facts.chosen(&l.on.body, &all)?;
        let used = facts.used(&build::with_terms(&l.on.body, &sinks), &sinks);
        let carriers = carriers.iter().filter(|c| used.contains(&c.var)).cloned().collect();
        Some(Iteration { around: l.clone(), own, carriers, sinks })
    }

    /// The arrays that are added up.
    fn vars(&self) -> Vars {
        vars(&self.carriers)
    }
}

fn vars(carriers: &[Carrier]) -> Vars {
    carriers.iter().map(|c| c.var).collect()
}

/// Whether no iteration reads what another one writes.
fn is_apart(body: &Block, own: &Vars) -> bool {
    let written = touched(&body.stmts, &[Access::Write]);
    let read = touched(&body.stmts, &[Access::Read, Access::Shape]);
    written.difference(own).all(|v| !read.contains(v))
}

/// A loop over all of a range, which keeps nothing.
fn is_plain(l: &Loop) -> bool {
    let bare = l.iterations.is_none() && l.frame.is_none() && l.walks.is_empty() && l.first.is_empty() && !l.opened;
    bare && counts(&l.on)
}

fn counts(on: &For) -> bool {
    on.until.is_none() && on.checkpoint.is_none() && on.step.is_none() && !on.inclusive
}

/// The counted loop that a statement is.
fn counted(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) if counts(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) if is_plain(l) => Some(&l.on),
        _ => None,
    }
}

fn is_guard(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Derived(Derived::Guard { .. }))
}

/// In how many loops a statement stands.
fn depth(leaf: &Leaf<'_>) -> usize {
    leaf.around.iter().filter(|s| counted(s).is_some()).count()
}

/// The array that the statement makes, if its elements are set by one statement and only read by others.
fn carrier(table: &Table, own: &Vars, all: &[Leaf<'_>], at: usize) -> Option<Carrier> {
    let Stmt::Let { var, expr: Expr::Scratch { len } } = all[at].stmt else { return None };
    let outer = |o: &PassiveCode| cannot_fail(o) && !o.depends_on(own);
    let row = match &all[at].around[..] {
        [] => None,
        [stmt] => Some(counted(stmt).filter(|on| on.lo.tokens.to_string() == "0" && outer(&on.hi))?.clone()),
        _ => return None,
    };
    if !matches!(table.ty(*var), Ty::Vec(e) if **e == Ty::Float) || !outer(len) {
        return None;
    }
    let touching = |leaf: &Leaf<'_>| crate::ir::visit::touches(leaf.stmt, *var);
    let mut others = (0..all.len()).filter(|i| *i != at && touching(&all[*i]));
    let set = others.next()?;
    let once = sets(table, &all[set], *var, all[at].around.len()) && others.all(|i| reads_elements(all[i].stmt, *var));
    once.then(|| Carrier { var: *var, len: len.clone(), row, set, depth: depth(&all[set]) })
}

/// Whether it sets an element in each iteration of the loop around it, the first within as many as there are around the array.
fn sets(table: &Table, leaf: &Leaf<'_>, var: Var, outside: usize) -> bool {
    let Stmt::Assign { place, op: Assign::Set, value, .. } = leaf.stmt else { return false };
    let (Some(on), [Proj::Index(index)]) = (leaf.around.get(outside).and_then(|s| counted(s)), &place.path[..]) else {
        return false;
    };
    let own = table.info(on.var).name == index.tokens.to_string();
    let number = value.as_var().is_some_and(|v| v != var && *table.ty(v) == Ty::Float);
    leaf.around.len() == outside + 1 && own && number && place.root == var
}

/// Whether nothing is done with the array but that elements are read, and its memory given back.
fn reads_elements(stmt: &Stmt, var: Var) -> bool {
    let element = |o: &Operand| match o {
        Operand::Place(p) => p.root != var || matches!(p.path.last(), Some(Proj::Index(_))),
        Operand::Passive(o) => !o.depends_on(&[var].into()),
        Operand::Made { .. } => false,
    };
    match stmt {
        Stmt::Let { expr: Expr::Operand(o), .. } => element(o),
        Stmt::Let { expr: Expr::Op { args, .. }, .. } => args.iter().all(element),
        Stmt::Assign { place, value, .. } => place.root != var && element(value),
        Stmt::Derived(Derived::Release { .. }) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
