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
use crate::emit::code::text::{Holes, words};
use crate::emit::code::writer::Emit;
use crate::emit::items::adjoint::{Code, Shape};
use crate::emit::items::frame::Frame;
use crate::emit::items::shadow_slots::Around;
use crate::ir::symbols::Table;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};

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
        let (joint, forward, reverse) = (both.blocks[0], apart.blocks[0], apart.blocks[1]);
        let right = self.emit(apart.table, (apart.order, shape.slots[0]), &apart.blocks);
        let [ours, theirs] = [both, apart].map(|code| self.outer(code));
        let named = |emit: &Emit<'_>, vars: &[Var]| vars.iter().map(|v| emit.name(*v).to_owned()).collect::<Vec<_>>();
        let same_names = named(left, &ours.opened) == named(&right, &theirs.opened);
        if !self.gives_numbers(both) || !same_names {
            return None;
        }
        let mut alike = Alike::new(left.names(), right.names(), self.holes);
        if !ours.all().zip(theirs.all()).all(|(a, b)| alike.take(left.name(a), right.name(b))) {
            return None;
        }
        let texts = |emit: &Emit<'_>, block: &Block| block.stmts.iter().map(|s| emit.stmt(s)).collect::<Vec<_>>();
        let [one, ahead, back] = [texts(left, joint), texts(&right, forward), texts(&right, reverse)];
        let mut shared = Shared::first(both, &one, &ahead, &mut alike);
        shared.last = alike.ending(&one[shared.seeds + shared.first..], &back);
        let carried = shared.carried(&ours, both, (apart, reverse), &alike)?;
        let whole: usize = ahead.iter().chain(&back).map(String::len).sum();
        let (start, end) = (shared.seeds + shared.first, one.len() - shared.last);
        let saved: usize = one[shared.seeds..start].iter().chain(&one[end..]).map(String::len).sum();
        if saved * 4 < whole || !right.changes_as(left, &|v| alike.back(v)) {
            return None;
        }
        let names = Names::beside(&self.foreign, apart.table, left.names(), &alike.renamed());
        let right = right.renamed(names);
        let initialised = [both, apart].map(Code::initialised);
        let Around { before, after } = self.bars(left, shape, both, &|bar| {
            let at = ours.opened.iter().position(|v| *v == bar)?;
            match [initialised[0].contains(&bar), initialised[1].contains(&theirs.opened[at])] {
                [true, true] => None,
                [true, false] => Some("!Sweep::FORWARD &&"),
                [false, true] => Some("Sweep::FORWARD && Sweep::REVERSE &&"),
                [false, false] => Some("Sweep::REVERSE &&"),
            }
        });
        let mut kins = [left.kins(&both.blocks), right.kins(&apart.blocks)].concat();
        kins.sort();
        kins.dedup();
        let stmts = |stmts: &[Stmt]| stmts.iter().map(|s| right.stmt(s)).collect::<String>();
        let values: String = carried.iter().map(|v| format!("{}, ", left.name(*v))).collect();
        let pattern: String = carried.iter().map(|v| format!("mut {}, ", left.name(*v))).collect();
        Some(format!(
            "{dots} {before} {kins}
             let (value, {pattern}) = if Sweep::FORWARD {{
                 {first}
                 if Sweep::REVERSE {{
                     {seeds} {started} {rest}
                     ({value}, {values})
                 }} else {{
                     {ahead}
                     return ::core::option::Option::Some({ahead_value});
                 }}
             }} else {{
                 {back_seeds} {back}
                 (::core::option::Option::None, {values})
             }};
             {last} {after} value",
            dots = self.dots(left, both),
            kins = kins.concat(),
            first = one[shared.seeds..start].concat(),
            seeds = self.seeds(left, shape, both),
            started = one[..shared.seeds].concat(),
            rest = one[start..end].concat(),
            value = self.valued(left, both),
            ahead = stmts(&forward.stmts[shared.first..]),
            ahead_value = self.result(&right, apart),
            back_seeds = self.seeds(&right, shape, apart),
            back = stmts(&reverse.stmts[..reverse.stmts.len() - shared.last]),
            last = one[end..].concat(),
        ))
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
    fn all(&self) -> impl Iterator<Item = Var> {
        self.opened.iter().chain(&self.seeds).copied()
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
    /// What both begin with.
    fn first(both: &Code<'_>, one: &[String], ahead: &[String], alike: &mut Alike<'_>) -> Self {
        let (stmts, mut shared) = (&both.blocks[0].stmts, Shared { seeds: 0, first: 0, last: 0 });
        let Some(beginning) = ahead.first() else { return shared };
        let primal = |v: &Var| both.table.role(*v) == crate::ir::symbols::Role::Primal;
        let starts = |s: &Stmt| !touched(std::slice::from_ref(s), &[Access::Write, Access::Define]).iter().any(primal);
        let leading = stmts.iter().take_while(|s| starts(s)).count();
        let Some(seeds) = (0..=leading.min(stmts.len() - 1)).find(|k| alike.take(&one[*k], beginning)) else {
            return shared;
        };
        let same = one[seeds + 1..].iter().zip(&ahead[1..]).take_while(|(a, b)| alike.take(a, b)).count();
        let (started, first) = (&stmts[..seeds], &stmts[seeds..seeds + 1 + same]);
        let changed = touched(started, &[Access::Write, Access::Define]);
        let apart = touched(first, ALL).is_disjoint(&changed)
            && touched(first, &[Access::Write, Access::Define]).is_disjoint(&touched(started, ALL));
        if apart {
            (shared.seeds, shared.first) = (seeds, 1 + same);
        }
        shared
    }

    /// The variables that the common end takes over, with as much of it as takes over owned values only.
    fn carried(
        &mut self,
        outer: &Outer,
        both: &Code<'_>,
        (apart, reverse): (&Code<'_>, &Block),
        alike: &Alike<'_>,
    ) -> Option<Vec<Var>> {
        let (stmts, back) = (&both.blocks[0].stmts, &reverse.stmts);
        let ways = [Positions::of(stmts), Positions::of_defines(stmts)];
        let owned = [Owned::of(stmts, both.table), Owned::of(back, apart.table)];
        // where the common end begins too early, for want of an owned value
        let mut early: Vec<(usize, usize)> = Vec::new();
        for (var, last) in ways[0].lasts().filter(|(v, _)| !outer.opened.contains(v)) {
            let local = ways[1].last(var).map_or(0, |at| at + 1);
            let from_outside = outer.seeds.contains(&var);
            let ours = if from_outside { Some(0) } else { owned[0].from(var) };
            let theirs = alike.other(var).and_then(|w| if from_outside { Some(0) } else { owned[1].from(w) });
            let theirs = theirs.map(|at| (at + stmts.len()).saturating_sub(back.len()));
            let until = ours.zip(theirs).map_or(last + 1, |(ours, theirs)| ours.max(theirs).min(last + 1));
            early.push((local, until));
        }
        early.sort_unstable();
        let start = stmts.len() - self.last;
        let start = early.iter().fold(start, |at, (from, to)| if *from <= at { at.max(*to) } else { at });
        self.last = stmts.len() - start;
        let free = |(var, last): (Var, usize)| {
            let free = last >= start && ways[1].last(var).is_none_or(|at| at < start) && !outer.opened.contains(&var);
            free.then_some(var)
        };
        let free: Vars = ways[0].lasts().filter_map(free).collect();
        (self.last > 0 || self.first > 0).then(|| free.into_iter().collect())
    }
}

/// From where on statements have given a variable a value that borrows from nothing.
struct Owned(HashMap<Var, usize>);

impl Owned {
    fn of(stmts: &[Stmt], table: &Table) -> Self {
        let (positions, mut all, mut local) = (Positions::of(stmts), Owned(HashMap::default()), HashSet::default());
        for (k, stmt) in stmts.iter().enumerate() {
            for (var, at) in all.given(stmts, k, (&positions, &local), table) {
                all.0.entry(var).or_insert(at + 1);
            }
            local.extend(touched(std::slice::from_ref(stmt), &[Access::Define]));
        }
        all
    }

    /// How many statements it takes.
    fn from(&self, var: Var) -> Option<usize> {
        self.0.get(&var).copied()
    }

    /// The variables that get such a value by a statement, and where they have it.
    fn given(
        &self,
        stmts: &[Stmt],
        k: usize,
        (positions, local): (&Positions, &HashSet<Var>),
        table: &Table,
    ) -> Vec<(Var, usize)> {
        let float = |v: Var| *table.ty(v) == Ty::Float && !table.is_cell(v) && !table.is_ref(v);
        let floats = |v: Var| float(v) || is_floats(table.ty(v));
        let defined = || touched(std::slice::from_ref(&stmts[k]), &[Access::Define]).into_iter();
        let of = |v: Var, owned: bool| owned.then_some((v, k)).into_iter().collect();
        match &stmts[k] {
            Stmt::Let { var, expr: Expr::Passive(o) } => {
                let known = |v: &Var| !local.contains(v) || self.from(*v).is_some_and(|at| at <= k);
                of(*var, float(*var) || is_word(o) && o.reads.iter().all(known))
            }
            Stmt::Let { var, .. } => of(*var, floats(*var)),
            Stmt::Derived(Derived::Zero { var, .. } | Derived::Unset { var, .. }) => of(*var, floats(*var)),
            Stmt::Declare { var } if float(*var) => {
                let given = positions.all(*var).iter().find(|at| **at >= k && gives(&stmts[**at], *var));
                given.map(|at| (*var, *at)).into_iter().collect()
            }
            Stmt::Derived(Derived::PopFrame(_)) => {
                defined().filter(|v| floats(*v) || *table.ty(*v) == Ty::Passive).map(|v| (v, k)).collect()
            }
            Stmt::Derived(Derived::Sweep(_)) => defined().filter(|v| float(*v)).map(|v| (v, k)).collect(),
            _ => Vec::new(),
        }
    }
}

/// Arithmetic of words, and lengths.
fn is_word(o: &PassiveCode) -> bool {
    let borrows = |tree| matches!(tree, proc_macro2::TokenTree::Punct(p) if p.as_char() == '&');
    crate::ir::purity::repeatable(o) && !o.tokens.clone().into_iter().any(borrows)
}

/// Whether the statement gives the variable a value whichever way it goes.
fn gives(stmt: &Stmt, var: Var) -> bool {
    let all = |block: &Block| block.stmts.iter().any(|s| gives(s, var));
    match stmt {
        Stmt::Assign { place, op: Assign::Set, .. } => place.root == var && place.path.is_empty(),
        Stmt::If { then, els, .. } => all(then) && all(els),
        Stmt::Switch { arms, .. } => arms.iter().all(|arm| all(&arm.body)),
        _ => false,
    }
}

/// Floats, and vectors, arrays and tuples of them.
fn is_floats(ty: &Ty) -> bool {
    match ty {
        Ty::Float => true,
        Ty::Vec(e) | Ty::Array(e) => is_floats(e),
        Ty::Tuple(all) => all.iter().all(is_floats),
        _ => false,
    }
}

/// Which name on the left is which on the right, as far as texts were found to be the same.
struct Alike<'a> {
    left: HashMap<&'a str, Var>,
    right: HashMap<&'a str, Var>,
    names: &'a Names<'a>,
    holes: &'a Holes,
    /// By variable: the one on the other side.
    pairs: [Vec<Option<Var>>; 2],
}

impl<'a> Alike<'a> {
    fn new(left: &'a Names<'a>, right: &'a Names<'a>, holes: &'a Holes) -> Self {
        let (names, left, right) = (left, left.all(), right.all());
        let pairs = [vec![None; left.len()], vec![None; right.len()]];
        Alike { left, right, names, holes, pairs }
    }

    /// How many of the last texts are the same.
    fn ending(&mut self, left: &[String], right: &[String]) -> usize {
        left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| self.take(a, b)).count()
    }

    /// Whether texts are the same; then so are their names from now on.
    fn take(&mut self, a: &str, b: &str) -> bool {
        let mut new = Vec::new();
        let same = self.compare(a, b, &mut new);
        if !same {
            new.into_iter().for_each(|(a, b)| self.pair(a, b, false));
        }
        same
    }

    fn compare(&mut self, a: &str, b: &str, new: &mut Vec<(Var, Var)>) -> bool {
        let (a, b) = (bound(a), bound(b));
        a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| self.word(a, b, new))
    }

    fn word(&mut self, a: &str, b: &str, new: &mut Vec<(Var, Var)>) -> bool {
        if !is_name(a) || !is_name(b) {
            let held = |word| self.holes.read(word);
            return a == b || held(a).zip(held(b)).is_some_and(|(a, b)| self.compare(&a, &b, new));
        }
        let (start, a, end) = variable(&self.left, a);
        let (other_start, b, other_end) = variable(&self.right, b);
        let same = match (a, b) {
            (Ok(a), Ok(b)) => match (self.other(a), self.back(b)) {
                (Some(known), Some(back)) => known == b && back == a,
                (None, None) => {
                    self.pair(a, b, true);
                    new.push((a, b));
                    true
                }
                _ => false,
            },
            (Err(a), Err(b)) => a == b,
            _ => false,
        };
        same && start == other_start && end == other_end
    }

    fn pair(&mut self, a: Var, b: Var, same: bool) {
        self.pairs[0][a.0 as usize] = same.then_some(b);
        self.pairs[1][b.0 as usize] = same.then_some(a);
    }

    /// The variable on the right.
    fn other(&self, left: Var) -> Option<Var> {
        self.pairs[0][left.0 as usize]
    }

    /// The variable on the left.
    fn back(&self, right: Var) -> Option<Var> {
        self.pairs[1][right.0 as usize]
    }

    /// The left names of the variables on the right.
    fn renamed(&self) -> HashMap<Var, String> {
        let pairs = (0..).map(Var).zip(&self.pairs[1]);
        pairs.filter_map(|(right, left)| Some((right, self.names.get((*left)?).to_owned()))).collect()
    }
}

fn is_name(word: &str) -> bool {
    let first = word.as_bytes()[0];
    first.is_ascii_alphabetic() || first == b'_' || first >= 128
}

/// The variable whose name a word is or is made of, and what stands before and after the name; or the word.
fn variable<'a>(all: &HashMap<&str, Var>, word: &'a str) -> (&'static str, Result<Var, &'a str>, &'static str) {
    if let Some(var) = all.get(word) {
        return ("", Ok(*var), "");
    }
    let (start, name, end) = Names::stripped(word);
    match all.get(name).filter(|_| start != "__") {
        Some(var) => (start, Ok(*var), end),
        None => ("", Err(word), ""),
    }
}

/// The words of a statement; whether its variable can be changed is no difference.
fn bound(text: &str) -> Vec<&str> {
    let mut all = words(text);
    if let ["let", "mut", ..] = all[..] {
        all.remove(1);
    }
    all
}
