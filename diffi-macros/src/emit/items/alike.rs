//! Texts that are the same but for names.

use crate::emit::code::names::Names;
use crate::emit::code::text::{Holes, words};
use crate::ir::Var;
use crate::support::hash::HashMap;

/// Which name on the left is which on the right, as far as texts were found to be the same.
pub struct Alike<'a> {
    left: HashMap<&'a str, Var>,
    right: HashMap<&'a str, Var>,
    names: &'a Names<'a>,
    holes: &'a Holes,
    /// By variable: the one on the other side.
    pairs: [Vec<Option<Var>>; 2],
}

impl<'a> Alike<'a> {
    pub fn new(left: &'a Names<'a>, right: &'a Names<'a>, holes: &'a Holes) -> Self {
        let (names, left, right) = (left, left.all(), right.all());
        let pairs = [vec![None; left.len()], vec![None; right.len()]];
        Alike { left, right, names, holes, pairs }
    }

    /// How many of the last texts are the same.
    pub fn ending(&mut self, left: &[String], right: &[String]) -> usize {
        left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| self.take(a, b)).count()
    }

    /// Whether texts are the same; then so are their names from now on.
    pub fn take(&mut self, a: &str, b: &str) -> bool {
        let mut new = Vec::new();
        let same = self.compare(a, b, &mut new);
        if !same {
            new.into_iter().for_each(|(a, b)| self.pair(a, b, false));
        }
        same
    }

    fn compare(&mut self, a: &str, b: &str, new: &mut Vec<(Var, Var)>) -> bool {
        let (a, b) = (bound(a), bound(b));
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.word(a, b, new))
    }

    fn word(&mut self, a: &str, b: &str, new: &mut Vec<(Var, Var)>) -> bool {
        if !is_name(a) || !is_name(b) {
            let held = |word| self.holes.read(word);
            return a == b || held(a).zip(held(b)).is_some_and(|(a, b)| self.compare(&a, &b, new));
        }
        let (start, a, end) = variable(&self.left, a);
        let (other_start, b, other_end) = variable(&self.right, b);
        let same = match (a, b) {
            (Ok(a), Ok(b)) => self.are_pair(a, b, new),
            (Err(a), Err(b)) => a == b,
            _ => false,
        };
        same && start == other_start && end == other_end
    }

    /// Whether variables are a pair, or become one.
    fn are_pair(&mut self, a: Var, b: Var, new: &mut Vec<(Var, Var)>) -> bool {
        match (self.other(a), self.back(b)) {
            (Some(known), Some(back)) => known == b && back == a,
            (None, None) => {
                self.pair(a, b, true);
                new.push((a, b));
                true
            }
            _ => false,
        }
    }

    fn pair(&mut self, a: Var, b: Var, same: bool) {
        self.pairs[0][a.0 as usize] = same.then_some(b);
        self.pairs[1][b.0 as usize] = same.then_some(a);
    }

    /// The variable on the right.
    pub fn other(&self, left: Var) -> Option<Var> {
        self.pairs[0][left.0 as usize]
    }

    /// The variable on the left.
    pub fn back(&self, right: Var) -> Option<Var> {
        self.pairs[1][right.0 as usize]
    }

    /// The left names of the variables on the right.
    pub fn renamed(&self) -> HashMap<Var, String> {
        let pairs = (0..).map(Var).zip(&self.pairs[1]);
        pairs.filter_map(|(right, left)| Some((right, self.names.get((*left)?).to_owned()))).collect()
    }
}

fn is_name(word: &str) -> bool {
    let first = word.as_bytes()[0];
    first.is_ascii_alphabetic() || first == b'_' || first >= 128
}

/// The variable whose name a word is or is made of, and what stands before and after the name; or the word.
fn variable<'a>(all: &HashMap<&str, Var>, word: &'a str) -> (&'static str, Result<Var, &'a str>, &'static str) {
    if let Some(var) = all.get(word) {
        return ("", Ok(*var), "");
    }
    let (start, name, end) = Names::stripped(word);
    match all.get(name).filter(|_| start != "__") {
        Some(var) => (start, Ok(*var), end),
        None => ("", Err(word), ""),
    }
}

/// The words of a statement; whether its variable can be changed is no difference.
fn bound(text: &str) -> Vec<&str> {
    let mut all = words(text);
    if let ["let", "mut", ..] = all[..] {
        all.remove(1);
    }
    all
}
