//! Sets of variables as bits, for those that hold most of a function's variables at once, and change at every statement.

use crate::ir::Var;
use crate::ir::var_set::Vars;
use crate::support::work::steps_done;

/// A set of variables.
#[derive(Default)]
pub struct VarBits(Vec<u64>);

impl Clone for VarBits {
    fn clone(&self) -> Self {
        steps_done(self.0.len());
        VarBits(self.0.clone())
    }
}

/// The word that has the variable's bit, and the bit.
fn bit(var: Var) -> (usize, u64) {
    (var.0 as usize / 64, 1 << (var.0 % 64))
}

impl VarBits {
    pub fn contains(&self, var: Var) -> bool {
        let (at, bit) = bit(var);
        at < self.0.len() && self.0[at] & bit != 0
    }

    /// Whether the variable is new.
    pub fn insert(&mut self, var: Var) -> bool {
        let (at, bit) = bit(var);
        if at >= self.0.len() {
            self.0.resize(at + 1, 0);
        }
        let word = &mut self.0[at];
        let before = *word;
        *word |= bit;
        before != *word
    }

    /// Whether the variable was there.
    pub fn remove(&mut self, var: Var) -> bool {
        let (at, bit) = bit(var);
        let Some(word) = self.0.get_mut(at) else { return false };
        let before = *word;
        *word &= !bit;
        before != *word
    }

    /// Adds those of another set.
    pub fn unite(&mut self, other: &VarBits) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        steps_done(other.0.len());
        for at in 0..other.0.len() {
            self.0[at] |= other.0[at];
        }
    }
}

impl<'a> Extend<&'a Var> for VarBits {
    fn extend<I: IntoIterator<Item = &'a Var>>(&mut self, vars: I) {
        for var in vars {
            self.insert(*var);
        }
    }
}

impl From<&Vars> for VarBits {
    fn from(vars: &Vars) -> Self {
        let mut bits = VarBits::default();
        bits.extend(vars);
        bits
    }
}
