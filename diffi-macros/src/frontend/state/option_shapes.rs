//! What options hold that are declared without a type: `let mut best = None;`, where later `best = Some((k, y));` stands.

use crate::frontend::state::site::Site;
use crate::frontend::syntax::types;
use crate::ir::{Ty, Var};
use std::collections::BTreeMap;

/// The tuples that such options hold, by the options' declarations.
#[derive(Clone, Default)]
pub struct OptionShapes {
    known: BTreeMap<Site, Ty>,
    /// What this round has found, where it is not known.
    found: BTreeMap<Site, Ty>,
    /// The options of this round, by the variables of their presence.
    declared: BTreeMap<Var, Site>,
}

impl OptionShapes {
    /// Takes over what a round has found; whether that is more.
    pub fn learn(&mut self, round: &OptionShapes) -> bool {
        let more = round.found.iter().any(|(site, ty)| self.known.get(site) != Some(ty));
        self.known.extend(round.found.clone());
        more
    }

    /// What was learned, for another round.
    pub fn known(&self) -> Self {
        OptionShapes { known: self.known.clone(), ..OptionShapes::default() }
    }

    /// What an option holds, as far as it is known.
    pub fn of(&self, site: &Site) -> Option<&Ty> {
        self.known.get(site)
    }

    /// Notes where an option is declared.
    pub fn declare(&mut self, presence: Var, site: Site) {
        self.declared.insert(presence, site);
    }

    /// Notes that an option is given a tuple; whether it was declared for another one.
    pub fn note(&mut self, presence: Var, given: Ty) -> bool {
        let Some(site) = self.declared.get(&presence) else { return false };
        let before = self.found.get(site).or(self.known.get(site));
        let joined = before.map_or(given.clone(), |before| types::join(before.clone(), given));
        let other = self.known.get(site) != Some(&joined);
        if other {
            self.found.insert(site.clone(), joined);
        }
        other
    }
}
