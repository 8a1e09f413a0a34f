//! The adjoints of branches and loops, split.

use crate::ad::reverse::conditions::{is_asked_again, is_lent};
use crate::ad::reverse::tape_plan::Split;
use crate::ad::reverse::{Both, Reverse};
use crate::analysis::cost_model::RESERVED_ITERATIONS;
use crate::ir::purity::looks_up;
use crate::ir::symbols::Role;
use crate::ir::visit::{Access, Visit, blocks, touched};
use crate::ir::*;
use proc_macro2::{Literal, Span};
use quote::quote;
use std::collections::BTreeMap;

/// What is done forwards, and what is done backwards.
type Sweeps = (Vec<Stmt>, Vec<Stmt>);

impl Reverse<'_> {
    /// A statement with blocks.
    pub fn control(&mut self, stmt: &Stmt) -> Both {
        match stmt {
            Stmt::If { cond, then, els } => self.branch(cond, then, els),
            Stmt::Switch { scrutinee, arms } => self.switch(scrutinee, arms),
            Stmt::For(on) => self.checkpointed(stmt).unwrap_or_else(|| self.counted(on)),
            Stmt::While { prelude, cond, body, .. } => {
                self.checkpointed(stmt).unwrap_or_else(|| self.conditional(prelude, cond, body))
            }
            other => Both { forward: vec![other.clone()], reverse: Vec::new() },
        }
    }

    fn branch(&mut self, cond: &PassiveCode, then: &Block, els: &Block) -> Both {
        let splits = vec![self.split(then, Vec::new(), &[]), self.split(els, Vec::new(), &[])];
        let quiet = splits.iter().all(Split::is_quiet);
        let (mut forward, mut sides) = self.with_slots(splits);
        let (els_forward, els_reverse) = sides.pop().unwrap_or_default();
        let (then_forward, then_reverse) = sides.pop().unwrap_or_default();
        forward.push(branch(cond, then_forward, els_forward));
        let reverse = if quiet { vec![] } else { vec![branch(cond, then_reverse, els_reverse)] };
        Both { forward, reverse }
    }

    fn switch(&mut self, scrutinee: &PassiveCode, arms: &[Arm]) -> Both {
        let unwritten = arms.iter().flat_map(|arm| &arm.binds).all(|v| self.at_hand.contains(v));
        if unwritten && is_asked_again(scrutinee, arms, &self.at_hand, &self.lent) {
            return self.switch_again(scrutinee, arms);
        }
        let again = self.can_match_again(scrutinee, arms);
        let bound = |arm: &Arm| if again { Vec::new() } else { arm.binds.clone() };
        let splits: Vec<Split> = arms.iter().map(|arm| self.split(&arm.body, Vec::new(), &bound(arm))).collect();
        let quiet = splits.iter().all(Split::is_quiet);
        let (mut forward, sides) = self.with_slots(splits);
        let taken = self.passive_cell("arm", quote!(0usize), &mut forward);
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for (k, (arm, (mut stmts, reverse))) in arms.iter().zip(sides).enumerate() {
            stmts.extend((!quiet).then(|| set_passive(taken, number(k))));
            there.push(Arm { body: Block { stmts }, ..arm.clone() });
            let reverse = if again { matched_again(scrutinee, arm, reverse) } else { reverse };
            back.push(numbered(k, arms.len(), reverse));
        }
        forward.push(Stmt::Switch { scrutinee: scrutinee.clone(), arms: there });
        if quiet {
            forward.retain(|s| !matches!(s, Stmt::Let { var, .. } if *var == taken));
            return Both { forward, reverse: vec![] };
        }
        let reverse = vec![Stmt::Switch { scrutinee: self.table.read(taken), arms: back }];
        Both { forward, reverse }
    }

    /// Whether a scrutinee is the same in the reverse sweep: what a pattern binds, references perhaps, is found there again.
    fn can_match_again(&self, scrutinee: &PassiveCode, arms: &[Arm]) -> bool {
        let steady = arms.iter().flat_map(|arm| &arm.binds).all(|v| self.steady.contains(v));
        steady && looks_up(scrutinee) && is_lent(scrutinee, &self.lent)
    }

    /// Both sweeps ask the same.
    fn switch_again(&mut self, scrutinee: &PassiveCode, arms: &[Arm]) -> Both {
        let splits: Vec<Split> = arms.iter().map(|arm| self.split(&arm.body, Vec::new(), &[])).collect();
        let quiet = splits.iter().all(Split::is_quiet);
        let (mut forward, sides) = self.with_slots(splits);
        let (there, back): (Vec<_>, Vec<_>) = sides.into_iter().unzip();
        let switch = |sides: Vec<Vec<Stmt>>| {
            let arms =
                arms.iter().zip(sides).map(|(arm, stmts)| Arm { body: Block { stmts }, ..arm.clone() }).collect();
            Stmt::Switch { scrutinee: scrutinee.clone(), arms }
        };
        forward.push(switch(there));
        Both { forward, reverse: if quiet { vec![] } else { vec![switch(back)] } }
    }

    fn counted(&mut self, on: &For) -> Both {
        let mut split = self.split(&on.body, Vec::new(), &[on.var]);
        if split.is_quiet() {
            let body = Block { stmts: split.forward };
            return Both { forward: vec![Stmt::For(For { body, ..on.clone() })], reverse: vec![] };
        }
        let mut forward = Vec::new();
        if self.alive {
            self.spread(on, &mut split, &mut forward);
        }
        let iterations = on.until.is_some().then(|| self.passive_cell("iterations", quote!(0usize), &mut forward));
        let flat = (on.until.is_none() || is_short(on)) && split.is_flat();
        let whole = flat && on.until.is_none();
        let first = if whole { self.carried(&mut split) } else { Vec::new() };
        let again = whole && self.commutes(&split.clone().with_block().1, on.var);
        let mut reverse = if again { self.count_along(&mut split) } else { Vec::new() };
        let frame = flat.then(|| split.widths()).filter(|w| *w != Widths::default());
        let (mut there, back) = if flat { split.with_block() } else { split.with_tape() };
        if let Some(iterations) = iterations {
            there.insert(0, self.count(iterations));
        }
        let primal = Loop { first: first.clone(), frame, ..Loop::new(with_body(on, there), LoopSweep::Primal) };
        let iterations_there = iterations.filter(|_| frame.is_some());
        forward.push(Stmt::Derived(Derived::Loop(Box::new(Loop { iterations: iterations_there, ..primal }))));
        let adjoint = Loop { iterations, frame, first, ..adjoint_loop(on, back, again) };
        reverse.push(Stmt::Derived(Derived::Loop(Box::new(adjoint))));
        Both { forward, reverse }
    }

    /// Takes the floats out of a frame that are in the one before: `left = old` at the end of a
    /// iteration makes the next one's `left` this one's `old`.
    fn carried(&self, split: &mut Split) -> Vec<Carried> {
        let mut found: Vec<Carried> = Vec::new();
        for value in split.frame.floats.clone() {
            let Some(carried) = self.taken_over(value, &split.forward) else { continue };
            let stays = |v| split.frame.floats.contains(&v) && v != value;
            if stays(carried.was) && found.iter().all(|c| c.was != value) {
                split.frame.floats.retain(|v| *v != value);
                found.push(carried);
            }
        }
        split.frame.carried = found.clone();
        found
    }

    fn taken_over(&self, value: Var, iteration: &[Stmt]) -> Option<Carried> {
        let at = iteration.iter().position(|s| matches!(s, Stmt::Let { var, .. } if *var == value))?;
        let Stmt::Let { expr: Expr::Operand(cell), .. } = &iteration[at] else { return None };
        let cell = cell.as_var()?;
        let mut writes =
            iteration.iter().enumerate().filter(|(_, s)| touches_by(s, cell, &[Access::Write, Access::Define]));
        let (end, last) = writes.next()?;
        let was = match last {
            Stmt::Assign { place, op: Assign::Set, value, .. } if place.path.is_empty() => value.as_var()?,
            _ => return None,
        };
        let alone = writes.next().is_none() && at < end;
        (alone && self.activity.varied(value) == self.activity.varied(was)).then_some(Carried { cell, value, was })
    }

    /// Whether the adjoints of a loop's iterations may run in any order: each cotangent from outside
    /// is only added to, or is only touched at one element, another one in each iteration.
    fn commutes(&self, body: &[Stmt], loop_var: Var) -> bool {
        let inner = touched(body, &[Access::Define]);
        let written = touched(body, &[Access::Write]);
        let outer = |v: &Var| self.table.role(*v) == Role::Bar && written.contains(v) && !inner.contains(v);
        let mut accesses: BTreeMap<Var, Vec<(Place, bool)>> = BTreeMap::new();
        each_access(body, &mut |place, is_sum| accesses.entry(place.root).or_default().push((place.clone(), is_sum)));
        let mut uses: BTreeMap<Var, usize> = BTreeMap::new();
        let mut visit = |v, touch| *uses.entry(v).or_default() += usize::from(touch != Access::Define);
        body.iter().for_each(|s| Visit(&mut visit).stmt(s));
        written.iter().filter(|v| outer(v)).all(|root| {
            let Some(all) = accesses.get(root).filter(|all| all.len() == uses[root]) else { return false };
            let sums = all.iter().all(|(_, is_sum)| *is_sum);
            let key = crate::ir::place::key(&all[0].0);
            let one = all.iter().all(|(place, _)| crate::ir::place::key(place) == key);
            sums || (one && self.own_element(&all[0].0, loop_var, &inner))
        })
    }

    /// A loop whose last look at its condition changes nothing.
    pub fn settled(
        &mut self,
        prelude: &Block,
        cond: &PassiveCode,
        body: &Block,
        before: &mut Vec<Stmt>,
    ) -> (Block, PassiveCode, Block) {
        let own = touched(&prelude.stmts, &[Access::Define]);
        if touched(&prelude.stmts, &[Access::Write]).is_subset(&own) {
            return (prelude.clone(), cond.clone(), body.clone());
        }
        let going = self.passive_cell("going", quote!(true), before);
        let stop = set(going, Operand::Passive(PassiveCode::literal(quote!(false))));
        let branch = Stmt::If { cond: cond.clone(), then: body.clone(), els: Block { stmts: vec![stop] } };
        let stmts = [&prelude.stmts[..], &[branch]].concat();
        (Block::default(), self.table.read(going), Block { stmts })
    }

    fn conditional(&mut self, prelude: &Block, cond: &PassiveCode, body: &Block) -> Both {
        let mut forward = Vec::new();
        let (prelude, cond, body) = self.settled(prelude, cond, body, &mut forward);
        let kept = prelude.stmts.len();
        let iteration = Block { stmts: [&prelude.stmts[..], &body.stmts[..]].concat() };
        let split = self.split(&iteration, Vec::new(), &[]);
        if split.is_quiet() {
            forward.push(Stmt::While { prelude, cond, body, checkpoint: None });
            return Both { forward, reverse: vec![] };
        }
        let iterations = self.passive_cell("iterations", quote!(0usize), &mut forward);
        let at = split.position_after(kept);
        let (mut there, back) = split.with_tape();
        let mut rest = there.split_off(at);
        rest.insert(0, self.count(iterations));
        let (prelude, body) = (Block { stmts: there }, Block { stmts: rest });
        forward.push(Stmt::While { prelude, cond, body, checkpoint: None });
        let reverse = Stmt::Derived(Derived::Times { iterations, body: Block { stmts: back } });
        Both { forward, reverse: vec![reverse] }
    }

    /// `let mut cell = start;`, a passive variable that the transformation adds.
    pub fn passive_cell(&mut self, hint: &str, start: proc_macro2::TokenStream, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site());
        out.push(Stmt::Let { var, expr: Expr::Passive(PassiveCode::literal(start)) });
        var
    }

    pub fn count(&self, iterations: Var) -> Stmt {
        let name = &self.table.info(iterations).name;
        let next = PassiveCode { reads: [iterations].into(), ..PassiveCode::literal(quote!(#name + 1)) };
        set(iterations, Operand::Passive(next))
    }

    /// What the arms of a branch keep goes into variables around the branch: floats share theirs.
    fn with_slots(&mut self, splits: Vec<Split>) -> (Vec<Stmt>, Vec<Sweeps>) {
        let mut declared = Vec::new();
        let most = splits.iter().map(|s| s.frame.floats.len()).max().unwrap_or(0);
        let floats: Vec<Var> = (0..most).map(|_| self.float_slot(&mut declared)).collect();
        let sides = splits.into_iter().map(|split| self.through_slots(split, &floats, &mut declared)).collect();
        (declared, sides)
    }

    fn float_slot(&mut self, out: &mut Vec<Stmt>) -> Var {
        let var = self.table.fresh("kept", Ty::Float, Role::Primal, Span::call_site());
        out.push(Stmt::Let { var, expr: Expr::Zero });
        var
    }

    fn through_slots(&mut self, mut split: Split, floats: &[Var], declared: &mut Vec<Stmt>) -> Sweeps {
        let mut restored = Vec::new();
        for (value, slot) in split.frame.floats.drain(..).zip(floats) {
            let varied = self.activity.varied(value).or(self.activity.varied(*slot));
            self.activity.note(*slot, varied);
            split.forward.push(set(*slot, Operand::var(value)));
            restored.push(Stmt::Let { var: value, expr: Expr::Operand(Operand::var(*slot)) });
        }
        for value in std::mem::take(&mut split.frame.words) {
            let slot = self.passive_cell("kept", quote!(::core::default::Default::default()), declared);
            split.forward.push(set(slot, Operand::Passive(self.table.read(value))));
            restored.push(Stmt::Let { var: value, expr: Expr::Passive(self.table.read(slot)) });
        }
        let (forward, reverse) = split.with_tape();
        (forward, [restored, reverse].concat())
    }
}

/// The reverse part of an arm, with the names that its pattern binds.
fn matched_again(scrutinee: &PassiveCode, arm: &Arm, reverse: Vec<Stmt>) -> Vec<Stmt> {
    let read = touched(&reverse, &[Access::Read, Access::Shape]);
    if !arm.binds.iter().any(|v| read.contains(v)) {
        return reverse;
    }
    let rest = Arm { pattern: quote!(_), guard: None, binds: vec![], body: Block::default() };
    let again = Arm { guard: None, body: Block { stmts: reverse }, ..arm.clone() };
    vec![Stmt::Switch { scrutinee: scrutinee.clone(), arms: vec![again, rest] }]
}

/// Whether a loop is written with bounds that are not far apart.
fn is_short(on: &For) -> bool {
    written_iterations(on).is_some_and(|iterations| iterations <= RESERVED_ITERATIONS)
}

/// How many iterations a loop has at most, if its bounds are numbers.
pub fn written_iterations(on: &For) -> Option<usize> {
    let bound = |o: &PassiveCode| syn::parse2::<syn::LitInt>(o.tokens.clone()).ok()?.base10_parse::<usize>().ok();
    let (lo, hi) = (bound(&on.lo)?, bound(&on.hi)?);
    Some(hi.saturating_sub(lo) + usize::from(on.inclusive))
}

fn touches_by(stmt: &Stmt, var: Var, ways: &[Access]) -> bool {
    touched(std::slice::from_ref(stmt), ways).contains(&var)
}

fn branch(cond: &PassiveCode, then: Vec<Stmt>, els: Vec<Stmt>) -> Stmt {
    Stmt::If { cond: cond.clone(), then: Block { stmts: then }, els: Block { stmts: els } }
}

/// The places of cotangents that statements use, and whether they only add to them.
fn each_access(stmts: &[Stmt], f: &mut dyn FnMut(&Place, bool)) {
    for stmt in stmts {
        let (written, read) = match stmt {
            Stmt::Let { expr: Expr::Operand(o), .. } => (None, std::slice::from_ref(o)),
            Stmt::Let { expr: Expr::Op { args, .. }, .. } => (None, &args[..]),
            Stmt::Assign { place, op, value, .. } => (Some((place, *op != Assign::Set)), std::slice::from_ref(value)),
            Stmt::Derived(Derived::Clear { place, .. }) => (Some((place, false)), &[][..]),
            _ => (None, &[][..]),
        };
        written.into_iter().for_each(|(place, added)| f(place, added));
        read.iter().filter_map(Operand::as_place).for_each(|place| f(place, false));
        blocks(stmt).into_iter().for_each(|b| each_access(&b.stmts, f));
    }
}

fn with_body(on: &For, stmts: Vec<Stmt>) -> For {
    For { body: Block { stmts }, ..on.clone() }
}

/// The loop of the reverse sweep: `again` in the same direction.
fn adjoint_loop(on: &For, stmts: Vec<Stmt>, again: bool) -> Loop {
    let sweep = if again { LoopSweep::AdjointForward } else { LoopSweep::AdjointReversed };
    let down = if again { on.down } else { !on.down };
    Loop::new(For { down, until: None, ..with_body(on, stmts) }, sweep)
}

fn number(k: usize) -> proc_macro2::TokenStream {
    let number = Literal::usize_unsuffixed(k);
    quote!(#number)
}

/// The arm of a number; the last one takes all others.
fn numbered(k: usize, count: usize, stmts: Vec<Stmt>) -> Arm {
    let pattern = if k + 1 == count { quote!(_) } else { number(k) };
    Arm { pattern, guard: None, binds: vec![], body: Block { stmts } }
}

pub fn set(var: Var, value: Operand) -> Stmt {
    Stmt::Assign { place: Place::var(var), op: Assign::Set, value, span: Span::call_site() }
}

fn set_passive(var: Var, tokens: proc_macro2::TokenStream) -> Stmt {
    set(var, Operand::Passive(PassiveCode::literal(tokens)))
}
