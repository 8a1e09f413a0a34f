//! Fields of active values that turn out to be integers.

use std::collections::BTreeSet;

/// Parts, by the declarations of their variables and by their fields.
#[derive(Clone, Default)]
pub struct PassiveParts {
    pub assumed: BTreeSet<String>,
    pub found: BTreeSet<String>,
    pub checked: BTreeSet<String>,
}

impl PassiveParts {
    /// Takes over what a round has found; whether that is more.
    pub fn learn(&mut self, round: &PassiveParts) -> bool {
        let known = self.assumed.len();
        self.assumed.extend(round.found.iter().cloned());
        self.assumed.len() > known
    }
}
