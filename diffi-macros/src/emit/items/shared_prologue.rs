//! The adjoint in one sweep and the adjoint in two, where they do the same: what both begin with and what both end with is
//! written once, and rustc reads it once.
//!
//! ```text
//! let (value, u, u_bar) = if Sweep::FORWARD {
//!     the common beginning
//!     if Sweep::REVERSE { what is left of the one sweep; value, u, u_bar } else { what is left of the forward sweep; return }
//! } else {
//!     what the reverse sweep alone begins with; u, u_bar
//! };
//! the common end
//! ```
//!
//! Whether statements are the same is asked of their text: it is, if one is the other with other names.

use crate::emit::code::names::Names;
use crate::emit::code::writer::Emit;
use crate::emit::items::adjoint::{Code, Shape};
use crate::emit::items::alike::Alike;
use crate::emit::items::frame::Frame;
use crate::emit::items::owned::Owned;
use crate::emit::items::shadow_slots::Around;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;

const ALL: &[Access] = &[Access::Read, Access::Shape, Access::Write, Access::Define];

/// Where the statements are that both have.
struct Shared {
    /// How many statements of the one sweep come before the common beginning: they start cotangents, and may as well come after it.
    seeds: usize,
    /// How many statements begin both.
    first: usize,
    /// How many end both.
    last: usize,
}

impl Frame<'_> {
    /// Both adjoints in one text; none if they have little in common.
    pub fn common(&self, left: &Emit<'_>, shape: &Shape<'_>, both: &Code<'_>, apart: &Code<'_>) -> Option<String> {
        let right = self.emit(apart.table, (apart.order, shape.slots[0]), &apart.blocks);
        let outers = [both, apart].map(|code| self.outer(code));
        (self.gives_numbers(both) && outers[0].names(left) == outers[1].names(&right)).then_some(())?;
        let mut alike = Alike::new(left.names(), right.names(), self.holes);
        if !outers[0].all().zip(outers[1].all()).all(|(a, b)| alike.take(left.name(a), right.name(b))) {
            return None;
        }
        let texts = Texts::of((left, both), (&right, apart));
        let mut shared = Shared::of(both, &texts, &mut alike);
        let carried = shared.carried(&outers[0], both, apart, &alike)?;
        if !shared.is_worth(&texts) || !right.changes_as(left, &|v| alike.back(v)) {
            return None;
        }
        let names = Names::beside(&self.foreign, apart.table, left.names(), &alike.renamed());
        let right = &right.renamed(names);
        let bars = self.bars(left, shape, both, &cleared(&outers, both, apart));
        Some(Joined { frame: self, shape, left, both, right, apart, texts, shared, carried }.text(&bars))
    }

    /// Whether the value is made of numbers, which are copied.
    fn gives_numbers(&self, code: &Code<'_>) -> bool {
        is_numbers(&self.function.result) && code.tangents.is_none_or(|(_, dot)| is_numbers(dot))
    }

    fn outer(&self, code: &Code<'_>) -> Outer {
        let params: Vec<Var> = self.function.params.iter().map(|p| p.var).collect();
        let bars = params.iter().filter_map(|p| code.bars.get(p).copied());
        let primal: Vec<Var> = params.iter().copied().chain(bars).collect();
        let dot = |v: &Var| code.tangents.and_then(|(pass, _)| pass.dots.get(v).copied());
        let dots: Vec<Var> = primal.iter().filter_map(dot).collect();
        let seeds = code.y_bar.iter().copied().chain(code.y_bar.as_ref().and_then(dot)).collect();
        Outer { opened: [primal, dots].concat(), seeds }
    }
}

/// The variables that come from outside.
struct Outer {
    /// Parameters and their shadows.
    opened: Vec<Var>,
    /// The cotangents of the result.
    seeds: Vec<Var>,
}

impl Outer {
    fn names<'e>(&self, emit: &'e Emit<'_>) -> Vec<&'e str> {
        self.opened.iter().map(|v| emit.name(*v)).collect()
    }

    fn all(&self) -> impl Iterator<Item = Var> {
        self.opened.iter().chain(&self.seeds).copied()
    }
}

/// The statements of the one sweep, and of the two, as text.
struct Texts {
    one: Vec<String>,
    ahead: Vec<String>,
    back: Vec<String>,
}

impl Texts {
    fn of((left, both): (&Emit<'_>, &Code<'_>), (right, apart): (&Emit<'_>, &Code<'_>)) -> Self {
        let texts = |emit: &Emit<'_>, block: &Block| block.stmts.iter().map(|s| emit.stmt(s)).collect();
        let [ahead, back] = [apart.blocks[0], apart.blocks[1]].map(|block| texts(right, block));
        Texts { one: texts(left, both.blocks[0]), ahead, back }
    }
}

/// Which sweeps clear a cotangent that comes from outside.
fn cleared(outers: &[Outer; 2], both: &Code<'_>, apart: &Code<'_>) -> impl Fn(Var) -> Option<&'static str> {
    let initialised = [both, apart].map(Code::initialised);
    move |bar| {
        let at = outers[0].opened.iter().position(|v| *v == bar)?;
        match [initialised[0].contains(&bar), initialised[1].contains(&outers[1].opened[at])] {
            [true, true] => None,
            [true, false] => Some("!Sweep::FORWARD &&"),
            [false, true] => Some("Sweep::FORWARD && Sweep::REVERSE &&"),
            [false, false] => Some("Sweep::REVERSE &&"),
        }
    }
}

/// Both adjoints with their common statements: the one sweep with the left names, the two with the right ones.
struct Joined<'a> {
    frame: &'a Frame<'a>,
    shape: &'a Shape<'a>,
    left: &'a Emit<'a>,
    both: &'a Code<'a>,
    right: &'a Emit<'a>,
    apart: &'a Code<'a>,
    texts: Texts,
    shared: Shared,
    /// The variables that the common end takes over.
    carried: Vec<Var>,
}

impl Joined<'_> {
    fn text(&self, Around { before, after }: &Around) -> String {
        let pattern: String = self.carried.iter().map(|v| format!("mut {}, ", self.left.name(*v))).collect();
        format!(
            "{dots} {before} {kins}
             let (value, {pattern}) = if Sweep::FORWARD {{
                 {first}
                 if Sweep::REVERSE {{ {one} }} else {{ {forward} }}
             }} else {{
                 {reverse}
             }};
             {last} {after} value",
            dots = self.frame.dots(self.left, self.both),
            kins = self.kins(),
            first = self.shared.beginning(&self.texts).concat(),
            one = self.one_sweep(),
            forward = self.forward_sweep(),
            reverse = self.reverse_sweep(),
            last = self.shared.end(&self.texts).concat(),
        )
    }

    fn kins(&self) -> String {
        let mut kins = [self.left.kins(&self.both.blocks), self.right.kins(&self.apart.blocks)].concat();
        kins.sort();
        kins.dedup();
        kins.concat()
    }

    /// The rest of the one sweep.
    fn one_sweep(&self) -> String {
        let (start, end) = self.shared.rest(&self.texts);
        format!(
            "{} {} {} ({}, {})",
            self.frame.seeds(self.left, self.shape, self.both),
            self.texts.one[..self.shared.seeds].concat(),
            self.texts.one[start..end].concat(),
            self.frame.valued(self.left, self.both),
            self.values(),
        )
    }

    /// The rest of the forward sweep.
    fn forward_sweep(&self) -> String {
        let value = self.frame.result(self.right, self.apart);
        let rest = self.renamed(&self.apart.blocks[0].stmts[self.shared.first..]);
        format!("{rest} return ::core::option::Option::Some({value});")
    }

    /// The beginning of the reverse sweep.
    fn reverse_sweep(&self) -> String {
        let stmts = &self.apart.blocks[1].stmts;
        let seeds = self.frame.seeds(self.right, self.shape, self.apart);
        let own = self.renamed(&stmts[..stmts.len() - self.shared.last]);
        format!("{seeds} {own} (::core::option::Option::None, {})", self.values())
    }

    fn values(&self) -> String {
        self.carried.iter().map(|v| format!("{}, ", self.left.name(*v))).collect()
    }

    fn renamed(&self, stmts: &[Stmt]) -> String {
        stmts.iter().map(|s| self.right.stmt(s)).collect()
    }
}

fn is_numbers(out: &Output) -> bool {
    match out {
        Output::Float(_) | Output::Unit => true,
        Output::Tuple(all) | Output::Array(all) => all.iter().all(is_numbers),
        _ => false,
    }
}

impl Shared {
    fn of(both: &Code<'_>, texts: &Texts, alike: &mut Alike<'_>) -> Self {
        let mut shared = Shared::first(both, &texts.one, &texts.ahead, alike);
        shared.last = alike.ending(&texts.one[shared.seeds + shared.first..], &texts.back);
        shared
    }

    /// Where the statements begin and end that the one sweep has for itself.
    fn rest(&self, texts: &Texts) -> (usize, usize) {
        (self.seeds + self.first, texts.one.len() - self.last)
    }

    fn beginning<'t>(&self, texts: &'t Texts) -> &'t [String] {
        &texts.one[self.seeds..self.seeds + self.first]
    }

    fn end<'t>(&self, texts: &'t Texts) -> &'t [String] {
        &texts.one[texts.one.len() - self.last..]
    }

    /// Whether it saves a quarter of the two sweeps.
    fn is_worth(&self, texts: &Texts) -> bool {
        let size = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
        let saved = size(self.beginning(texts)) + size(self.end(texts));
        saved * 4 >= size(&texts.ahead) + size(&texts.back)
    }

    /// What both begin with.
    fn first(both: &Code<'_>, one: &[String], ahead: &[String], alike: &mut Alike<'_>) -> Self {
        let (stmts, none) = (&both.blocks[0].stmts, Shared { seeds: 0, first: 0, last: 0 });
        let Some(beginning) = ahead.first() else { return none };
        let leading = stmts.iter().take_while(|s| starts_cotangents(s, both.table)).count();
        let Some(seeds) = (0..=leading.min(stmts.len() - 1)).find(|k| alike.take(&one[*k], beginning)) else {
            return none;
        };
        let same = one[seeds + 1..].iter().zip(&ahead[1..]).take_while(|(a, b)| alike.take(a, b)).count();
        match may_come_after(&stmts[..seeds], &stmts[seeds..seeds + 1 + same]) {
            true => Shared { seeds, first: 1 + same, last: 0 },
            false => none,
        }
    }

    /// The variables that the common end takes over, with as much of it as takes over owned values only.
    fn carried(&mut self, outer: &Outer, both: &Code<'_>, apart: &Code<'_>, alike: &Alike<'_>) -> Option<Vec<Var>> {
        let stmts = &both.blocks[0].stmts;
        let (uses, defines) = (Positions::of(stmts), Positions::of_defines(stmts));
        let early = too_early(outer, (both, apart), alike, (&uses, &defines));
        let start = stmts.len() - self.last;
        let start = early.into_iter().fold(start, |at, (from, to)| if from <= at { at.max(to) } else { at });
        self.last = stmts.len() - start;
        let free = |(var, last): (Var, usize)| {
            let free = last >= start && defines.last(var).is_none_or(|at| at < start) && !outer.opened.contains(&var);
            free.then_some(var)
        };
        let free: Vars = uses.lasts().filter_map(free).collect();
        (self.last > 0 || self.first > 0).then(|| free.into_iter().collect())
    }
}

/// Whether a statement changes nothing of the primal's.
fn starts_cotangents(stmt: &Stmt, table: &Table) -> bool {
    let primal = |v: &Var| table.role(*v) == Role::Primal;
    !touched(std::slice::from_ref(stmt), &[Access::Write, Access::Define]).iter().any(primal)
}

/// Whether the first statements may as well come after the others.
fn may_come_after(first: &[Stmt], others: &[Stmt]) -> bool {
    let changed = |stmts| touched(stmts, &[Access::Write, Access::Define]);
    touched(others, ALL).is_disjoint(&changed(first)) && changed(others).is_disjoint(&touched(first, ALL))
}

/// Where a common end would begin too early, for want of an owned value: from where, and until where.
fn too_early(
    outer: &Outer,
    (both, apart): (&Code<'_>, &Code<'_>),
    alike: &Alike<'_>,
    (uses, defines): (&Positions, &Positions),
) -> Vec<(usize, usize)> {
    let (stmts, back) = (&both.blocks[0].stmts, &apart.blocks[1].stmts);
    let (ours, theirs) = (Owned::of(stmts, both.table), Owned::of(back, apart.table));
    let owned = |var: Var| match outer.seeds.contains(&var) {
        true => alike.other(var).map(|_| (0, 0)),
        false => ours.from(var).zip(alike.other(var).and_then(|w| theirs.from(w))),
    };
    let one = |(var, last): (Var, usize)| {
        let until = owned(var).map_or(last + 1, |(ours, theirs)| {
            let theirs = (theirs + stmts.len()).saturating_sub(back.len());
            ours.max(theirs).min(last + 1)
        });
        (defines.last(var).map_or(0, |at| at + 1), until)
    };
    let mut all: Vec<_> = uses.lasts().filter(|(v, _)| !outer.opened.contains(v)).map(one).collect();
    all.sort_unstable();
    all
}
