//! What is known while a body runs: its variables, and which parameters are active.

use crate::ir::symbols::Table;
use crate::ir::{ParamSet, Var};
use crate::tests::interpreter::bodies::tape::Records;
use crate::tests::interpreter::machine::Machine;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A body that runs, or a function in between, which has nothing of it.
#[derive(Default)]
pub struct Frame<'p> {
    /// The variables.
    pub table: Option<&'p Table>,
    /// By their placeholders.
    pub names: Rc<HashMap<String, Var>>,
    /// Where their values are.
    pub slots: Vec<Option<Pointer>>,
    /// What slots were before, for the end of a block.
    pub log: Vec<(Var, Option<Pointer>)>,
    /// Which parameters are active.
    pub active: Vec<bool>,
    /// The cotangents of parameters that the body initialises.
    pub fresh: HashSet<Var>,
    /// The frames of the loop at hand.
    pub frames: Option<Records>,
    /// The iteration's own frame.
    pub frame: usize,
}

impl<'p> Frame<'p> {
    /// Over these variables.
    pub fn over(table: &'p Table) -> Self {
        let names = (0..).map(Var).zip(table.vars()).map(|(var, info)| (info.name.to_string(), var)).collect();
        Frame { table: Some(table), names: Rc::new(names), slots: vec![None; table.vars().len()], ..Frame::default() }
    }

    /// The place of a variable by its placeholder.
    pub fn named(&self, name: &str) -> Option<Pointer> {
        self.slots[self.names.get(name)?.0 as usize].clone()
    }

    /// Whether one of these parameters is active.
    pub fn is_on(&self, on: ParamSet) -> bool {
        on.members().any(|k| self.active.get(k).copied().unwrap_or(false))
    }

    /// Sets a variable's place, until the block ends.
    pub fn put(&mut self, var: Var, place: Option<Pointer>) {
        let before = std::mem::replace(&mut self.slots[var.0 as usize], place);
        self.log.push((var, before));
    }
}

impl<'p> Machine<'p> {
    /// The frame at hand.
    pub fn here(&mut self) -> &mut Frame<'p> {
        &mut self.frames[self.frame]
    }

    /// The variables at hand.
    pub fn table(&self) -> &'p Table {
        self.frames[self.frame].table.expect("a body runs")
    }

    /// The place of a variable.
    pub fn slot(&self, var: Var) -> Run<Pointer> {
        let slot = self.frames[self.frame].slots[var.0 as usize].clone();
        slot.ok_or_else(|| Stop::panic(format!("`{}` is used before it is there", self.table().info(var).name)))
    }

    /// A new variable.
    pub fn define(&mut self, var: Var, value: Value) {
        let place = self.memory.alloc(value);
        self.here().put(var, Some(place));
    }
}
