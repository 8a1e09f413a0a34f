//! Liveness within an iteration: the statements that some other statements need.

use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;

/// A statement without blocks.
pub(super) struct Leaf<'s> {
    pub stmt: &'s Stmt,
    /// The statements that it stands in, from the outside in.
    pub around: Vec<&'s Stmt>,
}

/// All of them, in order.
pub(super) fn leaves(block: &Block) -> Vec<Leaf<'_>> {
    fn add<'s>(block: &'s Block, around: &mut Vec<&'s Stmt>, found: &mut Vec<Leaf<'s>>) {
        for stmt in &block.stmts {
            let inner = blocks(stmt);
            if inner.is_empty() {
                found.push(Leaf { stmt, around: around.clone() });
            }
            around.push(stmt);
            inner.into_iter().for_each(|block| add(block, around, found));
            around.pop();
        }
    }
    let mut found = Vec::new();
    add(block, &mut Vec::new(), &mut found);
    found
}

/// What some statements need.
pub(super) struct Live {
    /// Which statements: these themselves too.
    pub leaves: Vec<bool>,
    /// Variables whose values are read.
    pub contents: Vars,
    /// Variables whose shapes are.
    shapes: Vars,
}

impl Live {
    /// What the roots need, where these arrays are given, and some statements left out.
    pub(super) fn of(all: &[Leaf<'_>], roots: &[usize], given: &Vars, without: &[usize]) -> Live {
        let mut live = Live { leaves: vec![false; all.len()], contents: Vars::new(), shapes: Vars::new() };
        roots.iter().for_each(|at| live.leaves[*at] = true);
        loop {
            let before = live.size();
            for (at, leaf) in all.iter().enumerate() {
                live.leaves[at] |= !without.contains(&at) && live.wants(leaf.stmt, given);
                if live.leaves[at] {
                    live.take(leaf);
                }
            }
            if live.size() == before {
                return live;
            }
        }
    }

    fn size(&self) -> [usize; 3] {
        [self.leaves.iter().filter(|l| **l).count(), self.contents.len(), self.shapes.len()]
    }

    /// Whether the statement makes, or gives a value to, what is needed.
    fn wants(&self, stmt: &Stmt, given: &Vars) -> bool {
        let needed = |v: &Var| !given.contains(v) && (self.contents.contains(v) || self.shapes.contains(v));
        let valued = |v: &Var| !given.contains(v) && self.contents.contains(v);
        match stmt {
            Stmt::Assign { place, .. } => valued(&place.root),
            Stmt::Derived(Derived::View { var, place, exclusive, .. }) => {
                needed(var) || *exclusive && valued(&place.root)
            }
            other => touched(std::slice::from_ref(other), &[Access::Define, Access::Write]).iter().any(needed),
        }
    }

    /// What the statement needs is needed.
    fn take(&mut self, leaf: &Leaf<'_>) {
        match leaf.stmt {
            Stmt::Derived(Derived::View { var, place, exclusive, .. }) => {
                place.indices(&mut |o| self.passive_code(o));
                if self.contents.contains(var) {
                    self.contents.insert(place.root);
                } else if *exclusive && self.contents.contains(&place.root) {
                    self.contents.insert(*var);
                }
                self.shapes.insert(place.root);
            }
            other => Visit(&mut |v, touch| self.touch(v, touch)).stmt(other),
        }
        leaf.around.iter().for_each(|stmt| self.around(stmt));
    }

    /// A statement around what is needed.
    fn around(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::For(on) => self.counted(on),
            Stmt::Derived(Derived::Loop(l)) => self.counted(&l.on),
            Stmt::If { cond, .. } => self.passive_code(cond),
            _ => {}
        }
    }

    fn counted(&mut self, on: &For) {
        [&on.lo, &on.hi].into_iter().chain(&on.step).for_each(|o| self.passive_code(o));
    }

    fn passive_code(&mut self, o: &PassiveCode) {
        self.contents.extend(&o.reads);
        self.shapes.extend(&o.shapes);
    }

    fn touch(&mut self, var: Var, touch: Access) {
        match touch {
            Access::Read => {
                self.contents.insert(var);
            }
            Access::Shape => {
                self.shapes.insert(var);
            }
            Access::Write | Access::Define => {}
        }
    }
}
