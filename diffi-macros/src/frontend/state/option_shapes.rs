//! What options hold that are declared without a type: `let mut best = None;`, where later `best = Some((k, y));` stands.

use crate::frontend::state::site::Site;
use crate::frontend::syntax::types;
use crate::ir::{Ty, Var};
use std::collections::BTreeMap;

/// What an option holds: of which look it is, and the name of its type, where what made it says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    pub ty: Ty,
    pub written: Option<String>,
}

impl Held {
    /// What both have in common.
    pub fn join(self, other: Held) -> Held {
        Held { ty: types::join(self.ty, other.ty), written: self.written.or(other.written) }
    }
}

/// What such options hold, by the options' declarations: tuples, lists and structs.
#[derive(Clone, Default)]
pub struct OptionShapes {
    known: BTreeMap<Site, Held>,
    /// What this round has found, where it is not known.
    found: BTreeMap<Site, Held>,
    /// The options of this round, by the variables of their presence.
    declared: BTreeMap<Var, Site>,
}

impl OptionShapes {
    /// Takes over what a round has found; whether that is more.
    pub fn learn(&mut self, round: &OptionShapes) -> bool {
        let more = round.found.iter().any(|(site, held)| self.known.get(site) != Some(held));
        self.known.extend(round.found.clone());
        more
    }

    /// What was learned, for another round.
    pub fn known(&self) -> Self {
        OptionShapes { known: self.known.clone(), ..OptionShapes::default() }
    }

    /// What an option holds, as far as it is known.
    pub fn of(&self, site: &Site) -> Option<&Held> {
        self.known.get(site)
    }

    /// Notes where an option is declared.
    pub fn declare(&mut self, presence: Var, site: Site) {
        self.declared.insert(presence, site);
    }

    /// Notes what an option is given; whether it was declared for another one.
    pub fn note(&mut self, presence: Var, given: Held) -> bool {
        let Some(site) = self.declared.get(&presence) else { return false };
        let before = self.found.get(site).or(self.known.get(site));
        let joined = before.map_or(given.clone(), |before| before.clone().join(given));
        let other = self.known.get(site) != Some(&joined);
        if other {
            self.found.insert(site.clone(), joined);
        }
        other
    }
}
