//! The adjoints of single statements.

use crate::ad::partials::{Factor, Partials};
use crate::ad::reverse::{Both, Reverse};
use crate::analysis::signs::literal;
use crate::analysis::split_borrows::{halves, read_halves};
use crate::ir::symbols::{Role, is_measured, is_nested};
use crate::ir::var_set::Vars;
use crate::ir::*;
use proc_macro2::{Literal, Span};
use quote::quote;

impl Reverse<'_> {
    /// A statement's forward and reverse parts.
    pub fn statement(&mut self, stmt: &Stmt) -> Both {
        match stmt {
            Stmt::Let { var, expr: Expr::Call(call) } => self.call(*var, call),
            Stmt::Assign { place, op: Assign::Set, value, .. }
                if self.activity.active(place.root) && self.is_reshaped(place, value) =>
            {
                self.replacement(stmt, place, value)
            }
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => self.control(stmt),
            _ => Both { forward: vec![stmt.clone()], reverse: self.reversed(stmt) },
        }
    }

    /// The reverse part of a statement that is its own forward part.
    fn reversed(&mut self, stmt: &Stmt) -> Vec<Stmt> {
        let mut out = Vec::new();
        match stmt {
            Stmt::Let { var, expr: Expr::Pop(place) } if self.activity.active(place.root) => {
                self.pop(*var, place, &mut out)
            }
            Stmt::Let { var, .. } if self.scales.contains_key(var) || self.roots.spent.contains(var) => {}
            Stmt::Let { var, expr } if self.activity.active(*var) => self.binding(*var, expr, &mut out),
            Stmt::Assign { place, op, value, .. } if self.activity.active(place.root) => {
                self.assignment(place, *op, value, &mut out)
            }
            Stmt::Push { place, value, .. } if self.activity.active(place.root) => self.push(place, value, &mut out),
            Stmt::Swap { a, b, span } if self.activity.active(a.root) => {
                let (a, b) = (self.bar_of(a), self.bar_of(b));
                out.push(Stmt::Swap { a, b, span: *span });
            }
            _ => {}
        }
        out
    }

    /// `target_bar op= value`, under the target's guard.
    pub fn accumulate(&mut self, target: &Place, op: Assign, value: Operand, out: &mut Vec<Stmt>) {
        if !self.activity.active(target.root) {
            return;
        }
        let place = self.bar_of(target);
        let stmt = Stmt::Assign { place, op, value, span: Span::call_site() };
        self.guarded(target.root, vec![stmt], out);
    }

    /// The same for aggregates.
    fn accumulate_whole(&mut self, target: &Place, value: Place, how: AddKind, out: &mut Vec<Stmt>) {
        if !self.activity.active(target.root) {
            return;
        }
        let place = self.bar_of(target);
        let stmt = Stmt::Derived(Derived::Acc { place, value, how });
        self.guarded(target.root, vec![stmt], out);
    }

    /// Floats and aggregates alike, by the target's type.
    fn flow(&mut self, target: &Operand, value: Place, out: &mut Vec<Stmt>) {
        let Operand::Place(target) = target else { return };
        match self.is_float(target) {
            true => self.accumulate(target, Assign::Add, Operand::Place(value), out),
            false => self.accumulate_whole(target, value, AddKind::Whole, out),
        }
    }

    fn is_float(&self, place: &Place) -> bool {
        crate::ir::place::element(self.table.ty(place.root), &place.path) == Ty::Float
    }

    /// Under the condition that the root is active in the call at hand. Floats of the body need
    /// none: what is not added to a parameter in the end is dead code.
    pub fn guarded(&mut self, root: Var, stmts: Vec<Stmt>, out: &mut Vec<Stmt>) {
        let own =
            self.function.params.iter().all(|p| p.var != self.table.origin(root)) && *self.table.ty(root) == Ty::Float;
        match self.activity.guard(self.activity.varied(root)).filter(|_| !own) {
            None => out.extend(stmts),
            Some(on) => out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts } })),
        }
    }

    fn binding(&mut self, var: Var, expr: &Expr, out: &mut Vec<Stmt>) {
        let bar = Place::var(self.bar(var));
        match expr {
            Expr::Operand(Operand::Place(p)) if *self.table.ty(var) == Ty::Float => {
                self.accumulate(p, Assign::Add, Operand::Place(bar), out);
            }
            Expr::Operand(Operand::Place(p)) => self.accumulate_whole(p, bar, AddKind::Whole, out),
            Expr::Op { op, args, span } => self.operation(var, op, args, *span, out),
            Expr::Array(all) | Expr::VecOf(all) => {
                for (k, o) in all.iter().enumerate() {
                    self.flow(o, step(&bar, nth(k)), out);
                }
            }
            Expr::Tuple(all) => {
                for (k, o) in all.iter().enumerate() {
                    self.flow(o, step(&bar, Proj::Field(syn::Member::from(k))), out);
                }
            }
            Expr::Struct(s) => s.fields.iter().for_each(|(field, o)| self.flow(o, step(&bar, field.clone()), out)),
            Expr::Boxed(o) => self.flow(o, step(&bar, Proj::Deref), out),
            Expr::Repeat { value, len } | Expr::VecRepeat { value, len } => self.repeat(&bar, value, len, out),
            Expr::ToVec(p) => self.accumulate_whole(p, bar, AddKind::Elementwise, out),
            Expr::Content(p) => self.accumulate_whole(p, bar, AddKind::Content, out),
            Expr::Operand(_) | Expr::Call(_) | Expr::Pop(_) | Expr::VecNew(_) | Expr::Passive(_) => {}
            Expr::Zero | Expr::Fresh { .. } | Expr::If { .. } | Expr::Scratch { .. } => {}
        }
    }

    /// `value_bar += bar[k]` for all k.
    fn repeat(&mut self, bar: &Place, value: &Operand, len: &PassiveCode, out: &mut Vec<Stmt>) {
        let Operand::Place(_) = value else { return };
        let k = self.table.fresh("k", Ty::Passive, Role::Primal, len.span);
        let mut body = Vec::new();
        self.flow(value, step(bar, Proj::Index(self.table.read(k))), &mut body);
        out.push(Stmt::For(For {
            var: k,
            lo: PassiveCode::literal(quote!(0)),
            hi: len.clone(),
            inclusive: false,
            step: None,
            down: false,
            until: None,
            checkpoint: None,
            body: Block { stmts: body },
        }));
    }

    fn operation(&mut self, var: Var, op: &Op, args: &[Operand], span: Span, out: &mut Vec<Stmt>) {
        let bar = self.bar(var);
        if *op == Op::Mul && (self.square(var, args, span, out) || self.power(var, args, span, out)) {
            return;
        }
        if self.quotient(var, op, args, span, out) {
            return;
        }
        let is_active = |a: &Operand| matches!(a, Operand::Place(p) if self.activity.active(p.root));
        let wanted: Vec<bool> = args.iter().map(is_active).collect();
        let mut partials = self.partials(var);
        let factors = partials.factors(op, args, var, &wanted, span);
        out.append(&mut partials.out);
        for (k, (arg, factor)) in args.iter().zip(factors).enumerate() {
            if let (Operand::Place(p), Some(Factor { minus, by, .. })) = (arg, factor) {
                let value = self.scaled(bar, self.mul(var, op, args, k), by, span, out);
                self.accumulate(p, if minus { Assign::Sub } else { Assign::Add }, value, out);
            }
        }
    }

    /// The maker of factors; functions of the same argument are available beside `var`.
    pub fn partials(&mut self, var: Var) -> Partials<'_> {
        Partials {
            table: &mut self.table,
            activity: &mut self.activity,
            base: &self.function.base,
            signs: self.unbounded.signs(),
            there: self.answers.beside(var),
            out: Vec::new(),
        }
    }

    /// How a cotangent meets the partial derivative of `answer` by its argument `of`: what nothing selected passes nothing on, and what has
    /// no slope has no part in an infinite one.
    pub fn mul(&self, answer: Var, op: &Op, args: &[Operand], of: usize) -> Op {
        let flat = self.unbounded.cotangent(answer) && may_be_flat(op, args, of);
        match (self.unbounded.partial(answer, op, args, of), flat) {
            (false, false) => Op::Mul,
            (true, false) => Op::StrongMul(StrongZero::Vector),
            (false, true) => Op::StrongMul(StrongZero::Factor),
            (true, true) => Op::StrongMul(StrongZero::Either),
        }
    }

    /// `bar * by`.
    fn scaled(&mut self, bar: Var, mul: Op, by: Option<Operand>, span: Span, out: &mut Vec<Stmt>) -> Operand {
        match by {
            Some(by) => Operand::var(self.flow_of(bar, mul, by, span, out)),
            None => Operand::var(bar),
        }
    }

    fn assignment(&mut self, place: &Place, op: Assign, value: &Operand, out: &mut Vec<Stmt>) {
        let bar = self.bar_of(place);
        let from = match value {
            Operand::Place(p) if self.activity.active(p.root) => Some(p),
            _ => None,
        };
        match (op, from) {
            (Assign::Add | Assign::Sub | Assign::Begin(_), None) => {}
            (Assign::Add | Assign::Sub | Assign::Begin(_), Some(p)) => {
                self.accumulate(p, op, Operand::Place(bar), out);
            }
            (Assign::Set, Some(p)) if self.is_float(place) => {
                let taken = self.taken(place, &bar, out);
                out.push(Stmt::Derived(Derived::Clear { place: bar, whole: false }));
                self.accumulate(p, Assign::Add, Operand::var(taken), out);
            }
            (Assign::Set, from) => {
                let whole = !self.is_float(place);
                if let Some(p) = from {
                    self.accumulate_whole(p, bar.clone(), AddKind::Whole, out);
                }
                out.push(Stmt::Derived(Derived::Clear { place: bar, whole }));
            }
        }
    }

    /// The cotangent of a number that is overwritten.
    fn taken(&mut self, place: &Place, bar: &Place, out: &mut Vec<Stmt>) -> Var {
        let taken = self.table.companion(place.root, "bar", Role::Bar);
        self.table.retype(taken, Ty::Float);
        self.activity.note(taken, self.activity.varied(place.root));
        out.push(Stmt::Let { var: taken, expr: Expr::Operand(Operand::Place(bar.clone())) });
        taken
    }

    /// Whether what is overwritten may have another shape than what overwrites it.
    fn is_reshaped(&self, place: &Place, value: &Operand) -> bool {
        let ty = crate::ir::place::element(self.table.ty(place.root), &place.path);
        let first = place.path.is_empty() && self.first.contains(&(place.root, value.as_var()));
        !first && may_be_reshaped(&ty)
    }

    /// A value in place of another one, which may have had another shape: the cotangent is that of the old value from there on.
    fn replacement(&mut self, stmt: &Stmt, place: &Place, value: &Operand) -> Both {
        let (bar, mut reverse) = (self.bar_of(place), Vec::new());
        if let Operand::Place(p) = value
            && self.activity.active(p.root)
        {
            self.accumulate_whole(p, bar.clone(), AddKind::Whole, &mut reverse);
        }
        let ty = crate::ir::place::element(self.table.ty(place.root), &place.path);
        let (shape, like) = self.shape_before(place, &ty);
        let zeros = self.table.companion(place.root, "bar", Role::Bar);
        self.table.retype(zeros, ty);
        self.activity.note(zeros, self.activity.varied(place.root));
        reverse.push(Stmt::Derived(Derived::Zero { var: zeros, like }));
        let (value, span) = (Operand::var(zeros), Span::call_site());
        reverse.push(Stmt::Assign { place: bar, op: Assign::Set, value, span });
        Both { forward: vec![shape, stmt.clone()], reverse }
    }

    /// The shape that a place has by now, and the statement that keeps it.
    fn shape_before(&mut self, place: &Place, ty: &Ty) -> (Stmt, ShapeOf) {
        if is_measured(ty) {
            let length = self.table.fresh("len", Ty::Passive, Role::Primal, Span::call_site());
            let expr = Expr::Passive(self.length_of(place));
            return (Stmt::Let { var: length, expr }, ShapeOf::Len(self.table.read(length)));
        }
        let old = self.mold("old");
        (self.molded(old, place), ShapeOf::Value(Place::var(old)))
    }

    /// A variable for the shape of a value.
    pub fn mold(&mut self, hint: &str) -> Var {
        let var = self.table.fresh(hint, Ty::Passive, Role::Primal, Span::call_site());
        self.containers.insert(var);
        var
    }

    /// `let mold = ` the shape of the place.
    pub fn molded(&mut self, mold: Var, place: &Place) -> Stmt {
        let ty = crate::ir::place::element(self.table.ty(place.root), &place.path);
        if is_nested(&ty) {
            self.table.retype(mold, ty);
            return Stmt::Let { var: mold, expr: Expr::ToVec(place.clone()) };
        }
        let tokens = crate::ad::partials::place_tokens(place, &self.table);
        let mut passive = PassiveCode::literal(quote!({
            use __d::{LikeIt as _, Molded as _, Shapeless as _};
            (&#tokens).__like().mold()
        }));
        passive.reads.insert(place.root);
        place.indices(&mut |o| passive.reads.extend(&o.reads));
        Stmt::Let { var: mold, expr: Expr::Passive(passive) }
    }

    fn push(&mut self, place: &Place, value: &Operand, out: &mut Vec<Stmt>) {
        let bar = self.bar_of(place);
        let popped = self.table.companion(place.root, "last", Role::Bar);
        let ty = match value {
            Operand::Place(p) => crate::ir::place::element(self.table.ty(p.root), &p.path),
            _ => Ty::Unknown,
        };
        self.table.retype(popped, ty);
        self.activity.note(popped, self.activity.varied(place.root));
        out.push(Stmt::Derived(Derived::Pop { var: popped, place: bar }));
        self.flow(value, Place::var(popped), out);
    }

    /// The cotangent of what left the vector goes back to its end, even where nothing used it.
    fn pop(&mut self, var: Var, place: &Place, out: &mut Vec<Stmt>) {
        let (place, value) = (self.bar_of(place), Operand::var(self.bar(var)));
        out.push(Stmt::Push { place, value, span: Span::call_site() });
    }

    /// A call: its forward sweep, and its reverse sweep.
    fn call(&mut self, var: Var, call: &Call) -> Both {
        if !self.call_is_active(var, call) {
            return Both { forward: vec![Stmt::Let { var, expr: Expr::Call(call.clone()) }], reverse: vec![] };
        }
        let forward = Sweep {
            kind: SweepKind::Forward,
            call: call.clone(),
            result: Some(var),
            bars: Vec::new(),
            result_bar: None,
            fresh: Vars::new(),
            tangents: None,
        };
        let mut forward = vec![Stmt::Derived(Derived::Sweep(Box::new(forward)))];
        let (result_bar, mut reverse) = match self.activity.active(var) {
            true => (Some(self.bar(var)), Vec::new()),
            false => self.unread(var, call, &mut forward),
        };
        let zeros = result_bar.filter(|_| !reverse.is_empty());
        reverse.extend(self.reverse_sweep(SweepKind::Reverse, (None, result_bar), call));
        reverse.extend(zeros.map(|var| Stmt::Derived(Derived::Release { var })));
        Both { forward, reverse }
    }

    /// The cotangent of a result that nothing reads, of a call that changes arguments: zeros of the result's shape, which is kept.
    fn unread(&mut self, var: Var, call: &Call, forward: &mut Vec<Stmt>) -> (Option<Var>, Vec<Stmt>) {
        if call.gives_nothing || *self.table.ty(var) == Ty::Float {
            return (None, Vec::new());
        }
        let shape = self.mold("shape");
        forward.push(self.molded(shape, &Place::var(var)));
        let bar = self.table.fresh("bar", Ty::Unknown, Role::Bar, Span::call_site());
        self.activity.note(bar, self.activity.everything());
        let like = ShapeOf::Value(Place::var(shape));
        (Some(bar), vec![Stmt::Derived(Derived::Zero { var: bar, like })])
    }

    fn call_is_active(&self, var: Var, call: &Call) -> bool {
        let written = call.args.iter().any(|a| matches!(a, CallArg::Mut(p) if self.activity.active(p.root)));
        written || self.activity.active(var)
    }

    /// The reverse sweep of a call, or both sweeps in one.
    pub fn reverse_sweep(
        &mut self,
        kind: SweepKind,
        (result, result_bar): (Option<Var>, Option<Var>),
        call: &Call,
    ) -> Vec<Stmt> {
        let (mut out, mut after) = (Vec::new(), Vec::new());
        let (halves, read) = (halves(call), read_halves(call));
        let read_root = |k: &usize| if let CallArg::Ref(p) = &call.args[*k] { Some(p.root) } else { None };
        let mut roots: Vec<Var> = read.iter().filter_map(read_root).collect();
        let bars = call
            .args
            .iter()
            .enumerate()
            .map(|(k, arg)| match arg {
                CallArg::Ref(p) | CallArg::Mut(p)
                    if (halves[k].is_some() || read.contains(&k)) && self.activity.active(p.root) =>
                {
                    roots.push(p.root);
                    Some((self.bar_of(p), self.activity.varied(p.root)))
                }
                _ => self.argument_bar(arg, &mut roots, &mut out, &mut after),
            })
            .collect();
        let sweep = Sweep { kind, call: call.clone(), result, bars, result_bar, fresh: Vars::new(), tangents: None };
        out.push(Stmt::Derived(Derived::Sweep(Box::new(sweep))));
        out.extend(after);
        out
    }

    fn argument_bar(
        &mut self,
        arg: &CallArg,
        roots: &mut Vec<Var>,
        before: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) -> Option<(Place, ParamSet)> {
        let (place, by_value) = match arg {
            CallArg::Ref(p) | CallArg::Mut(p) => (p, false),
            CallArg::Value(Operand::Place(p)) => (p, true),
            CallArg::Value(_) | CallArg::Passive(_) | CallArg::Lent(_) => return None,
        };
        if !self.activity.active(place.root) {
            return None;
        }
        let on = self.activity.varied(place.root);
        if by_value {
            return Some((self.scratch(place, before, after), on));
        }
        let again = roots.contains(&place.root);
        roots.push(place.root);
        // the callee finds the cotangent of what it changes there; nothing else lies at that place
        if !again || matches!(arg, CallArg::Mut(_)) {
            return Some((self.bar_of(place), on));
        }
        Some((self.scratch(place, before, after), on))
    }

    /// A shadow of its own for an argument, added to the real one afterwards.
    fn scratch(&mut self, place: &Place, before: &mut Vec<Stmt>, after: &mut Vec<Stmt>) -> Place {
        let var = self.table.companion(place.root, "part", Role::Bar);
        let ty = crate::ir::place::element(self.table.ty(place.root), &place.path);
        self.activity.note(var, self.activity.varied(place.root));
        let Ty::Slice(element) = &ty else {
            self.table.retype(var, ty.clone());
            let part = Place::var(var);
            if ty == Ty::Float {
                before.push(Stmt::Let { var, expr: Expr::Zero });
                self.accumulate(place, Assign::Add, Operand::var(var), after);
            } else {
                self.scratch_of(var, ShapeOf::Value(place.clone()), (place, AddKind::Whole), before, after);
            }
            return part;
        };
        let like = match **element == Ty::Float {
            true => ShapeOf::Len(self.length_of(place)),
            false => ShapeOf::Value(place.clone()),
        };
        self.table.retype(var, Ty::Vec(element.clone()));
        self.scratch_of(var, like, (place, AddKind::Elementwise), before, after);
        step(&Place::var(var), Proj::Range(None, None))
    }

    /// A shadow like a value, added to that of a place and given back.
    fn scratch_of(
        &mut self,
        var: Var,
        like: ShapeOf,
        (place, how): (&Place, AddKind),
        before: &mut Vec<Stmt>,
        after: &mut Vec<Stmt>,
    ) {
        before.push(Stmt::Derived(Derived::Zero { var, like }));
        self.accumulate_whole(place, Place::var(var), how, after);
        after.push(Stmt::Derived(Derived::Release { var }));
    }

    pub fn length_of(&self, place: &Place) -> PassiveCode {
        let tokens = crate::ad::partials::place_tokens(place, &self.table);
        let mut passive = PassiveCode::literal(quote!(#tokens.len()));
        passive.shapes.insert(place.root);
        place.indices(&mut |i| passive.reads.extend(&i.reads));
        passive
    }
}

/// Whether two values of a type may have shadows of different shapes.
fn may_be_reshaped(ty: &Ty) -> bool {
    match ty {
        Ty::Vec(_) | Ty::Struct(_) | Ty::Unknown => true,
        Ty::Array(element) => may_be_reshaped(element),
        Ty::Tuple(members) => members.iter().any(may_be_reshaped),
        Ty::Float | Ty::Passive | Ty::Slice(_) | Ty::Library => false,
    }
}

/// Whether a partial derivative may be zero.
fn may_be_flat(op: &Op, args: &[Operand], of: usize) -> bool {
    let is_written = |k: usize| matches!(&args[k], Operand::Passive(o) if literal(o).is_some_and(|n| n != 0.0));
    match op {
        Op::Neg | Op::Add | Op::Sub => false,
        Op::Mul => !is_written(1 - of),
        Op::Div => of == 1,
        _ => true,
    }
}

/// One step further.
pub fn step(place: &Place, proj: Proj) -> Place {
    Place { root: place.root, path: [&place.path[..], &[proj]].concat() }
}

/// The step to an element.
pub fn nth(k: usize) -> Proj {
    let k = Literal::usize_unsuffixed(k);
    Proj::Index(PassiveCode::literal(quote!(#k)))
}
