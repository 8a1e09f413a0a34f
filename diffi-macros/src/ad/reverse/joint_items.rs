//! The translated statements of a joint block, from the last one to the one at hand, with an index of what they do.

use crate::ir::visit::{Access, Vars, Visit, blocks, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use std::collections::BTreeSet;

/// The statements of a joint block behind the one at hand.
#[derive(Default)]
pub struct Later {
    /// Their forward parts, from the last on.
    forward: Vec<Vec<Stmt>>,
    /// Their reverse parts in the order of execution, but for what went to the front of an earlier statement.
    reverse: Vec<Option<Stmt>>,
    /// By variable, the statements of reverse parts that write or define it, that read it, and that clear it.
    makers: HashMap<Var, Vec<usize>>,
    readers: HashMap<Var, Vec<usize>>,
    clearers: HashMap<Var, Vec<usize>>,
    /// What forward parts write, read, and clear.
    written: HashSet<Var>,
    read: HashSet<Var>,
    cleared: HashSet<Var>,
    /// What forward parts set: variables of the function, and the cotangents of fused statements.
    set: HashSet<Var>,
    /// What the block's own statements write and define from the one at hand on.
    changed: HashSet<Var>,
    defined: HashSet<Var>,
    /// What the block declares without a value.
    declared: HashSet<Var>,
}

/// The statements that make some cotangents complete, by their place in the reverse parts.
pub struct Slice {
    taken: BTreeSet<usize>,
    pub complete: Vars,
}

impl Later {
    /// None of a block's statements yet.
    pub fn of(stmts: &[Stmt]) -> Self {
        let declared = stmts.iter().filter_map(|s| if let Stmt::Declare { var } = s { Some(*var) } else { None });
        Later { declared: declared.collect(), ..Later::default() }
    }

    /// The statement at hand is this one.
    pub fn note(&mut self, stmt: &Stmt) {
        let mut note = |v, touch| match touch {
            Access::Write => _ = self.changed.insert(v),
            Access::Define => _ = self.defined.insert(v),
            Access::Read | Access::Shape => {}
        };
        Visit(&mut note).stmt(stmt);
    }

    /// The parts of the statement at hand.
    pub fn push(&mut self, forward: Vec<Stmt>, reverse: Vec<Stmt>) {
        self.written.extend(touched(&forward, &[Access::Write]));
        self.read.extend(read_bars(&forward));
        self.cleared.extend(cleared(&forward));
        self.set.extend(assigned(&forward));
        self.forward.push(forward);
        reverse.into_iter().for_each(|stmt| self.push_reverse(stmt));
    }

    fn push_reverse(&mut self, stmt: Stmt) {
        let at = self.reverse.len();
        let this = std::slice::from_ref(&stmt);
        let made = touched(this, &[Access::Write, Access::Define]);
        let (read, cleared) = (read_bars(this), &cleared(this) | &assigned(this));
        for (all, vars) in [(&mut self.makers, made), (&mut self.readers, read), (&mut self.clearers, cleared)] {
            vars.into_iter().for_each(|var| all.entry(var).or_default().push(at));
        }
        self.reverse.push(Some(stmt));
    }

    /// The forward statements, and the reverse ones that follow.
    pub fn into_parts(self) -> (Vec<Stmt>, Vec<Stmt>) {
        (self.forward.into_iter().rev().flatten().collect(), self.reverse.into_iter().flatten().collect())
    }

    /// Finds the slice that makes the `wanted` cotangents complete; none if it contains more than sums and products, or reads what
    /// only exists later.
    pub fn slice(&self, wanted: Vars) -> Option<Slice> {
        let mut slice = Slice { taken: BTreeSet::new(), complete: Vars::new() };
        let mut makers = BTreeSet::new();
        wanted.into_iter().try_for_each(|v| self.want(v, usize::MAX, &mut slice, &mut makers))?;
        while let Some(at) = makers.pop_last() {
            let Some(stmt) = &self.reverse[at] else { continue };
            if !is_linear(stmt) {
                return None;
            }
            slice.taken.insert(at);
            let read = touched(std::slice::from_ref(stmt), &[Access::Read, Access::Shape]);
            read.into_iter().try_for_each(|v| self.want(v, at, &mut slice, &mut makers))?;
        }
        Some(slice)
    }

    /// A variable that has to be complete before the statement at hand; none if it exists only later.
    fn want(&self, var: Var, before: usize, slice: &mut Slice, makers: &mut BTreeSet<usize>) -> Option<()> {
        if self.changed.contains(&var) || self.defined.contains(&var) {
            return None;
        }
        if slice.complete.insert(var) {
            let all = self.makers.get(&var).into_iter().flatten().copied();
            makers.extend(all.take_while(|at| *at < before));
        }
        Some(())
    }

    /// Takes the slice's statements out, in the order in which they are executed.
    pub fn take(&mut self, slice: &Slice) -> Vec<Stmt> {
        slice.taken.iter().filter_map(|at| self.reverse[*at].take()).collect()
    }

    fn is_left(&self, all: Option<&Vec<usize>>, slice: &Slice) -> bool {
        all.into_iter().flatten().any(|at| self.reverse[*at].is_some() && !slice.taken.contains(at))
    }

    /// Whether fused statements, or the reverse parts without the slice, clear, reshape or exchange a cotangent.
    pub fn clears(&self, bar: Var, slice: &Slice) -> bool {
        self.cleared.contains(&bar) || self.is_left(self.clearers.get(&bar), slice)
    }

    /// Whether fused statements give a cotangent another value.
    pub fn sets(&self, bar: Var) -> bool {
        self.set.contains(&bar)
    }

    /// Whether forward parts, or reverse parts without the slice, read any of these cotangents.
    pub fn reads_any(&self, bars: &Vars, slice: &Slice) -> bool {
        bars.iter().any(|bar| self.read.contains(bar) || self.is_left(self.readers.get(bar), slice))
    }

    /// Whether a fused statement changes one of these cotangents.
    pub fn changes_any(&self, bars: &Vars) -> bool {
        bars.iter().any(|bar| self.written.contains(bar))
    }

    /// Whether a variable has its value by the statement at hand or a later one.
    pub fn makes(&self, var: Var) -> bool {
        self.defined.contains(&var) || self.declared.contains(&var) && self.changed.contains(&var)
    }
}

fn is_linear(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { .. } | Expr::Operand(_) | Expr::Zero, .. } => true,
        Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } => place.path.is_empty(),
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_linear),
        _ => false,
    }
}

/// The cotangents that statements read. A call reads that of its result, and adds to those of arguments that it does not change.
fn read_bars(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    reads(stmts, &mut found);
    found
}

fn reads(stmts: &[Stmt], found: &mut Vars) {
    for stmt in stmts {
        match (stmt, blocks(stmt)) {
            (Stmt::Derived(Derived::Sweep(sweep)), _) => {
                let added = added_to(sweep);
                let read = touched(std::slice::from_ref(stmt), &[Access::Read, Access::Shape]);
                found.extend(read.difference(&added));
            }
            (_, inner) if !inner.is_empty() => inner.into_iter().for_each(|b| reads(&b.stmts, found)),
            _ => found.extend(touched(std::slice::from_ref(stmt), &[Access::Read, Access::Shape])),
        }
    }
}

/// The cotangents that a call only adds to.
fn added_to(sweep: &Sweep) -> Vars {
    let bars = sweep.call.args.iter().zip(&sweep.bars);
    let changed: Vars = exchanged(sweep).collect();
    let own = |bar: &Var| !changed.contains(bar) && sweep.result_bar != Some(*bar);
    bars.filter_map(|(_, bar)| bar.as_ref().map(|(place, _)| place.root)).filter(own).collect()
}

/// What statements assign to. A cotangent that becomes another one was taken away as if it were cleared.
fn assigned(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    for stmt in stmts {
        match stmt {
            Stmt::Assign { place, op: Assign::Set, .. } => _ = found.insert(place.root),
            other => blocks(other).into_iter().for_each(|b| found.extend(assigned(&b.stmts))),
        }
    }
    found
}

/// The cotangents that statements clear, reshape or exchange. A call that changes an argument takes the cotangent of what is there
/// afterwards, and leaves that of what was there before.
fn cleared(stmts: &[Stmt]) -> Vars {
    let mut found = Vars::new();
    clears(stmts, &mut found);
    found
}

fn clears(stmts: &[Stmt], found: &mut Vars) {
    for stmt in stmts {
        match stmt {
            Stmt::Derived(Derived::Clear { place, .. } | Derived::Pop { place, .. }) | Stmt::Push { place, .. } => {
                found.insert(place.root);
            }
            Stmt::Swap { a, b, .. } => found.extend([a.root, b.root]),
            Stmt::Derived(Derived::Sweep(sweep)) => found.extend(exchanged(sweep)),
            other => blocks(other).into_iter().for_each(|b| clears(&b.stmts, found)),
        }
    }
}

/// The cotangents of what a call changes.
fn exchanged(sweep: &Sweep) -> impl Iterator<Item = Var> {
    let bars = sweep.call.args.iter().zip(&sweep.bars);
    bars.filter_map(|(arg, bar)| {
        matches!(arg, CallArg::Mut(_)).then(|| bar.as_ref().map(|(place, _)| place.root)).flatten()
    })
}
