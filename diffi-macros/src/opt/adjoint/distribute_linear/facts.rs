//! Linearity: numbers and arrays of an iteration that are linear in the accumulated arrays, and statements that may move behind the loop.

use super::live::{Leaf, Live, leaves};
use super::{Carrier, Sink, build, counted, depth, is_guard, vars};
use crate::analysis::loops::is_array;
use crate::ir::purity::{is_choice, repeatable};
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, each_passive, touched};
use crate::ir::*;

/// What is known of an iteration's variables.
pub(super) struct Facts<'a> {
    table: &'a Table,
    own: &'a Vars,
    varying: &'a Vars,
    carriers: &'a [Carrier],
    /// What is a sum of elements of the carriers, with coefficients that are the same for all iterations.
    pub(super) linear: Vars,
}

impl<'a> Facts<'a> {
    pub(super) fn of(
        table: &'a Table,
        own: &'a Vars,
        varying: &'a Vars,
        carriers: &'a [Carrier],
        all: &[Leaf<'_>],
    ) -> Self {
        let mut facts = Facts { table, own, varying, carriers, linear: Vars::new() };
        facts.linear = facts.linear(all);
        facts
    }

    /// The largest set of numbers and arrays each of which gets nothing but what is linear if the others are.
    fn linear(&self, all: &[Leaf<'_>]) -> Vars {
        let plain = |v: &Var| *self.table.ty(*v) == Ty::Float || is_array(self.table.ty(*v));
        let mut set: Vars = self.own.intersection(self.varying).filter(|v| plain(v)).copied().collect();
        self.carriers.iter().for_each(|c| {
            set.remove(&c.var);
        });
        loop {
            let made = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Access::Define, Access::Write]);
            let not: Vars =
                all.iter().filter(|leaf| !self.is_linear(leaf.stmt, &set)).flat_map(|l| made(l).into_iter()).collect();
            let before = set.len();
            set = set.difference(&not).copied().collect();
            if set.len() == before {
                return set;
            }
        }
    }

    /// Whether what the statement gives to a variable is linear, if these are.
    fn is_linear(&self, stmt: &Stmt, set: &Vars) -> bool {
        let value = |o: &Operand| matches!(o, Operand::Place(p) if set.contains(&p.root) || self.carries(p.root));
        match stmt {
            Stmt::Let { expr: Expr::Zero | Expr::Scratch { .. }, .. } | Stmt::Declare { .. } => true,
            Stmt::Derived(Derived::Zero { .. } | Derived::Release { .. }) => true,
            Stmt::Derived(Derived::Clear { whole: false, .. }) => true,
            Stmt::Let { expr: Expr::Operand(o), .. } => value(o),
            Stmt::Let { expr: Expr::Op { op, args, .. }, .. } => match (op, &args[..]) {
                (Op::Neg, [a]) => value(a),
                (Op::Add | Op::Sub, [a, b]) => value(a) && value(b),
                (Op::Mul, [a, b]) => value(a) && self.is_same(b) || self.is_same(a) && value(b),
                (Op::Div, [a, b]) => value(a) && self.is_same(b),
                _ => false,
            },
            Stmt::Assign { op: Assign::Set | Assign::Add | Assign::Sub, value: v, .. } => value(v),
            _ => false,
        }
    }

    fn carries(&self, var: Var) -> bool {
        self.carriers.iter().any(|c| c.var == var)
    }

    /// The same for all iterations.
    fn is_same(&self, o: &Operand) -> bool {
        match o {
            Operand::Place(p) => !self.varying.contains(&p.root),
            Operand::Passive(o) => o.reads.is_disjoint(self.varying),
            Operand::Made { .. } => false,
        }
    }

    /// What moves, if anything does.
    pub(super) fn chosen(&self, body: &Block, all: &[Leaf<'_>]) -> Option<Vec<Sink>> {
        let mut sinks: Vec<Sink> = (0..all.len()).filter_map(|at| self.sink(all, at)).collect();
        let moved = build::with_terms(body, &sinks);
        let mut worth = Vars::new();
        let mut needs: Vec<Vars> = Vec::new();
        sinks.retain(|sink| {
            let used = self.used(&moved, std::slice::from_ref(sink));
            if used.is_empty() || !self.has_rows(sink, &used) {
                return false;
            }
            let behind = Live::of(&leaves(&moved), &[sink.at], &vars(self.carriers), &[]);
            let deepest =
                leaves(&moved).iter().zip(&behind.leaves).filter(|(_, live)| **live).map(|(l, _)| depth(l)).max();
            let deeper = |c: &&Carrier| used.contains(&c.var) && Some(c.depth) < deepest;
            worth.extend(self.carriers.iter().filter(deeper).map(|c| c.var));
            needs.push(used);
            true
        });
        let mut needs = needs.into_iter();
        sinks.retain(|_| needs.next().is_some_and(|used| used.is_subset(&worth)));
        let sets: Vec<usize> = self.carriers.iter().map(|c| c.set).collect();
        let gone = build::gone(all, self.own, &sinks, &sets);
        let pays = |at: usize| self.carriers.iter().any(|c| worth.contains(&c.var) && c.depth < depth(&all[at]));
        (0..all.len()).any(|at| gone[at] && pays(at)).then_some(sinks)
    }

    /// Whether what it adds to has elements of its own for each of the rows that it needs.
    fn has_rows(&self, sink: &Sink, used: &Vars) -> bool {
        let mut indices = Vars::new();
        crate::ir::visit::Visit(&mut |v, touch| {
            if touch == Access::Read {
                indices.insert(v);
            }
        })
        .stmt(&sink.stmt);
        let needed = self.carriers.iter().filter(|c| used.contains(&c.var));
        needed.filter_map(|c| c.row.as_ref()).all(|on| indices.contains(&on.var))
    }

    /// The arrays that statements behind the loop read; none, if these cannot stand there.
    pub(super) fn used(&self, moved: &Block, sinks: &[Sink]) -> Vars {
        let all = leaves(moved);
        let given = vars(self.carriers);
        let behind = Live::of(&all, &build::places(sinks), &given, &[]);
        let fits = all.iter().zip(&behind.leaves).all(|(leaf, live)| !live || self.fits(leaf));
        let known = |v: &Var| !self.varying.contains(v) || self.linear.contains(v) || given.contains(v);
        if !fits || !behind.contents.iter().all(known) {
            return Vars::new();
        }
        given.intersection(&behind.contents).copied().collect()
    }

    fn fits(&self, leaf: &Leaf<'_>) -> bool {
        let around = |s: &&Stmt| match s {
            Stmt::If { cond, .. } => repeatable(cond),
            other => is_guard(other) || counted(other).is_some(),
        };
        let can = match leaf.stmt {
            Stmt::Let { expr, .. } => match expr {
                Expr::Operand(_) | Expr::Op { .. } | Expr::Zero | Expr::Scratch { .. } | Expr::VecRepeat { .. } => true,
                Expr::Passive(o) => repeatable(o) || is_choice(o),
                _ => false,
            },
            Stmt::Assign { .. } | Stmt::Declare { .. } => true,
            Stmt::Derived(Derived::Zero { like: ShapeOf::Len(_), .. } | Derived::View { on: None, .. }) => true,
            Stmt::Derived(Derived::Release { .. }) => true,
            _ => false,
        };
        let mut same = true;
        each_token(leaf, &mut |o| same &= o.reads.is_disjoint(self.varying));
        can && same && leaf.around.iter().all(around)
    }

    /// What the statement adds to the iterations' sums: all of it, or what makes a term of such a sum.
    fn sink(&self, all: &[Leaf<'_>], at: usize) -> Option<Sink> {
        let Stmt::Assign { place, op: op @ (Assign::Add | Assign::Sub), value: Operand::Place(value), span } =
            all[at].stmt
        else {
            return None;
        };
        if !self.linear.contains(&value.root) && !self.carries(value.root) {
            return None;
        }
        if !self.own.contains(&place.root) {
            return self.is_sum(place).then(|| Sink { at, stmt: all[at].stmt.clone(), on: guard(&all[at]) });
        }
        let term =
            place.path.is_empty() && *self.table.ty(place.root) == Ty::Float && !self.linear.contains(&place.root);
        let to = if term { self.end(all, at, place.root)? } else { return None };
        let Stmt::Assign { place, op: last, .. } = all[to].stmt else { return None };
        let op = if op == last { Assign::Add } else { Assign::Sub };
        let mut stmt = Stmt::Assign { place: place.clone(), op, value: Operand::Place(value.clone()), span: *span };
        for around in &all[to].around {
            if let Stmt::Derived(Derived::Guard { on, .. }) = around {
                stmt = Stmt::Derived(Derived::Guard { on: *on, body: Block { stmts: vec![stmt] } });
            }
        }
        Some(Sink { at, stmt, on: guard(&all[to]).or(guard(&all[at])) })
    }

    fn is_sum(&self, place: &Place) -> bool {
        self.table.role(place.root) != Role::Primal
    }

    /// The only statement that reads the number, if it adds it to what all iterations share, and may do so with the number's terms one by one.
    fn end(&self, all: &[Leaf<'_>], at: usize, number: Var) -> Option<usize> {
        let reads = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Access::Read]).contains(&number);
        let base = |leaf: &Leaf<'_>| {
            leaf.around.iter().filter(|s| !is_guard(s)).map(|s| *s as *const Stmt).collect::<Vec<_>>()
        };
        let here = base(&all[at]);
        let first = (0..at).rfind(|i| matches!(all[*i].stmt, Stmt::Let { var, .. } if *var == number))?;
        let until = (at..all.len()).find(|i| base(&all[*i]) != here).unwrap_or(all.len());
        let mut readers = (0..all.len()).filter(|i| reads(&all[*i]));
        let adds = |i: usize| matches!(all[i].stmt, Stmt::Assign { op: Assign::Add | Assign::Sub, .. });
        let (to, None) = (readers.next()?, readers.next()) else { return None };
        let Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } = all[to].stmt else { return None };
        let mut own = Vars::new();
        place.indices(&mut |o| own.extend(o.reads.iter().chain(&o.shapes)));
        let changed = touched_between(all, first, to);
        let whole = value.as_var() == Some(number) && !self.own.contains(&place.root) && self.is_sum(place);
        let grows = (first + 1..to).all(|i| !crate::ir::visit::touches(all[i].stmt, number) || adds(i));
        let inside =
            grows && first < at && at < to && to < until && base(&all[first]) == here && base(&all[to]) == here;
        (whole && inside && own.is_disjoint(&changed)).then_some(to)
    }
}

/// Passive tokens of a statement that may move, and of those around it.
fn each_token(leaf: &Leaf<'_>, f: &mut dyn FnMut(&PassiveCode)) {
    match leaf.stmt {
        Stmt::Derived(Derived::Zero { like: ShapeOf::Len(len), .. }) => f(len),
        Stmt::Derived(Derived::View { place, .. } | Derived::Clear { place, .. }) => place.indices(&mut |o| f(o)),
        other => each_passive(other, &mut |o| f(o)),
    }
    for stmt in &leaf.around {
        match stmt {
            Stmt::Derived(Derived::Loop(l)) => [&l.on.lo, &l.on.hi].into_iter().for_each(&mut *f),
            other => each_passive(other, &mut |o| f(o)),
        }
    }
}

/// What changes from one statement to another.
fn touched_between(all: &[Leaf<'_>], from: usize, to: usize) -> Vars {
    let made = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Access::Define, Access::Write]);
    all[from..to].iter().flat_map(|leaf| made(leaf).into_iter()).collect()
}

/// The innermost guard around a statement.
fn guard(leaf: &Leaf<'_>) -> Option<ParamSet> {
    leaf.around.iter().rev().find_map(|s| match s {
        Stmt::Derived(Derived::Guard { on, .. }) => Some(*on),
        _ => None,
    })
}
