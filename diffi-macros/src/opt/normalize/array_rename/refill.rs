//! Scratch arrays that one block fills several times.
//!
//! ```text
//! for i in 0..n { v[i] = .. }       for i in 0..n { v[i] = .. }
//! f(&v)                             f(&v)
//!                                   let w = scratch n
//! for i in 0..n { v[i] = .. }       for i in 0..n { w[i] = .. }
//! g(&v)                             g(&w)
//! ```
//!
//! The code on the right overwrites nothing: the reverse sweep finds both arrays, and neither has to be copied while it lives.

use crate::analysis::fills::Fills;
use crate::analysis::tbr::reshaped;
use crate::ir::clone::Twins;
use crate::ir::visit::positions::Indexed;
use crate::ir::visit::{Vars, blocks_mut};
use crate::ir::*;
use crate::support::hash::HashMap;
use proc_macro2::Ident;

/// Gives names.
pub fn rename_refilled(fills: &Fills, kept: &Vars, vars: &mut Vec<VarInfo>, block: &mut Block) {
    Refilled { fills, kept, vars }.block(block);
}

struct Refilled<'a> {
    fills: &'a Fills,
    /// Variables that leave the function.
    kept: &'a Vars,
    vars: &'a mut Vec<VarInfo>,
}

impl Refilled<'_> {
    fn block(&mut self, block: &mut Block) {
        if block.stmts.iter().any(|stmt| self.made(stmt).is_some()) {
            self.arrays(block);
        }
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
    }

    fn arrays(&mut self, block: &mut Block) {
        let fixed = reshaped(&block.stmts);
        let mut stmts = Indexed::of(std::mem::take(&mut block.stmts));
        let mut new: HashMap<usize, Vec<Stmt>> = HashMap::default();
        for at in 0..stmts.len() {
            let declared = new.get(&at).into_iter().flatten().map(|stmt| (stmt, at));
            let declared = declared.chain(stmts.get(at).map(|stmt| (stmt, at + 1)));
            let declared = declared.filter_map(|(stmt, from)| Some((self.made(stmt)?, from)));
            for ((array, len), from) in declared.collect::<Vec<_>>() {
                if !fixed.contains(&array)
                    && let Some((again, other)) = self.rename(&mut stmts, from, array, &len)
                {
                    new.entry(again).or_default().push(Stmt::Let { var: other, expr: Expr::Scratch { len } });
                }
            }
        }
        block.stmts = stmts.with(new);
    }

    /// An array of numbers that is declared, and its length.
    fn made(&self, stmt: &Stmt) -> Option<(Var, PassiveCode)> {
        let (Stmt::Let { var, expr: Expr::Scratch { len } }
        | Stmt::Let { var, expr: Expr::VecRepeat { value: Operand::Passive(_), len } }) = stmt
        else {
            return None;
        };
        let floats = self.vars[var.0 as usize].ty == Ty::Vec(Box::new(Ty::Float));
        (floats && !self.kept.contains(var)).then(|| (*var, len.clone()))
    }

    /// From the next loop on that fills an array which has been in use before: where that is, and what the array is called there.
    fn rename(&mut self, stmts: &mut Indexed, from: usize, array: Var, len: &PassiveCode) -> Option<(usize, Var)> {
        let users: Vec<usize> = stmts.from(array, from).collect();
        let used = run(stmts, &users, array);
        let filled = |k: &usize| self.fills.are_filling(users[*k..].iter().filter_map(|at| stmts.get(*at)), array, len);
        let again = (used..users.len()).find(filled)?;
        let other = self.another(array);
        let map = [(array, other)].into_iter().collect();
        let twins = Twins { map: &map, vars: self.vars };
        for at in &users[again..] {
            if let Some(stmt) = stmts.get_mut(*at) {
                *stmt = twins.stmts(std::slice::from_ref(stmt)).remove(0);
            }
            stmts.note(other, *at);
        }
        Some((users[again], other))
    }

    fn another(&mut self, array: Var) -> Var {
        let var = Var(self.vars.len() as u32);
        let mut info = self.vars[array.0 as usize].clone();
        info.name = Ident::new(&format!("__v{}_{}", var.0, info.hint), info.span);
        self.vars.push(info);
        var
    }
}

/// How many of an array's users at the beginning set elements one by one, and the one that comes after them.
fn run(stmts: &Indexed, users: &[usize], array: Var) -> usize {
    let single = |at: &usize| matches!(stmts.get(*at), Some(Stmt::Assign { place, .. }) if place.root == array);
    users.iter().position(|at| !single(at)).map_or(users.len(), |k| k + 1)
}
