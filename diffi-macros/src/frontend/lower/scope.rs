//! Names in scope, and where variables were declared.

use crate::frontend::infer::mutability::Changes;
use crate::frontend::lower::value::Value;
use crate::ir::{Owner, Place, Proj};
use crate::support::hash::HashMap;
use proc_macro2::{Ident, Span};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The names that are visible at one point. Cloning is cheap: a block clones it on entry.
#[derive(Clone, Default)]
pub struct Scope {
    names: Rc<HashMap<String, Value>>,
    /// Methods in the block around the function that take `&mut self`.
    exclusive: Rc<BTreeSet<String>>,
    /// What the function does to its variables, as far as its text shows.
    pub changes: Rc<Changes>,
}

impl Scope {
    /// No names yet.
    pub fn in_block(owner: Option<&Owner>) -> Self {
        let functions = owner.iter().flat_map(|o| &o.functions);
        let exclusive = functions.filter(|(_, f)| f.exclusive).map(|(name, _)| name.clone()).collect();
        Scope { names: Rc::default(), exclusive: Rc::new(exclusive), changes: Rc::default() }
    }

    /// Whether `self.method(..)` takes `&mut self`, as far as the block around the function tells.
    pub fn changes_self(&self, method: &Ident) -> bool {
        self.exclusive.contains(&method.to_string())
    }

    /// What a name stands for; `None` for items, constants and functions.
    pub fn get(&self, name: &Ident) -> Option<&Value> {
        self.names.get(&name.to_string())
    }

    /// Binds a name, hiding what it stood for.
    pub fn bind(&mut self, name: &Ident, value: Value) {
        Rc::make_mut(&mut self.names).insert(name.to_string(), value);
    }

    /// Forgets a name: it stands for an item again.
    pub fn forget(&mut self, name: &Ident) {
        Rc::make_mut(&mut self.names).remove(&name.to_string());
    }
}

/// A declaration in the user's text, the same in every round of lowering.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(String);

impl Site {
    /// The site of a declared name.
    pub fn of(name: &Ident) -> Self {
        Site(format!("{name} {:?}", name.span()))
    }

    /// A member of what a closure returns.
    pub fn member(span: Span, member: usize) -> Self {
        Site(format!("{span:?} member {member}"))
    }

    /// The ends of the part that a reference leads to.
    pub fn ends(name: &Ident) -> Self {
        Site(format!("{name} {:?} ends", name.span()))
    }

    /// A part of a variable, whichever its indices are.
    pub fn part(place: &Place) -> Self {
        let mut name = format!("{:?}", place.root);
        for step in &place.path {
            name += &match step {
                Proj::Field(member) => format!(" .{}", quote::ToTokens::to_token_stream(member)),
                Proj::Payload(variant, member) => format!(" {variant}.{}", quote::ToTokens::to_token_stream(member)),
                Proj::Index(_) => " []".to_owned(),
                Proj::Range(..) => String::new(),
                Proj::Deref => " *".to_owned(),
            };
        }
        Site(name)
    }

    /// A site without a name of its own, such as the accumulator of a `fold`.
    pub fn at(span: Span) -> Self {
        Site(format!("{span:?}"))
    }
}
