//! Liveness (Allen & Kennedy 4.4): the variables that later statements read, or mention at all.
//!
//! Control flow is structured, so that one walk from the last statement to the first finds it. At the end of an iteration live is what is
//! live behind the loop, and what any iteration reads of variables from outside.

use crate::ir::var_bits::VarBits;
use crate::ir::visit::places::each_place_in;
use crate::ir::visit::{Access, Vars, Visit, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;

/// What is live behind a statement.
#[derive(Clone, Default)]
pub struct Live {
    read: VarBits,
    mentioned: VarBits,
}

impl Live {
    /// At the end of code behind which these variables are read.
    pub fn of(read: &Vars) -> Self {
        Live { read: read.into(), mentioned: read.into() }
    }

    /// Whether the variable's value may be read before it gets another one.
    pub fn is_read(&self, var: Var) -> bool {
        self.read.contains(var)
    }

    /// Whether a later statement reads the variable or writes to it.
    pub fn is_mentioned(&self, var: Var) -> bool {
        self.mentioned.contains(var)
    }

    /// Walks a block backwards, inner statements first. `stays` is told of each statement what is live behind it; one that does not stay
    /// is taken out. What is live behind the block becomes what is live before it.
    pub fn backwards(&mut self, block: &mut Block, stays: &mut dyn FnMut(&mut Stmt, &Live) -> bool) {
        let mut dead = Vec::new();
        for (at, stmt) in block.stmts.iter_mut().enumerate().rev() {
            let inside = self.inside(stmt, stays);
            if !stays(stmt, self) {
                dead.push(at);
                continue;
            }
            if let Some(inside) = inside {
                *self = inside;
            }
            self.head(stmt);
        }
        block.remove(&dead);
    }

    /// What is live before the blocks in a statement.
    fn inside(&self, stmt: &mut Stmt, stays: &mut dyn FnMut(&mut Stmt, &Live) -> bool) -> Option<Live> {
        if blocks_mut(stmt).is_empty() {
            return None;
        }
        let mut end = self.clone();
        let again = next_iteration(stmt);
        end.mentioned.extend(&again);
        end.read.extend(&again);
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
        self.read.unite(&other.read);
        self.mentioned.unite(&other.mentioned);
    }

    /// Passes a statement, without the blocks in it.
    fn head(&mut self, stmt: &Stmt) {
        Visit(&mut |v, touch| {
            if touch == Access::Define {
                self.read.remove(v);
            }
        })
        .head(stmt);
        match stmt {
            Stmt::Assign { place, op: Assign::Set, .. } if place.path.is_empty() => _ = self.read.remove(place.root),
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
    if let Some(on) = on {
        let private = Private::of(on);
        read.retain(|v| !private.has(*v));
    }
    read
}

/// The arrays of which each iteration of a loop uses one element alone, that of its own number.
struct Private<'a> {
    on: &'a For,
    counts: HashMap<Var, Count>,
}

/// How a loop's body uses a variable.
#[derive(Default)]
struct Count {
    /// In any way but for its length.
    uses: usize,
    /// By the element of the iteration's number.
    own: usize,
    /// By another part.
    other: usize,
}

impl Private<'_> {
    fn of(on: &For) -> Private<'_> {
        let mut private = Private { on, counts: HashMap::default() };
        let counts = &mut private.counts;
        Visit(&mut |v, touch| counts.entry(v).or_default().uses += usize::from(touch != Access::Shape)).block(&on.body);
        each_place_in(&on.body, &mut |place, _| {
            let is_own = private.is_own(place);
            let count = private.counts.entry(place.root).or_default();
            *(if is_own { &mut count.own } else { &mut count.other }) += 1;
        });
        private
    }

    fn has(&self, array: Var) -> bool {
        self.counts.get(&array).is_none_or(|count| count.other == 0 && count.own == count.uses)
    }

    fn is_own(&self, place: &Place) -> bool {
        match &place.path[..] {
            [Proj::Index(i)] => i.reads.only() == Some(self.on.var) && i.tokens.clone().into_iter().count() == 1,
            _ => false,
        }
    }
}
