//! Which reads see a value that is never overwritten afterwards.
//!
//! The reverse sweep does not undo assignments. It may therefore read a variable again only if
//! nothing has been written to it since: such a read is *stable*. All other values that adjoints
//! need are named by a `let` at the point of the read, and kept.

use crate::ir::*;
use crate::walk::{Touch, Vars, Visit, blocks};
use std::collections::HashMap;

/// Positions of declarations and of last writes, in program order.
pub struct Writes {
    declared: HashMap<Var, usize>,
    last: HashMap<Var, usize>,
    /// Parameters behind `&mut`: the caller may write to them between the sweeps.
    shared: Vars,
}

/// Where a walk over the function stands: the position and the loops around it.
#[derive(Clone, Default)]
pub struct Here {
    /// Counts statements in program order.
    pub position: usize,
    /// Positions at which the loops around began, outermost first.
    pub loops: Vec<usize>,
}

impl Writes {
    /// Finds all declarations and writes.
    pub fn of(function: &Function) -> Self {
        let exclusive = function.params.iter().filter(|p| matches!(p.passing, Passing::Mut | Passing::Out));
        let shared = exclusive.map(|p| p.var).collect();
        let mut writes = Writes { declared: HashMap::new(), last: HashMap::new(), shared };
        let mut position = 0;
        writes.block(&function.body, &mut position);
        writes
    }

    /// Whether nothing is written to `root` from `here` on, the next trips of loops included.
    pub fn stable(&self, root: Var, here: &Here) -> bool {
        let Some(last) = self.last.get(&root) else { return true };
        if self.shared.contains(&root) {
            return false;
        }
        let declared = self.declared.get(&root).copied().unwrap_or(0);
        let from = here.loops.iter().find(|start| **start > declared).unwrap_or(&here.position);
        last < from
    }

    /// Whether anything is ever written to `root` after its declaration.
    pub fn ever(&self, root: Var) -> bool {
        self.last.contains_key(&root)
    }

    fn block(&mut self, block: &Block, position: &mut usize) {
        for stmt in &block.stmts {
            *position += 1;
            self.shallow(stmt, *position);
            for inner in blocks(stmt) {
                self.block(inner, position);
            }
        }
    }

    fn shallow(&mut self, stmt: &Stmt, position: usize) {
        let mut note = |v, touch| match touch {
            Touch::Define => {
                self.declared.insert(v, position);
            }
            Touch::Write => {
                self.last.insert(v, position);
            }
            _ => {}
        };
        match stmt {
            Stmt::If { .. } | Stmt::While { .. } => {}
            Stmt::For(on) => note(on.var, Touch::Define),
            Stmt::Switch { arms, .. } => {
                arms.iter().flat_map(|a| &a.binds).for_each(|v| note(*v, Touch::Define))
            }
            simple => Visit(&mut note).stmt(simple),
        }
    }
}

/// Whether a statement runs its blocks again and again.
pub fn is_loop(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::For(_) | Stmt::While { .. })
}
