//! Where the variables of a list of statements are touched: an index, for those who ask it of many variables.

use crate::ir::visit::{Access, Visit};
use crate::ir::*;
use crate::support::hash::HashMap;

/// The positions of the statements that touch each variable, in order. A nested statement has the position of the outer one.
#[derive(Default)]
pub struct Positions(HashMap<Var, Vec<usize>>);

impl Positions {
    /// Those in a list.
    pub fn of(stmts: &[Stmt]) -> Self {
        Self::of_some(stmts, &|_| true)
    }

    /// Those that define or write it.
    pub fn of_sets(stmts: &[Stmt]) -> Self {
        Self::of_some(stmts, &|touch| matches!(touch, Access::Define | Access::Write))
    }

    /// Those that write it.
    pub fn of_writes(stmts: &[Stmt]) -> Self {
        Self::of_some(stmts, &|touch| touch == Access::Write)
    }

    /// Those that define it.
    pub fn of_defines(stmts: &[Stmt]) -> Self {
        Self::of_some(stmts, &|touch| touch == Access::Define)
    }

    fn of_some(stmts: &[Stmt], counts: &dyn Fn(Access) -> bool) -> Self {
        let mut all = Positions::default();
        for (at, stmt) in stmts.iter().enumerate() {
            let mut note = |v, touch| {
                if counts(touch) {
                    all.note(v, at);
                }
            };
            Visit(&mut note).stmt(stmt);
        }
        all
    }

    /// Adds a position of a variable that it does not have yet.
    fn note(&mut self, var: Var, at: usize) {
        let all = self.0.entry(var).or_default();
        match all.last() {
            Some(last) if *last == at => {}
            Some(last) if *last > at => {
                if let Err(place) = all.binary_search(&at) {
                    all.insert(place, at);
                }
            }
            _ => all.push(at),
        }
    }

    /// All of a variable.
    pub fn all(&self, var: Var) -> &[usize] {
        self.0.get(&var).map_or(&[], |all| &all[..])
    }

    /// Those of a variable behind a position.
    pub fn after(&self, var: Var, at: usize) -> &[usize] {
        let all = self.all(var);
        &all[all.partition_point(|k| *k <= at)..]
    }

    /// The last one of each variable.
    pub fn lasts(&self) -> impl Iterator<Item = (Var, usize)> + '_ {
        self.0.iter().filter_map(|(var, all)| Some((*var, *all.last()?)))
    }

    /// The last one of a variable.
    pub fn last(&self, var: Var) -> Option<usize> {
        self.all(var).last().copied()
    }
}

/// A list of statements with its index, from which some are taken out.
pub struct Indexed {
    stmts: Vec<Option<Stmt>>,
    positions: Positions,
}

impl Indexed {
    pub fn of(stmts: Vec<Stmt>) -> Self {
        let positions = Positions::of(&stmts);
        Indexed { stmts: stmts.into_iter().map(Some).collect(), positions }
    }

    pub fn len(&self) -> usize {
        self.stmts.len()
    }

    /// The statement at a position, unless it was taken out.
    pub fn get(&self, at: usize) -> Option<&Stmt> {
        self.stmts[at].as_ref()
    }

    /// The same, to be changed; it touches the same variables afterwards.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut Stmt> {
        self.stmts[at].as_mut()
    }

    /// Notes that a statement touches another variable by now.
    pub fn note(&mut self, var: Var, at: usize) {
        self.positions.note(var, at);
    }

    pub fn remove(&mut self, at: usize) {
        self.stmts[at] = None;
    }

    /// The positions of the statements that touch a variable, from one on.
    pub fn from(&self, var: Var, from: usize) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let all = self.positions.all(var);
        let first = all.partition_point(|at| *at < from);
        all[first..].iter().copied().filter(|at| self.stmts[*at].is_some())
    }

    /// Whether any statement touches a variable.
    pub fn touches(&self, var: Var) -> bool {
        self.from(var, 0).next().is_some()
    }

    /// Rewrites statements by their positions, one after the other.
    pub fn rewrite(stmts: &mut Vec<Stmt>, mut one: impl FnMut(&mut Indexed, usize)) {
        let mut indexed = Indexed::of(std::mem::take(stmts));
        (0..indexed.len()).for_each(|at| one(&mut indexed, at));
        *stmts = indexed.into_stmts();
    }

    /// What is left, with other statements in front of some.
    pub fn with(self, mut before: HashMap<usize, Vec<Stmt>>) -> Vec<Stmt> {
        let stmts = self.stmts.into_iter().enumerate();
        stmts.flat_map(|(at, stmt)| before.remove(&at).unwrap_or_default().into_iter().chain(stmt)).collect()
    }

    /// What is left.
    pub fn into_stmts(self) -> Vec<Stmt> {
        self.stmts.into_iter().flatten().collect()
    }
}
