//! The tangent of a function, or of its adjoint: IR to IR.
//!
//! Every statement is followed by the statement that computes its tangent. This is also how
//! second order is made: the reverse pass's output is ordinary IR, in which cotangents are floats
//! like others.

use crate::ad::partials::{Factor, Partials, literal};
use crate::ad::reverse::{Roots, Scale, scales};
use crate::analysis::activity::Activity;
use crate::analysis::unbounded::Unbounded;
use crate::ir::place::{element, key};
use crate::ir::symbols::{Role, Table, is_fixed};
use crate::ir::var_set::Vars;
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::Span;
use quote::quote;

mod derived;
mod operations;
mod quotients;

/// The pass; keeps the tangents' variables between the blocks of one product.
pub struct Forward<'f> {
    base: &'f Base,
    /// All variables.
    pub table: Table,
    /// The dependence of variables on parameters.
    pub activity: Activity,
    /// The tangent of each variable that has one.
    pub dots: HashMap<Var, Var>,
    /// Parameters whose tangent may be empty.
    switched: HashSet<Var>,
    /// What `a` is in `r = a * v`: `c * v` or `v * v`.
    scales: HashMap<Var, Scale>,
    /// The roots in `r = sqrt v; t = v * r`, by `t`.
    roots: HashMap<Var, Var>,
    /// Tangents that may be infinite.
    unbounded: Unbounded,
    /// Reciprocals that have no tangent, as they stand for divisions.
    divided: Vars,
    /// Of products `bar * y` that have no tangent, as they are multiplied by `y` once more: `bar`.
    once: HashMap<Var, Operand>,
    out: Vec<Stmt>,
}

impl<'f> Forward<'f> {
    /// Starts with the tangents of the parameters.
    pub fn new(function: &'f Function, table: Table, activity: Activity) -> Self {
        let (scales, roots) = (scales(function, &activity), Roots::find(function, &activity).of);
        let mut pass = Forward {
            base: &function.base,
            table,
            activity,
            dots: HashMap::default(),
            switched: HashSet::default(),
            scales,
            roots,
            unbounded: Unbounded::of(function),
            divided: Vars::new(),
            once: HashMap::default(),
            out: Vec::new(),
        };
        for param in function.params.iter().filter(|p| p.active) {
            let dot = pass.dot(param.var);
            if param.passing != Passing::Value || *pass.table.ty(param.var) != Ty::Float {
                pass.table.set_ref(dot);
                pass.switched.insert(param.var);
            }
        }
        pass
    }

    /// Declares the tangent of a cotangent that is a parameter of generated code.
    pub fn external(&mut self, var: Var) {
        let dot = self.dot(var);
        if self.table.is_ref(var) {
            self.table.set_ref(dot);
        }
    }

    /// A body with its tangent.
    pub fn body(&mut self, body: &Block) -> Block {
        self.unbounded.follow(body);
        self.block(body)
    }

    /// Statements with their tangents.
    pub fn block(&mut self, block: &Block) -> Block {
        self.note_divided(&block.stmts);
        let outer = std::mem::take(&mut self.out);
        block.stmts.iter().for_each(|s| self.stmt(s));
        Block { stmts: std::mem::replace(&mut self.out, outer) }
    }

    /// The tangent of a member of a result: that of an integer is nothing.
    fn member_result(&mut self, out: &Output) -> Output {
        if let Output::Passive(_) = out { Output::Unit } else { self.result(out) }
    }

    /// The tangent of a result.
    pub fn result(&mut self, out: &Output) -> Output {
        match out {
            Output::Float(o) => Output::Float(self.dot_operand(o, &Ty::Float)),
            Output::Place(p) => match self.dot_operand(&Operand::Place(p.clone()), &Ty::Unknown) {
                Operand::Place(p) => Output::Place(p),
                Operand::Passive(o) => Output::Passive(o),
                made => Output::Float(made),
            },
            Output::Tuple(all) => Output::Tuple(all.iter().map(|o| self.member_result(o)).collect()),
            Output::Array(all) => Output::Array(all.iter().map(|o| self.result(o)).collect()),
            Output::Passive(o) => Output::Passive(o.clone()),
            Output::Beside(y, _) => self.result(y),
            Output::Maybe(m) => {
                let content = self.result(&m.content);
                Output::Maybe(Box::new(MaybeOutput { content, failure: None, ..(**m).clone() }))
            }
            Output::Unit => Output::Unit,
        }
    }

    /// Statements that [`result`](Self::result) needed first.
    pub fn pending(&mut self) -> Vec<Stmt> {
        std::mem::take(&mut self.out)
    }

    fn varied(&self, var: Var) -> ParamSet {
        match self.table.role(var) {
            Role::Bar => self.activity.everything(),
            _ => self.activity.varied(var),
        }
    }

    fn moves(&self, var: Var) -> bool {
        *self.table.ty(var) != Ty::Passive && !self.varied(var).is_empty()
    }

    /// The tangent of a variable.
    fn dot(&mut self, var: Var) -> Var {
        if let Some(dot) = self.dots.get(&var) {
            return *dot;
        }
        let dot = self.table.companion(var, "dot", Role::Dot);
        self.activity.note(dot, self.varied(var));
        self.dots.insert(var, dot);
        dot
    }

    fn dot_of(&mut self, place: &Place) -> Place {
        place.at(self.dot(place.root))
    }

    fn place_dot(&mut self, o: &Operand) -> Option<Place> {
        match o {
            Operand::Place(p) if self.moves(p.root) => Some(self.read_dot(p)),
            _ => None,
        }
    }

    /// The tangent of a place that is read. A parameter that is switched off in the call at hand
    /// has an empty tangent: its elements are read under its guard, and are zero otherwise.
    fn read_dot(&mut self, p: &Place) -> Place {
        let dot = self.dot_of(p);
        let Some(on) = self.guard_of(p.root) else { return dot };
        let var = self.table.companion(p.root, "dot", Role::Dot);
        let ty = element(self.table.ty(p.root), &p.path);
        self.table.retype(var, ty.clone());
        self.activity.note(var, self.varied(p.root));
        let read = match ty == Ty::Float {
            true => {
                self.out.push(Stmt::Let { var, expr: Expr::Zero });
                let (place, value) = (Place::var(var), Operand::Place(dot));
                Stmt::Assign { place, op: Assign::Set, value, span: Span::call_site() }
            }
            false => {
                self.zero(var, ShapeOf::Value(p.clone()));
                Stmt::Derived(Derived::Acc { place: Place::var(var), value: dot, how: AddKind::Whole })
            }
        };
        self.out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![read] } }));
        Place::var(var)
    }

    /// The tangent of an operand of the given type; zero if it has none.
    fn dot_operand(&mut self, o: &Operand, ty: &Ty) -> Operand {
        if let Some(dot) = self.place_dot(o) {
            return Operand::Place(dot);
        }
        if *ty == Ty::Passive {
            return Operand::Passive(PassiveCode::literal(quote!(())));
        }
        let zero = self.table.fresh("zero", ty.clone(), Role::Dot, Span::call_site());
        match (ty, o) {
            (Ty::Float, _) | (_, Operand::Made { .. }) => self.out.push(Stmt::Let { var: zero, expr: Expr::Zero }),
            (_, Operand::Place(p)) => self.zero(zero, ShapeOf::Value(p.clone())),
            (_, Operand::Passive(o)) => self.zero(zero, ShapeOf::Passive(o.clone())),
        }
        Operand::var(zero)
    }

    fn zero(&mut self, var: Var, like: ShapeOf) {
        self.out.push(Stmt::Derived(Derived::Zero { var, like }));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, expr: Expr::Call(call) } if self.moves(*var) || mutates(call) => self.call(*var, call),
            Stmt::Assign { place, op, value, span } => self.assignment(place, *op, value, *span),
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::For(_) | Stmt::While { .. } => self.control(stmt),
            Stmt::Derived(d) => self.derived(d),
            Stmt::Let { .. } | Stmt::Declare { .. } | Stmt::Push { .. } | Stmt::Swap { .. } | Stmt::Effect { .. } => {
                self.out.push(stmt.clone());
                self.follow(stmt);
            }
        }
    }

    /// The statement of tangents that comes after one of values.
    fn follow(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { var, .. } if self.divided.contains(var) || self.once.contains_key(var) => {}
            Stmt::Let { var, expr } if self.moves(*var) => self.binding(*var, expr),
            Stmt::Declare { var } if self.moves(*var) => {
                let var = self.dot(*var);
                self.out.push(Stmt::Declare { var });
            }
            Stmt::Push { place, value, span } if self.moves(place.root) => {
                let ty = self.pushed(place, value);
                let (value, place) = (self.dot_operand(value, &ty), self.dot_of(place));
                self.out.push(Stmt::Push { place, value, span: *span });
            }
            Stmt::Swap { a, b, span } if self.moves(a.root) => {
                let (a, b) = (self.dot_of(a), self.dot_of(b));
                self.out.push(Stmt::Swap { a, b, span: *span });
            }
            _ => {}
        }
    }

    fn control(&mut self, stmt: &Stmt) {
        let stmt = match stmt {
            Stmt::If { cond, then, els } => {
                let (then, els) = (self.block(then), self.block(els));
                Stmt::If { cond: cond.clone(), then, els }
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = arms.iter().map(|a| Arm { body: self.block(&a.body), ..a.clone() }).collect();
                Stmt::Switch { scrutinee: scrutinee.clone(), arms }
            }
            Stmt::For(on) => Stmt::For(For { body: self.block(&on.body), ..on.clone() }),
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, body) = (self.block(prelude), self.block(body));
                Stmt::While { prelude, cond: cond.clone(), body, checkpoint: None }
            }
            other => unreachable!("no control flow: {other:?}"),
        };
        self.out.push(stmt);
    }

    fn pushed(&self, place: &Place, value: &Operand) -> Ty {
        match element(
            self.table.ty(place.root),
            &[&place.path[..], &[Proj::Index(PassiveCode::literal(quote!(0)))]].concat(),
        ) {
            Ty::Unknown => match value {
                Operand::Place(p) => element(self.table.ty(p.root), &p.path),
                _ => Ty::Unknown,
            },
            known => known,
        }
    }

    fn binding(&mut self, var: Var, expr: &Expr) {
        let (dot, ty) = (self.dot(var), self.table.ty(var).clone());
        match expr {
            Expr::Op { op, args, span } => self.operation(var, op, args, *span),
            Expr::Struct(s) => self.literal(var, dot, s),
            Expr::ToVec(p) if self.moves(p.root) => self.copied(var, dot, p),
            Expr::Repeat { value: Operand::Passive(_), .. } | Expr::VecRepeat { value: Operand::Passive(_), .. }
                if members_of(&ty) != Ty::Float =>
            {
                self.zero(dot, ShapeOf::Value(Place::var(var)));
            }
            Expr::Content(p) if !self.moves(p.root) => self.still(var, dot),
            Expr::Call(_) | Expr::ToVec(_) | Expr::Passive(_) => self.still(var, dot),
            moving => {
                let expr = self.dot_expr(moving, &ty);
                self.out.push(Stmt::Let { var: dot, expr });
            }
        }
    }

    /// The tangent of a value that does not move.
    fn still(&mut self, var: Var, dot: Var) {
        match *self.table.ty(var) {
            Ty::Float => self.out.push(Stmt::Let { var: dot, expr: Expr::Zero }),
            _ => self.zero(dot, ShapeOf::Value(Place::var(var))),
        }
    }

    /// The same expression of tangents.
    fn dot_expr(&mut self, expr: &Expr, ty: &Ty) -> Expr {
        let inner = members_of(ty);
        match expr {
            Expr::Operand(o) => Expr::Operand(self.dot_operand(o, ty)),
            Expr::Array(all) => Expr::Array(self.dot_operands(all, &inner)),
            Expr::VecOf(all) => Expr::VecOf(self.dot_operands(all, &inner)),
            Expr::Tuple(all) => {
                let types = match ty {
                    Ty::Tuple(types) if types.len() == all.len() => types.clone(),
                    _ => vec![Ty::Unknown; all.len()],
                };
                Expr::Tuple(all.iter().zip(&types).map(|(o, ty)| self.dot_operand(o, ty)).collect())
            }
            Expr::Boxed(o) => Expr::Boxed(self.dot_operand(o, &Ty::Unknown)),
            Expr::Repeat { value, len } => Expr::Repeat { value: self.dot_operand(value, &inner), len: len.clone() },
            Expr::VecRepeat { value, len } => {
                Expr::VecRepeat { value: self.dot_operand(value, &inner), len: len.clone() }
            }
            Expr::VecNew(_) => Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new()))),
            Expr::Content(p) => Expr::Content(self.dot_of(p)),
            Expr::Pop(p) => Expr::Pop(self.dot_of(p)),
            Expr::Scratch { len } => Expr::Scratch { len: len.clone() },
            Expr::Zero => Expr::Zero,
            Expr::If { cond, place } => Expr::If { cond: cond.clone(), place: self.dot_of(place) },
            Expr::Fresh { place, bar } => Expr::Fresh { place: self.dot_of(place), bar: self.dot(*bar) },
            Expr::Op { .. } | Expr::Struct(_) | Expr::ToVec(_) | Expr::Call(_) | Expr::Passive(_) => {
                unreachable!("the tangent is no expression of the same form")
            }
        }
    }

    /// A struct's tangent is zero, then field by field what its values' tangents are.
    fn literal(&mut self, var: Var, dot: Var, s: &Literal) {
        self.zero(dot, ShapeOf::Value(Place::var(var)));
        for (step, o) in &s.fields {
            let Operand::Place(p) = o else { continue };
            if !self.moves(p.root) {
                continue;
            }
            let (place, from) = (Place { root: dot, path: vec![step.clone()] }, self.dot_of(p));
            match self.guard_of(p.root) {
                None => {
                    let (op, value) = (Assign::Set, Operand::Place(from));
                    self.out.push(Stmt::Assign { place, op, value, span: Span::call_site() });
                }
                Some(on) => self.add_under(on, place, from),
            }
        }
    }

    /// What says whether a parameter that may be switched off is not.
    fn guard_of(&self, var: Var) -> Option<ParamSet> {
        self.activity.guard(self.varied(var)).filter(|_| self.switched.contains(&var))
    }

    /// `if on { place += value }`, whatever they hold.
    fn add_under(&mut self, on: ParamSet, place: Place, value: Place) {
        let read = Stmt::Derived(Derived::Acc { place, value, how: AddKind::Whole });
        self.out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![read] } }));
    }

    /// `let v_dot = x_dot.to_vec()`; zeros of `v`'s length where `x` is switched off.
    fn copied(&mut self, var: Var, dot: Var, from: &Place) {
        let source = self.dot_of(from);
        match self.guard_of(from.root) {
            None => self.out.push(Stmt::Let { var: dot, expr: Expr::ToVec(source) }),
            Some(on) => {
                self.zero(dot, ShapeOf::Value(Place::var(var)));
                let read =
                    Stmt::Derived(Derived::Acc { place: Place::var(dot), value: source, how: AddKind::Elementwise });
                self.out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts: vec![read] } }));
            }
        }
    }

    fn dot_operands(&mut self, all: &[Operand], ty: &Ty) -> Vec<Operand> {
        all.iter().map(|o| self.dot_operand(o, ty)).collect()
    }

    fn assignment(&mut self, place: &Place, op: Assign, value: &Operand, span: Span) {
        let stmt = Stmt::Assign { place: place.clone(), op, value: value.clone(), span };
        if !self.moves(place.root) {
            self.out.push(stmt);
            return;
        }
        let target = self.dot_of(place);
        let from = match (op, self.place_dot(value)) {
            (_, Some(from)) => Some(Operand::Place(from)),
            (Assign::Set, None) => return self.stilled((place, target), (value, span), stmt),
            (Assign::Add | Assign::Sub | Assign::Begin(_), None) => None,
        };
        self.out.push(stmt);
        self.out.extend(from.map(|value| Stmt::Assign { place: target, op, value, span }));
    }

    /// A place is given a value that does not move.
    fn stilled(&mut self, (place, target): (&Place, Place), (value, span): (&Operand, Span), stmt: Stmt) {
        let (ty, whole) = (element(self.table.ty(place.root), &place.path), place.path.is_empty());
        // rustc knows the type of the variable, and perhaps not that of the value: `None`; a list may have another length than before
        if whole && is_whole(value, &ty) || matches!(ty, Ty::Vec(_)) {
            self.out.push(stmt);
            let zero = self.table.fresh("zero", ty, Role::Dot, Span::call_site());
            self.zero(zero, ShapeOf::Value(place.clone()));
            self.out.push(Stmt::Assign { place: target, op: Assign::Set, value: Operand::var(zero), span });
        } else if whole || ty == Ty::Float && !self.is_in_data(place) {
            let value = self.dot_operand(value, &ty);
            self.out.push(stmt);
            self.out.push(Stmt::Assign { place: target, op: Assign::Set, value, span });
        } else if ty == Ty::Float || is_fixed(&ty) {
            self.out.push(stmt);
            self.out.push(Stmt::Derived(Derived::Clear { place: target, whole: true }));
        } else {
            self.out.push(stmt);
            self.out.push(Stmt::Derived(Derived::Still { place: target, like: place.clone() }));
        }
    }

    fn is_in_data(&self, place: &Place) -> bool {
        crate::ir::place::is_in_data(self.table.ty(place.root), &place.path)
    }

    fn call(&mut self, var: Var, call: &Call) {
        let args = self.arguments(call);
        let result = self.dot(var);
        self.out.push(Stmt::Derived(Derived::Sweep(Box::new(Sweep {
            kind: SweepKind::Push,
            call: call.clone(),
            result: Some(var),
            bars: Vec::new(),
            result_bar: None,
            fresh: Vars::new(),
            tangents: Some(SweepTangents { args, result: Some(result), bars: Vec::new(), result_bar: None }),
        }))));
    }

    fn arguments(&mut self, call: &Call) -> Vec<Option<(Place, ParamSet)>> {
        let mut dots = Vec::new();
        for arg in &call.args {
            dots.push(match arg {
                CallArg::Ref(p) | CallArg::Mut(p) | CallArg::Value(Operand::Place(p)) if self.moves(p.root) => {
                    Some((self.dot_of(p), self.varied(p.root)))
                }
                _ => None,
            });
        }
        dots
    }

    fn carried_dots(&mut self, carried: &[Carried]) -> Vec<Carried> {
        let moving = carried.iter().filter(|c| self.moves(c.was)).copied().collect::<Vec<_>>();
        let dots = moving.into_iter().map(|c| Carried {
            cell: self.dot(c.cell),
            value: self.dot(c.value),
            was: self.dot(c.was),
        });
        dots.collect()
    }
}

/// The type of a container's members.
fn members_of(ty: &Ty) -> Ty {
    match ty {
        Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => (**e).clone(),
        _ => Ty::Unknown,
    }
}

fn mutates(call: &Call) -> bool {
    call.args.iter().any(|a| matches!(a, CallArg::Mut(_)))
}

/// Whether a value is passive, and of a type that only rustc knows.
fn is_whole(value: &Operand, ty: &Ty) -> bool {
    matches!(value, Operand::Passive(_)) && matches!(ty, Ty::Unknown | Ty::Struct(_))
}
