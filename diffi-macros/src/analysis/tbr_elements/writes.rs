//! The writes to one array, each kind of them once: a long function has many, and a read is compared with few.

use super::components;
use crate::analysis::tbr::Here;
use crate::ir::place::key;
use crate::ir::{PassiveCode, Place, Proj};
use crate::support::hash::HashMap;
use std::fmt::Write as _;

/// Writes to the same place in the same loops.
pub struct Write {
    /// None: all of it, or unknown elements.
    pub place: Option<Place>,
    pub loops: Vec<usize>,
    /// The position of the last of them.
    pub last: usize,
}

/// All writes to an array.
#[derive(Default)]
pub struct Writes {
    /// Those of elements whose indices are numbers, by the kinds of their steps, and by their names and numbers.
    fixed: HashMap<String, ByText>,
    /// Those of others, by their text.
    others: ByText,
}

type ByText = HashMap<String, Vec<Write>>;

impl Writes {
    pub fn note(&mut self, place: Option<Place>, here: &Here) {
        let same_text = match place.as_ref().and_then(steps_with_numbers) {
            Some((kinds, steps)) => self.fixed.entry(kinds).or_default().entry(steps).or_default(),
            None => self.others.entry(place.as_ref().map(key).unwrap_or_default()).or_default(),
        };
        match same_text.iter_mut().rfind(|write| write.loops == here.loops) {
            Some(write) => write.last = here.position,
            None => same_text.push(Write { place, loops: here.loops.clone(), last: here.position }),
        }
    }

    /// Whether all writes that may meet a place at `from` or later are such.
    pub fn all(&self, place: &Place, here: &Here, from: usize, fits: &dyn Fn(&Write) -> bool) -> bool {
        // what ran before it shares no loop with what is here
        let first = here.loops.first().map_or(from, |begin| from.min(begin + 1));
        let all = |list: &Vec<Write>| list.iter().all(|write| write.last < first || fits(write));
        let place = steps_with_numbers(place);
        let in_fixed = |(kinds, lists): (&String, &ByText)| match &place {
            // two elements are apart whose steps are of the same kinds, and differ
            Some((own, steps)) if own == kinds => lists.get(steps).is_none_or(all),
            _ => lists.values().all(all),
        };
        self.others.values().all(all) && self.fixed.iter().all(in_fixed)
    }
}

/// The kinds of a place's steps, and their names and numbers, if all indices are numbers.
fn steps_with_numbers(place: &Place) -> Option<(String, String)> {
    let (mut kinds, mut steps) = (String::new(), String::new());
    for step in &place.path {
        match step {
            Proj::Field(member) => {
                kinds.push('.');
                write!(steps, ".{}", quote::quote!(#member)).ok()?;
            }
            Proj::Index(index) => {
                kinds.push('[');
                for number in numbers(index)? {
                    kinds.push('n');
                    write!(steps, " {number}").ok()?;
                }
            }
            Proj::Payload(..) | Proj::Range(..) | Proj::Deref => return None,
        }
    }
    Some((kinds, steps))
}

/// The numbers of an index that is made of them alone.
fn numbers(index: &PassiveCode) -> Option<Vec<i64>> {
    if !(index.reads.is_empty() && index.shapes.is_empty()) {
        return None;
    }
    let number = |part: &PassiveCode| syn::parse2::<syn::LitInt>(part.tokens.clone()).ok()?.base10_parse().ok();
    components(index).iter().map(number).collect()
}
