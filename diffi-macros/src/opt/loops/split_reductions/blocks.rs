//! Sums of the user's, eight iterations in a row.
//!
//! Vector units stay idle while `for k in 0..n { s += x[k] * y[k] }` waits. Eight iterations in a row add to eight sums:
//!
//! ```text
//! let whole = the end of the last whole block
//! for first in 0..whole, by eight {
//!     for lane in 0..8 { s_lanes[lane] += x[first + lane] * y[first + lane] }
//! }
//! s += the sum of the lanes
//! for k in whole..n { s += x[k] * y[k] }
//! ```
//!
//! Loops that [`unroll_jam`](crate::opt::loops::unroll_jam) jams are left out, because they have several sums side by side.
//!
//! The iterations keep their order, so that nothing else in them is touched. LLVM makes vectors of the lanes.

use crate::analysis::cost_model::{SPLIT_BODY, SPLIT_SUMS};
use crate::analysis::loops::is_simple;
use crate::analysis::reductions::Reductions;
use crate::ir::affine::atom;
use crate::ir::clone::Twins;
use crate::ir::lanes::{Iteration, is_index, passive};
use crate::ir::purity::repeatable;
use crate::ir::symbols::{Role, Table};
use crate::ir::visit::{Access, Vars, blocks_mut, replaced, touched};
use crate::ir::*;
use crate::opt::loops::vector_calls::both;
use crate::support::hash::HashMap;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;

/// Rewrites the loops of a body.
pub fn in_blocks(table: &mut Table, block: &mut Block) {
    if !table.reassociates() {
        return;
    }
    block.replace(|stmt| match Sums::of(table, stmt) {
        Some(sums) => Some(sums.build(table)),
        None => {
            blocks_mut(stmt).into_iter().for_each(|inner| in_blocks(table, inner));
            None
        }
    });
}

/// A loop, and what it adds up.
struct Sums {
    on: For,
    sums: Vars,
    /// The loop whose frames stand in front, if it has some.
    frames: Option<Box<Loop>>,
}

impl Sums {
    fn of(table: &Table, stmt: &Stmt) -> Option<Sums> {
        let (on, frames) = match stmt {
            Stmt::For(on) => (on.clone(), None),
            Stmt::Derived(Derived::Loop(l)) if l.frame.is_none() && l.iterations.is_none() => (l.on.clone(), None),
            Stmt::Derived(Derived::Loop(l)) if is_simple(l) && !l.opened => (numbered(table, &l.on), Some(l.clone())),
            _ => return None,
        };
        let stmts = &on.body.stmts;
        let upwards = !on.down && !on.inclusive && on.step.is_none() && on.until.is_none() && on.checkpoint.is_none();
        if table.is_jammed(on.var)
            || !upwards
            || stmts.len() > SPLIT_BODY
            || !stmts.iter().all(is_plain)
            || !is_index(table, &on)
        {
            return None;
        }
        let sums = Reductions::of(table, stmts).sums;
        (!sums.is_empty()).then_some(Sums { on, sums, frames })
    }
}

/// A loop whose iterations say which frames are theirs.
fn numbered(table: &Table, on: &For) -> For {
    let mut on = on.clone();
    let at = table.read(on.var);
    let at = match on.lo.tokens.to_string() == "0" {
        true => at,
        false => both(&at, &on.lo, |at, lo| quote!(#at - #lo)),
    };
    on.body.stmts.iter_mut().filter_map(frame).for_each(|r| r.at = Some(at.clone()));
    on
}

/// What a statement keeps or reads of a frame, if it does.
fn frame(stmt: &mut Stmt) -> Option<&mut TapeFrame> {
    match stmt {
        Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => Some(r),
        _ => None,
    }
}

/// Arithmetic on numbers and elements.
fn is_plain(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { expr: Expr::Op { op, .. }, .. } => !matches!(op, Op::Fn(_)),
        Stmt::Let { expr: Expr::Passive(o), .. } => repeatable(o),
        Stmt::Let { expr: Expr::Operand(_) | Expr::Fresh { .. } | Expr::Zero, .. } | Stmt::Assign { .. } => true,
        Stmt::Derived(Derived::Guard { body, .. }) => body.stmts.iter().all(is_plain),
        Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => {
            r.at.is_some() && r.words.is_empty() && r.carried.is_empty()
        }
        _ => false,
    }
}

impl Sums {
    /// What stands in the loop's place.
    fn build(self, table: &mut Table) -> Vec<Stmt> {
        let Sums { on, sums, frames } = self;
        let [whole, first, lane] = ["whole", "first", "lane"].map(|hint| passive(table, hint));
        let (lo, end) = (on.lo.clone(), table.read(whole));
        let last = Stmt::Let { var: whole, expr: Expr::Passive(end_of_blocks(table, &on)) };
        let mut then = Vec::new();
        let lanes: HashMap<Var, Var> = sums.iter().map(|sum| (*sum, lanes_of(table, *sum, &mut then))).collect();
        let mut block: Vec<Stmt> = window(table, &on, first).into_iter().collect();
        let inner = For {
            var: lane,
            lo: PassiveCode::literal(quote!(0)),
            hi: PassiveCode::literal(count()),
            body: Block { stmts: iteration(table, &on, &lanes, (first, lane)) },
            ..on.clone()
        };
        block.push(Stmt::For(inner));
        let (step, body) = (Some(PassiveCode::literal(count())), Block { stmts: block });
        then.push(Stmt::For(For { var: first, hi: end.clone(), step, body, ..on.clone() }));
        lanes.iter().for_each(|(sum, lanes)| add_up(table, *sum, *lanes, &mut then));
        let cond = crate::ir::affine::runs(&lo, &end, false);
        let blocks = Stmt::If { cond, then: Block { stmts: then }, els: Block::default() };
        let frames = frames.map(|l| Stmt::Derived(Derived::FrameBlock(l)));
        frames.into_iter().chain([last, blocks, Stmt::For(For { lo: end, ..on })]).collect()
    }
}

/// The frames of a block of iterations, if these have any.
fn window(table: &Table, on: &For, first: Var) -> Option<Stmt> {
    let mut stmts = on.body.stmts.clone();
    let frame = stmts.iter_mut().find_map(frame)?;
    let tangents = frame.tangents(table);
    let widths = Widths { floats: frame.floats.len() - tangents, words: 0, tangents };
    let (name, first) = (table.info(on.var).name.to_string(), table.read(first));
    let mut from = frame.at.clone()?;
    from.tokens = replaced(from.tokens, &name, &|_| first.tokens.clone());
    from.reads.remove(&on.var);
    from.reads.extend(&first.reads);
    Some(Stmt::Derived(Derived::FrameWindow { widths, from, count: PassiveCode::literal(count()) }))
}

fn count() -> TokenStream {
    let count = Literal::usize_unsuffixed(SPLIT_SUMS);
    quote!(#count)
}

/// Where the last whole block ends. Batches of tangents are several lanes already: there are no blocks for them.
fn end_of_blocks(table: &Table, on: &For) -> PassiveCode {
    let (lo, hi) = (atom(&on.lo), atom(&on.hi));
    let all = touched(&on.body.stmts, &[Access::Read, Access::Write]);
    let tokens = match all.iter().all(|v| table.role(*v) == Role::Primal) {
        true => quote!(__d::end_of_blocks(#lo, #hi)),
        false => quote!(__d::end_of_blocks_of::<Space>(#lo, #hi)),
    };
    let mut end = PassiveCode { tokens, ..on.hi.clone() };
    end.reads.extend(&on.lo.reads);
    end.shapes.extend(&on.lo.shapes);
    end
}

/// An array of empty sums.
fn lanes_of(table: &mut Table, sum: Var, out: &mut Vec<Stmt>) -> Var {
    let role = table.role(sum);
    let [zero, lanes] = ["zero", "lanes"].map(|suffix| table.companion(sum, suffix, role));
    table.retype(lanes, Ty::Array(Box::new(Ty::Float)));
    out.push(Stmt::Let { var: zero, expr: Expr::Zero });
    out.push(Stmt::Let { var: lanes, expr: Expr::Array(vec![Operand::var(zero); SPLIT_SUMS]) });
    lanes
}

/// An iteration, `lane` iterations after the first of its block.
fn iteration(table: &mut Table, on: &For, lanes: &HashMap<Var, Var>, (first, lane): (Var, Var)) -> Vec<Stmt> {
    let own = touched(&on.body.stmts, &[Access::Define]);
    let hint = |table: &Table, v: Var| table.info(v).hint.clone();
    let map: HashMap<Var, Var> = own
        .into_iter()
        .chain([on.var])
        .map(|v| {
            let hint = hint(table, v);
            (v, table.twin(v, &hint))
        })
        .collect();
    let mut stmts = Twins { map: &map, vars: table.vars() }.stmts(&on.body.stmts);
    stmts.iter_mut().for_each(|s| in_lane(table, s, lane, lanes));
    stmts.iter_mut().filter_map(frame).for_each(|r| r.at = Some(table.read(lane)));
    let iteration = Iteration::new(table, map[&on.var], first, lane);
    iteration.write_out(table, &mut stmts);
    iteration.declare(&mut stmts);
    stmts
}

/// Adds to a lane what was added to the sum.
fn in_lane(table: &Table, stmt: &mut Stmt, lane: Var, lanes: &HashMap<Var, Var>) {
    if let Stmt::Assign { place, .. } = stmt
        && let Some(lanes) = lanes.get(&place.root)
    {
        *place = Place { root: *lanes, path: vec![Proj::Index(table.read(lane))] };
    }
    blocks_mut(stmt).into_iter().flat_map(|b| &mut b.stmts).for_each(|s| in_lane(table, s, lane, lanes));
}

/// Adds the lanes to the sum, each half to the other one: LLVM makes vectors of the halves.
fn add_up(table: &mut Table, sum: Var, lanes: Var, out: &mut Vec<Stmt>) {
    let element = |k: usize| {
        let index = Literal::usize_unsuffixed(k);
        Operand::Place(Place { root: lanes, path: vec![Proj::Index(PassiveCode::literal(quote!(#index)))] })
    };
    let mut left: Vec<Operand> = (0..SPLIT_SUMS).map(element).collect();
    while left.len() > 1 {
        let (one, other) = left.split_at(left.len() / 2);
        left = one.iter().zip(other).map(|(a, b)| added(table, sum, [a, b], out)).collect();
    }
    let span = Span::call_site();
    let added = left.into_iter().map(|value| Stmt::Assign { place: Place::var(sum), op: Assign::Add, value, span });
    out.extend(added);
}

/// Two parts of a sum, as one.
fn added(table: &mut Table, sum: Var, parts: [&Operand; 2], out: &mut Vec<Stmt>) -> Operand {
    let var = table.companion(sum, "lane", table.role(sum));
    let args = parts.map(Operand::clone).into();
    out.push(Stmt::Let { var, expr: Expr::Op { op: Op::Add, args, span: Span::call_site() } });
    Operand::var(var)
}
