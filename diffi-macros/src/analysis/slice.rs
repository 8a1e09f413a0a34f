//! Backward slicing (Weiser 1981): what the cotangents of a function's parameters are made of, in an adjoint whose value is not asked for.
//!
//! A variable is needed if a needed variable is made of it, or if the way through the body may depend on it: by a condition, an index,
//! a length, a call that may fail. Of arguments of operations, rustc knows whether an adjoint needs them: see [`Need::calls`].
//! Shapes are followed apart from values, since the shape of a whole may be known where its numbers are not.

use crate::analysis::call_tbr::{Reader, can_be_asked, header};
use crate::ir::purity::is_mold;
use crate::ir::visit::{Access, Visit, blocks, each_passive};
use crate::ir::*;
use crate::support::hash::HashMap;

/// Whether a variable is needed.
#[derive(Clone, Default)]
pub struct Need<'b> {
    /// In any case.
    pub always: bool,
    /// If one of these calls reads its argument.
    pub calls: Vec<Reader<'b>>,
}

/// What is needed of each variable: its value, and its shape.
#[derive(Default)]
pub struct Slice<'b> {
    values: HashMap<Var, Need<'b>>,
    shapes: HashMap<Var, Need<'b>>,
    grown: bool,
}

/// The slice of a body that ends in these cotangents.
pub fn slice(body: &Block, of: impl Iterator<Item = Var>) -> Slice<'_> {
    let mut all = Slice::default();
    of.for_each(|bar| all.always(bar));
    loop {
        all.grown = false;
        all.block(body);
        if !all.grown {
            return all;
        }
    }
}

impl<'b> Need<'b> {
    /// Adds another need; whether that is one more.
    fn add(&mut self, other: &Need<'b>) -> bool {
        let before = (self.always, self.calls.len());
        self.always |= other.always;
        for reader in &other.calls {
            if !self.calls.iter().any(|r| std::ptr::eq(r.sweep, reader.sweep) && r.argument == reader.argument) {
                self.calls.push(*reader);
            }
        }
        before != (self.always, self.calls.len())
    }

    fn is_none(&self) -> bool {
        !self.always && self.calls.is_empty()
    }
}

impl<'b> Slice<'b> {
    /// What is needed of a variable's value.
    pub fn need(&self, var: Var) -> Need<'b> {
        self.values.get(&var).cloned().unwrap_or_default()
    }

    fn value(&mut self, var: Var, need: &Need<'b>) {
        if !need.is_none() {
            self.grown |= self.values.entry(var).or_default().add(need);
        }
    }

    fn shape(&mut self, var: Var, need: &Need<'b>) {
        if !need.is_none() {
            self.grown |= self.shapes.entry(var).or_default().add(need);
        }
    }

    fn always(&mut self, var: Var) {
        self.value(var, &Need { always: true, calls: Vec::new() });
    }

    fn passive_code(&mut self, o: &PassiveCode) {
        o.reads.iter().chain(&o.shapes).for_each(|v| self.always(*v));
    }

    /// `to` is made of `from`: its value of the value, its shape of the shape.
    fn made(&mut self, to: Var, from: &Place) {
        let (value, shape) = (self.need(to), self.shapes.get(&to).cloned().unwrap_or_default());
        self.value(from.root, &value);
        self.shape(from.root, &shape);
    }

    fn operand(&mut self, to: Var, o: &Operand) {
        match o {
            Operand::Place(p) => self.made(to, p),
            Operand::Passive(_) => {}
            Operand::Made { args, .. } => args.iter().for_each(|a| self.operand(to, a)),
        }
    }

    fn everything(&mut self, stmt: &Stmt) {
        let mut read = Vec::new();
        Visit(&mut |v, touch| {
            if touch != Access::Define {
                read.push(v);
            }
        })
        .stmt(stmt);
        read.into_iter().for_each(|v| self.always(v));
    }

    fn block(&mut self, block: &'b Block) {
        block.stmts.iter().rev().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, stmt: &'b Stmt) {
        if !blocks(stmt).is_empty() {
            let mut read = Vec::new();
            header(stmt, &mut |v| read.push(v));
            read.into_iter().for_each(|v| self.always(v));
            return blocks(stmt).into_iter().rev().for_each(|b| self.block(b));
        }
        match stmt {
            Stmt::Let { var, expr: Expr::Passive(o) } if is_mold(o) => {
                let need = self.need(*var);
                o.reads.iter().for_each(|v| self.shape(*v, &need));
            }
            Stmt::Let { var, expr } => {
                each_passive(stmt, &mut |o| self.passive_code(o));
                self.expr(*var, expr, stmt);
            }
            Stmt::Assign { place, value, .. } | Stmt::Push { place, value, .. } => {
                each_passive(stmt, &mut |o| self.passive_code(o));
                self.operand(place.root, value);
            }
            Stmt::Declare { .. } => {}
            Stmt::Derived(d) => self.derived(d, stmt),
            other => self.everything(other),
        }
    }

    fn derived(&mut self, d: &'b Derived, stmt: &'b Stmt) {
        match d {
            Derived::Release { .. } | Derived::PopFrame(_) => {}
            Derived::Acc { place, value, .. } => {
                [place, value].into_iter().for_each(|p| p.indices(&mut |o| self.passive_code(o)));
                self.made(place.root, value);
            }
            Derived::Clear { place, .. } => place.indices(&mut |o| self.passive_code(o)),
            Derived::Move { to, from, .. } => self.made(*to, &Place::var(*from)),
            Derived::Zero { var, like: ShapeOf::Value(p) } | Derived::Unset { var, like: ShapeOf::Value(p), .. } => {
                p.indices(&mut |o| self.passive_code(o));
                let need = self.need(*var);
                self.shape(p.root, &need);
            }
            Derived::Zero { var, like: ShapeOf::Passive(o) } => {
                let need = self.need(*var);
                o.reads.iter().for_each(|mold| self.value(*mold, &need));
            }
            Derived::Sweep(s) if s.call.is_rule() && (s.kind == SweepKind::Forward || can_be_asked(s)) => self.sweep(s),
            _ => self.everything(stmt),
        }
    }

    fn expr(&mut self, var: Var, expr: &'b Expr, stmt: &Stmt) {
        match expr {
            Expr::Operand(o) | Expr::Boxed(o) => self.operand(var, o),
            Expr::Op { args, .. } | Expr::Array(args) | Expr::Tuple(args) | Expr::VecOf(args) => {
                args.iter().for_each(|a| self.operand(var, a));
            }
            Expr::Struct(s) => s.fields.iter().for_each(|(_, o)| self.operand(var, o)),
            Expr::Repeat { value, .. } | Expr::VecRepeat { value, .. } => self.operand(var, value),
            Expr::ToVec(p) => self.made(var, p),
            Expr::Passive(_) | Expr::Zero | Expr::Scratch { .. } | Expr::VecNew(_) => {}
            _ => self.everything(stmt),
        }
    }

    /// A sweep of an operation's rule. All other functions may fail.
    fn sweep(&mut self, s: &'b Sweep) {
        match s.kind {
            SweepKind::Forward => self.forward_sweep(s),
            _ => self.reverse_sweep(s),
        }
        for arg in &s.call.args {
            if let CallArg::Passive(o) | CallArg::Lent(o) | CallArg::Value(Operand::Passive(o)) = arg {
                self.passive_code(o);
            }
        }
    }

    /// Forward, the result is made of the operands.
    fn forward_sweep(&mut self, s: &'b Sweep) {
        let results = [s.result, s.tangents.as_ref().and_then(|t| t.result)];
        let dots = s.tangents.iter().flat_map(|t| t.args.iter().flatten()).map(|(p, _)| p);
        let places = s.call.args.iter().filter_map(place).chain(dots);
        for (place, result) in places.flat_map(|p| results.into_iter().flatten().map(move |y| (p, y))) {
            place.indices(&mut |o| self.passive_code(o));
            self.made(result, place);
        }
    }

    /// In reverse, the callee is asked whether it reads an argument.
    fn reverse_sweep(&mut self, s: &'b Sweep) {
        let dots = s.tangents.iter().flat_map(|t| t.args.iter().enumerate());
        let dots = dots.filter_map(|(k, dot)| Some((k, &dot.as_ref()?.0)));
        let args = s.call.args.iter().enumerate().filter_map(|(k, arg)| Some((k, place(arg)?)));
        for (argument, place) in args.chain(dots) {
            place.indices(&mut |o| self.passive_code(o));
            self.value(place.root, &Need { always: false, calls: vec![Reader { sweep: s, argument }] });
            self.shape(place.root, &Need { always: true, calls: Vec::new() });
        }
        let bars = s.result_bar.into_iter().chain(s.tangents.as_ref().and_then(|t| t.result_bar));
        bars.for_each(|bar| self.always(bar));
    }
}

fn place(arg: &CallArg) -> Option<&Place> {
    match arg {
        CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p)) => Some(p),
        CallArg::Value(_) | CallArg::Passive(_) | CallArg::Lent(_) => None,
    }
}
