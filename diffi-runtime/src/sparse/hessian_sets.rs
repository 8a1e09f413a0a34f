//! Pairs of inputs by which a number is bent: sets of pairs, as sums of products of sets of inputs.
//!
//! Nothing is multiplied out before the trace is over, so that an operation costs the same however many pairs there are.

use super::coordinates::Places;
use super::sets::IndexSet;
use std::cell::RefCell;
use std::collections::HashSet;

/// A set of pairs of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Curvature(u32);

/// What a set of pairs is.
#[derive(Clone, Copy)]
enum Node {
    /// Each index of one with each of the other: two of the sets.
    Product(u32, u32),
    /// All pairs of both.
    Union(Curvature, Curvature),
}

/// What this thread has made.
struct Arena {
    nodes: Vec<Node>,
    sets: Vec<IndexSet>,
}

thread_local! {
    static ARENA: RefCell<Arena> = const { RefCell::new(Arena::new()) };
}

impl Curvature {
    /// No pair.
    pub const NONE: Self = Curvature(0);

    /// Each index of one with each of the other.
    #[inline]
    pub fn product(one: IndexSet, other: IndexSet) -> Self {
        match one.is_empty() || other.is_empty() {
            true => Self::NONE,
            false => ARENA.with_borrow_mut(|arena| {
                let first = arena.set(one);
                let second = if one == other { first } else { arena.set(other) };
                arena.add(Node::Product(first, second))
            }),
        }
    }

    /// All pairs of both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        match (self, other) {
            (one, Self::NONE) => one,
            (Self::NONE, other) => other,
            (one, other) if one == other => one,
            (one, other) => ARENA.with_borrow_mut(|arena| arena.add(Node::Union(one, other))),
        }
    }

    /// Runs `f` and then forgets the sets that this thread has made.
    pub(super) fn session<T>(f: impl FnOnce() -> T) -> T {
        /// Ends the session, also when `f` panics.
        struct Session;
        impl Drop for Session {
            fn drop(&mut self) {
                ARENA.replace(Arena::new());
            }
        }
        let _session = Session;
        IndexSet::session(f)
    }

    /// Puts down all pairs, each in both orders; those of everything that was traced if they are `shared`.
    pub(super) fn put(self, shared: bool, places: &mut Places) {
        ARENA.with_borrow(|arena| {
            let mut large = HashSet::new();
            arena.products(self, shared, |one, other| match (one.few(), other.few()) {
                (Some(one), Some(other)) => pairs(one, other, places),
                _ => drop(large.insert((one, other))),
            });
            for (one, other) in large {
                pairs(&one.indices(), &other.indices(), places);
            }
        });
    }
}

/// Puts down each index of one with each of the other, in both orders.
fn pairs(one: &[u32], other: &[u32], places: &mut Places) {
    for i in one {
        for j in other {
            places.add(*i as usize, *j as usize);
        }
    }
    if one != other {
        for j in other {
            for i in one {
                places.add(*j as usize, *i as usize);
            }
        }
    }
}

impl Arena {
    const fn new() -> Self {
        Arena { nodes: Vec::new(), sets: Vec::new() }
    }

    fn set(&mut self, set: IndexSet) -> u32 {
        self.sets.push(set);
        self.sets.len() as u32 - 1
    }

    fn add(&mut self, node: Node) -> Curvature {
        self.nodes.push(node);
        Curvature(u32::try_from(self.nodes.len()).expect("less than 2^32 operations"))
    }

    /// Passes on the products that a set of pairs is the sum of, or all that there are.
    fn products(&self, of: Curvature, shared: bool, mut each: impl FnMut(IndexSet, IndexSet)) {
        let mut product = |one: u32, other: u32| each(self.sets[one as usize], self.sets[other as usize]);
        if shared {
            self.nodes.iter().for_each(|node| match node {
                Node::Product(one, other) => product(*one, *other),
                Node::Union(..) => {}
            });
            return;
        }
        let (mut entered, mut open) = (vec![false; self.nodes.len()], vec![of]);
        while let Some(Curvature(node)) = open.pop() {
            let Some(at) = (node as usize).checked_sub(1) else { continue };
            if std::mem::replace(&mut entered[at], true) {
                continue;
            }
            match self.nodes[at] {
                Node::Product(one, other) => product(one, other),
                Node::Union(one, other) => open.extend([one, other]),
            }
        }
    }
}
