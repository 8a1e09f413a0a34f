//! Loop fission with scalar expansion (Allen & Kennedy 6): the rows that a cotangent's neighbours are scattered to get a loop each.
//!
//! The adjoint of a stencil, `next[k] = f(u[k - n], u[k], u[k + n])`, adds to several rows of one cotangent in each iteration. LLVM cannot
//! tell that these do not meet, so it vectorizes nothing, and every addition waits for the one before. This pass keeps what
//! the iterations add in vectors of their own, and adds these to one row after the other. Each of the loops can be vectorized.
//!
//! Sums that the loop makes besides are kept by their parts ([`expand_sums`]), and a loop whose iterations are apart then goes upwards.
//! Of loops that LLVM vectorizes in no form, as they call functions, nothing is gained, and they stay.
//!
//! The rule by which it is legal: all that the loop does with the cotangent is to add to elements whose indices are the loop's variable
//! behind something that does not change in the loop. Sums come to the same in any order.

use super::distribute_rows;
use super::expand_sums::expand_sums;
use crate::analysis::activity::Activity;
use crate::analysis::cost_model::{SCATTERED_ITERATIONS, SCATTERED_ROWS, SCATTERED_VALUES};
use crate::analysis::loops::is_innermost;
use crate::analysis::reductions::RunningSums;
use crate::ir::affine::number;
use crate::ir::affine::shift::Shift;
use crate::ir::place::{element, key};
use crate::ir::purity::repeatable;
use crate::ir::symbols::Table;
use crate::ir::visit::places::each_place_in;
use crate::ir::visit::positions::Positions;
use crate::ir::visit::{Access, Vars, Visit, blocks, blocks_mut, touched};
use crate::ir::*;
use crate::support::hash::HashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Functions that processors have vectors for.
const VECTORIZED: &[&str] = &["sqrt", "recip", "abs", "powi", "mul_add", "min", "max"];

/// Rewrites the innermost loops of an adjoint.
pub fn distribute_scatter(table: &mut Table, activity: &mut Activity, block: &mut Block) {
    let written = touched(&block.stmts, &[Access::Write]);
    let mut pass = Scatters { table, activity, written, lets: HashMap::default() };
    pass.learn(block);
    pass.block(block);
}

struct Scatters<'a> {
    table: &'a mut Table,
    activity: &'a mut Activity,
    written: Vars,
    /// Names for lengths.
    lets: HashMap<Var, PassiveCode>,
}

/// The cotangents that a loop scatters to, so that its additions would leave it, and whose neighbours are too far apart for LLVM to carry
/// them in vectors.
pub fn scattered(table: &Table, on: &For) -> Vars {
    let finder = Finder { table };
    if !finder.fits(on) {
        return Vars::new();
    }
    finder.scatters(on).into_iter().filter(|(_, scatter)| scatter.reaches_far()).map(|(root, _)| root).collect()
}

/// Finds what a loop scatters.
struct Finder<'a> {
    table: &'a Table,
}

/// An addition to an element.
struct Addition {
    /// Which statement of the loop it is.
    at: usize,
    /// The row that it lies in, as text.
    row: Row,
}

/// A row of a cotangent that a loop walks along.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    /// Where the elements lie whose indices differ by numbers only, as text.
    line: String,
    /// By how many elements the row is shifted.
    offset: i64,
}

/// The additions to one cotangent, if a loop does nothing else with it.
#[derive(Default)]
struct Scatter {
    additions: Vec<Addition>,
    spoiled: bool,
}

impl Scatters<'_> {
    fn learn(&mut self, block: &Block) {
        for stmt in &block.stmts {
            if let Stmt::Let { var, expr: Expr::Passive(o) } = stmt
                && repeatable(o)
                && !o.depends_on(&self.written)
            {
                self.lets.insert(*var, o.clone());
            }
            blocks(stmt).into_iter().for_each(|inner| self.learn(inner));
        }
    }

    fn block(&mut self, block: &mut Block) {
        block.surround(|stmt| {
            let on = match stmt {
                Stmt::For(on) => Some(on),
                Stmt::Derived(Derived::Loop(l)) if is_whole(l) => Some(&mut l.on),
                _ => None,
            };
            if let Some(on) = on.filter(|on| Finder { table: self.table }.fits(on)) {
                let around = self.distribute(on);
                if let Stmt::Derived(Derived::Loop(l)) = stmt
                    && l.frame.is_none()
                    && iterations_are_apart(self.table, &l.on)
                {
                    (l.on.down, l.sweep) = (false, LoopSweep::AdjointForward);
                }
                return around;
            }
            blocks_mut(stmt).into_iter().for_each(|inner| self.block(inner));
            Default::default()
        });
    }

    /// What stands before and after a loop that no longer scatters.
    fn distribute(&mut self, on: &mut For) -> (Vec<Stmt>, Vec<Stmt>) {
        if let Some(other) = self.two_rows(on) {
            return (Vec::new(), vec![Stmt::For(other)]);
        }
        let copies = Copies::of(&on.body);
        let term = |at: usize| copies.text(addition(&on.body.stmts[at]).1);
        let scatters = Finder { table: self.table }.scatters(on);
        let moved: Vec<usize> = scatters.values().flat_map(|scatter| moved(scatter, &term)).collect();
        let values: BTreeMap<String, &Operand> =
            moved.iter().map(|at| addition(&on.body.stmts[*at]).1).map(|value| (copies.text(value), value)).collect();
        if moved.is_empty() || values.len() > SCATTERED_VALUES {
            return Default::default();
        }
        let len = self.length(&on.hi);
        let rows: BTreeMap<String, Var> = values.iter().map(|(text, value)| (text.clone(), self.row(value))).collect();
        let before = rows.values().map(|row| Stmt::Let { var: *row, expr: Expr::Scratch { len: len.clone() } });
        let mut before: Vec<Stmt> = before.collect();
        let mut after = self.loops(on, &moved, &rows, &copies);
        self.keep(on, &moved, &rows, &copies);
        let (parts, sums) = expand_sums(self.table, self.activity, on, &len);
        before.extend(parts);
        after.extend(sums);
        (before, after)
    }

    /// The loop of one of two rows of a library's array, if these are all that a loop adds to.
    fn two_rows(&mut self, on: &mut For) -> Option<For> {
        let found = Finder { table: self.table }.unspoiled(on);
        let (root, scatter) = found.into_iter().find(|(_, scatter)| !scatter.additions.is_empty())?;
        let rows: BTreeSet<&Row> = scatter.additions.iter().map(|a| &a.row).collect();
        let first = *rows.first().filter(|_| rows.len() == 2 && *self.table.ty(root) == Ty::Library)?;
        let additions = scatter.additions.iter().filter(|a| a.row == *first).map(|a| a.at).collect();
        distribute_rows::taken(self.table, self.activity, on, &additions)
    }

    /// A vector for what the iterations add.
    fn row(&mut self, value: &Operand) -> Var {
        let Operand::Place(place) = value else { unreachable!("cotangents are places") };
        let row = self.table.companion(place.root, "parts", self.table.role(place.root));
        self.table.retype(row, Ty::Vec(Box::new(Ty::Float)));
        self.activity.note(row, self.activity.varied(place.root));
        row
    }

    /// A length without the names that only the loops around know.
    fn length(&self, hi: &PassiveCode) -> PassiveCode {
        let is_name = |var: &Var| self.table.info(*var).name == hi.tokens.to_string();
        match hi.reads.iter().find(|var| is_name(var)).and_then(|var| self.lets.get(var)) {
            Some(value) => self.length(value),
            None => hi.clone(),
        }
    }

    /// A loop for each row that is added to.
    fn loops(&self, on: &For, moved: &[usize], rows: &BTreeMap<String, Var>, copies: &Copies) -> Vec<Stmt> {
        let mut by_element: BTreeMap<String, Vec<Stmt>> = BTreeMap::new();
        for at in moved {
            let mut stmt = on.body.stmts[*at].clone();
            let to = key(addition(&stmt).0);
            if let Stmt::Assign { value, .. } = &mut stmt {
                *value = Operand::Place(self.part(on, rows[&copies.text(value)]));
            }
            by_element.entry(to).or_default().push(stmt);
        }
        let looped = |stmts| Stmt::For(For { down: false, body: Block { stmts }, ..on.clone() });
        by_element.into_values().map(looped).collect()
    }

    /// Keeps what is added instead of adding it.
    fn keep(&self, on: &mut For, moved: &[usize], rows: &BTreeMap<String, Var>, copies: &Copies) {
        let mut kept = BTreeMap::new();
        for at in moved {
            let mut set = on.body.stmts[*at].clone();
            let text = copies.text(addition(&set).1);
            if let Stmt::Assign { place, op, .. } = &mut set {
                (*place, *op) = (self.part(on, rows[&text]), Assign::Set);
            }
            kept.entry(text).or_insert((*at, set));
        }
        let mut kept: BTreeMap<usize, Stmt> = kept.into_values().collect();
        let stmts = std::mem::take(&mut on.body.stmts).into_iter().enumerate();
        on.body.stmts =
            stmts.filter_map(|(at, s)| if moved.contains(&at) { kept.remove(&at) } else { Some(s) }).collect();
    }

    /// What this iteration has in a vector.
    fn part(&self, on: &For, row: Var) -> Place {
        Place { root: row, path: vec![Proj::Index(self.table.read(on.var))] }
    }
}

impl Finder<'_> {
    fn fits(&self, on: &For) -> bool {
        let own = touched(&on.body.stmts, &[Access::Define]);
        let plain = !on.inclusive && on.step.is_none() && on.until.is_none();
        let sums = RunningSums::of(on).at;
        let has_vectors = |at: usize, stmt: &Stmt| sums.contains(&at) || has_vectors(stmt, &own);
        let plain = plain && on.body.stmts.iter().enumerate().all(|(at, stmt)| has_vectors(at, stmt));
        let short = number(&on.hi).is_some_and(|n| n < SCATTERED_ITERATIONS);
        plain && !short && !self.table.is_abreast(on.var) && is_innermost(&on.body)
    }

    /// The cotangents to whose rows a loop scatters.
    fn scatters(&self, on: &For) -> BTreeMap<Var, Scatter> {
        let mut all = self.unspoiled(on);
        all.retain(|_, scatter| scatter.is_scattered());
        all
    }

    /// What a loop adds to cotangents with which it does nothing else.
    fn unspoiled(&self, on: &For) -> BTreeMap<Var, Scatter> {
        let inside = touched(&on.body.stmts, &[Access::Define, Access::Write]);
        let writes = Positions::of_writes(&on.body.stmts);
        let stays = |at: usize, value: &Operand| match value {
            Operand::Place(p) => writes.last(p.root).is_none_or(|last| last < at),
            _ => false,
        };
        let mut all: BTreeMap<Var, Scatter> = BTreeMap::new();
        for (at, stmt) in on.body.stmts.iter().enumerate() {
            let row = match stmt {
                Stmt::Assign { place, op: Assign::Add | Assign::Sub, value, .. } if stays(at, value) => {
                    self.row_of(on, place, &inside)
                }
                _ => None,
            };
            let to = row.as_ref().map(|(root, _)| *root);
            let mut times = 0;
            Visit(&mut |var, _| match Some(var) == to {
                true => times += 1,
                false => all.entry(var).or_default().spoiled = true,
            })
            .stmt(stmt);
            if let Some((root, row)) = row {
                let scatter = all.entry(root).or_default();
                scatter.additions.push(Addition { at, row });
                scatter.spoiled |= times > 1;
            }
        }
        all.retain(|_, scatter| !scatter.spoiled);
        all
    }

    /// The cotangent and the row of an element, if the loop walks along it.
    fn row_of(&self, on: &For, place: &Place, inside: &Vars) -> Option<(Var, Row)> {
        let (outer, shift) = Shift::of_element(self.table, place, on.var, inside)?;
        let ty = self.table.ty(place.root);
        let fits = shift.stride == 1 && self.table.is_cotangent(place.root) && element(ty, &place.path) == Ty::Float;
        let fits = fits && !matches!(ty, Ty::Unknown | Ty::Array(_));
        fits.then(|| (place.root, Row { line: format!("{} + {:?}", key(&outer), shift.row()), offset: shift.offset }))
    }
}

impl Scatter {
    /// Whether several rows are added to, or one that neighbours cannot be [carried](crate::opt::access::rotating_scalars) along.
    fn is_scattered(&self) -> bool {
        let rows: BTreeSet<&Row> = self.additions.iter().map(|a| &a.row).collect();
        rows.len() >= SCATTERED_ROWS || self.reaches_far()
    }

    /// Whether elements of one line are added to that are no neighbours.
    fn reaches_far(&self) -> bool {
        let far = |a: &Addition, b: &Addition| a.row.line == b.row.line && a.row.offset - b.row.offset >= 2;
        self.additions.iter().any(|a| self.additions.iter().any(|b| far(a, b)))
    }
}

/// The additions that leave the loop: all but those to the row that has most of them, where they bring what no other row gets.
fn moved(scatter: &Scatter, terms: &dyn Fn(usize) -> String) -> Vec<usize> {
    let mut rows: BTreeMap<&Row, Vec<String>> = BTreeMap::new();
    scatter.additions.iter().for_each(|a| rows.entry(&a.row).or_default().push(terms(a.at)));
    let own = |row: &Row, term: &String| rows.iter().all(|(other, all)| *other == row || !all.contains(term));
    let saves = |row: &Row, all: &[String]| (all.iter().filter(|term| own(row, term)).count(), all.len());
    let stays = rows.iter().max_by_key(|(row, all)| saves(row, all)).map(|(row, _)| (*row).clone());
    scatter.additions.iter().filter(|a| Some(&a.row) != stays.as_ref()).map(|a| a.at).collect()
}

/// Whether no iteration of a loop uses what another one writes: it writes elements that each iteration has to itself.
fn iterations_are_apart(table: &Table, on: &For) -> bool {
    let stmts = &on.body.stmts;
    let own = touched(stmts, &[Access::Define]);
    let written = touched(stmts, &[Access::Write]);
    let inside = &own | &written;
    let mut places: BTreeMap<Var, BTreeSet<String>> = BTreeMap::new();
    let mut elements = 0;
    let mut fits = true;
    each_place_in(&on.body, &mut |place, _| {
        if written.contains(&place.root) && !own.contains(&place.root) {
            fits &= Shift::of_element(table, place, on.var, &inside).is_some();
            places.entry(place.root).or_default().insert(key(place));
            elements += 1;
        }
    });
    let mut touches = 0;
    stmts.iter().for_each(|stmt| {
        Visit(&mut |var, _| touches += usize::from(written.contains(&var) && !own.contains(&var))).stmt(stmt);
    });
    fits && touches == elements && places.values().all(|keys| keys.len() == 1)
}

/// Where an addition goes, and what is added.
fn addition(stmt: &Stmt) -> (&Place, &Operand) {
    match stmt {
        Stmt::Assign { place, value, .. } => (place, value),
        _ => unreachable!("only additions are moved"),
    }
}

/// The values that variables of an iteration are copies of.
struct Copies(HashMap<Var, Var>);

impl Copies {
    fn of(body: &Block) -> Self {
        let written = touched(&body.stmts, &[Access::Write]);
        let mut copies = Copies(HashMap::default());
        for stmt in &body.stmts {
            if let Stmt::Let { var, expr: Expr::Operand(value) } = stmt
                && let Some(of) = value.as_var().filter(|of| !written.contains(of) && !written.contains(var))
            {
                copies.0.insert(*var, copies.origin(of));
            }
        }
        copies
    }

    fn origin(&self, var: Var) -> Var {
        self.0.get(&var).copied().unwrap_or(var)
    }

    /// A value as text, the same for all of its copies.
    fn text(&self, value: &Operand) -> String {
        match value {
            Operand::Place(place) => key(&place.at(self.origin(place.root))),
            _ => unreachable!("cotangents are places"),
        }
    }
}

/// Whether LLVM has vectors for a statement of an iteration with these variables.
fn has_vectors(stmt: &Stmt, own: &Vars) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { op: Op::Fn(name), .. }, .. } => VECTORIZED.contains(name),
        Stmt::Let { expr: Expr::Op { .. } | Expr::Operand(_) | Expr::Passive(_), .. } => true,
        Stmt::Assign { place, .. } | Stmt::Derived(Derived::Clear { place, whole: false }) => {
            !place.path.is_empty() || own.contains(&place.root)
        }
        Stmt::Derived(Derived::StoreFrame(_) | Derived::LoadFrame(_)) => true,
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_sum),
        _ => false,
    }
}

/// Whether the statement adds to the cotangent of a number: that of a parameter, which other passes take in several sums.
fn is_sum(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Assign { place, op: Assign::Add | Assign::Sub, .. } if place.path.is_empty())
}

/// Whether a loop of derivative code runs all its iterations, and does nothing beside its statements.
fn is_whole(l: &Loop) -> bool {
    l.iterations.is_none() && l.first.is_empty() && l.lanes.is_empty() && l.walks.is_empty()
}
