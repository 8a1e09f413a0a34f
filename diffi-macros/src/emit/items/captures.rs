//! The captures of a closure that is handed to another function.

use crate::emit::code::names::Names;
use crate::emit::items::slot::Slot;
use crate::ir::Var;
use crate::support::hash::HashMap;

/// The captures of a closure, as the code around it names them.
pub struct Captures<'a> {
    /// The names around.
    pub outer: &'a Names<'a>,
    /// What stands for captures without derivatives.
    pub fixed: HashMap<Var, String>,
    /// Active captures, and their shadows by the letters of slots.
    pub(in crate::emit) places: HashMap<(Var, char), String>,
    /// The derivative code of captured parameters that are functions.
    pub(in crate::emit) functions: HashMap<Var, String>,
    /// What the derivative code of those is.
    pub(in crate::emit) code: Product,
    pub(in crate::emit) depth: usize,
}

/// What derivative code does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Product {
    Push,
    Pull,
    PullPush,
}

/// The letter of captures themselves.
pub const PRIMAL: char = 'x';

impl Captures<'_> {
    pub fn argument(&self, slot: Slot<'_>, k: usize) -> String {
        format!("__{}{}_{k}", slot.letter(), self.depth)
    }
}

/// What stands for the derivative code of a function that has none, which takes so many arguments.
pub fn unknown(arguments: usize) -> String {
    let all = "_, ".repeat(arguments);
    format!("&mut |{all}| ::core::unreachable!(\"the function is a constant\"), __d::callbacks::Unknown")
}
