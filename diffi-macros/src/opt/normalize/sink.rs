//! Sinking of partially dead code (LLVM's Sink): an operation that only some branches use moves into these.
//!
//! `let r = v.sqrt(); if v > 0.0 { r } else { -v }` has the derivative `-1` at negative `v`. Its adjoint would add `0 / 0` there, as the
//! cotangent of `r` is zero, and the partial derivative of the root is none. In the branch it adds nothing where the other one is taken.
//!
//! Operations move whose partial derivatives may be infinite, and those between them and the branches. What is read in between without
//! a derivative, as a condition reads it, has the operation where it was, without an adjoint, and a second one in the branch.

use crate::analysis::unbounded;
use crate::ir::clone::Twins;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, each_passive, touched, touches};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Ident;

/// Moves operations into branches.
pub fn sink(mut function: Function) -> Function {
    let mut results = Vars::new();
    Visit(&mut |v, _| {
        results.insert(v);
    })
    .out(&function.result);
    let mut pass = Sink { vars: &mut function.vars, results };
    pass.block(&mut function.body);
    function
}

struct Sink<'a> {
    vars: &'a mut Vec<VarInfo>,
    /// What the function's result reads.
    results: Vars,
}

/// Where an operation moves.
#[derive(Clone, Copy)]
struct Move {
    /// The position of the branches.
    to: usize,
    /// It stays where it is, too.
    stays: bool,
}

impl Sink<'_> {
    fn block(&mut self, block: &mut Block) {
        let branches = block.stmts.iter().any(is_branch);
        if branches && block.stmts.iter().any(is_unbounded) {
            let moves = self.moves(&block.stmts);
            self.carry_out(&mut block.stmts, &moves);
        }
        for stmt in &mut block.stmts {
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// The operations that move, by their positions.
    fn moves(&self, stmts: &[Stmt]) -> HashMap<usize, Move> {
        let (all, writes) = (Positions::of(stmts), Positions::of_writes(stmts));
        let mut moves: HashMap<usize, Move> = HashMap::default();
        for at in (0..stmts.len()).rev() {
            let Some((var, _)) = made(&stmts[at]) else { continue };
            let fits = writes.all(var).is_empty() && !self.results.contains(&var);
            let found = if fits { target(stmts, (var, at), &all, &moves) } else { None };
            let stable = |to: usize| {
                let read = touched(std::slice::from_ref(&stmts[at]), &[Access::Read, Access::Shape]);
                read.iter().all(|v| writes.after(*v, at).first().is_none_or(|write| *write >= to))
            };
            if let Some(found) = found.filter(|found| stable(found.to)) {
                moves.insert(at, found);
            }
        }
        needed(stmts, moves)
    }

    fn carry_out(&mut self, stmts: &mut Vec<Stmt>, moves: &HashMap<usize, Move>) {
        let mut order: Vec<usize> = moves.keys().copied().collect();
        order.sort_unstable();
        for at in order.iter().rev() {
            let Move { to, stays } = moves[at];
            let sunk = stmts[*at].clone();
            let Some((var, _)) = made(&sunk) else { continue };
            let mut as_it_is = !stays;
            for arm in blocks_mut(&mut stmts[to]).into_iter().filter(|arm| arm.stmts.iter().any(|s| touches(s, var))) {
                match std::mem::take(&mut as_it_is) {
                    true => arm.stmts.insert(0, sunk.clone()),
                    false => self.copy(&sunk, var, arm),
                }
            }
        }
        let mut at = 0..;
        stmts.retain(|_| moves.get(&at.next().expect("there are enough numbers")).is_none_or(|m| m.stays));
    }

    /// Puts a copy of the operation in front of a block, which uses it.
    fn copy(&mut self, sunk: &Stmt, var: Var, arm: &mut Block) {
        let other = Var(self.vars.len() as u32);
        let old = &self.vars[var.0 as usize];
        let name = Ident::new(&format!("__v{}_{}", other.0, old.hint), old.name.span());
        self.vars.push(VarInfo { name, ..old.clone() });
        let map: HashMap<Var, Var> = [(var, other)].into_iter().collect();
        arm.stmts.insert(0, sunk.clone());
        arm.stmts = Twins { map: &map, vars: self.vars }.stmts(&arm.stmts);
    }
}

/// The branches that alone use an operation's value, and not all of them.
fn target(stmts: &[Stmt], (var, at): (Var, usize), all: &Positions, moves: &HashMap<usize, Move>) -> Option<Move> {
    let (mut to, mut stays) = (None, false);
    for user in all.after(var, at) {
        let stmt = &stmts[*user];
        let uses = match moves.get(user) {
            Some(other) => {
                stays |= other.stays;
                Some(other.to)
            }
            None if is_branch(stmt) => {
                stays |= looks(stmt, var) > 0;
                used_in_some(stmt, var).then_some(*user)
            }
            None if looks(stmt, var) == touches_of(stmt, var) => {
                stays = true;
                continue;
            }
            None => None,
        };
        match (uses?, to) {
            (uses, Some(to)) if uses != to => return None,
            (uses, _) => to = Some(uses),
        }
    }
    Some(Move { to: to?, stays })
}

/// Of some moves those of operations whose partial derivatives may be infinite, and of what is made of these.
fn needed(stmts: &[Stmt], mut moves: HashMap<usize, Move>) -> HashMap<usize, Move> {
    let mut unbounded = Vars::new();
    for (at, stmt) in stmts.iter().enumerate() {
        let Some((var, of)) = made(stmt).filter(|_| moves.contains_key(&at)) else { continue };
        let of_one = of.iter().any(|o| matches!(o, Operand::Place(p) if unbounded.contains(&p.root)));
        match of_one || is_unbounded(stmt) {
            true => {
                unbounded.insert(var);
            }
            false => {
                moves.remove(&at);
            }
        }
    }
    moves
}

/// The variable that an operation gives its value, or that is made of others, and what it is made of.
fn made(stmt: &Stmt) -> Option<(Var, Vec<&Operand>)> {
    let Stmt::Let { var, expr } = stmt else { return None };
    let of = match expr {
        Expr::Op { args: all, .. } | Expr::Tuple(all) | Expr::Array(all) => all.iter().collect(),
        Expr::Struct(literal) => literal.fields.iter().map(|(_, value)| value).collect(),
        Expr::Operand(value) => vec![value],
        _ => return None,
    };
    Some((*var, of))
}

fn is_branch(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::If { .. } | Stmt::Switch { .. })
}

/// Whether some branches use a variable, and at least one does not.
fn used_in_some(stmt: &Stmt, var: Var) -> bool {
    let arms = crate::ir::visit::blocks(stmt);
    let using = arms.iter().filter(|arm| arm.stmts.iter().any(|s| touches(s, var))).count();
    using > 0 && using < arms.len()
}

/// How often a statement's own passive tokens read a variable.
fn looks(stmt: &Stmt, var: Var) -> usize {
    let mut found = 0;
    each_passive(stmt, &mut |o| {
        found += usize::from(o.reads.contains(&var)) + usize::from(o.shapes.contains(&var));
    });
    found
}

fn touches_of(stmt: &Stmt, var: Var) -> usize {
    let mut found = 0;
    Visit(&mut |v, _| found += usize::from(v == var)).stmt(stmt);
    found
}

/// Whether a partial derivative of an operation may be infinite, or no number.
fn is_unbounded(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Let { expr: Expr::Op { op, args, .. }, .. } if unbounded::is_unbounded(op, args))
}
