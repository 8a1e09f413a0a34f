//! Tangents in tape frames that nothing reads where the frame is popped.
//!
//! A value on the tape comes with its tangent. The reverse sweep may only compare the value, or multiply by it without a tangent: then the
//! tangent is dead. Without it in the frame, LLVM sees that the tangent need not be computed at all, and neither need everything that
//! it alone depends on: the tangents of all candidates of which a minimum selects one.

use crate::analysis::liveness::Live;
use crate::ir::frames::{each_frame, popped};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::Vars;
use crate::ir::*;
use crate::support::hash::HashMap;

/// By frame: which of its floats are dead wherever it is popped.
#[derive(Default)]
pub struct DeadSlots(HashMap<FrameId, Vec<bool>>);

impl DeadSlots {
    /// Looks where a frame is popped.
    pub fn note(&mut self, table: &Table, stmt: &Stmt, live: &Live) {
        let Some(frame) = popped(stmt) else { return };
        let moved: Vars = frame.carried.iter().flat_map(|c| [c.cell, c.value, c.was]).collect();
        let is_dead = |v: &Var| table.role(*v) == Role::Dot && !live.is_mentioned(*v) && !moved.contains(v);
        let known = self.0.entry(frame.id).or_insert_with(|| vec![true; frame.floats.len()]);
        known.iter_mut().zip(&frame.floats).for_each(|(dead, v)| *dead &= is_dead(v));
    }

    /// Takes them out where the frames are pushed and popped.
    pub fn remove(&self, table: &Table, bodies: &mut [&mut Block]) {
        if !self.0.values().flatten().any(|dead| *dead) {
            return;
        }
        let mut remove = |frame: &mut TapeFrame| {
            if let Some(dead) = self.0.get(&frame.id) {
                let mut dead = dead.iter();
                frame.floats.retain(|_| dead.next() != Some(&true));
            }
        };
        bodies.iter_mut().for_each(|body| each_frame(table, body, &mut remove));
    }
}
