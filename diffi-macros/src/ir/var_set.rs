//! Sets of variables: sorted lists, which are quick where this crate is built without optimisation, as in most builds. They are
//! small, mostly empty, and copied often.

use crate::ir::Var;
use crate::support::work::steps_done;
use std::ops::{BitAnd, BitOr, Sub};

/// A set of variables.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Vars(Vec<Var>);

impl Clone for Vars {
    fn clone(&self) -> Self {
        steps_done(self.0.len());
        Vars(self.0.clone())
    }
}

impl Vars {
    /// The empty set.
    pub const fn new() -> Self {
        Vars(Vec::new())
    }

    /// Where the variable stands, or where it belongs.
    fn find(&self, var: Var) -> Result<usize, usize> {
        let (mut from, mut to) = (0, self.0.len());
        while from < to {
            let middle = (from + to) / 2;
            let here = self.0[middle].0;
            if here == var.0 {
                return Ok(middle);
            }
            if here < var.0 {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Err(from)
    }

    /// Whether the variable is new.
    pub fn insert(&mut self, var: Var) -> bool {
        steps_done(1);
        let place = self.find(var);
        if let Err(at) = place {
            self.0.insert(at, var);
        }
        place.is_err()
    }

    /// Whether the variable was there.
    pub fn remove(&mut self, var: &Var) -> bool {
        let place = self.find(*var);
        if let Ok(at) = place {
            self.0.remove(at);
        }
        place.is_ok()
    }

    pub fn contains(&self, var: &Var) -> bool {
        self.find(*var).is_ok()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// In their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Var> {
        self.0.iter()
    }

    /// The variable, if there is one and no other.
    pub fn only(&self) -> Option<Var> {
        match self.0[..] {
            [var] => Some(var),
            _ => None,
        }
    }

    /// The first one.
    pub fn first(&self) -> Option<&Var> {
        self.0.first()
    }

    /// Keeps some.
    pub fn retain(&mut self, kept: impl FnMut(&Var) -> bool) {
        steps_done(self.0.len());
        self.0.retain(kept);
    }

    /// Those of either.
    pub fn union(&self, other: &Vars) -> Vars {
        let mut all = self.clone();
        all.extend(other);
        all
    }

    /// Those of both.
    pub fn intersection<'a>(&'a self, other: &'a Vars) -> impl Iterator<Item = &'a Var> {
        self.0.iter().filter(|v| other.contains(v))
    }

    /// Those that are not in the other.
    pub fn difference<'a>(&'a self, other: &'a Vars) -> impl Iterator<Item = &'a Var> {
        self.0.iter().filter(|v| !other.contains(v))
    }

    pub fn is_disjoint(&self, other: &Vars) -> bool {
        !self.0.iter().any(|v| other.contains(v))
    }

    pub fn is_subset(&self, other: &Vars) -> bool {
        self.0.iter().all(|v| other.contains(v))
    }
}

impl Extend<Var> for Vars {
    fn extend<I: IntoIterator<Item = Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(var);
        }
    }
}

impl<'a> Extend<&'a Var> for Vars {
    fn extend<I: IntoIterator<Item = &'a Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(*var);
        }
    }
}

impl FromIterator<Var> for Vars {
    fn from_iter<I: IntoIterator<Item = Var>>(vars: I) -> Self {
        let mut all = Vars::new();
        all.extend(vars);
        all
    }
}

impl<const N: usize> From<[Var; N]> for Vars {
    fn from(vars: [Var; N]) -> Self {
        vars.into_iter().collect()
    }
}

impl IntoIterator for Vars {
    type Item = Var;
    type IntoIter = std::vec::IntoIter<Var>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Vars {
    type Item = &'a Var;
    type IntoIter = std::slice::Iter<'a, Var>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl BitOr for &Vars {
    type Output = Vars;

    fn bitor(self, other: &Vars) -> Vars {
        self.union(other)
    }
}

impl BitAnd for &Vars {
    type Output = Vars;

    fn bitand(self, other: &Vars) -> Vars {
        self.intersection(other).copied().collect()
    }
}

impl Sub for &Vars {
    type Output = Vars;

    fn sub(self, other: &Vars) -> Vars {
        self.difference(other).copied().collect()
    }
}
