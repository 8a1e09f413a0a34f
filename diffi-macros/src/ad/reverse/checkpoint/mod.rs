//! Loops of which only some states are kept.
//!
//! The forward sweep runs such a loop as it is, and keeps the state before some of its iterations. The reverse sweep takes the
//! states back, the last one first, runs the iterations from there on again, over variables of their own, and reverses them:
//!
//! ```text
//! for i in lo..hi { if iterations == next { save state, iterations; next += every } body; iterations += 1 }
//!
//! let mut end = iterations;
//! while end > 0 {
//!     restore state_1, at;
//!     for iteration in at..end { body_1, both sweeps }
//!     end = at;
//! }
//! ```
//!
//! Where the number of states is limited, the state that was restored stays kept as long as it is needed, others are kept on
//! the way to the last iteration, and that iteration alone is reversed (A. Griewank and A. Walther, Algorithm 799: revolve, ACM
//! Transactions on Mathematical Software 26, 2000).

use super::replays::may_differ;
use crate::ad::reverse::checkpoint::snapshot::{Snapshot, retain};
use crate::ad::reverse::control::set;
use crate::ad::reverse::loop_state::Carried;
use crate::ad::reverse::{Both, Reverse};
use crate::ir::symbols::Role;
use crate::ir::visit::{Access, blocks_mut, touched};
use crate::ir::*;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
mod snapshot;

/// A loop, and what its two sweeps count.
struct Checkpointed {
    iterations: Iterations,
    carried: Carried,
    /// What changes from iteration to iteration; the last word is the number of the iteration.
    state: Snapshot,
    /// How many iterations the forward sweep has run.
    count: Var,
    /// How many more states may be kept, if that is limited.
    free: Option<Var>,
    /// The iteration that the restored state stands before.
    at: Var,
    /// What the iterations see, added up as they run at first and again, if that may differ.
    seen: Option<(Var, Var)>,
}

/// A loop as iterations that are numbered from zero.
struct Iterations {
    /// The primal's loop.
    around: Stmt,
    /// The number of an iteration, in `again`.
    number: Var,
    /// An iteration that is known to take place, as statements of its own.
    again: Vec<Stmt>,
    /// So many of them find out whether the iteration takes place, and where it is.
    before: usize,
    /// How many there are, if that is known beforehand.
    total: Option<PassiveCode>,
}

impl Reverse<'_> {
    /// Both parts of a loop of which only some states are kept; `None` if it is no such loop, or keeps nothing anyway.
    pub fn checkpointed(&mut self, stmt: &Stmt) -> Option<Both> {
        let (Stmt::For(For { checkpoint: Some(checkpoint), .. }) | Stmt::While { checkpoint: Some(checkpoint), .. }) =
            stmt
        else {
            return None;
        };
        if self.keeps_nothing(stmt) {
            return None;
        }
        let (mut forward, mut reverse) = (Vec::new(), Vec::new());
        let iterations = self.iterations(stmt, &mut forward);
        let carried = Carried::of(&self.table, &iterations.again);
        let inputs = self.inputs(&iterations.again, checkpoint.id);
        let mut state = self.snapshot(&carried.state);
        self.declare_twins(&carried.within, &mut state);
        state.twins.extend(&inputs.twins);
        let count = self.passive_cell("iterations", quote!(0usize), &mut forward);
        let at = self.table.twin(count, "at");
        state.also(count, at);
        let differ = may_differ(&iterations.again[iterations.before..]);
        let seen = differ.then(|| {
            let first = self.passive_cell("seen", quote!(0u64), &mut forward);
            (first, self.passive_cell("seen_again", quote!(0u64), &mut reverse))
        });
        let (keep, free) = self.keep(&checkpoint.keep, &iterations, &state, count, &mut forward);
        forward.push(self.primal(&iterations, count, keep, seen));
        inputs.around(&mut forward, &mut reverse);
        let plan = Checkpointed { iterations, carried, state, count, free, at, seen };
        self.turns(&plan, &mut reverse);
        reverse.extend(seen.map(|(first, again)| self.compared(first, again)));
        Some(Both { forward, reverse })
    }

    /// Whether the reverse sweep needs nothing of the forward sweep.
    fn keeps_nothing(&mut self, stmt: &Stmt) -> bool {
        let split = match stmt {
            Stmt::For(on) => self.split(&on.body, Vec::new(), &[on.var]),
            Stmt::While { prelude, body, .. } => self.split(&joined(prelude, body), Vec::new(), &[]),
            other => unreachable!("only loops are checkpointed: {other:?}"),
        };
        split.is_quiet() || split.keeps_nothing()
    }

    fn iterations(&mut self, stmt: &Stmt, before: &mut Vec<Stmt>) -> Iterations {
        let number = self.table.fresh("iteration", Ty::Passive, Role::Primal, Span::call_site());
        match stmt {
            Stmt::For(on) => {
                let range = range(on);
                let (tokens, name) = (&range.tokens, &self.table.info(number).name);
                let mut index = PassiveCode { tokens: quote!(__d::nth(#tokens, #name)), ..range.clone() };
                index.reads.insert(number);
                self.given.insert(on.var);
                let index = Stmt::Let { var: on.var, expr: Expr::Passive(index) };
                let again = [&[index], &on.body.stmts[..]].concat();
                let total = PassiveCode { tokens: quote!(#tokens.size_hint().0), ..range.clone() };
                let around = Stmt::For(For { checkpoint: None, ..on.clone() });
                Iterations { around, number, again, before: 1, total: on.until.is_none().then_some(total) }
            }
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, cond, body) = self.settled(prelude, cond, body, before);
                let (again, before) = (joined(&prelude, &body).stmts, prelude.stmts.len());
                let around = Stmt::While { prelude, cond, body, checkpoint: None };
                Iterations { around, number, again, before, total: None }
            }
            other => unreachable!("only loops are checkpointed: {other:?}"),
        }
    }

    /// What iterations read and no iteration changes, where it is overwritten after the loop.
    fn inputs(&mut self, iteration: &[Stmt], id: usize) -> Snapshot {
        let passing = self.passing.get(&id).cloned().unwrap_or_default();
        let changing = touched(iteration, &[Access::Define, Access::Write]);
        let read = touched(iteration, &[Access::Read, Access::Shape]);
        let kept = read.into_iter().filter(|v| passing.contains(&self.table.origin(*v)) && !changing.contains(v));
        self.snapshot(&kept.collect())
    }

    /// What keeps the state before an iteration that is due, and the counter of the states that may still be kept.
    fn keep(
        &mut self,
        keep: &CheckpointPolicy,
        loop_: &Iterations,
        state: &Snapshot,
        count: Var,
        out: &mut Vec<Stmt>,
    ) -> (Stmt, Option<Var>) {
        let next = self.passive_cell("next", quote!(0usize), out);
        let mut then = vec![Stmt::Derived(Derived::PushFrame(state.kept.clone()))];
        let mut free = None;
        match (keep, &loop_.total) {
            (CheckpointPolicy::Every(n), _) => {
                let every = self.named("every", at_least_one(n), out);
                then.push(self.update(next, &[next, every], |n| quote!(#(#n)+*)));
            }
            (CheckpointPolicy::Root, Some(total)) => {
                let tokens = &total.tokens;
                let every =
                    self.named("every", PassiveCode { tokens: quote!(__d::root(#tokens)), ..total.clone() }, out);
                then.push(self.update(next, &[next, every], |n| quote!(#(#n)+*)));
            }
            (CheckpointPolicy::Root, None) => {
                let every = self.passive_cell("every", quote!(0usize), out);
                then.push(self.update(every, &[every], |n| quote!(#(#n)* + 1)));
                then.push(self.update(next, &[next, every], |n| quote!(#(#n)+*)));
            }
            (CheckpointPolicy::Snapshots(n), total) => {
                let left = self.named("free", at_least_one(n), out);
                then.push(self.update(left, &[left], |n| quote!(#(#n)* - 1)));
                free = Some(left);
                match total {
                    None => then.push(self.update(next, &[], |_| quote!(usize::MAX))),
                    Some(total) => {
                        let total = self.named("total", total.clone(), out);
                        then.push(self.update(next, &[count, total, left], |n| {
                            let (iterations, total, free) = (n[0], n[1], n[2]);
                            quote!(__d::stop(#iterations, #total + 1, #free))
                        }));
                    }
                }
            }
        }
        (self.when(&[count, next], |n| quote!(#(#n)==*), then, Vec::new()), free)
    }

    /// The primal's loop, which counts its iterations and keeps its state before some of them.
    fn primal(&mut self, loop_: &Iterations, count: Var, keep: Stmt, seen: Option<(Var, Var)>) -> Stmt {
        let mut around = loop_.around.clone();
        if let Some(body) = blocks_mut(&mut around).pop() {
            if let Some((first, _)) = seen {
                body.stmts = self.adding_up(&body.stmts, first, count);
            }
            body.stmts.insert(0, keep);
            body.stmts.push(self.count(count));
        }
        around
    }

    /// Restores the states, and reverses the iterations from each to the last one that is not reversed yet.
    fn turns(&mut self, plan: &Checkpointed, out: &mut Vec<Stmt>) {
        let end = self.named("end", self.table.read(plan.count), out);
        let mut body = Vec::new();
        match plan.free {
            None => {
                plan.state.restore(&mut body);
                let iteration = self.last_time(plan);
                let segment = self.run(plan, &iteration, plan.at, end);
                body.extend(self.both_sweeps(plan, vec![segment]));
            }
            Some(free) => {
                let free = self.named("left", self.table.read(free), out);
                self.stay_or_free(plan, end, free, &mut body);
                let advance = self.advance(plan, end, free);
                body.push(advance);
                let number = self.named("iteration", self.table.read(plan.at), &mut body);
                let iteration = self.last_time(plan);
                let iteration = self.again(&iteration, &plan.state.twins, (plan.iterations.number, number));
                body.extend(self.both_sweeps(plan, iteration));
            }
        }
        body.push(self.update(end, &[plan.at], |n| quote!(#(#n)*)));
        let cond = self.formula(&[end], |n| quote!(#(#n)* > 0));
        out.push(Stmt::While { prelude: Block::default(), cond, body: Block { stmts: body }, checkpoint: None });
    }

    /// Restores a state, and keeps it still unless its iteration is the next to be reversed.
    fn stay_or_free(&mut self, plan: &Checkpointed, end: Var, free: Var, out: &mut Vec<Stmt>) {
        let marks = self.named("marks", PassiveCode::literal(quote!(ws.marks())), out);
        plan.state.restore(out);
        let tokens = self.formula(&[marks], |n| quote!(ws.rewind(#(#n)*)));
        let stay = Stmt::Effect { tokens, writes: Default::default() };
        let leave = self.update(free, &[free], |n| quote!(#(#n)* + 1));
        out.push(self.when(&[plan.at, end], before_last, vec![stay], vec![leave]));
    }

    /// Runs on to the last iteration, and keeps states on the way.
    fn advance(&mut self, plan: &Checkpointed, end: Var, free: Var) -> Stmt {
        let mut body = Vec::new();
        let to = self.formula(&[plan.at, end, free], |n| quote!(__d::stop(#(#n),*)));
        let to = self.named("to", to, &mut body);
        let mut run = vec![self.run(plan, &plan.iterations.again, plan.at, to)];
        plan.remove_idle(&mut run);
        body.extend(run);
        body.push(self.update(plan.at, &[to], |n| quote!(#(#n)*)));
        let save = Stmt::Derived(Derived::PushFrame(plan.state.kept_again()));
        let take = self.update(free, &[free], |n| quote!(#(#n)* - 1));
        body.push(self.when(&[plan.at, end], before_last, vec![save, take], Vec::new()));
        let cond = self.formula(&[plan.at, end], before_last);
        Stmt::While { prelude: Block::default(), cond, body: Block { stmts: body }, checkpoint: None }
    }

    /// An iteration as it is run right before it is reversed.
    fn last_time(&mut self, plan: &Checkpointed) -> Vec<Stmt> {
        let (before, iteration) = plan.iterations.again.split_at(plan.iterations.before);
        match plan.seen {
            Some((_, again)) => [before, &self.adding_up(iteration, again, plan.iterations.number)[..]].concat(),
            None => plan.iterations.again.clone(),
        }
    }

    /// `for iteration in from..to { again }`, over twins.
    fn run(&mut self, plan: &Checkpointed, iteration: &[Stmt], from: Var, to: Var) -> Stmt {
        let number = self.table.twin(plan.iterations.number, "iteration");
        self.for_variables.insert(number);
        let stmts = self.again(iteration, &plan.state.twins, (plan.iterations.number, number));
        Stmt::For(For {
            var: number,
            lo: self.table.read(from),
            hi: self.table.read(to),
            inclusive: false,
            step: None,
            down: false,
            until: None,
            checkpoint: None,
            body: Block { stmts },
        })
    }

    /// Both sweeps in one scope: nothing is kept but what the iterations of a loop keep for each other.
    fn both_sweeps(&mut self, plan: &Checkpointed, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut both = self.joint_block(&Block { stmts }).stmts;
        plan.remove_idle(&mut both);
        both
    }

    fn formula(&self, vars: &[Var], write: impl Fn(&[&Ident]) -> TokenStream) -> PassiveCode {
        let names: Vec<&Ident> = vars.iter().map(|v| &self.table.info(*v).name).collect();
        PassiveCode { reads: vars.iter().copied().collect(), ..PassiveCode::literal(write(&names)) }
    }

    fn update(&self, cell: Var, vars: &[Var], write: impl Fn(&[&Ident]) -> TokenStream) -> Stmt {
        set(cell, Operand::Passive(self.formula(vars, write)))
    }

    fn when(&self, vars: &[Var], write: impl Fn(&[&Ident]) -> TokenStream, then: Vec<Stmt>, els: Vec<Stmt>) -> Stmt {
        Stmt::If { cond: self.formula(vars, write), then: Block { stmts: then }, els: Block { stmts: els } }
    }

    fn named(&mut self, hint: &str, value: PassiveCode, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site());
        out.push(Stmt::Let { var, expr: Expr::Passive(value) });
        var
    }
}

impl Checkpointed {
    /// Removes assignments to what no iteration reads: the primal has made them.
    fn remove_idle(&self, stmts: &mut Vec<Stmt>) {
        let idle = &self.carried.idle;
        retain(
            stmts,
            &|s| !matches!(s, Stmt::Assign { place, .. } | Stmt::Push { place, .. } if idle.contains(&place.root)),
        );
    }
}

/// `at + 1 < end`.
fn before_last(names: &[&Ident]) -> TokenStream {
    let (at, end) = (names[0], names[1]);
    quote!(#at + 1 < #end)
}

fn at_least_one(n: &PassiveCode) -> PassiveCode {
    let tokens = &n.tokens;
    PassiveCode { tokens: quote!(::core::cmp::Ord::max(#tokens, 1usize)), ..n.clone() }
}

/// A loop's range, in the primal's order.
fn range(on: &For) -> PassiveCode {
    let (lo, hi) = (&on.lo.tokens, &on.hi.tokens);
    let mut range = PassiveCode {
        tokens: if on.inclusive { quote!(__d::Through(#lo..=#hi)) } else { quote!((#lo..#hi)) },
        ..on.lo.clone()
    };
    for part in [&on.hi].into_iter().chain(&on.step) {
        range.reads.extend(&part.reads);
        range.shapes.extend(&part.shapes);
    }
    let step = on.step.iter().map(|o| &o.tokens);
    let down = on.down.then(|| quote!(.rev()));
    let tokens = &range.tokens;
    range.tokens = quote!(#tokens #(.step_by(#step))* #down);
    range
}

fn joined(prelude: &Block, body: &Block) -> Block {
    Block { stmts: [&prelude.stmts[..], &body.stmts[..]].concat() }
}
