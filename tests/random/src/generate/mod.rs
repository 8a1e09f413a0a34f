//! Writes programs: every construct is one function that fills one template.
//!
//! Indices are in bounds and loops end by construction; values stay small by rule of thumb, and programs where they do not are
//! left out by the check.

mod arrays;
mod chains;
mod changes;
mod effects;
mod enums;
mod floats;
mod functions;
mod loops;
mod nested;
mod options;
mod resizing;
mod scope;
mod statements;
mod structs;

use crate::program::*;
use fastrand::Rng;
use scope::Var;
use std::rc::Rc;

/// What a program may cost.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Statements in the differentiated function.
    pub statements: usize,
    /// How deep expressions are.
    pub depth: usize,
}

/// A program from a seed.
pub fn program(seed: u64) -> Program {
    of_size(seed, 9)
}

/// A program from a seed, whose differentiated function has fewer statements than `most` on its outermost level.
pub fn of_size(seed: u64, most: usize) -> Program {
    let mut writer = Writer::new(Rng::with_seed(seed));
    let size = Size { statements: writer.rng.usize(2..most.max(3)), depth: writer.rng.usize(1..4) };
    writer.define_types();
    writer.arrays = writer.chance(30);
    writer.main(size);
    let mut program = Program { types: writer.types, functions: writer.functions };
    let mut only_read = crate::print::only_read(&program);
    let main = program.functions.last_mut().expect("the function that is differentiated");
    if main.result == Ty::Unit {
        only_read.clear();
    }
    only_read.into_iter().for_each(|k| main.params[k].kind = Kind::At);
    program
}

/// Writes something of at most this depth, if it fits here.
pub(crate) type Construct<T> = fn(&mut Writer, usize) -> Option<T>;

/// What an early exit gives, and where to.
#[derive(Clone)]
struct Exit {
    label: Option<String>,
    /// Type of the value of `break`; `Unit` for loops without a value.
    value: Ty,
    /// `continue` would jump over the step.
    only_break: bool,
}

/// The state of writing.
pub(crate) struct Writer {
    rng: Rng,
    types: Vec<Rc<Defined>>,
    /// Whether there are arrays of `ndarray`.
    arrays: bool,
    functions: Vec<Function>,
    scope: Vec<Var>,
    names: usize,
    /// Loops and labelled blocks around, the innermost last.
    exits: Vec<Exit>,
    /// What the function returns, unless a closure stands between.
    result: Option<Ty>,
    /// How many blocks are around.
    nesting: usize,
    /// How often the innermost statement runs, at most.
    iterations: usize,
    /// Variables below this index of the scope must not be written.
    barrier: usize,
    /// Statements that may still be written.
    budget: usize,
}

impl Writer {
    fn new(rng: Rng) -> Writer {
        Writer {
            rng,
            types: Vec::new(),
            arrays: false,
            functions: Vec::new(),
            scope: Vec::new(),
            names: 0,
            exits: Vec::new(),
            result: None,
            nesting: 0,
            iterations: 1,
            barrier: 0,
            budget: 0,
        }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(0..of.len())].clone()
    }

    /// Tries constructs by their weights until one can be written here.
    fn choose<T>(&mut self, constructs: &[(u32, Construct<T>)], depth: usize) -> Option<T> {
        let total: u32 = constructs.iter().map(|(w, _)| w).sum();
        for _ in 0..30 {
            let mut at = self.rng.u32(0..total);
            let mut found = constructs[0].1;
            for (weight, construct) in constructs {
                if at < *weight {
                    found = *construct;
                    break;
                }
                at -= weight;
            }
            if let Some(node) = found(self, depth) {
                return Some(node);
            }
        }
        None
    }

    /// A new name.
    fn name(&mut self, hint: &str) -> String {
        self.names += 1;
        format!("{hint}{}", self.names)
    }
}
