//! The jumps of a function: frames that they leave, flags, and the destination of values.

use crate::frontend::state::value::Value;
use crate::ir::visit::Vars;
use crate::ir::*;
use proc_macro2::Ident;

/// A loop or a labelled block that is being lowered.
#[derive(Clone)]
pub struct Frame {
    pub label: Option<Ident>,
    pub is_loop: bool,
    /// Set by what leaves it.
    pub leave: Var,
    /// Whether something does.
    pub left: bool,
    /// Set by `continue`, per iteration.
    pub skip: Option<Var>,
    /// Values of `break value`.
    pub broken: Option<Value>,
    /// It is the source of an iterator that the loop around runs through: to go on with that loop leaves it open.
    pub source: bool,
}

#[derive(Clone, Debug)]
pub struct Jump {
    /// Per enclosing frame that the jump cuts short, its flag.
    pub cuts: Vec<(usize, Var)>,
    pub returns: bool,
}

/// The state of jumps in one function.
#[derive(Default)]
pub struct Jumps {
    pub frames: Vec<Frame>,
    pub log: Vec<Jump>,
    pub flags: Vars,
    pub returned: Option<Var>,
    /// Where `return` puts its value.
    pub result: Option<Value>,
    /// Temporaries that a user's name has taken over.
    pub claimed: Vars,
    /// The type that is written at the `let` being lowered.
    pub expected: Option<Ty>,
    /// How many operands were given a name, to be evaluated in front of what they are operands of.
    pub operands: usize,
    /// The frames of the closures being inlined that may be left early.
    pub closures: Vec<usize>,
}

impl Jumps {
    /// A mark in the log of jumps.
    pub fn pending_before(&self) -> usize {
        self.log.len()
    }

    /// Whether a jump since the mark leads out of what is open now.
    pub fn left_since(&self, before: usize) -> bool {
        let depth = self.frames.len();
        self.log[before..].iter().any(|j| j.returns || j.cuts.iter().any(|(frame, _)| *frame < depth))
    }

    /// The flags that jumps since the mark may have set, and that cut this block short.
    pub fn taken_since(&self, before: usize) -> Vars {
        let depth = self.frames.len();
        let flag = |j: &Jump| match depth {
            0 => j.returns.then_some(self.returned).flatten(),
            d => j.cuts.iter().find(|(f, _)| *f + 1 == d).map(|(_, v)| *v),
        };
        self.log[before..].iter().filter_map(flag).collect()
    }

    pub fn find(&self, label: &Option<syn::Lifetime>) -> Option<usize> {
        match label {
            Some(l) => self.frames.iter().rposition(|f| f.label.as_ref() == Some(&l.ident)),
            None => self.frames.iter().rposition(|f| f.is_loop),
        }
    }

    /// A frame.
    pub fn frame(&self, at: usize) -> &Frame {
        &self.frames[at]
    }

    /// How many frames are open.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }
}

/// Where a block's value goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dest {
    /// To whoever asked.
    Value,
    /// Nowhere: the block is run for its effects.
    Nobody,
    /// Into the function's result.
    Result,
    /// Into the variable that a labelled block leaves its value in.
    Frame(usize),
}
