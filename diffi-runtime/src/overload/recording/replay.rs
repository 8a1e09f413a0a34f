//! A program's values at a point.

use super::{Check, Guard, Program, apply};
use crate::number::float::Base;
use crate::number::real::Real;
use std::ops::Range;

impl<F: Base> Program<F> {
    /// Memory for all values, with those of constants.
    pub(crate) fn start<S: Real<Base = F>>(&self, values: &mut Vec<S>) {
        values.clear();
        values.resize(self.nodes(), S::lit(0.0));
        for (node, value) in &self.constants {
            values[*node as usize] = S::from_base(*value);
        }
    }

    /// Carries out all operations; the values of leaves and constants have to be there.
    pub(crate) fn run<S: Real<Base = F>>(&self, values: &mut [S]) {
        if self.arrays.is_empty() {
            self.run_within(values, self.leaves..self.steps.len());
        } else {
            self.run_arrays(values);
        }
    }

    /// Carries out some of the operations; the values of those before have to be there.
    pub(crate) fn run_within<S: Real<Base = F>>(&self, values: &mut [S], range: Range<usize>) {
        for at in range {
            let (before, rest) = values.split_at_mut(at);
            if let Some(value) = apply(&self.steps[at], before) {
                rest[0] = value;
            }
        }
    }

    /// Whether every decision comes out as it did when the program was recorded.
    pub(crate) fn holds<S: Real<Base = F>>(&self, values: &[S]) -> bool {
        self.guards.iter().all(|guard| guard.holds(values))
    }

    /// The first decision that comes out in another way, in words: how it was, and what it is.
    pub(crate) fn broken<S: Real<Base = F>>(&self, values: &[S]) -> Option<(String, String)> {
        let guard = self.guards.iter().find(|guard| !guard.holds(values))?;
        let [a, b] = [guard.a, guard.b].map(|node| values[node as usize].value());
        let (sign, outcome) = match guard.check {
            Check::Less(outcome) => ("<", outcome),
            Check::LessOrEqual(outcome) => ("<=", outcome),
            Check::Equal(outcome) => ("==", outcome),
            Check::Order(order) => {
                return Some((format!("a comparison that gave {order:?}"), format!("{a:?} and {b:?}")));
            }
            Check::Same(bits) => return Some((format!("a value of {:?}", f64::from_bits(bits)), format!("{a:?}"))),
        };
        Some((format!("a `{sign}` that was {outcome}"), format!("{a:?} {sign} {b:?}, which is {}", !outcome)))
    }
}

impl Guard {
    #[inline]
    fn holds<S: Real>(&self, values: &[S]) -> bool {
        let [a, b] = [self.a, self.b].map(|node| values[node as usize].value());
        self.check.holds(a, b)
    }
}

impl Check {
    /// Whether it comes out as it did.
    #[inline]
    pub(crate) fn holds<F: Base>(self, a: F, b: F) -> bool {
        match self {
            Check::Less(outcome) => (a < b) == outcome,
            Check::LessOrEqual(outcome) => (a <= b) == outcome,
            Check::Equal(outcome) => (a == b) == outcome,
            Check::Order(outcome) => a.partial_cmp(&b) == outcome,
            Check::Same(bits) => a.as_f64().to_bits() == bits,
        }
    }
}
