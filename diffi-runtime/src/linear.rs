//! Linear spaces: what tangents and cotangents live in.

use crate::active::{Tangent, space_tangent};
use crate::base::Base;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub, SubAssign};
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A linear space over the floats `F`: vectors can be added, and multiplied by floats.
pub trait Lin<F>:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Mul<F, Output = Self>
    + Tangent<Self>
{
    /// The neutral element of addition. For floats this is -0.0: `-0.0 + v` is `v` for every `v`, so that compilers drop the
    /// addition, which they must keep for `0.0 + v`.
    const ZERO: Self;

    /// Overwrites `to` with the image of `from` under a linear map that is only known on floats: `map(from, to)` overwrites
    /// `to`. Batches go lane by lane. Of sets every image takes all, as nothing is known of the map's zeros.
    fn apply(from: &[Self], to: &mut [Self], map: &mut dyn FnMut(&[F], &mut [F]));
}

macro_rules! itself {
    ($($F:ident)+) => { $(
        impl Lin<$F> for $F {
            const ZERO: Self = -0.0;
            #[inline]
            fn apply(from: &[$F], to: &mut [$F], map: &mut dyn FnMut(&[$F], &mut [$F])) {
                map(from, to);
            }
        }
    )+ };
}
itself!(f32 f64);

space_tangent!([] f32, 0.0);
space_tangent!([] f64, 0.0);
space_tangent!([F: Base, const N: usize] Batch<F, N>, Batch::default());
space_tangent!([] IndexSet, IndexSet::EMPTY);

/// `N` tangents at once.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Batch<F, const N: usize>(pub [F; N]);

impl<F: Base, const N: usize> Lin<F> for Batch<F, N> {
    const ZERO: Self = Batch([<F as Lin<F>>::ZERO; N]);

    fn apply(from: &[Self], to: &mut [Self], map: &mut dyn FnMut(&[F], &mut [F])) {
        let zero = <F as Base>::ZERO;
        let (mut source, mut image) = (vec![zero; from.len()], vec![zero; to.len()]);
        for lane in 0..N {
            source.iter_mut().zip(from).for_each(|(s, v)| *s = v[lane]);
            map(&source, &mut image);
            to.iter_mut().zip(&image).for_each(|(v, i)| v[lane] = *i);
        }
    }
}

impl<F: Base, const N: usize> Batch<F, N> {
    /// 1 at `k`, and 0 elsewhere.
    ///
    /// # Panics
    ///
    /// Unless `k < N`.
    #[inline]
    pub fn unit(k: usize) -> Self {
        let mut unit = Batch::default();
        unit[k] = F::ONE;
        unit
    }
}

impl<F: Base, const N: usize> Default for Batch<F, N> {
    #[inline]
    fn default() -> Self {
        Batch([<F as Base>::ZERO; N])
    }
}

impl<F, const N: usize> Index<usize> for Batch<F, N> {
    type Output = F;
    #[inline]
    fn index(&self, k: usize) -> &F {
        &self.0[k]
    }
}

impl<F, const N: usize> IndexMut<usize> for Batch<F, N> {
    #[inline]
    fn index_mut(&mut self, k: usize) -> &mut F {
        &mut self.0[k]
    }
}

impl<F: Base, const N: usize> Add for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl<F: Base, const N: usize> Sub for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl<F: Base, const N: usize> Neg for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Batch(std::array::from_fn(|k| -self.0[k]))
    }
}

impl<F: Base, const N: usize> Mul<F> for Batch<F, N> {
    type Output = Self;
    #[inline]
    fn mul(self, factor: F) -> Self {
        Batch(std::array::from_fn(|k| self.0[k] * factor))
    }
}

impl<F: Base, const N: usize> AddAssign for Batch<F, N> {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        for k in 0..N {
            self.0[k] += other.0[k];
        }
    }
}

impl<F: Base, const N: usize> SubAssign for Batch<F, N> {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        for k in 0..N {
            self.0[k] -= other.0[k];
        }
    }
}

/// A set of indices, to be carried as a tangent: which inputs a number depends on.
///
/// Sums and differences are unions, multiples are the same set, zero is empty. The sets themselves live in an arena of the thread
/// until [`IndexSet::session`] ends; equal sets are equal handles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexSet {
    /// Which arena, so that a handle cannot be taken to another thread or kept over a session's end unnoticed. 0 for the empty set.
    arena: u32,
    set: u32,
}

impl IndexSet {
    /// No index.
    pub const EMPTY: Self = IndexSet { arena: 0, set: 0 };

    /// One index.
    pub fn single(index: u32) -> Self {
        IndexSet::of([index])
    }

    /// These indices, in any order.
    pub fn of(indices: impl IntoIterator<Item = u32>) -> Self {
        let mut indices: Vec<u32> = indices.into_iter().collect();
        indices.sort_unstable();
        indices.dedup();
        ARENA.with_borrow_mut(|arena| arena.intern(indices))
    }

    /// All indices of both.
    #[inline]
    pub fn union(self, other: Self) -> Self {
        match (self, other) {
            (same, Self::EMPTY) => same,
            (Self::EMPTY, same) => same,
            (one, same) if one == same => same,
            (one, other) => ARENA.with_borrow_mut(|arena| arena.union(one, other)),
        }
    }

    /// The indices in ascending order.
    ///
    /// # Panics
    ///
    /// If the set is of another thread or of a session that has ended; so do unions.
    pub fn indices(self) -> Rc<[u32]> {
        ARENA.with_borrow(|arena| arena.get(self).clone())
    }

    /// Whether there is no index.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
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
}

/// The sets of a thread.
struct Arena {
    name: u32,
    sessions: u32,
    sets: Vec<Rc<[u32]>>,
    handles: HashMap<Rc<[u32]>, u32>,
    /// Unions that have been formed, by their handles in ascending order.
    unions: HashMap<(u32, u32), u32>,
}

static NAMES: AtomicU32 = AtomicU32::new(1);

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::new(Arena::new());
}

impl Arena {
    fn new() -> Self {
        let name = NAMES.fetch_add(1, Ordering::Relaxed);
        Arena { name, sessions: 0, sets: vec![Rc::new([])], handles: HashMap::new(), unions: HashMap::new() }
    }

    fn leave(&mut self) {
        self.sessions -= 1;
        if self.sessions == 0 {
            *self = Arena::new();
        }
    }

    fn handle(&self, set: u32) -> IndexSet {
        match set {
            0 => IndexSet::EMPTY,
            set => IndexSet { arena: self.name, set },
        }
    }

    fn get(&self, handle: IndexSet) -> &Rc<[u32]> {
        assert!(
            handle.is_empty() || handle.arena == self.name,
            "an IndexSet was used in another thread or after the end of its session"
        );
        &self.sets[handle.set as usize]
    }

    fn intern(&mut self, indices: Vec<u32>) -> IndexSet {
        if indices.is_empty() {
            return IndexSet::EMPTY;
        }
        let set = match self.handles.get(&indices[..]) {
            Some(set) => *set,
            None => {
                let set = self.sets.len() as u32;
                let indices: Rc<[u32]> = indices.into();
                self.sets.push(indices.clone());
                self.handles.insert(indices, set);
                set
            }
        };
        self.handle(set)
    }

    fn union(&mut self, one: IndexSet, other: IndexSet) -> IndexSet {
        let (a, b) = (self.get(one), self.get(other));
        let pair = (one.set.min(other.set), one.set.max(other.set));
        if let Some(known) = self.unions.get(&pair) {
            return self.handle(*known);
        }
        let both = merge(a, b);
        let union = self.intern(both);
        self.unions.insert(pair, union.set);
        union
    }
}

/// The union of two ascending sequences.
fn merge(mut a: &[u32], mut b: &[u32]) -> Vec<u32> {
    let mut both = Vec::with_capacity(a.len() + b.len());
    while let ([i, a_rest @ ..], [j, b_rest @ ..]) = (a, b) {
        both.push(*i.min(j));
        if i <= j {
            a = a_rest;
        }
        if j <= i {
            b = b_rest;
        }
    }
    both.extend_from_slice(a);
    both.extend_from_slice(b);
    both
}

impl Debug for IndexSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ARENA.with_borrow(|arena| match self.is_empty() || self.arena == arena.name {
            true => f.debug_set().entries(arena.get(*self).iter()).finish(),
            false => f.write_str("{..}"),
        })
    }
}

impl Add for IndexSet {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.union(other)
    }
}

impl Sub for IndexSet {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.union(other)
    }
}

impl Neg for IndexSet {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self
    }
}

impl AddAssign for IndexSet {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

impl SubAssign for IndexSet {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = self.union(other);
    }
}

macro_rules! index_set_over {
    ($($F:ident)+) => { $(
        impl Mul<$F> for IndexSet {
            type Output = Self;
            #[inline]
            fn mul(self, _: $F) -> Self {
                self
            }
        }

        impl Lin<$F> for IndexSet {
            const ZERO: Self = IndexSet::EMPTY;
            fn apply(from: &[Self], to: &mut [Self], _: &mut dyn FnMut(&[$F], &mut [$F])) {
                to.fill(from.iter().fold(IndexSet::EMPTY, |all, set| all.union(*set)));
            }
        }
    )+ };
}
index_set_over!(f32 f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_neutral_to_the_last_bit() {
        fn check<F: Base, A: Lin<F>>(vectors: &[A], bits: impl Fn(A) -> Vec<u64>) {
            for v in vectors {
                let mut sum = A::ZERO;
                sum += *v;
                assert_eq!(bits(sum), bits(*v));
                assert_eq!(bits(A::ZERO + *v), bits(*v));
            }
        }
        check::<f64, f64>(&[0.0, -0.0, 1.5], |v| vec![v.to_bits()]);
        check::<f32, f32>(&[0.0, -0.0, 1.5], |v| vec![v.to_bits().into()]);
        check::<f64, Batch<f64, 2>>(&[Batch([0.0, -0.0]), Batch([1.0, -2.0])], |v| v.0.map(f64::to_bits).to_vec());
        check::<f32, IndexSet>(&[IndexSet::EMPTY, IndexSet::of([1, 2])], |v| {
            v.indices().iter().map(|i| u64::from(*i)).collect()
        });
    }

    #[test]
    fn a_batch_is_a_vector_per_lane() {
        let (a, b) = (Batch([1.0, -2.0, 0.5]), Batch([4.0, 8.0, -16.0]));
        assert_eq!(a + b, Batch([5.0, 6.0, -15.5]));
        assert_eq!(a - b, Batch([-3.0, -10.0, 16.5]));
        assert_eq!(-a, Batch([-1.0, 2.0, -0.5]));
        assert_eq!(a * 2.0, Batch([2.0, -4.0, 1.0]));
        let mut c = a;
        c += b;
        assert_eq!(c, a + b);
        c -= b;
        assert_eq!(c, a);
        assert_eq!(Batch::<f32, 3>::unit(1), Batch([0.0, 1.0, 0.0]));
        assert!(Batch::<f64, 2>::default().0.iter().all(|v| v.is_sign_positive()));
        assert_eq!((a[1], size_of::<Batch<f64, 3>>()), (-2.0, 24));
    }

    #[test]
    fn tangents_of_spaces() {
        let mut batch = Batch([1.0f64, -2.0]);
        batch.acc(&Batch([1.0, 1.0]));
        assert_eq!(batch, Batch([2.0, -1.0]));
        batch.clear();
        assert!(batch.0.iter().all(|v| *v == 0.0 && v.is_sign_positive()));
        let mut set = IndexSet::single(3);
        set.acc(&IndexSet::single(1));
        assert_eq!(set.indices()[..], [1, 3]);
        set.clear();
        assert!(set.is_empty());
    }

    #[test]
    fn sets() {
        let (a, b) = (IndexSet::of([5, 1, 5, 9]), IndexSet::of([9, 0]));
        assert_eq!(a.indices()[..], [1, 5, 9]);
        assert_eq!((a + b).indices()[..], [0, 1, 5, 9]);
        assert_eq!(a - b, b + a);
        assert_eq!(a + a, a);
        assert_eq!(a + IndexSet::single(5), a);
        assert_eq!(-(a * 0.0f64) * 2.0f32, a);
        assert_ne!(a, b);
        assert_eq!(a + <IndexSet as Lin<f64>>::ZERO, a);
        assert_eq!(IndexSet::of([]), IndexSet::EMPTY);
        assert_eq!(format!("{:?}", a + b), "{0, 1, 5, 9}");
    }

    #[test]
    fn a_session_forgets_its_sets() {
        let inner = IndexSet::session(|| {
            let kept = IndexSet::session(|| IndexSet::of([1, 2]));
            assert_eq!(kept.indices()[..], [1, 2], "the session around is still running");
            kept
        });
        assert_ne!(inner, IndexSet::of([1, 2]));
        assert_eq!(format!("{inner:?}"), "{..}");
        assert!(std::panic::catch_unwind(|| inner.indices()).is_err());
        assert!(std::panic::catch_unwind(|| inner + IndexSet::single(7)).is_err());
        assert_eq!(IndexSet::of([1, 2]).indices()[..], [1, 2], "the arena is usable after these panics");
    }

    #[test]
    fn a_session_ends_with_a_panic() {
        let mut kept = IndexSet::EMPTY;
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            IndexSet::session(|| {
                kept = IndexSet::single(4);
                panic!("in the session");
            })
        }));
        assert!(result.is_err());
        assert_ne!(kept, IndexSet::single(4));
    }

    #[test]
    fn sets_stay_in_their_thread() {
        let here = IndexSet::single(1);
        assert!(std::thread::spawn(move || here + IndexSet::single(2)).join().is_err());
        assert!(std::thread::spawn(|| IndexSet::EMPTY + IndexSet::EMPTY).join().unwrap().is_empty());
    }
}
