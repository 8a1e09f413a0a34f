//! Tape frames in statements.

use crate::ir::symbols::{Role, Table};
use crate::ir::visit::blocks_mut;
use crate::ir::*;

/// The frame that a statement pushes.
pub fn pushed(stmt: &Stmt) -> Option<&TapeFrame> {
    match stmt {
        Stmt::Derived(Derived::PushFrame(frame) | Derived::StoreFrame(frame)) => Some(frame),
        _ => None,
    }
}

/// The frame that a statement pops.
pub fn popped(stmt: &Stmt) -> Option<&TapeFrame> {
    match stmt {
        Stmt::Derived(Derived::PopFrame(frame) | Derived::LoadFrame(frame)) => Some(frame),
        _ => None,
    }
}

/// Changes all frames, pushed and popped. A loop's block then has as many tangents for each iteration as the iterations keep.
pub fn each_frame(table: &Table, block: &mut Block, f: &mut dyn FnMut(&mut TapeFrame)) {
    for stmt in &mut block.stmts {
        if let Stmt::Derived(
            Derived::PushFrame(frame)
            | Derived::StoreFrame(frame)
            | Derived::PopFrame(frame)
            | Derived::LoadFrame(frame),
        ) = stmt
        {
            f(frame);
        }
        blocks_mut(stmt).into_iter().for_each(|inner| each_frame(table, inner, f));
        if let Stmt::Derived(Derived::Loop(l)) = stmt {
            l.recount(table);
        }
    }
}

impl TapeFrame {
    /// How many tangents it holds.
    pub fn tangents(&self, table: &Table) -> usize {
        self.floats.iter().filter(|v| table.role(**v) == Role::Dot).count()
    }
}

impl Loop {
    /// A loop that keeps nothing.
    pub fn new(on: For, sweep: LoopSweep) -> Self {
        let (lanes, first, walks) = Default::default();
        Loop { on, iterations: None, frame: None, sweep, lanes, first, walks, opened: false }
    }

    /// Counts the tangents in an iteration's frame anew.
    pub fn recount(&mut self, table: &Table) {
        if let Some(widths) = &mut self.frame {
            let frames = self.on.body.stmts.iter().filter_map(|stmt| match stmt {
                Stmt::Derived(Derived::StoreFrame(frame) | Derived::LoadFrame(frame)) => Some(frame),
                _ => None,
            });
            widths.tangents = frames.map(|frame| frame.tangents(table)).max().unwrap_or(0);
        }
    }
}
