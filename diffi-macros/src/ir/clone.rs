//! A second copy of statements, over other variables: the user's, and those of derivative code that are as plain.

use crate::ir::visit::parts::mutable::{self, Part};
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
    pub fn passive_code(&self, mut o: PassiveCode) -> PassiveCode {
        self.rename().passive_code(&mut o);
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
        assert!(is_plain(stmt), "statements as plain as the user's are copied: {stmt:?}");
        match stmt {
            Stmt::Effect { tokens, writes } => self.effect(tokens, writes),
            Stmt::Switch { arms, .. } => arms.iter_mut().for_each(|arm| self.pattern(arm)),
            _ => {}
        }
        let is_effect = matches!(stmt, Stmt::Effect { .. });
        mutable::head(stmt, &mut |part| match part {
            Part::Var(var, _) => self.var(var),
            Part::Place(place, _) => self.rename().place(place),
            Part::Passive(o) | Part::Lent(o) if !is_effect => self.rename().passive_code(o),
            Part::Passive(_) | Part::Lent(_) => {}
        });
        for block in blocks_mut(stmt) {
            block.stmts.iter_mut().for_each(|s| self.stmt(s));
        }
    }

    fn effect(&self, tokens: &mut PassiveCode, writes: &mut Vars) {
        let renamed = |vars: &Vars| vars.iter().map(|v| self.map.get(v).copied().unwrap_or(*v)).collect();
        let reads = renamed(&tokens.reads);
        tokens.reads.extend(&*writes);
        self.rename().passive_code(tokens);
        tokens.reads = reads;
        *writes = renamed(writes);
    }

    /// The names in a pattern.
    fn pattern(&self, arm: &mut Arm) {
        let name = |v: &Var| self.vars[v.0 as usize].name.clone();
        let bound = arm.binds.iter().filter(|v| self.map.contains_key(v));
        let names: BTreeMap<String, _> = bound.map(|v| (name(v).to_string(), name(&self.map[v]))).collect();
        arm.pattern = substitute(arm.pattern.clone(), &names);
    }
}

/// Whether a statement is one of the user's, or as plain as these.
fn is_plain(stmt: &Stmt) -> bool {
    let Stmt::Derived(derived) = stmt else { return true };
    match derived {
        Derived::Loop(l) => l.frame.is_none() && l.first.is_empty() && l.walks.is_empty(),
        Derived::Zero { like, .. } => matches!(like, ShapeOf::Len(_)),
        Derived::Guard { .. } | Derived::View { .. } | Derived::Clear { .. } | Derived::Release { .. } => true,
        Derived::StoreFrame(r) | Derived::LoadFrame(r) => r.words.is_empty() && r.wholes.is_empty(),
        _ => false,
    }
}
