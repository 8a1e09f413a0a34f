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
use crate::ir::visit::{Vars, blocks_mut, touches};
use crate::ir::*;
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
        let fixed = reshaped(&block.stmts);
        let mut at = 0;
        while at < block.stmts.len() {
            if let Some((array, len)) = self.made(&block.stmts[at])
                && !fixed.contains(&array)
            {
                self.rename(block, at, array, &len);
            }
            at += 1;
        }
        block.stmts.iter_mut().flat_map(blocks_mut).for_each(|inner| self.block(inner));
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

    /// From the next loop on that fills an array which has been in use before.
    fn rename(&mut self, block: &mut Block, declared: usize, array: Var, len: &PassiveCode) {
        let after = declared + 1;
        let Some(used) = (after..block.stmts.len()).find(|at| touches(&block.stmts[*at], array)) else { return };
        let used = used + run(&block.stmts[used..], array);
        let filled =
            |at: &usize| touches(&block.stmts[*at], array) && self.fills.are_filling(&block.stmts[*at..], array, len);
        let Some(again) = (used..block.stmts.len()).find(filled) else { return };
        let other = self.another(array);
        let map = [(array, other)].into_iter().collect();
        let rest = Twins { map: &map, vars: self.vars }.stmts(&block.stmts[again..]);
        block.stmts.truncate(again);
        block.stmts.push(Stmt::Let { var: other, expr: Expr::Scratch { len: len.clone() } });
        block.stmts.extend(rest);
    }

    fn another(&mut self, array: Var) -> Var {
        let var = Var(self.vars.len() as u32);
        let mut info = self.vars[array.0 as usize].clone();
        info.name = Ident::new(&format!("__v{}_{}", var.0, info.hint), info.span);
        self.vars.push(info);
        var
    }
}

/// How many statements at the beginning set elements one by one, and the one that comes after them.
fn run(stmts: &[Stmt], array: Var) -> usize {
    let single = |s: &Stmt| matches!(s, Stmt::Assign { place, .. } if place.root == array);
    let other = stmts.iter().position(|s| touches(s, array) && !single(s));
    other.map_or(stmts.len(), |at| at + 1)
}
