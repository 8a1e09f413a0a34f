//! The machine that runs programs and bodies of derivative code: memory, names, and how a run ends early.

use crate::ir::PassiveCode;
use crate::tests::interpreter::bodies::frame::Frame;
use crate::tests::interpreter::bodies::tape::Tape;
use crate::tests::interpreter::memory::Memory;
use crate::tests::interpreter::program::Program;
use crate::tests::interpreter::stop::{Run, Stop};
use crate::tests::interpreter::value::{Pointer, Value};
use std::rc::Rc;

/// As many expressions and statements are evaluated before a run is given up.
const STEPS: usize = 200_000;

/// The state of a run.
pub struct Machine<'p> {
    /// What can be called.
    pub program: &'p Program<'p>,
    /// The values.
    pub memory: Memory,
    /// Names of variables, the latest last.
    pub scope: Vec<(Rc<str>, Pointer)>,
    /// Where the names of the function at hand begin.
    pub base: usize,
    /// Bodies of derivative code that are run, and functions between them.
    pub frames: Vec<Frame<'p>>,
    /// The frame that names are looked up in.
    pub frame: usize,
    /// What forward sweeps keep.
    pub tape: Tape,
    /// What the tape was where generated code asked for it, to go back to.
    pub marked: Vec<Tape>,
    steps: usize,
}

impl<'p> Machine<'p> {
    /// With nothing in it.
    pub fn new(program: &'p Program<'p>) -> Self {
        Machine {
            program,
            memory: Memory::default(),
            scope: Vec::new(),
            base: 0,
            frames: vec![Frame::default()],
            frame: 0,
            tape: Tape::default(),
            marked: Vec::new(),
            steps: 0,
        }
    }

    /// Counts a step.
    pub fn step(&mut self) -> Run<()> {
        self.steps += 1;
        if self.steps > STEPS { Err(Stop::unknown("a long run")) } else { Ok(()) }
    }

    /// A variable with a value.
    pub fn bind(&mut self, name: impl Into<Rc<str>>, value: Value) -> Pointer {
        let pointer = self.memory.alloc(value);
        self.scope.push((name.into(), pointer.clone()));
        pointer
    }

    /// The place of a variable.
    pub fn variable(&self, name: &str) -> Option<Pointer> {
        let local = self.scope[self.base..].iter().rev().find(|(n, _)| **n == *name);
        local.map(|(_, p)| p.clone()).or_else(|| self.frames[self.frame].named(name))
    }

    /// Runs a part of the code whose variables end with it.
    pub fn inside<T>(&mut self, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let (names, cells) = (self.scope.len(), self.memory.len());
        let result = run(self);
        self.scope.truncate(names);
        self.memory.truncate(cells);
        result
    }

    /// Runs a function, in which no name from outside is known.
    pub fn apart<T>(&mut self, frame: Frame<'p>, run: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let (base, outer) = (std::mem::replace(&mut self.base, self.scope.len()), self.frame);
        self.frames.push(frame);
        self.frame = self.frames.len() - 1;
        let result = self.inside(run);
        self.frames.pop();
        (self.base, self.frame) = (base, outer);
        result
    }

    /// The value of passive code.
    pub fn passive(&mut self, code: &PassiveCode) -> Run<Value> {
        let stmts = self.program.parsed(code)?;
        let names = self.scope.len();
        let result = self.stmts(&stmts);
        self.scope.truncate(names);
        result
    }

    /// The place that passive code names, or a new one with its value.
    pub fn passive_place(&mut self, code: &PassiveCode) -> Run<Pointer> {
        let stmts = self.program.parsed(code)?;
        match &stmts[..] {
            [syn::Stmt::Expr(expr, None)] => self.scrutinee(expr),
            _ => {
                let value = self.passive(code)?;
                Ok(self.memory.alloc(value))
            }
        }
    }

    /// The integer of passive code.
    pub fn index_of(&mut self, code: &PassiveCode) -> Run<usize> {
        match self.passive(code)? {
            Value::Int(n) => usize::try_from(n).map_err(|_| Stop::panic("an index below zero")),
            other => match self.read_value(other)? {
                Value::Int(n) => usize::try_from(n).map_err(|_| Stop::panic("an index below zero")),
                _ => Err(Stop::unknown(format!("the index `{}`", code.tokens))),
            },
        }
    }

    /// Values behind all references.
    pub fn read_all(&self, values: Vec<Value>) -> Run<Vec<Value>> {
        values.into_iter().map(|value| self.read_value(value)).collect()
    }

    /// A value behind all references.
    pub fn read_value(&self, value: Value) -> Run<Value> {
        match value {
            Value::Ref(pointer) => self.memory.read(&pointer),
            other => Ok(other),
        }
    }
}
