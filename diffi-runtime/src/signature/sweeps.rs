//! Which sweeps of an adjoint run: generated code has one text for all of them, and the compiler drops the rest.

use crate::number::flag::Flag;
use std::fmt::Debug;

/// The sweeps of one call.
pub trait Sweeps: Copy + Default + Debug + Send + Sync + 'static {
    /// The forward sweep runs.
    const FORWARD: bool;
    /// The reverse sweep runs.
    const REVERSE: bool;
    /// The value is asked for.
    const VALUED: bool;
}

/// The operations of a formula: its own, and so many times those of others.
pub const fn cost(own: usize, calls: &[(usize, usize)]) -> usize {
    let (mut all, mut k) = (own, 0);
    while k < calls.len() {
        let (times, each) = calls[k];
        all = all.saturating_add(each.saturating_mul(times));
        k += 1;
    }
    all
}

/// The forward sweep alone: it gives the value, and leaves on the workspace what [`Reverse`] pops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forward;

/// The reverse sweep alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reverse;

/// Both sweeps, and the value if `V` is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Both<V>(pub V);

impl Sweeps for Forward {
    const FORWARD: bool = true;
    const REVERSE: bool = false;
    const VALUED: bool = true;
}

impl Sweeps for Reverse {
    const FORWARD: bool = false;
    const REVERSE: bool = true;
    const VALUED: bool = false;
}

impl<V: Flag> Sweeps for Both<V> {
    const FORWARD: bool = true;
    const REVERSE: bool = true;
    const VALUED: bool = V::ON;
}
