//! What is kept between calls: named parts, and how many bytes each of them takes.
//!
//! Nothing is counted while operators run: the parts are asked for their sizes when somebody wants to know.

use crate::stack::tape::Recorder;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};

/// Receives a part's name and how many bytes it takes. Several parts may have one name.
pub type Note<'n> = dyn FnMut(&'static str, usize) + 'n;

/// The names that occur, each for one kind of memory.
pub(crate) mod names {
    /// Tangents of inputs, and vectors that are multiplied.
    pub(crate) const SEEDS: &str = "seeds";
    /// Adjoints.
    pub(crate) const COTANGENTS: &str = "cotangents";
    /// Copies of the arguments, or the numbers that stand for them.
    pub(crate) const ARGUMENTS: &str = "arguments";
    /// Values and derivatives before they are handed on.
    pub(crate) const RESULTS: &str = "results";
    /// Numbers on their way from one place to another.
    pub(crate) const NUMBERS: &str = "numbers";
    /// What forward sweeps leave for reverse sweeps.
    pub(crate) const TAPE: &str = "tape";
    /// Local arrays of derivative code.
    pub(crate) const WORKSPACE: &str = "workspace";
    /// Derivatives of recorded programs, machine code left out.
    pub(crate) const DERIVATIVE: &str = "derivative";
    /// What recorded programs depend on beside numbers; sizes.
    pub(crate) const SIZES: &str = "sizes";
    /// The pattern of a sparse matrix, and its colors.
    pub(crate) const COLORING: &str = "coloring";
    /// Where the entries of a sparse matrix are read from.
    pub(crate) const DECOMPRESSION: &str = "decompression";
    /// Where the entries of sparse matrices stand.
    pub(crate) const PATTERNS: &str = "patterns";
}

/// The memory of a vector.
pub(crate) fn vector<T>(vector: &Vec<T>) -> usize {
    vector.capacity() * size_of::<T>()
}

/// All parts by their names, as `Debug` shows them: those that take any memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Parts(BTreeMap<&'static str, usize>);

impl Parts {
    /// What is kept.
    pub fn of(kept: &impl Recorder) -> Self {
        let mut parts = Parts(BTreeMap::new());
        kept.kept(&mut |name, bytes| parts.add(name, bytes));
        parts
    }

    /// One more part.
    pub fn add(&mut self, name: &'static str, bytes: usize) {
        if bytes > 0 {
            *self.0.entry(name).or_insert(0) += bytes;
        }
    }

    /// All of them together.
    pub fn bytes(&self) -> usize {
        self.0.values().sum()
    }
}

impl Debug for Parts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, bytes) in &self.0 {
            map.entry(&format_args!("{name}"), &format_args!("{bytes} B"));
        }
        map.finish()
    }
}
