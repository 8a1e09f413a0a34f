//! Iterator chains, as nests of counted loops.
//!
//! A chain is *indexed* (a range of integers and what belongs to each of them) as long as its
//! elements can be reached by index: slices, ranges, and what `map`, `zip`, `rev`, `windows` and
//! the like make of them. After a filter it is a *stream*: it can only be run through.
//!
//! Enters: a chain of iterator calls. Leaves: loops of the IR over its sources, with each closure inlined.
//! Imports: `lower`, `syntax`, `infer`, and the floors below `frontend`.

use crate::frontend::state::context::{Lower, New};
use crate::frontend::state::value::{Chain, Each, Indexed, Until, Value, length};
use crate::ir::affine::{self, arithmetic};
use crate::ir::visit::{Access, blocks, touched};
use crate::ir::*;
use proc_macro2::Span;
use quote::quote;
use std::rc::Rc;
pub mod adaptors;
pub mod consumers;
pub mod cursors;
pub mod cuts;
mod exhausted;
pub mod extremes;
pub mod filters;
pub mod handed;
mod itertools;
pub mod kept;
pub mod made;
pub mod methods;
pub mod options;
pub mod own;
pub mod search;
pub mod selection;
pub mod sources;
pub mod successors;
pub mod totals;
pub mod tried;
pub mod written_out;
pub mod zips;

pub use exhausted::is_exhausted;
pub use selection::applied;

impl Lower {
    /// Runs through a chain.
    pub fn drive(&mut self, chain: &Chain, frame: Option<usize>, each: &mut Each) {
        match chain {
            Chain::Indexed(ix) => self.drive_indexed(ix, frame, each),
            Chain::Stream(s) => (s.drive)(self, frame, each),
        }
    }

    /// The same, where `each` may leave a chain, by its last argument: one that has no end, or whose rest has to stay as it is.
    pub fn drive_until(&mut self, chain: &Chain, frame: Option<usize>, span: Span, each: &mut Until) {
        if chain.extent().is_whole() && !self.chain_changes(chain) {
            return self.drive(chain, frame, &mut |l, value, mark| each(l, value, mark, None));
        }
        let source = self.enter_source(span);
        self.drive(chain, Some(source), &mut |l, value, mark| each(l, value, mark, Some(source)));
        self.leave();
    }

    fn drive_indexed(&mut self, ix: &Indexed, frame: Option<usize>, each: &mut Each) {
        let span = ix.lo.span;
        let lo = self.atom("lo", ix.lo.clone());
        let Some(hi) = ix.hi.clone() else { return self.drive_endless(ix, lo, frame, each) };
        let hi = self.atom("n", hi);
        let step = ix.step.clone().map(|s| self.atom("step", s));
        let mark = self.vars.len();
        let var = self.iteration(span);
        let before = self.write_backs.len();
        let (body, ()) = self.inside(|l| {
            let k = PassiveCode::var(var, l.info(var));
            let item = match ix.integers {
                true => l.value_of(var),
                false => (ix.get)(l, k),
            };
            each(l, item, mark);
            l.write_back(before);
        });
        let until = frame.map(|f| self.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave);
        self.emit(Stmt::For(For {
            var,
            lo,
            hi,
            inclusive: ix.inclusive,
            step,
            down: ix.down,
            until,
            checkpoint: None,
            body,
        }));
    }

    /// `for k in lo..`: left by a jump only.
    fn drive_endless(&mut self, ix: &Indexed, lo: PassiveCode, frame: Option<usize>, each: &mut Each) {
        let span = lo.span;
        let mark = self.vars.len();
        let var = self.new_var(New { hint: "next", span, ty: Ty::Passive, changes: true, site: None });
        self.info_mut(var).mutable = true;
        self.emit(Stmt::Let { var, expr: Expr::Passive(lo) });
        let (body, ()) = self.inside(|l| {
            let k = l.hold_nameless("k", PassiveCode::var(var, l.info(var)));
            let (name, by) = (&l.info(var).name, ix.step.clone().unwrap_or_else(|| affine::literal(1)));
            let by_tokens = &by.tokens;
            let mut next = PassiveCode { tokens: quote!(#name + #by_tokens), ..by.clone() };
            next.reads.insert(var);
            l.assign(Place::var(var), Assign::Set, Operand::Passive(next), span);
            let item = match (ix.integers, k.reads.iter().next()) {
                (true, Some(v)) => l.value_of(*v),
                _ => (ix.get)(l, k),
            };
            each(l, item, mark);
        });
        let mut cond = PassiveCode::literal(quote!(true));
        if let Some(leave) = frame.map(|f| self.jumps.frame(f)).filter(|f| f.left).map(|f| f.leave) {
            let name = &self.info(leave).name;
            cond = PassiveCode::literal(quote!(!#name));
            cond.reads.insert(leave);
        }
        self.emit(Stmt::While { prelude: Block::default(), cond, body, checkpoint: None });
    }

    /// The same chain over `0..n`, or over `0..`.
    pub fn normalized(&mut self, ix: Indexed) -> Indexed {
        if ix.is_counted() {
            return ix;
        }
        let lo = self.atom("lo", ix.lo.clone());
        let hi = ix.hi.clone().map(|h| self.atom("hi", h));
        let step = ix.step.clone().map(|s| self.atom("step", s));
        let len = hi.as_ref().map(|hi| length(&lo, hi, ix.inclusive, step.as_ref()));
        let (get, down, inclusive, rest, form) = (ix.get, ix.down, ix.inclusive, ix.rest, ix.form);
        let at = move |l: &mut Lower, j: PassiveCode| {
            let by = step.as_ref().map_or(j.clone(), |s| arithmetic::mul(&j, s));
            let k = match (&hi, down) {
                (Some(hi), true) if inclusive => arithmetic::sub(hi, &by),
                (Some(hi), true) => arithmetic::sub(&arithmetic::sub(hi, &affine::literal(1)), &by),
                _ => arithmetic::add(&lo, &by),
            };
            get(l, k)
        };
        Indexed { rest, form, ..Indexed::counted(len, Rc::new(at)) }
    }
}

impl Lower {
    /// Whether to make an element changes something: then none may be passed over.
    pub fn has_effects(&mut self, ix: &Indexed) -> bool {
        self.tried(ix).1
    }

    /// Whether to run through a chain changes something.
    pub fn chain_changes(&mut self, chain: &Chain) -> bool {
        let parts = self.write_backs.len();
        let (body, ()) = self.inside(|l| l.drive(chain, None, &mut |_, _, _| {}));
        let lent = self.write_backs.len() > parts;
        self.write_backs.truncate(parts);
        lent || changes(&body.stmts)
    }

    /// Whether to make an element changes something by itself, and not only what is done to the element.
    pub fn is_made_by_changes(&mut self, ix: &Indexed) -> bool {
        changes(&self.made_apart(ix).0.stmts)
    }

    /// Whether an element lies somewhere: nothing has to be done to make it.
    pub fn is_found(&mut self, ix: &Indexed) -> bool {
        let (body, _, lent) = self.made_apart(ix);
        body.stmts.is_empty() && !lent
    }

    /// An element as it would be made, and whether that changes something.
    pub fn tried(&mut self, ix: &Indexed) -> (Value, bool) {
        let (body, element, lent) = self.made_apart(ix);
        (element, lent || changes(&body.stmts))
    }

    /// The code that makes an element, the element, and whether a part is lent to it that is written back.
    fn made_apart(&mut self, ix: &Indexed) -> (Block, Value, bool) {
        let parts = self.write_backs.len();
        let k = self.iteration(ix.lo.span);
        let (body, element) = self.inside(|l| {
            let at = PassiveCode::var(k, l.info(k));
            (ix.get)(l, at)
        });
        let lent = self.write_backs.len() > parts;
        self.write_backs.truncate(parts);
        (body, element, lent)
    }
}

/// Whether statements change what they did not make, or check or print.
pub fn changes(stmts: &[Stmt]) -> bool {
    fn speaks(stmt: &Stmt) -> bool {
        matches!(stmt, Stmt::Effect { .. }) || blocks(stmt).iter().any(|b| b.stmts.iter().any(speaks))
    }
    let (written, own) = (touched(stmts, &[Access::Write]), touched(stmts, &[Access::Define]));
    !written.is_subset(&own) || stmts.iter().any(speaks)
}
