//! A second copy of statements, over other variables: the user's, and those of derivative code that are as plain.

use crate::ir::visit::{Rename, Vars, blocks_mut, substitute};
use crate::ir::*;
use crate::support::hash::HashMap;
use std::collections::BTreeMap;

/// Locals stand for locals.
pub static NO_PARAMETERS: Vars = Vars::new();

/// Rewrites variables wherever they stand: read, written or defined.
pub struct Twins<'a> {
    /// From a variable to its twin.
    pub map: &'a HashMap<Var, Var>,
    /// For placeholders.
    pub vars: &'a [VarInfo],
}

impl Twins<'_> {
    /// The copy.
    pub fn stmts(&self, stmts: &[Stmt]) -> Vec<Stmt> {
        let mut copy = stmts.to_vec();
        copy.iter_mut().for_each(|s| self.stmt(s));
        copy
    }

    /// Passive tokens.
    pub fn opaque(&self, mut o: PassiveCode) -> PassiveCode {
        self.rename().opaque(&mut o);
        o
    }

    /// An operand.
    pub fn operand(&self, mut o: Operand) -> Operand {
        self.rename().operand(&mut o);
        o
    }

    fn rename(&self) -> Rename<'_> {
        Rename { map: self.map, vars: self.vars, behind: &NO_PARAMETERS }
    }

    fn var(&self, var: &mut Var) {
        *var = self.map.get(var).copied().unwrap_or(*var);
    }

    fn stmt(&self, stmt: &mut Stmt) {
        let rename = self.rename();
        match stmt {
            Stmt::Let { var, expr } => {
                rename.expr(expr);
                self.exclusive(expr);
                self.var(var);
            }
            Stmt::Declare { var } => self.var(var),
            Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
                rename.operand(value);
                rename.place(place);
            }
            Stmt::Swap { a, b, .. } => [a, b].into_iter().for_each(|p| rename.place(p)),
            Stmt::If { cond, .. } => rename.opaque(cond),
            Stmt::Switch { scrutinee, arms } => {
                rename.opaque(scrutinee);
                arms.iter_mut().for_each(|arm| self.arm(arm));
            }
            Stmt::For(on) => self.counted(on),
            Stmt::While { cond, checkpoint, .. } => {
                rename.opaque(cond);
                self.checkpoint(checkpoint);
            }
            Stmt::Effect { tokens, writes } => {
                let renamed = |vars: &Vars| vars.iter().map(|v| self.map.get(v).copied().unwrap_or(*v)).collect();
                let reads = renamed(&tokens.reads);
                tokens.reads.extend(&*writes);
                rename.opaque(tokens);
                tokens.reads = reads;
                *writes = renamed(writes);
            }
            Stmt::Derived(Derived::Guard { .. }) => {}
            Stmt::Derived(Derived::Loop(l)) if l.record.is_none() && l.first.is_empty() && l.walks.is_empty() => {
                self.counted(&mut l.on);
            }
            Stmt::Derived(Derived::Zero { var, like: ShapeOf::Len(len) }) => {
                rename.opaque(len);
                self.var(var);
            }
            Stmt::Derived(Derived::View { var, place, .. }) => {
                rename.place(place);
                self.var(var);
            }
            Stmt::Derived(Derived::Clear { place, .. }) => rename.place(place),
            Stmt::Derived(Derived::Release { var }) => self.var(var),
            Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => {
                r.floats.iter_mut().for_each(|v| self.var(v));
                r.at.iter_mut().for_each(|o| rename.opaque(o));
            }
            Stmt::Derived(d) => unreachable!("the user's statements have no derivatives: {d:?}"),
        }
        for block in blocks_mut(stmt) {
            block.stmts.iter_mut().for_each(|s| self.stmt(s));
        }
    }

    fn counted(&self, on: &mut For) {
        let rename = self.rename();
        [&mut on.lo, &mut on.hi].into_iter().chain(&mut on.step).for_each(|o| rename.opaque(o));
        self.var(&mut on.var);
        on.until.iter_mut().for_each(|v| self.var(v));
        self.checkpoint(&mut on.checkpoint);
    }

    /// [`Rename`] leaves alone what is written.
    fn exclusive(&self, expr: &mut Expr) {
        match expr {
            Expr::Pop(place) => self.var(&mut place.root),
            Expr::Call(call) => {
                for arg in &mut call.args {
                    if let CallArg::Mut(place) = arg {
                        self.var(&mut place.root);
                    }
                }
            }
            _ => {}
        }
    }

    fn arm(&self, arm: &mut Arm) {
        let name = |v: &Var| self.vars[v.0 as usize].name.clone();
        let bound = arm.binds.iter().filter(|v| self.map.contains_key(v));
        let names: BTreeMap<String, _> = bound.map(|v| (name(v).to_string(), name(&self.map[v]))).collect();
        arm.pattern = substitute(arm.pattern.clone(), &names);
        arm.binds.iter_mut().for_each(|v| self.var(v));
        arm.guard.iter_mut().for_each(|g| self.rename().opaque(g));
    }

    fn checkpoint(&self, checkpoint: &mut Option<Checkpoint>) {
        if let Some(Checkpoint { keep: CheckpointPolicy::Every(n) | CheckpointPolicy::Snapshots(n), .. }) = checkpoint {
            self.rename().opaque(n);
        }
    }
}
