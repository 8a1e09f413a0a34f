//! Operators on values of unknown types: numbers, or a user's type with operators of its own.
//!
//! `a.position + a.velocity * dt` does not say what its operands are. A round of lowering notes such operations, and which of
//! them are shown to be of numbers by what is done with their results: a sum that starts with `0.0`, a function's `f64`, a
//! sine. In the next round these are arithmetic, and the others go by the rule that rustc finds for the operands' types. A
//! number's rule is arithmetic too; only the passes cannot look into it.

use crate::frontend::state::context::Lower;
use crate::frontend::state::doubts::Way;
use crate::frontend::state::site::Site;
use crate::frontend::state::value::{Passive, Value};
use crate::frontend::syntax::floats::is_float;
use crate::ir::*;
use proc_macro2::{Delimiter, TokenTree};

impl Lower {
    /// How the operation at a site is done.
    pub fn way(&self, op: &Op, args: &[Value], site: &Site) -> Way {
        let doubtful = matches!(self.base, Base::Concrete(_)) && !self.library && self.is_in_doubt(op, args);
        if doubtful { self.settled_way(site) } else { Way::Arithmetic }
    }

    /// How an operation in doubt is done, as far as earlier rounds have found out.
    pub fn settled_way(&self, site: &Site) -> Way {
        match () {
            () if self.doubts.by_rule.contains(site) => Way::Rule,
            () if self.doubts.of_numbers.contains(site) => Way::Arithmetic,
            () => Way::Doubt,
        }
    }

    /// Whether nothing about the operands tells that they are numbers. A user's type may be scaled by a number.
    fn is_in_doubt(&self, op: &Op, args: &[Value]) -> bool {
        match (op, args) {
            (Op::Fn(_), _) => false,
            _ if self.complex => !self.are_real(args),
            (Op::Add | Op::Sub, [a, b]) => !self.is_number(a) && !self.is_number(b),
            (Op::Mul, [a, b]) => {
                [a, b].into_iter().any(|v| v.is_active() && !self.is_number(v) || self.is_of_a_type(v))
            }
            (Op::Div, [a, _]) | (Op::Neg, [a]) => !self.is_number(a),
            _ => false,
        }
    }

    /// Whether a passive value is a variable or an element that its type made, or a parameter of one that only rustc knows: a number may
    /// scale it.
    fn is_of_a_type(&self, value: &Value) -> bool {
        let Value::Passive(Passive { root: Some(root), refs, passive, .. }) = value else { return false };
        let fact = self.fact(*root);
        let mut trees = passive.tokens.clone().into_iter();
        let named = matches!(trees.next(), Some(TokenTree::Ident(name)) if name == self.info(*root).name);
        let indices: Vec<TokenTree> = trees.collect();
        named
            && refs.depth == 0
            && match &indices[..] {
                [] => fact.is_made() || fact.shape == Ty::Unknown,
                [TokenTree::Group(g)] if g.delimiter() == Delimiter::Bracket => fact.lists_made(),
                _ => false,
            }
    }

    fn is_number(&self, value: &Value) -> bool {
        match value {
            Value::Active(a) => self.ty_of(&a.place) == Ty::Float && self.doubt(&a.place).is_none(),
            Value::Passive(p) => is_float(&p.passive),
            _ => false,
        }
    }

    /// The operation in doubt that made a value.
    pub fn doubt(&self, place: &Place) -> Option<&Site> {
        self.fact(place.root).doubt.as_ref().filter(|_| place.path.is_empty())
    }

    /// What a place is in the question of what is a number: the operation that made it, or the place itself.
    fn questioned(&self, place: &Place) -> Option<Site> {
        match self.doubt(place) {
            Some(site) => Some(site.clone()),
            None => (self.ty_of(place) == Ty::Unknown).then(|| Site::part(place)),
        }
    }

    /// Notes an operation in doubt. Where its result is a number its operands are; for `+` and `-` that holds the other way
    /// round, and a place that an operation changes is what it was.
    pub fn put_in_doubt(&mut self, site: &Site, op: &Op, args: &[Value], changed: Option<&Place>) {
        self.doubts.found.insert(site.clone());
        let alike = match op {
            Op::Add | Op::Sub => !self.complex, // a sum of a real and a complex number is complex
            op => matches!(op, Op::Neg | Op::Fn(_)),
        };
        for arg in args {
            let Value::Active(a) = arg else { continue };
            let Some(operand) = self.questioned(&a.place) else { continue };
            self.doubts.follow(site, &operand);
            if alike {
                self.doubts.follow(&operand, site);
            }
        }
        if let Some(place) = changed.and_then(|place| self.questioned(place)) {
            self.doubts.follow(&place, site);
        }
    }

    /// Notes that a value is used as only a number can be.
    pub fn show_number(&mut self, place: &Place) {
        if let Some(site) = self.questioned(place) {
            self.doubts.shown.insert(site);
        }
    }

    /// Notes that a value is compared with another one.
    pub fn show_alike(&mut self, a: &Value, b: &Value) {
        for (one, other) in [(a, b), (b, a)] {
            if let (Value::Active(active), true) = (one, self.is_number(other)) {
                self.show_number(&active.place);
            }
        }
    }

    /// Notes that two places are of one type.
    pub fn alike(&mut self, a: &Place, b: &Place) {
        match (self.questioned(a), self.questioned(b)) {
            (Some(x), Some(y)) => {
                self.doubts.follow(&x, &y);
                self.doubts.follow(&y, &x);
            }
            (Some(_), None) if self.ty_of(b) == Ty::Float => self.show_number(a),
            (None, Some(_)) if self.ty_of(a) == Ty::Float => self.show_number(b),
            _ => {}
        }
        if self.doubt(a).is_none() && self.doubt(b).is_none() {
            let (to, of) = (self.ty_of(a), self.ty_of(b));
            self.refine(b, to);
            self.refine(a, of);
        }
    }
}
