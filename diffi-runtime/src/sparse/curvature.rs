//! Pairs of inputs by which a number is bent: sets of pairs, as sums of products of sets of inputs.
//!
//! Nothing is multiplied out before the trace is over, so that an operation costs the same however many pairs there are.

use super::places::Places;
use super::sets::IndexSet;
use std::cell::RefCell;
use std::collections::HashSet;

/// A set of pairs of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Curvature(u32);

/// What a set of pairs is.
#[derive(Clone, Copy)]
enum Node {
    /// Each index of one with each of the other.
    Product(IndexSet, IndexSet),
    /// All pairs of both.
    Union(Curvature, Curvature),
}

thread_local! {
    static NODES: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

impl Curvature {
    /// No pair.
    pub const NONE: Self = Curvature(0);

    fn new(node: Node) -> Self {
        NODES.with_borrow_mut(|nodes| {
            nodes.push(node);
            Curvature(u32::try_from(nodes.len()).expect("less than 2^32 operations"))
        })
    }

    /// Each index of one with each of the other.
    #[inline]
    pub fn product(one: IndexSet, other: IndexSet) -> Self {
        match one.is_empty() || other.is_empty() {
            true => Self::NONE,
            false => Self::new(Node::Product(one, other)),
        }
    }

    /// All pairs of both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        match (self, other) {
            (one, Self::NONE) => one,
            (Self::NONE, other) => other,
            (one, other) if one == other => one,
            (one, other) => Self::new(Node::Union(one, other)),
        }
    }

    /// Runs `f` and then forgets the sets that this thread has made.
    pub(super) fn session<T>(f: impl FnOnce() -> T) -> T {
        /// Ends the session, also when `f` panics.
        struct Session;
        impl Drop for Session {
            fn drop(&mut self) {
                NODES.take();
            }
        }
        let _session = Session;
        IndexSet::session(f)
    }

    /// Puts down all pairs, each in both orders; those of everything that was traced if they are `shared`.
    pub(super) fn put(self, shared: bool, places: &mut Places) {
        let products = if shared { Self::every_product() } else { self.products() };
        for (one, other) in products {
            let (one, other) = (one.indices(), other.indices());
            for i in one {
                for j in &other {
                    places.add(i as usize, *j as usize);
                    if i != *j {
                        places.add(*j as usize, i as usize);
                    }
                }
            }
        }
    }

    /// The products that it is the sum of, each once.
    fn products(self) -> HashSet<(IndexSet, IndexSet)> {
        NODES.with_borrow(|nodes| {
            let (mut found, mut entered, mut open) = (HashSet::new(), vec![false; nodes.len()], vec![self]);
            while let Some(Curvature(node)) = open.pop() {
                let Some(at) = (node as usize).checked_sub(1) else { continue };
                if std::mem::replace(&mut entered[at], true) {
                    continue;
                }
                match nodes[at] {
                    Node::Product(one, other) => drop(found.insert((one, other))),
                    Node::Union(one, other) => open.extend([one, other]),
                }
            }
            found
        })
    }

    fn every_product() -> HashSet<(IndexSet, IndexSet)> {
        let product = |node: &Node| match node {
            Node::Product(one, other) => Some((*one, *other)),
            Node::Union(..) => None,
        };
        NODES.with_borrow(|nodes| nodes.iter().filter_map(product).collect())
    }
}
