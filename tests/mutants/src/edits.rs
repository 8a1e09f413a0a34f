//! Writes the switches of mutants into the text of a file.

use crate::mutant::{Change, Mutant};
use std::ops::Range;

/// A mutant with its number.
pub type Numbered<'a> = (usize, &'a Mutant);

/// The text with all switches, and where in it each one stands.
pub fn planted(text: &str, mutants: &[Numbered]) -> (String, Vec<(usize, Range<usize>)>) {
    let mut sorted: Vec<Numbered> = mutants.to_vec();
    // outer ranges first
    sorted.sort_by_key(|(id, m)| (m.range.start, std::cmp::Reverse(m.range.end), *id));
    let mut planter = Planter { text, out: String::new(), places: Vec::new() };
    planter.write(0..text.len(), &sorted);
    (planter.out, planter.places)
}

struct Planter<'a> {
    text: &'a str,
    out: String,
    places: Vec<(usize, Range<usize>)>,
}

impl Planter<'_> {
    /// Writes a range, and the mutants that lie in it.
    fn write(&mut self, range: Range<usize>, mutants: &[Numbered]) {
        let (mut at, mut k) = (range.start, 0);
        while let Some((id, mutant)) = mutants.get(k) {
            let inner = &mutants[k + 1..];
            let count = inner.iter().take_while(|(_, m)| m.range.end <= mutant.range.end).count();
            self.out.push_str(&self.text[at..mutant.range.start]);
            self.switch(*id, mutant, &inner[..count]);
            at = mutant.range.end;
            k += 1 + count;
        }
        self.out.push_str(&self.text[at..range.end]);
    }

    fn switch(&mut self, id: usize, mutant: &Mutant, inner: &[Numbered]) {
        let (start, on) = (self.out.len(), format!("crate::mutants::mutant({id})"));
        match &mutant.change {
            Change::Expression(other) => {
                self.out.push_str(&format!("(if {on} {{ {other} }} else {{ "));
                self.write(mutant.range.clone(), inner);
                self.out.push_str(" })");
            }
            Change::NoStatement => {
                self.out.push_str(&format!("if !{on} {{ "));
                self.write(mutant.range.clone(), inner);
                self.out.push_str(" }");
            }
            Change::Return(value) => {
                self.out.push_str(&format!(" if {on} {{ return {value}; }} "));
                self.write(mutant.range.clone(), inner);
            }
            Change::NoArm => {
                self.out.push_str(&format!(" if !{on} "));
                self.write(mutant.range.clone(), inner);
            }
        }
        self.places.push((id, start..self.out.len()));
    }
}
