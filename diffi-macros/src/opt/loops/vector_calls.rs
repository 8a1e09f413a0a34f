//! Strip-mined vector calls (LLVM's veclib), with `#[differentiable(vector_math)]`: one call computes `exp` and others for a strip of iterations.
//!
//! A processor adds and multiplies several numbers at a time, and the standard library's functions take one. If the user permits values
//! that differ in the last digits, a loop runs in strips:
//!
//! ```text
//! for strip in 0..strips {
//!     let (first, count) = the iterations of the strip
//!     for lane in 0..count { t_lanes[lane] = x[first + lane] - m }
//!     exp of t_lanes
//!     for lane in 0..count { total += t_lanes[lane] }
//! }
//! ```
//!
//! An argument is computed before its iteration if that takes arithmetic alone, on values that no earlier iteration of the strip writes.
//! Of the places that the loop writes, these are elements that belong to one iteration alone. An argument may need the values of other
//! functions: they are computed before it. Other arguments stay in place. The rest of the iterations runs in the original order.

use crate::analysis::loops::is_simple;
use crate::ir::affine::shift::Shift;
use crate::ir::affine::{atom, gathered};
use crate::ir::clone::Twins;
use crate::ir::lanes::{Iteration, is_index, passive};
use crate::ir::place::key;
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::places::each_place;
use crate::ir::visit::{Access, Vars, Visit, blocks, outermost, touched};
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

/// What the runtime computes in strips.
const FUNCTIONS: &[&str] = &["exp", "exp2", "exp_m1", "ln", "sin", "cos", "sinh", "cosh", "tanh"];
/// What an argument may be made of that is cheap enough to be found twice.
const CHEAP: &[&str] = &["abs", "max", "min", "clamp", "mul_add", "powi", "recip", "sqrt"];

/// Rewrites the loops of a body.
pub fn vector_calls(table: &mut Table, block: &mut Block) {
    if !table.has_vector_math() {
        return;
    }
    outermost(table, block, &Split::of, &|table, split| split.build(table));
}

/// A loop, and the calls in it whose arguments are found ahead.
struct Split {
    on: For,
    /// The loop with frames that it is, if so.
    with: Option<Box<Loop>>,
    calls: Vec<Call>,
}

/// A call of a function.
struct Call {
    /// Its statement in the body.
    at: usize,
    name: &'static str,
    /// The variable that it sets.
    var: Var,
    argument: Operand,
    /// The statements that its argument needs.
    needs: BTreeSet<usize>,
    /// How many calls after each other its argument waits for.
    wave: usize,
}

impl Split {
    fn of(table: &Table, stmt: &Stmt) -> Option<Split> {
        let (on, with) = match stmt {
            Stmt::For(on) => (on, None),
            Stmt::Derived(Derived::Loop(l)) if is_simple(l) => (&l.on, Some(l.clone())),
            _ => return None,
        };
        if on.inclusive || on.step.is_some() || on.until.is_some() || on.checkpoint.is_some() || !is_index(table, on) {
            return None;
        }
        let calls = Search::of(table, on).calls();
        (!calls.is_empty()).then(|| Split { on: on.clone(), with, calls })
    }
}

/// The search for calls in a loop.
struct Search<'a> {
    table: &'a Table,
    on: &'a For,
    /// What an iteration writes.
    written: Vars,
    /// What each iteration makes for itself.
    own: Vars,
}

impl<'a> Search<'a> {
    fn of(table: &'a Table, on: &'a For) -> Self {
        let stmts = &on.body.stmts;
        Search { table, on, written: touched(stmts, &[Access::Write]), own: touched(stmts, &[Access::Define]) }
    }

    fn calls(&self) -> Vec<Call> {
        let mut calls: Vec<Call> = Vec::new();
        for (at, stmt) in self.on.body.stmts.iter().enumerate() {
            // a check may stand before what it is for
            if matches!(stmt, Stmt::Effect { .. }) {
                break;
            }
            calls.extend(self.call(at, stmt, &calls));
        }
        calls
    }

    fn call(&self, at: usize, stmt: &Stmt, before: &[Call]) -> Option<Call> {
        let Stmt::Let { var, expr: Expr::Op { op: Op::Fn(name), args, .. } } = stmt else { return None };
        let (name, [argument]) = (*FUNCTIONS.iter().find(|f| *f == name)?, &args[..]) else { return None };
        if self.table.role(*var) != Role::Primal || *self.table.ty(*var) != Ty::Float || self.written.contains(var) {
            return None;
        }
        let needs = self.needs(at, before)?;
        let waits = before.iter().filter(|c| needs.contains(&c.at)).map(|c| c.wave + 1);
        let wave = waits.max().unwrap_or(0);
        Some(Call { at, name, var: *var, argument: argument.clone(), needs, wave })
    }

    /// The statements that the call's argument needs, if it can be found ahead of its iteration.
    fn needs(&self, at: usize, before: &[Call]) -> Option<BTreeSet<usize>> {
        let stmts = &self.on.body.stmts;
        let (mut needs, mut wanted) = (BTreeSet::new(), self.reads(at)?);
        for k in (0..at).rev() {
            let made = touched(&stmts[k..=k], &[Access::Define, Access::Write]);
            if made.is_disjoint(&wanted) {
                continue;
            }
            needs.insert(k);
            match &stmts[k] {
                _ if before.iter().any(|c| c.at == k) => {}
                Stmt::Derived(Derived::LoadFrame(r)) if r.carried.is_empty() && r.words.is_empty() => {}
                Stmt::Let { expr, .. } if self.is_cheap(expr) => wanted.extend(&self.reads(k)?),
                _ => return None,
            }
        }
        let is_call = |k: &usize| before.iter().any(|c| c.at == *k);
        let varies =
            wanted.contains(&self.on.var) || needs.iter().any(|k| is_call(k) || matches!(stmts[*k], Stmt::Derived(_)));
        let foreign = wanted.iter().all(|v| self.own.contains(v) || !self.written.contains(v));
        let own = wanted.iter().filter(|v| self.own.contains(v));
        let steady = own.clone().all(|v| *v == self.on.var || !self.written.contains(v));
        (foreign && steady && varies).then_some(needs)
    }

    fn is_cheap(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Op { op: Op::Fn(name), .. } => CHEAP.contains(name),
            Expr::Op { .. } | Expr::Operand(_) | Expr::Zero => true,
            Expr::Passive(o) => repeatable(o),
            _ => false,
        }
    }

    /// What a statement reads that has to be there ahead of the iteration: not the arrays that the loop writes to, where it reads the iteration's own
    /// elements alone. None, if it reads others of these.
    fn reads(&self, at: usize) -> Option<Vars> {
        let stmt = &self.on.body.stmts[at];
        let (mut ahead, mut elements) = (true, Vars::new());
        each_place(stmt, &mut |place, _| {
            if !place.path.is_empty() && self.written.contains(&place.root) && !self.own.contains(&place.root) {
                ahead &= self.is_to_itself(at, place);
                elements.insert(place.root);
            }
        });
        let mut all = touched(std::slice::from_ref(stmt), &[Access::Read, Access::Shape]);
        let otherwise = elements.iter().filter(|v| self.reads_otherwise(stmt, **v)).copied().collect::<Vars>();
        elements.iter().filter(|v| !otherwise.contains(v)).for_each(|v| {
            all.remove(v);
        });
        ahead.then_some(all)
    }

    /// Whether a statement reads an array in another way than by its elements.
    fn reads_otherwise(&self, stmt: &Stmt, array: Var) -> bool {
        let (mut times, mut elements) = (0, 0);
        Visit(&mut |v, _| times += usize::from(v == array)).stmt(stmt);
        each_place(stmt, &mut |place, _| elements += usize::from(place.root == array));
        times != elements
    }

    /// Whether no other iteration writes to an element, and this one not before the statement.
    fn is_to_itself(&self, at: usize, place: &Place) -> bool {
        let Some(row) = self.row(place) else { return false };
        let stmts = &self.on.body.stmts;
        stmts.iter().enumerate().all(|(k, stmt)| {
            all_written(stmt, place.root, &mut |written| {
                self.row(written).is_some_and(|other| other.is_apart(&row) || k > at && other.text == row.text)
            })
        })
    }

    /// Which row of an array an iteration has an element of.
    fn row(&self, place: &Place) -> Option<Row> {
        let (Proj::Index(index), before) = place.path.split_last()? else { return None };
        let shift = Shift::of(self.table, index, self.on.var, &(&self.written | &self.own))?;
        let number = match &shift.base {
            _ if shift.stride != 1 || shift.offset != 0 => None,
            None => Some(0),
            Some(base) => times(base, &self.on.hi),
        };
        Some(Row { array: key(&place.up(before.len())), text: key(place), number })
    }
}

/// A row of an array that a loop goes along.
struct Row {
    array: String,
    /// The iteration's element.
    text: String,
    /// How many rows lie before it that are as long as the loop.
    number: Option<i64>,
}

impl Row {
    /// Whether the rows have no element in common.
    fn is_apart(&self, other: &Row) -> bool {
        self.array == other.array && self.number.is_some() && other.number.is_some() && self.number != other.number
    }
}

/// `n` of `n * size`.
fn times(product: &PassiveCode, size: &PassiveCode) -> Option<i64> {
    let found = crate::ir::affine::shift::multiple(product)?;
    (found.rest == 0 && found.of == size.tokens.to_string()).then_some(found.stride)
}

/// Whether all that a statement writes of a variable are elements of which this holds.
fn all_written(stmt: &Stmt, var: Var, holds: &mut dyn FnMut(&Place) -> bool) -> bool {
    let (mut elements, mut fit) = (0, true);
    each_place(stmt, &mut |place, written| {
        if written && place.root == var {
            elements += 1;
            fit &= holds(place);
        }
    });
    let inner = blocks(stmt);
    fit && match inner.is_empty() {
        true => writes(stmt, var) == elements,
        false => inner.into_iter().all(|b| b.stmts.iter().all(|s| all_written(s, var, holds))),
    }
}

/// How often a statement writes to a variable.
fn writes(stmt: &Stmt, var: Var) -> usize {
    let mut count = 0;
    Visit(&mut |v, t| count += usize::from(v == var && t == Access::Write)).stmt(stmt);
    count
}

/// The variables of a loop that goes in strips.
struct Strip {
    strip: Var,
    first: Var,
    count: Var,
    /// Which vectors the processor has.
    vectors: Var,
    /// The strip of each call, by the variable that it sets.
    lanes: HashMap<Var, Var>,
}

impl Split {
    fn build(self, table: &mut Table) -> Vec<Stmt> {
        let [strips, strip, first, count, vectors] =
            ["strips", "strip", "first", "count", "vectors"].map(|hint| passive(table, hint));
        let For { lo, hi, .. } = &self.on;
        let number = both(lo, hi, |lo, hi| quote!(__d::strips(#lo, #hi)));
        let found = PassiveCode::literal(quote!(__d::vector_math::Vectors::found()));
        let mut out: Vec<Stmt> =
            [(strips, number), (vectors, found)].map(|(var, o)| Stmt::Let { var, expr: Expr::Passive(o) }).into();
        let lanes = self.calls.iter().map(|call| (call.var, strip_of(table, call.var, &mut out))).collect();
        let frames = self.with.as_ref().filter(|l| l.frame.is_some()).cloned();
        out.extend(frames.map(|l| Stmt::Derived(Derived::FrameBlock(l))));
        let all = Strip { strip, first, count, vectors, lanes };
        let mut body = all.bounds(table, &self.on);
        body.extend(self.with.as_ref().and_then(|l| l.frame).map(|widths| all.window(table, widths)));
        for wave in 0..=self.calls.iter().map(|c| c.wave).max().unwrap_or(0) {
            body.push(self.arguments(table, &all, wave));
            body.extend(self.calls.iter().filter(|c| c.wave == wave).map(|c| all.evaluated(table, c)));
        }
        body.extend(self.kept(table, &all));
        body.push(self.rest(table, &all));
        let (lo, hi) = (PassiveCode::literal(quote!(0)), table.read(strips));
        let body = Block { stmts: body };
        out.push(Stmt::For(For { var: strip, lo, hi, body, ..self.on }));
        out
    }

    /// The loop that finds the arguments of calls.
    fn arguments(&self, table: &mut Table, all: &Strip, wave: usize) -> Stmt {
        let calls: Vec<&Call> = self.calls.iter().filter(|c| c.wave == wave).collect();
        let needs: BTreeSet<usize> = calls.iter().flat_map(|c| c.needs.iter().copied()).collect();
        let lane = passive(table, "lane");
        let needed: Vec<Stmt> = needs.into_iter().map(|k| self.on.body.stmts[k].clone()).collect();
        let map = self.twins(table, &needed);
        let mut stmts: Vec<Stmt> = needed.into_iter().flat_map(|s| all.in_lane(table, s, &map, lane)).collect();
        for call in calls {
            let Operand::Place(place) = all.lane(table, call.var, lane) else { continue };
            let value = Twins { map: &map, vars: table.vars() }.operand(call.argument.clone());
            stmts.push(Stmt::Assign { place, op: Assign::Set, value, span: Span::call_site() });
        }
        let iteration = Iteration::new(table, map[&self.on.var], all.first, lane);
        iteration.write_out(table, &mut stmts);
        iteration.declare(&mut stmts);
        let on = For { down: false, ..self.on.clone() };
        Stmt::For(all.lanes_of(table, lane, stmts, on))
    }

    /// Twins of what statements define, and of the loop's variable.
    fn twins(&self, table: &mut Table, stmts: &[Stmt]) -> HashMap<Var, Var> {
        let lets = stmts.iter().filter_map(|s| if let Stmt::Let { var, .. } = s { Some(*var) } else { None });
        let twin = |v| {
            let hint = table.info(v).hint.clone();
            (v, table.twin(v, &hint))
        };
        lets.chain([self.on.var]).map(twin).collect()
    }

    /// The loop that keeps what is found ahead, where sums go in lanes: LLVM makes no vectors of loads that stores stand between.
    fn kept(&self, table: &mut Table, all: &Strip) -> Option<Stmt> {
        let frame = self.on.body.stmts.iter().find_map(|stmt| self.frame_ahead(table, stmt))?.clone();
        let lane = passive(table, "lane");
        let (mut stmts, mut floats) = (Vec::new(), Vec::new());
        for var in &frame.floats {
            let hint = table.info(*var).hint.clone();
            let twin = table.twin(*var, &hint);
            stmts.push(Stmt::Let { var: twin, expr: Expr::Operand(all.lane(table, *var, lane)) });
            floats.push(twin);
        }
        stmts.push(Stmt::Derived(Derived::StoreFrame(TapeFrame { floats, at: Some(table.read(lane)), ..frame })));
        Some(Stmt::For(all.lanes_of(table, lane, stmts, For { down: false, ..self.on.clone() })))
    }

    /// The frame that a statement fills with nothing but values that are found ahead.
    fn frame_ahead<'s>(&self, table: &Table, stmt: &'s Stmt) -> Option<&'s TapeFrame> {
        let Stmt::Derived(Derived::StoreFrame(r)) = stmt else { return None };
        let plain = r.words.is_empty() && r.wholes.is_empty() && r.carried.is_empty();
        let ahead = r.floats.iter().all(|v| self.calls.iter().any(|call| call.var == *v));
        (table.reassociates() && plain && ahead).then_some(r)
    }

    /// The loop with the rest of the iterations.
    fn rest(&self, table: &mut Table, all: &Strip) -> Stmt {
        let lane = passive(table, "lane");
        let mut stmts = self.on.body.stmts.clone();
        for call in &self.calls {
            stmts[call.at] = Stmt::Let { var: call.var, expr: Expr::Operand(all.lane(table, call.var, lane)) };
        }
        let needs: HashSet<usize> = self.calls.iter().flat_map(|c| c.needs.iter().copied()).collect();
        let mut stmts = without_unread(stmts, &needs);
        stmts.retain(|stmt| self.frame_ahead(table, stmt).is_none());
        stmts.iter_mut().for_each(|stmt| number(table, stmt, lane));
        let iteration = Iteration::new(table, self.on.var, all.first, lane);
        iteration.write_out(table, &mut stmts);
        iteration.declare(&mut stmts);
        let mut body = Block { stmts };
        vector_calls(table, &mut body);
        let on = all.lanes_of(table, lane, body.stmts, self.on.clone());
        match &self.with {
            Some(l) => Stmt::Derived(Derived::Loop(Box::new(Loop { on, frame: None, ..(**l).clone() }))),
            None => Stmt::For(on),
        }
    }
}

impl Strip {
    /// `let first = ..; let count = ..;`, which is at least one, so that LLVM leaves no check in the loops over it.
    fn bounds(&self, table: &Table, on: &For) -> Vec<Stmt> {
        let strip = table.read(self.strip);
        let first = both(&on.lo, &strip, |lo, strip| match lo.to_string() == "0" {
            true => quote!(#strip * __d::STRIP),
            false => quote!(#lo + #strip * __d::STRIP),
        });
        let count = both(&table.read(self.first), &on.hi, |first, hi| quote!((#hi - #first).clamp(1, __d::STRIP)));
        let bound = |var, o| Stmt::Let { var, expr: Expr::Passive(o) };
        vec![bound(self.first, first), bound(self.count, count)]
    }

    /// A statement that the argument of a call needs, of one lane.
    fn in_lane(&self, table: &mut Table, mut stmt: Stmt, map: &HashMap<Var, Var>, lane: Var) -> Vec<Stmt> {
        match stmt {
            Stmt::Let { var, .. } if self.lanes.contains_key(&var) => {
                vec![Stmt::Let { var: map[&var], expr: Expr::Operand(self.lane(table, var, lane)) }]
            }
            Stmt::Let { .. } => Twins { map, vars: table.vars() }.stmts(&[stmt]),
            _ => {
                number(table, &mut stmt, lane);
                vec![stmt]
            }
        }
    }

    /// A call's value or argument of an iteration.
    fn lane(&self, table: &Table, call: Var, lane: Var) -> Operand {
        Operand::Place(Place { root: self.lanes[&call], path: vec![Proj::Index(table.read(lane))] })
    }

    /// `__d::vector_math::exp(&mut t_lanes, count, vectors);`
    fn evaluated(&self, table: &Table, call: &Call) -> Stmt {
        let (lanes, count) = (self.lanes[&call.var], self.count);
        let (name, strip) = (Ident::new(call.name, Span::call_site()), table.read(lanes));
        let (tokens, number, vectors) = (&strip.tokens, &table.read(count).tokens, &table.read(self.vectors).tokens);
        let tokens = quote!(__d::vector_math::#name(&mut #tokens, #number, #vectors));
        let tokens = PassiveCode { reads: [lanes, count, self.vectors].into(), ..PassiveCode::literal(tokens) };
        Stmt::Effect { tokens, writes: [lanes].into() }
    }

    /// `for lane in 0..count`.
    fn lanes_of(&self, table: &Table, lane: Var, stmts: Vec<Stmt>, on: For) -> For {
        For { var: lane, lo: PassiveCode::literal(quote!(0)), hi: table.read(self.count), body: Block { stmts }, ..on }
    }

    /// The frames of a strip.
    fn window(&self, table: &Table, widths: Widths) -> Stmt {
        let from = table.read(self.strip).map(|strip| quote!(#strip * __d::STRIP));
        Stmt::Derived(Derived::FrameWindow { widths, from, count: table.read(self.count) })
    }
}

/// Says which frame of a strip a statement reads or writes, if it does.
fn number(table: &Table, stmt: &mut Stmt, lane: Var) {
    if let Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) = stmt {
        r.at = Some(table.read(lane));
    }
}

/// Numbers for a strip of iterations.
fn strip_of(table: &mut Table, var: Var, out: &mut Vec<Stmt>) -> Var {
    let [zero, lanes] = ["zero", "lanes"].map(|suffix| table.companion(var, suffix, Role::Primal));
    table.retype(lanes, Ty::Slice(Box::new(Ty::Float)));
    out.push(Stmt::Let { var: zero, expr: Expr::Zero });
    let strip = table.read(zero).map(|zero| quote!(__d::vector_math::Strip::of(#zero)));
    out.push(Stmt::Let { var: lanes, expr: Expr::Passive(strip) });
    lanes
}

/// Without those of the statements whose values are read no longer.
fn without_unread(stmts: Vec<Stmt>, of: &HashSet<usize>) -> Vec<Stmt> {
    let (mut left, mut wanted) = (Vec::new(), Vars::new());
    for (k, stmt) in stmts.into_iter().enumerate().rev() {
        match &stmt {
            Stmt::Let { var, .. } if of.contains(&k) && !wanted.contains(var) => continue,
            _ => wanted.extend(&touched(std::slice::from_ref(&stmt), &[Access::Read, Access::Shape, Access::Write])),
        }
        left.push(stmt);
    }
    left.reverse();
    left
}

/// Tokens made of two numbers.
pub fn both(
    a: &PassiveCode,
    b: &PassiveCode,
    tokens: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
) -> PassiveCode {
    gathered(tokens(atom(a), atom(b)), [a, b].into_iter(), Span::call_site())
}
