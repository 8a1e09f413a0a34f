//! Liveness (Allen & Kennedy 4.4): the variables that later statements read, or mention at all.
//!
//! Control flow is structured, so that one walk from the last statement to the first finds it. At the end of an iteration live is what is
//! live behind the loop, and what any iteration reads of variables from outside.

use crate::analysis::element_accesses::element_accesses;
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched};
use crate::ir::*;

/// What is live behind a statement.
#[derive(Clone, Default)]
pub struct Live {
    read: Vars,
    mentioned: Vars,
}

impl Live {
    /// At the end of code behind which these variables are read.
    pub fn of(read: Vars) -> Self {
        Live { mentioned: read.clone(), read }
    }

    /// Whether the variable's value may be read before it gets another one.
    pub fn is_read(&self, var: Var) -> bool {
        self.read.contains(&var)
    }

    /// Whether a later statement reads the variable or writes to it.
    pub fn is_mentioned(&self, var: Var) -> bool {
        self.mentioned.contains(&var)
    }

    /// Walks a block backwards, inner statements first. `stays` is told of each statement what is live behind it; one that does not stay
    /// is taken out. What is live behind the block becomes what is live before it.
    pub fn backwards(&mut self, block: &mut Block, stays: &mut dyn FnMut(&mut Stmt, &Live) -> bool) {
        for at in (0..block.stmts.len()).rev() {
            let stmt = &mut block.stmts[at];
            let inside = self.inside(stmt, stays);
            if !stays(stmt, self) {
                block.stmts.remove(at);
                continue;
            }
            if let Some(inside) = inside {
                *self = inside;
            }
            self.head(stmt);
        }
    }

    /// What is live before the blocks in a statement.
    fn inside(&self, stmt: &mut Stmt, stays: &mut dyn FnMut(&mut Stmt, &Live) -> bool) -> Option<Live> {
        if blocks_mut(stmt).is_empty() {
            return None;
        }
        let mut end = self.clone();
        let again = next_iteration(stmt);
        end.mentioned.extend(&again);
        end.read.extend(again);
        if let Stmt::While { prelude, cond, body, .. } = stmt {
            end.backwards(body, stays);
            end.join(self);
            end.reads(&mut |visit| visit.passive_code(cond));
            end.backwards(prelude, stays);
            return Some(end);
        }
        // one of the blocks of a choice runs, and any other block perhaps not at all
        let mut all = (!matches!(stmt, Stmt::If { .. } | Stmt::Switch { .. })).then(|| self.clone());
        for block in blocks_mut(stmt) {
            let mut before = end.clone();
            before.backwards(block, stays);
            match &mut all {
                Some(all) => all.join(&before),
                None => all = Some(before),
            }
        }
        all
    }

    fn join(&mut self, other: &Live) {
        self.read.extend(&other.read);
        self.mentioned.extend(&other.mentioned);
    }

    /// Passes a statement, without the blocks in it.
    fn head(&mut self, stmt: &Stmt) {
        let mut defined = Vars::new();
        Visit(&mut |v, touch| {
            if touch == Access::Define {
                defined.insert(v);
            }
        })
        .head(stmt);
        self.read.retain(|v| !defined.contains(v));
        match stmt {
            Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty() => _ = self.read.remove(&place.root),
            // passive code that changes a variable may look at it
            Stmt::Effect { writes, .. } => self.read.extend(writes),
            _ => {}
        }
        self.reads(&mut |visit| visit.head(stmt));
    }

    fn reads(&mut self, of: &mut dyn FnMut(&mut Visit<'_>)) {
        of(&mut Visit(&mut |v, touch| {
            if matches!(touch, Access::Read | Access::Shape) {
                self.read.insert(v);
            }
            if touch != Access::Define {
                self.mentioned.insert(v);
            }
        }));
    }
}

/// What the iterations of a loop read that come after the present one: nothing that an iteration brings into being itself, and no array of
/// which each has its own element.
fn next_iteration(stmt: &Stmt) -> Vars {
    let one = std::slice::from_ref(stmt);
    let on = match stmt {
        Stmt::While { .. } | Stmt::Derived(Derived::Times { .. }) => None,
        Stmt::For(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) => Some(&l.on),
        _ => return Vars::new(),
    };
    let mut read = &touched(one, &[Access::Read, Access::Shape]) - &touched(one, &[Access::Define]);
    read.retain(|v| !on.is_some_and(|on| is_private(on, *v)));
    read
}

/// Whether each iteration uses one element of the array alone, that of its own number.
fn is_private(on: &For, array: Var) -> bool {
    let own = |place: &Place| match &place.path[..] {
        [Proj::Index(i)] => i.reads.only() == Some(on.var) && i.tokens.clone().into_iter().count() == 1,
        _ => false,
    };
    element_accesses(&on.body, array).is_some_and(|all| all.iter().all(|access| own(&access.place)))
}
