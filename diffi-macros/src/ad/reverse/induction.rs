//! Passive variables that a loop counts along: where the reverse loop goes the same way, it counts along too, and keeps nothing.
//!
//! Not where the next value is a product, and the reverse loop runs in the scope of the forward loop: the values of one loop are
//! loaded from the nearest cache in less time than each product waits for the one before, and several at once.

use crate::ad::reverse::Reverse;
use crate::ad::reverse::control::set;
use crate::ad::reverse::rematerializable::StableLets;
use crate::ad::reverse::tape_plan::{Makers, Split};
use crate::analysis::tbr::Here;
use crate::ir::symbols::Role;
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use std::collections::BTreeMap;

/// A passive variable that is declared with a value, before a loop, and then only changed once in each iteration.
#[derive(Clone, Default)]
pub struct Counters {
    /// Where each begins, and the loops around its declaration.
    declared: HashMap<Var, (PassiveCode, Vec<usize>)>,
    /// Those that are changed otherwise, too.
    others: Vars,
    /// Those that are changed.
    changed: Vars,
}

impl Counters {
    /// Notes a variable that begins with a value that can be had again.
    pub fn declare(&mut self, var: Var, start: &PassiveCode, here: &Here) {
        self.declared.insert(var, (start.clone(), here.loops.clone()));
    }

    /// Notes what a simple statement changes.
    pub fn change(&mut self, stmt: &Stmt, here: &Here) {
        for var in touched(std::slice::from_ref(stmt), &[Access::Write]) {
            let around = |(_, loops): &(PassiveCode, Vec<usize>)| {
                here.loops.split_last().is_some_and(|(_, outside)| outside == loops)
            };
            let set = matches!(stmt, Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty());
            if !set || !self.declared.get(&var).is_some_and(around) || !self.changed.insert(var) {
                self.others.insert(var);
            }
        }
    }

    fn start(&self, var: Var) -> Option<&PassiveCode> {
        self.declared.get(&var).filter(|_| !self.others.contains(&var)).map(|(start, _)| start)
    }
}

/// How a reverse loop gets a value that the forward loop had from its counter.
struct Counter {
    start: PassiveCode,
    /// What makes the next value, by where the iteration has it.
    steps: BTreeMap<usize, Stmt>,
    next: PassiveCode,
}

impl Counter {
    /// Whether a value is a product of the one before.
    fn multiplies(&self) -> bool {
        let made = self.steps.values().filter_map(|stmt| match stmt {
            Stmt::Let { expr: Expr::Passive(o), .. } => Some(o),
            _ => None,
        });
        made.chain([&self.next]).any(|o| match syn::parse2(o.tokens.clone()) {
            Ok(syn::Expr::Binary(both)) => matches!(both.op, syn::BinOp::Mul(_) | syn::BinOp::Div(_)),
            _ => false,
        })
    }
}

impl Reverse<'_> {
    /// Takes the words out of a frame that a loop in the same direction can count along; returns what stands before that loop.
    pub fn count_along(&mut self, split: &mut Split) -> Vec<Stmt> {
        let mut before = Vec::new();
        let words = split.frame.words.clone();
        if words.is_empty() {
            return before;
        }
        let forward = std::mem::take(&mut split.forward);
        let (makers, own) = (Makers::of(&forward), touched(&forward, &[Access::Define]));
        for word in words {
            let Some(counter) = self.counter(word, &split.frame.words, (&forward, &own, &makers)) else { continue };
            if !self.alive || !counter.multiplies() {
                before.push(self.count_again(word, counter, split));
            }
        }
        split.forward = forward;
        before
    }

    /// Makes a word again from one iteration to the next; returns its beginning.
    fn count_again(&mut self, word: Var, Counter { start, steps, next }: Counter, split: &mut Split) -> Stmt {
        let again = self.table.companion(word, "again", Role::Primal);
        split.frame.words.retain(|w| *w != word);
        split.recomputed.insert(0, Stmt::Let { var: word, expr: Expr::Passive(self.table.read(again)) });
        let there = touched(&split.recomputed, &[Access::Define]);
        let is_new = |s: &Stmt| touched(std::slice::from_ref(s), &[Access::Define]).is_disjoint(&there);
        split.recomputed.extend(steps.into_values().filter(is_new));
        split.reverse.push(set(again, Operand::Passive(next)));
        Stmt::Let { var: again, expr: Expr::Passive(start) }
    }

    fn counter(
        &self,
        word: Var,
        kept: &[Var],
        (forward, own, makers): (&[Stmt], &Vars, &Makers<'_>),
    ) -> Option<Counter> {
        let made = makers.position(word)?;
        let Stmt::Let { expr: Expr::Passive(value), .. } = &forward[made] else { return None };
        let cell = self.only_variable(value)?;
        let start = self.counters.start(cell)?.clone();
        let next = forward[made..].iter().find_map(|s| match s {
            Stmt::Assign { place, value: Operand::Passive(next), .. } if place.root == cell => Some(next.clone()),
            _ => None,
        })?;
        let mut steps = BTreeMap::new();
        let mut wanted = vec![self.only_variable(&next)?];
        while let Some(var) = wanted.pop() {
            if own.contains(&var) && !kept.contains(&var) {
                let (at, stmt) = self.recomputation(var, makers)?;
                wanted.extend(touched(std::slice::from_ref(&stmt), &[Access::Read, Access::Shape]));
                steps.insert(at, stmt);
            }
        }
        Some(Counter { start, steps, next })
    }

    /// The variable that the tokens consist of.
    fn only_variable(&self, o: &PassiveCode) -> Option<Var> {
        let text = o.tokens.to_string();
        o.reads.iter().copied().find(|v| self.table.info(*v).name == text)
    }
}

impl StableLets {
    pub fn note_counters(&mut self, stmt: &Stmt) {
        if let Stmt::Let { var, expr: expr @ Expr::Passive(start) } = stmt
            && self.is_stable(expr)
            && crate::ir::purity::repeatable(start)
        {
            self.counters.declare(*var, start, &self.here);
        }
        if crate::ir::visit::blocks(stmt).is_empty() {
            self.counters.change(stmt, &self.here);
        }
    }
}
