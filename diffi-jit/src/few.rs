//! A few things side by side, without an allocation.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Few<T, const N: usize> {
    all: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    /// None; there has to be some `T` where none is.
    pub(crate) fn new(blank: T) -> Self {
        Few { all: [blank; N], len: 0 }
    }

    pub(crate) fn push(&mut self, one: T) {
        self.all[self.len] = one;
        self.len += 1;
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.all[..self.len].iter()
    }

    pub(crate) fn map<S: Copy>(&self, mut f: impl FnMut(T) -> S) -> Vec<S> {
        self.iter().map(|one| f(*one)).collect()
    }
}

impl<const N: usize> Few<u32, N> {
    pub(crate) fn of(all: &[u32]) -> Self {
        let mut few = Few::new(0);
        all.iter().for_each(|one| few.push(*one));
        few
    }
}

impl<T: PartialEq + Copy, const N: usize> PartialEq for Few<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}
