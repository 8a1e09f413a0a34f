//! Cotangents that go on in every trip by the same factors are added up first, and go on once.
//!
//! `for p in 0..n { .. for i in 0..d { let mut sum = 0.0; for j in 0..i { sum += s[j] * l[i][j]; } mean[i] -= sum; } }`, where trips
//! have an `s` of their own and share `l`: what goes to `mean` is linear in `s`, with coefficients that are the same for all trips. So the
//! trips add `s` to one array, element by element, and the nest runs over that, once behind the loop. (Distributivity; the loop is
//! distributed as in Allen and Kennedy, *Optimizing Compilers for Modern Architectures*, section 5.2.)
//!
//! The rule by which it is legal:
//!
//! - Nothing that a trip changes is read by another one: what it writes is its own, or added to and never read.
//! - What moves behind the loop adds to cotangents or their tangents: sums without an order of the user's.
//! - All that it is made of is the same for all trips, or linear in the elements of such arrays, each of which a trip sets once.
//! - Arrays that a loop within the trip makes are rows of one array. What moves adds to elements that differ with that loop's trips,
//!   so that there are as many of these already.
//!
//! A sum of which some terms are of this kind, and others are not, is taken apart. It pays where what moves stands in more loops than
//! what sets the elements, and nothing else needs it in the trips.

mod build;
mod live;
#[cfg(test)]
mod tests;

use crate::abreast::{is_array, vary};
use crate::ir::*;
use crate::opaque::{cannot_fail, is_choice, repeatable};
use crate::table::{Role, Table};
use crate::walk::{Touch, Vars, blocks_mut, each_opaque, touched};
use live::{Leaf, Live, leaves};

/// Rewrites the outermost loops that fit.
pub fn gathered(table: &mut Table, block: &mut Block) {
    block.replace(|stmt| match Trip::of(table, stmt) {
        Some(trip) => Some(build::build(table, trip)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| gathered(table, inner));
            None
        }
    });
}

/// What is known of a loop that fits.
struct Trip {
    /// The loop.
    around: Box<Loop>,
    /// What its body defines.
    own: Vars,
    /// Arrays that are added up.
    carriers: Vec<Carrier>,
    /// What moves behind the loop.
    sinks: Vec<Sink>,
}

/// An array of a trip whose elements are set once each.
#[derive(Clone)]
struct Carrier {
    var: Var,
    len: Opaque,
    /// The loop within the trip that makes one of them each time.
    row: Option<For>,
    /// The statement that sets an element.
    set: usize,
    /// In how many loops within the trip that stands.
    depth: usize,
}

/// A statement that adds to what all trips share.
#[derive(Clone)]
struct Sink {
    /// Which statement of the trip it is, or makes a term of what that adds.
    at: usize,
    /// It, or one for the term alone.
    stmt: Stmt,
    /// A guard that it stands under.
    on: Option<ParamSet>,
}

impl Trip {
    fn of(table: &Table, stmt: &Stmt) -> Option<Trip> {
        let Stmt::Derived(Derived::Loop(l)) = stmt else { return None };
        if !is_plain(l) || l.on.down || l.sweep != LoopSweep::Forward {
            return None;
        }
        let all = leaves(&l.on.body);
        let own = touched(&l.on.body.stmts, &[Touch::Define]);
        let mut carriers: Vec<Carrier> = (0..all.len()).filter_map(|at| carrier(table, &own, &all, at)).collect();
        if carriers.is_empty() || !is_apart(&l.on.body, &own) {
            return None;
        }
        let mut varying: Vars = [l.on.var].into();
        while vary(&l.on.body, &own, &mut varying) {}
        for at in (0..carriers.len()).rev() {
            let one = carriers.remove(at);
            if !Facts::of(table, &own, &varying, &carriers, &all).linear.contains(&one.var) {
                carriers.insert(at, one);
            }
        }
        let facts = Facts::of(table, &own, &varying, &carriers, &all);
        let sinks = facts.chosen(&l.on.body, &all)?;
        let used = facts.used(&build::with_terms(&l.on.body, &sinks), &sinks);
        let carriers = carriers.iter().filter(|c| used.contains(&c.var)).cloned().collect();
        Some(Trip { around: l.clone(), own, carriers, sinks })
    }

    /// The arrays that are added up.
    fn vars(&self) -> Vars {
        vars(&self.carriers)
    }
}

fn vars(carriers: &[Carrier]) -> Vars {
    carriers.iter().map(|c| c.var).collect()
}

/// Whether no trip reads what another one writes.
fn is_apart(body: &Block, own: &Vars) -> bool {
    let written = touched(&body.stmts, &[Touch::Write]);
    let read = touched(&body.stmts, &[Touch::Read, Touch::Shape]);
    written.difference(own).all(|v| !read.contains(v))
}

/// A loop over all of a range, which keeps nothing.
fn is_plain(l: &Loop) -> bool {
    let bare = l.trips.is_none() && l.record.is_none() && l.walks.is_empty() && l.first.is_empty() && !l.opened;
    bare && counts(&l.on)
}

fn counts(on: &For) -> bool {
    on.until.is_none() && on.checkpoint.is_none() && on.step.is_none() && !on.inclusive
}

/// The counted loop that a statement is.
fn counted(stmt: &Stmt) -> Option<&For> {
    match stmt {
        Stmt::For(on) if counts(on) => Some(on),
        Stmt::Derived(Derived::Loop(l)) if is_plain(l) => Some(&l.on),
        _ => None,
    }
}

fn is_guard(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Derived(Derived::Guard { .. }))
}

/// In how many loops a statement stands.
fn depth(leaf: &Leaf<'_>) -> usize {
    leaf.around.iter().filter(|s| counted(s).is_some()).count()
}

/// The array that the statement makes, if its elements are set by one statement and only read by others.
fn carrier(table: &Table, own: &Vars, all: &[Leaf<'_>], at: usize) -> Option<Carrier> {
    let Stmt::Let { var, expr: Expr::Scratch { len } } = all[at].stmt else { return None };
    let outer = |o: &Opaque| cannot_fail(o) && !o.depends_on(own);
    let row = match &all[at].around[..] {
        [] => None,
        [stmt] => Some(counted(stmt).filter(|on| on.lo.tokens.to_string() == "0" && outer(&on.hi))?.clone()),
        _ => return None,
    };
    if !matches!(table.ty(*var), Ty::Vec(e) if **e == Ty::Float) || !outer(len) {
        return None;
    }
    let touching = |leaf: &Leaf<'_>| crate::walk::touches(leaf.stmt, *var);
    let mut others = (0..all.len()).filter(|i| *i != at && touching(&all[*i]));
    let set = others.next()?;
    let once = sets(table, &all[set], *var, all[at].around.len()) && others.all(|i| reads_elements(all[i].stmt, *var));
    once.then(|| Carrier { var: *var, len: len.clone(), row, set, depth: depth(&all[set]) })
}

/// Whether it sets an element in each trip of the loop around it, the first within as many as there are around the array.
fn sets(table: &Table, leaf: &Leaf<'_>, var: Var, outside: usize) -> bool {
    let Stmt::Assign { place, op: Assign::Set, value, .. } = leaf.stmt else { return false };
    let (Some(on), [Proj::Index(index)]) = (leaf.around.get(outside).and_then(|s| counted(s)), &place.path[..]) else {
        return false;
    };
    let own = table.info(on.var).name == index.tokens.to_string();
    let number = value.as_var().is_some_and(|v| v != var && *table.ty(v) == Ty::Float);
    leaf.around.len() == outside + 1 && own && number && place.root == var
}

/// Whether nothing is done with the array but that elements are read, and its memory given back.
fn reads_elements(stmt: &Stmt, var: Var) -> bool {
    let element = |o: &Operand| match o {
        Operand::Place(p) => p.root != var || matches!(p.path.last(), Some(Proj::Index(_))),
        Operand::Opaque(o) => !o.depends_on(&[var].into()),
        Operand::Made { .. } => false,
    };
    match stmt {
        Stmt::Let { expr: Expr::Operand(o), .. } => element(o),
        Stmt::Let { expr: Expr::Op { args, .. }, .. } => args.iter().all(element),
        Stmt::Assign { place, value, .. } => place.root != var && element(value),
        Stmt::Derived(Derived::Release { .. }) => true,
        _ => false,
    }
}

/// What is known of a trip's variables.
struct Facts<'a> {
    table: &'a Table,
    own: &'a Vars,
    varying: &'a Vars,
    carriers: &'a [Carrier],
    /// What is a sum of elements of the carriers, with coefficients that are the same for all trips.
    linear: Vars,
}

impl<'a> Facts<'a> {
    fn of(table: &'a Table, own: &'a Vars, varying: &'a Vars, carriers: &'a [Carrier], all: &[Leaf<'_>]) -> Self {
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
            let made = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Touch::Define, Touch::Write]);
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

    /// The same for all trips.
    fn is_same(&self, o: &Operand) -> bool {
        match o {
            Operand::Place(p) => !self.varying.contains(&p.root),
            Operand::Opaque(o) => o.reads.is_disjoint(self.varying),
            Operand::Made { .. } => false,
        }
    }

    /// What moves, if anything does.
    fn chosen(&self, body: &Block, all: &[Leaf<'_>]) -> Option<Vec<Sink>> {
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
        crate::walk::Visit(&mut |v, touch| {
            if touch == Touch::Read {
                indices.insert(v);
            }
        })
        .stmt(&sink.stmt);
        let needed = self.carriers.iter().filter(|c| used.contains(&c.var));
        needed.filter_map(|c| c.row.as_ref()).all(|on| indices.contains(&on.var))
    }

    /// The arrays that statements behind the loop read; none, if these cannot stand there.
    fn used(&self, moved: &Block, sinks: &[Sink]) -> Vars {
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
                Expr::Opaque(o) => repeatable(o) || is_choice(o),
                _ => false,
            },
            Stmt::Assign { .. } | Stmt::Declare { .. } => true,
            Stmt::Derived(Derived::Zero { like: Like::Len(_), .. } | Derived::View { on: None, .. }) => true,
            Stmt::Derived(Derived::Release { .. }) => true,
            _ => false,
        };
        let mut same = true;
        each_token(leaf, &mut |o| same &= o.reads.is_disjoint(self.varying));
        can && same && leaf.around.iter().all(around)
    }

    /// What the statement adds to the trips' sums: all of it, or what makes a term of such a sum.
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

    /// The only statement that reads the number, if it adds it to what all trips share, and may do so with the number's terms one by one.
    fn end(&self, all: &[Leaf<'_>], at: usize, number: Var) -> Option<usize> {
        let reads = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Touch::Read]).contains(&number);
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
        let grows = (first + 1..to).all(|i| !crate::walk::touches(all[i].stmt, number) || adds(i));
        let inside =
            grows && first < at && at < to && to < until && base(&all[first]) == here && base(&all[to]) == here;
        (whole && inside && own.is_disjoint(&changed)).then_some(to)
    }
}

/// Passive tokens of a statement that may move, and of those around it.
fn each_token(leaf: &Leaf<'_>, f: &mut dyn FnMut(&Opaque)) {
    match leaf.stmt {
        Stmt::Derived(Derived::Zero { like: Like::Len(len), .. }) => f(len),
        Stmt::Derived(Derived::View { place, .. } | Derived::Clear { place, .. }) => place.indices(&mut |o| f(o)),
        other => each_opaque(other, &mut |o| f(o)),
    }
    for stmt in &leaf.around {
        match stmt {
            Stmt::Derived(Derived::Loop(l)) => [&l.on.lo, &l.on.hi].into_iter().for_each(&mut *f),
            other => each_opaque(other, &mut |o| f(o)),
        }
    }
}

/// What changes from one statement to another.
fn touched_between(all: &[Leaf<'_>], from: usize, to: usize) -> Vars {
    let made = |leaf: &Leaf<'_>| touched(std::slice::from_ref(leaf.stmt), &[Touch::Define, Touch::Write]);
    all[from..to].iter().flat_map(|leaf| made(leaf).into_iter()).collect()
}

/// The innermost guard around a statement.
fn guard(leaf: &Leaf<'_>) -> Option<ParamSet> {
    leaf.around.iter().rev().find_map(|s| match s {
        Stmt::Derived(Derived::Guard { on, .. }) => Some(*on),
        _ => None,
    })
}
