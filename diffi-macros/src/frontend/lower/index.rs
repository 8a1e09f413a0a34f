//! Arithmetic on passive integers: loop bounds and the indices of places.

use crate::frontend::state::context::Lower;
use crate::ir::PassiveCode;
use crate::ir::affine::arithmetic::is_simple;

impl Lower {
    /// The same value, fit to stand in a path: bound to a temporary unless it is simple.
    pub fn simple(&mut self, hint: &str, o: PassiveCode) -> PassiveCode {
        if is_simple(&o) { o } else { self.hold(hint, o) }
    }

    /// The same value, fit to stand in the path of a name: nothing that it reads can change.
    pub fn frozen(&mut self, hint: &str, o: PassiveCode) -> PassiveCode {
        if is_simple(&o) && self.is_stable(&o) { o } else { self.hold(hint, o) }
    }

    /// The same value as a literal or an immutable variable.
    pub fn atom(&mut self, hint: &str, o: PassiveCode) -> PassiveCode {
        let one = o.tokens.clone().into_iter().count() == 1;
        if one && is_simple(&o) && self.is_stable(&o) { o } else { self.hold(hint, o) }
    }
}
