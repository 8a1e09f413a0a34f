//! Operators of which only rustc knows whether they are a user's.

use crate::frontend::state::site::Site;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of operations in doubt, by where their operators stand.
#[derive(Clone, Default)]
pub struct Doubts {
    /// They go by the rule of their operands' types.
    pub by_rule: BTreeSet<Site>,
    /// They are arithmetic.
    pub of_numbers: BTreeSet<Site>,
    /// Those of this round.
    pub found: BTreeSet<Site>,
    /// Where one is a number, the others are: results of operations in doubt, and places of unknown types.
    pub follows: BTreeMap<Site, BTreeSet<Site>>,
    /// Those that this round has shown to be numbers.
    pub shown: BTreeSet<Site>,
}

impl Doubts {
    /// Takes over what a round has found; whether that is more.
    pub fn learn(&mut self, round: &Doubts) -> bool {
        let known = self.by_rule.len() + self.of_numbers.len();
        let numbers = round.numbers();
        for site in &round.found {
            let of = if numbers.contains(site) { &mut self.of_numbers } else { &mut self.by_rule };
            of.insert(site.clone());
        }
        self.by_rule.len() + self.of_numbers.len() > known
    }

    /// What is shown to be a number, and what follows from that.
    pub fn numbers(&self) -> BTreeSet<&Site> {
        let mut shown: Vec<&Site> = self.shown.iter().collect();
        let mut numbers = BTreeSet::new();
        while let Some(site) = shown.pop() {
            if numbers.insert(site) {
                shown.extend(self.follows.get(site).into_iter().flatten());
            }
        }
        numbers
    }

    /// What was learned, for another round.
    pub fn known(&self) -> Self {
        Doubts { by_rule: self.by_rule.clone(), of_numbers: self.of_numbers.clone(), ..Doubts::default() }
    }

    pub fn follow(&mut self, from: &Site, to: &Site) {
        self.follows.entry(from.clone()).or_default().insert(to.clone());
    }
}

/// How an operation is done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As arithmetic on floats.
    Arithmetic,
    /// As one that the rule of the operands' types knows.
    Rule,
    /// As arithmetic in this round, which only finds out.
    Doubt,
}
