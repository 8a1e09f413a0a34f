//! `NoAutoDiff`: the place of a backend that is still to be chosen.

/// Not a backend: stands where one is still to be chosen, as a type parameter's default. No operator takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoAutoDiff;
