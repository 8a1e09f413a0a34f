//! First values: assignments to variables that were declared without one.

use crate::analysis::tbr::is_loop;
use crate::ir::visit::{Access, blocks, touched};
use crate::ir::*;
use crate::support::hash::HashSet;

/// What is known of a variable at some point.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Unset,
    Set,
    /// One or the other.
    Open,
}

/// The assignments that find their variable without a value, as variable and value.
pub fn assignments(body: &Block) -> HashSet<(Var, Option<Var>)> {
    let (mut first, mut other) = (HashSet::default(), HashSet::default());
    let mut declared = Vec::new();
    declarations(body, &mut declared);
    for var in declared {
        Walk { var, first: &mut first, other: &mut other }.block(body, State::Unset);
    }
    first.difference(&other).copied().collect()
}

fn declarations(block: &Block, found: &mut Vec<Var>) {
    for stmt in &block.stmts {
        if let Stmt::Declare { var } = stmt {
            found.push(*var);
        }
        blocks(stmt).into_iter().for_each(|inner| declarations(inner, found));
    }
}

struct Walk<'s> {
    var: Var,
    first: &'s mut HashSet<(Var, Option<Var>)>,
    other: &'s mut HashSet<(Var, Option<Var>)>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block, start: State) -> State {
        block.stmts.iter().fold(start, |state, stmt| self.stmt(stmt, state))
    }

    fn stmt(&mut self, stmt: &Stmt, state: State) -> State {
        match stmt {
            Stmt::Declare { var } if *var == self.var => State::Unset,
            Stmt::Assign { place, value, .. } if place.root == self.var && place.path.is_empty() => {
                let list = if state == State::Unset { &mut *self.first } else { &mut *self.other };
                list.insert((self.var, value.as_var()));
                State::Set
            }
            _ if is_loop(stmt) && self.assigns_again(stmt) => {
                blocks(stmt).into_iter().fold(State::Open, |state, inner| self.block(inner, state));
                State::Open
            }
            _ if is_loop(stmt) => blocks(stmt).into_iter().fold(state, |state, inner| self.block(inner, state)),
            _ => {
                let mut ends = blocks(stmt).into_iter().map(|inner| self.block(inner, state)).collect::<Vec<_>>();
                let end = ends.pop().unwrap_or(state);
                if ends.iter().all(|other| *other == end) { end } else { State::Open }
            }
        }
    }

    /// Whether the iterations of a loop assign a variable from outside.
    fn assigns_again(&self, stmt: &Stmt) -> bool {
        let touches = |way| touched(std::slice::from_ref(stmt), &[way]).contains(&self.var);
        touches(Access::Write) && !touches(Access::Define)
    }
}
