//! Sets of indices as tangents: which inputs a number depends on.
//!
//! Sums and differences are unions, multiples are the same set, and a multiple by exactly 0 is empty: the derivative is zero
//! there. Few indices stand in the set itself. More of them stand in an arena of the thread: up to a limit as a list, beyond it
//! as a union that is only formed when somebody asks, so that a sum of `n` numbers costs `n` steps.

use crate::number::float::Base;
use crate::number::linear_space::LinearSpace;
use crate::number::linear_space::itself::space_tangent;
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::ops::{Add, AddAssign, Mul, Neg, Range, Sub, SubAssign};
use std::sync::atomic::{AtomicU32, Ordering};

/// A set of indices, to be carried as a tangent.
///
/// Larger sets live in an arena of the thread until [`IndexSet::session`] ends. Two large sets with the same indices may differ
/// as handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexSet {
    /// How many indices, or [`LARGE`].
    len: u32,
    /// The indices in ascending order, then zeros; of a large set its arena and its node.
    items: [u32; FEW],
}

/// The most indices that stand in the set itself: those of a stencil of five points and one more equation.
const FEW: usize = 7;
/// The length of a set that is in the arena.
const LARGE: u32 = u32::MAX;
/// The longest list; unions of more are not formed at once.
const LIST: usize = 64;

impl IndexSet {
    /// No index.
    pub const EMPTY: Self = IndexSet { len: 0, items: [0; FEW] };

    /// One index.
    #[inline]
    pub fn single(index: u32) -> Self {
        let mut items = [0; FEW];
        items[0] = index;
        IndexSet { len: 1, items }
    }

    /// These indices, in any order.
    pub fn of(indices: impl IntoIterator<Item = u32>) -> Self {
        indices.into_iter().fold(Self::EMPTY, |all, index| all.union(Self::single(index)))
    }

    /// All indices of both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        match (self, other) {
            (same, Self::EMPTY) => same,
            (Self::EMPTY, same) => same,
            (one, same) if one == same => same,
            (one, other) => one.joined(other),
        }
    }

    fn joined(self, other: Self) -> Self {
        let (Some(a), Some(b)) = (self.few(), other.few()) else {
            return ARENA.with_borrow_mut(|arena| arena.union(self, other));
        };
        let mut both = [0; 2 * FEW];
        let len = merge(a, b, &mut both);
        match both.first_chunk() {
            Some(items) if len <= FEW => IndexSet { len: len as u32, items: *items },
            _ => ARENA.with_borrow_mut(|arena| arena.list(&both[..len])),
        }
    }

    /// The indices in ascending order.
    ///
    /// # Panics
    ///
    /// If the set is of another thread or of a session that has ended; so do unions.
    pub fn indices(self) -> Vec<u32> {
        match self.few() {
            Some(indices) => indices.to_vec(),
            None => ARENA.with_borrow_mut(|arena| arena.indices(self)),
        }
    }

    /// Passes on the indices in ascending order.
    pub(super) fn each(self, f: impl FnMut(u32)) {
        match self.few() {
            Some(indices) => indices.iter().copied().for_each(f),
            None => self.indices().into_iter().for_each(f),
        }
    }

    /// Whether there is no index.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Runs `f` and then forgets the sets that this thread has made, unless a session around this one is still running.
    pub fn session<T>(f: impl FnOnce() -> T) -> T {
        /// Ends the session, also when `f` panics.
        struct Session;
        impl Drop for Session {
            fn drop(&mut self) {
                ARENA.with_borrow_mut(Arena::leave);
            }
        }
        ARENA.with_borrow_mut(|arena| arena.sessions += 1);
        let _session = Session;
        f()
    }

    /// The indices, if they stand in the set itself.
    #[inline]
    pub(super) fn few(&self) -> Option<&[u32]> {
        self.items.get(..self.len as usize)
    }
}

/// Writes the union of two ascending sequences, and gives its length.
///
/// Which of two numbers is less is not decided by branches, for nobody could foresee them.
fn merge(a: &[u32], b: &[u32], both: &mut [u32]) -> usize {
    let (mut i, mut j, mut len) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        both[len] = x.min(y);
        len += 1;
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    for index in a[i..].iter().chain(&b[j..]) {
        both[len] = *index;
        len += 1;
    }
    len
}

/// The large sets of a thread.
struct Arena {
    /// So that a handle cannot be taken to another thread or kept over a session's end unnoticed.
    name: u32,
    sessions: u32,
    nodes: Vec<Node>,
    /// The lists, one after the other.
    listed: Vec<u32>,
    walk: Walk,
}

/// A large set.
struct Node {
    set: Large,
    /// How many unions it is part of.
    uses: u32,
    /// Whether its union has been formed as part of another one before.
    walked: bool,
}

#[derive(Clone)]
enum Large {
    /// Where the indices stand.
    List(Range<usize>),
    /// Not formed yet.
    Union(IndexSet, IndexSet),
}

/// The memory of walks through unions: marks are valid in the walk of their number.
#[derive(Default)]
struct Walk {
    number: u32,
    nodes: Vec<u32>,
    indices: Vec<u32>,
}

static NAMES: AtomicU32 = AtomicU32::new(1);

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
}

impl Arena {
    fn new() -> Self {
        let name = NAMES.fetch_add(1, Ordering::Relaxed);
        Arena { name, sessions: 0, nodes: Vec::new(), listed: Vec::new(), walk: Walk::default() }
    }

    fn leave(&mut self) {
        self.sessions -= 1;
        if self.sessions == 0 {
            *self = Arena::new();
        }
    }

    fn add(&mut self, set: Large) -> IndexSet {
        let node = u32::try_from(self.nodes.len()).expect("less than 2^32 sets");
        self.nodes.push(Node { set, uses: 0, walked: false });
        let mut items = [0; FEW];
        (items[0], items[1]) = (self.name, node);
        IndexSet { len: LARGE, items }
    }

    fn list(&mut self, indices: &[u32]) -> IndexSet {
        let start = self.listed.len();
        self.listed.extend_from_slice(indices);
        self.add(Large::List(start..self.listed.len()))
    }

    /// The node of a large set.
    fn node(&self, set: IndexSet) -> usize {
        assert!(set.items[0] == self.name, "an IndexSet was used in another thread or after the end of its session");
        set.items[1] as usize
    }

    /// The indices, if there is a list of them.
    fn listed<'a>(&'a self, set: &'a IndexSet) -> Option<&'a [u32]> {
        if let Some(few) = set.few() {
            return Some(few);
        }
        match &self.nodes[self.node(*set)].set {
            Large::List(at) => Some(&self.listed[at.clone()]),
            Large::Union(..) => None,
        }
    }

    fn union(&mut self, one: IndexSet, other: IndexSet) -> IndexSet {
        if let (Some(a), Some(b)) = (self.listed(&one), self.listed(&other))
            && a.len().max(b.len()) <= LIST
        {
            let mut both = [0; 2 * LIST];
            let len = merge(a, b, &mut both);
            return match len {
                len if len == a.len() => one,
                len if len == b.len() => other,
                len => self.list(&both[..len]),
            };
        }
        for part in [one, other] {
            if part.len == LARGE {
                let node = self.node(part);
                self.nodes[node].uses += 1;
            }
        }
        self.add(Large::Union(one, other))
    }

    /// The indices of a set. Unions that are part of several sets, and have been walked through before, become lists first.
    fn indices(&mut self, set: IndexSet) -> Vec<u32> {
        let mut shared = Vec::new();
        let mut indices = self.collect(set, &mut shared);
        if !shared.is_empty() {
            // a part of a union is older than the union
            shared.sort_unstable();
            for node in shared {
                let mut items = [0; FEW];
                (items[0], items[1]) = (self.name, node as u32);
                self.form(IndexSet { len: LARGE, items });
            }
            indices = self.form(set);
        }
        if set.len == LARGE {
            self.keep(set, &indices);
        }
        indices
    }

    /// Makes a list of a set.
    fn form(&mut self, set: IndexSet) -> Vec<u32> {
        let indices = self.collect(set, &mut Vec::new());
        self.keep(set, &indices);
        indices
    }

    fn keep(&mut self, set: IndexSet, indices: &[u32]) {
        let node = self.node(set);
        if let Large::Union(..) = self.nodes[node].set {
            let start = self.listed.len();
            self.listed.extend_from_slice(indices);
            self.nodes[node].set = Large::List(start..self.listed.len());
        }
    }

    /// The indices of a set, and the unions in it that are worth to be kept as lists.
    fn collect(&mut self, set: IndexSet, shared: &mut Vec<usize>) -> Vec<u32> {
        let own = (set.len == LARGE).then(|| self.node(set));
        let Arena { name, nodes, listed, walk, .. } = self;
        walk.start(nodes.len());
        let (mut found, mut open) = (Vec::new(), vec![set]);
        while let Some(set) = open.pop() {
            if let Some(few) = set.few() {
                walk.extend(&mut found, few);
                continue;
            }
            debug_assert_eq!(set.items[0], *name);
            let at = set.items[1] as usize;
            if !walk.enter(at) {
                continue;
            }
            let node = &mut nodes[at];
            match &node.set {
                Large::List(range) => walk.extend(&mut found, &listed[range.clone()]),
                Large::Union(one, other) => {
                    if node.walked && node.uses > 1 && own != Some(at) {
                        shared.push(at);
                    }
                    open.extend([*one, *other]);
                    node.walked = true;
                }
            }
        }
        found.sort_unstable();
        found
    }
}

impl Walk {
    fn start(&mut self, nodes: usize) {
        self.number += 1;
        self.nodes.resize(nodes, 0);
    }

    /// Whether this is the first visit.
    fn enter(&mut self, node: usize) -> bool {
        std::mem::replace(&mut self.nodes[node], self.number) != self.number
    }

    /// Adds indices that have not been found before.
    fn extend(&mut self, found: &mut Vec<u32>, indices: &[u32]) {
        for index in indices {
            let at = *index as usize;
            if at >= self.indices.len() {
                self.indices.resize((at + 1).max(2 * self.indices.len()), 0);
            }
            if std::mem::replace(&mut self.indices[at], self.number) != self.number {
                found.push(*index);
            }
        }
    }
}

impl Debug for IndexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.len != LARGE || ARENA.with_borrow(|arena| arena.name == self.items[0]);
        match known {
            true => f.debug_set().entries(self.indices()).finish(),
            false => f.write_str("{..}"),
        }
    }
}

/// The arithmetic of sets: `union` for sums, `none` for what is multiplied by 0.
macro_rules! set_space {
    ([$($generics:tt)*] $Set:ty) => {
        impl<$($generics)*> Add for $Set {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl<$($generics)*> Sub for $Set {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                self.union(other)
            }
        }

        impl<$($generics)*> Neg for $Set {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                self
            }
        }

        impl<$($generics)*> AddAssign for $Set {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = self.union(other);
            }
        }

        impl<$($generics)*> SubAssign for $Set {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = self.union(other);
            }
        }

        space_tangent!([$($generics)*] $Set, <$Set>::EMPTY);

        impl<$($generics)*> Default for $Set {
            fn default() -> Self {
                <$Set>::EMPTY
            }
        }

        impl<F: Base, $($generics)*> Mul<F> for $Set {
            type Output = Self;
            #[inline]
            fn mul(self, factor: F) -> Self {
                self.unless(factor == <F as Base>::ZERO)
            }
        }

        impl<F: Base, $($generics)*> LinearSpace<F> for $Set {
            const ZERO: Self = <$Set>::EMPTY;
            const EVERYWHERE: bool = <$Set>::EVERYWHERE;
            #[inline]
            fn strong_mul(self, factor: F) -> Self {
                self * factor
            }
            #[inline]
            fn mul_strong(self, factor: F) -> Self {
                self * factor
            }
            #[inline]
            fn strong_mul_strong(self, factor: F) -> Self {
                self * factor
            }
            fn apply(from: &[Self], to: &mut [Self], _: impl FnMut(&[F], &mut [F])) {
                to.fill(from.iter().fold(<$Set>::EMPTY, |all, set| all.union(*set)));
            }
        }
    };
}
pub(super) use set_space;

impl IndexSet {
    const EVERYWHERE: bool = false;

    /// This set, or none of it.
    #[inline]
    fn unless(self, not: bool) -> Self {
        if not { Self::EMPTY } else { self }
    }
}
set_space!([] IndexSet);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets() {
        let (a, b) = (IndexSet::of([5, 1, 5, 9]), IndexSet::of([9, 0]));
        assert_eq!(a.indices(), [1, 5, 9]);
        assert_eq!((a + b).indices(), [0, 1, 5, 9]);
        assert_eq!(a - b, b + a);
        assert_eq!(a + a, a);
        assert_eq!(a + IndexSet::single(5), a);
        assert_eq!(-(a * 3.0f64) * 2.0f32, a);
        assert_eq!(a * f64::NAN, a);
        assert!((a * 0.0f64).is_empty() && (a * -0.0f32).is_empty());
        assert_ne!(a, b);
        assert_eq!(a + <IndexSet as LinearSpace<f64>>::ZERO, a);
        assert_eq!(IndexSet::of([]), IndexSet::EMPTY);
        assert_eq!(format!("{:?}", a + b), "{0, 1, 5, 9}");
    }

    #[test]
    fn a_set_is_what_was_put_in_at_every_size() {
        IndexSet::session(|| {
            for n in [6u32, 7, 8, 63, 64, 65, 200, 5000] {
                let set = IndexSet::of((0..n).map(|i| (i * 7919) % n));
                assert_eq!(set.indices(), (0..n).collect::<Vec<_>>(), "{n}");
                assert_eq!((set + set).indices().len(), n as usize);
            }
            let (evens, thirds) = (IndexSet::of((0..300).step_by(2)), IndexSet::of((0..300).step_by(3)));
            let expected: Vec<u32> = (0..300).filter(|i| i % 2 == 0 || i % 3 == 0).collect();
            assert_eq!((evens + thirds).indices(), expected);
            assert_eq!((evens + thirds).indices(), expected, "also when the union has been formed");
        });
    }

    #[test]
    fn all_sums_of_a_sequence() {
        IndexSet::session(|| {
            let mut sum = IndexSet::EMPTY;
            let sums: Vec<IndexSet> = (0..500)
                .map(|i| {
                    sum += IndexSet::single(i);
                    sum
                })
                .collect();
            for (i, sum) in sums.iter().enumerate().rev() {
                assert_eq!(sum.indices(), (0..=i as u32).collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn unions_that_are_shared() {
        IndexSet::session(|| {
            // each value of a step depends on three of the step before
            let mut state: Vec<IndexSet> = (0..400).map(IndexSet::single).collect();
            for _ in 0..100 {
                let old = state.clone();
                (1..399).for_each(|i| state[i] = old[i - 1] + old[i] + old[i + 1]);
            }
            for (i, set) in state.iter().enumerate() {
                let i = i as u32;
                let reach = if i == 0 || i == 399 { 0 } else { 100 };
                assert_eq!(set.indices(), (i.saturating_sub(reach)..=(i + reach).min(399)).collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn a_session_forgets_its_sets() {
        let many = || IndexSet::of(0..20);
        let inner = IndexSet::session(|| {
            let kept = IndexSet::session(many);
            assert_eq!(kept.indices().len(), 20, "the session around is still running");
            kept
        });
        assert_ne!(inner, many());
        assert_eq!(format!("{inner:?}"), "{..}");
        assert!(std::panic::catch_unwind(|| inner.indices()).is_err());
        assert!(std::panic::catch_unwind(|| inner + IndexSet::single(7)).is_err());
        assert_eq!(many().indices().len(), 20, "the arena is usable after these panics");
    }

    #[test]
    fn a_session_ends_with_a_panic() {
        let mut kept = IndexSet::EMPTY;
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            IndexSet::session(|| {
                kept = IndexSet::of(0..20);
                panic!("in the session");
            })
        }));
        assert!(result.is_err());
        assert!(std::panic::catch_unwind(|| kept.indices()).is_err());
    }

    #[test]
    fn large_sets_stay_in_their_thread() {
        let here = IndexSet::of(0..20);
        assert!(std::thread::spawn(move || here + IndexSet::single(20)).join().is_err());
        assert!(std::thread::spawn(|| IndexSet::EMPTY + IndexSet::EMPTY).join().unwrap().is_empty());
    }
}
