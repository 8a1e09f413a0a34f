//! The names in scope, and the statements of blocks in both orders.

use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};

/// A name, and its binding.
pub type Named = (String, usize);

/// The names in scope, the innermost last.
#[derive(Default)]
pub struct Scope {
    names: Vec<Named>,
    /// The bindings of each name, the innermost last.
    of: HashMap<String, Vec<usize>>,
}

impl Scope {
    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn extend(&mut self, names: impl IntoIterator<Item = Named>) {
        for (name, at) in names {
            self.of.entry(name.clone()).or_default().push(at);
            self.names.push((name, at));
        }
    }

    pub fn truncate(&mut self, len: usize) {
        for (name, _) in self.names.drain(len..) {
            self.of.get_mut(&name).map(Vec::pop);
        }
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.of.get(name)?.last().copied()
    }

    /// Those behind so many.
    pub fn behind(&self, len: usize) -> Vec<Named> {
        self.names[len..].to_vec()
    }
}

/// Where a block's statements begin, for who walks through them from the last to the first.
#[derive(Clone, Default)]
pub struct Starts {
    /// The number of the next binding, and how many names of the block are in scope.
    pub starts: Vec<(usize, usize)>,
    /// The number of the next binding behind the block.
    pub end: usize,
    /// All names that the statements bring into scope.
    pub names: Vec<Named>,
}

/// The blocks of a function. Those of a macro's arguments are made anew each time.
#[derive(Default)]
pub struct Blocks(HashSet<*const syn::Block>);

impl Blocks {
    pub fn of(item: &syn::ItemFn) -> Self {
        let mut blocks = Self::default();
        blocks.visit_block(&item.block);
        blocks
    }

    pub fn has(&self, block: &syn::Block) -> bool {
        self.0.contains(&std::ptr::from_ref(block))
    }
}

impl<'a> Visit<'a> for Blocks {
    fn visit_block(&mut self, block: &'a syn::Block) {
        self.0.insert(block);
        visit::visit_block(self, block);
    }
}
