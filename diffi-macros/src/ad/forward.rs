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
use crate::ir::symbols::{Role, Table};
use crate::ir::var_set::Vars;
use crate::ir::*;
use crate::support::hash::{HashMap, HashSet};
use proc_macro2::Span;
use quote::quote;

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
        let (span, float) = (Span::call_site(), ty == Ty::Float);
        let read = match float {
            true => {
                self.out.push(Stmt::Let { var, expr: Expr::Zero });
                Stmt::Assign { place: Place::var(var), op: Assign::Set, value: Operand::Place(dot), span }
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
            Stmt::Let { var, expr } => {
                self.out.push(stmt.clone());
                if self.moves(*var) && !self.divided.contains(var) && !self.once.contains_key(var) {
                    self.binding(*var, expr);
                }
            }
            Stmt::Declare { var } => {
                self.out.push(stmt.clone());
                if self.moves(*var) {
                    let var = self.dot(*var);
                    self.out.push(Stmt::Declare { var });
                }
            }
            Stmt::Assign { place, op, value, span } => self.assignment(place, *op, value, *span),
            Stmt::Push { place, value, span } => {
                self.out.push(stmt.clone());
                if self.moves(place.root) {
                    let ty = self.pushed(place, value);
                    let value = self.dot_operand(value, &ty);
                    let place = self.dot_of(place);
                    self.out.push(Stmt::Push { place, value, span: *span });
                }
            }
            Stmt::Swap { a, b, span } => {
                self.out.push(stmt.clone());
                if self.moves(a.root) {
                    let (a, b) = (self.dot_of(a), self.dot_of(b));
                    self.out.push(Stmt::Swap { a, b, span: *span });
                }
            }
            Stmt::If { cond, then, els } => {
                let (then, els) = (self.block(then), self.block(els));
                self.out.push(Stmt::If { cond: cond.clone(), then, els });
            }
            Stmt::Switch { scrutinee, arms } => {
                let arms = arms.iter().map(|a| Arm { body: self.block(&a.body), ..a.clone() }).collect();
                self.out.push(Stmt::Switch { scrutinee: scrutinee.clone(), arms });
            }
            Stmt::For(on) => {
                let body = self.block(&on.body);
                self.out.push(Stmt::For(For { body, ..on.clone() }));
            }
            Stmt::While { prelude, cond, body, .. } => {
                let (prelude, body) = (self.block(prelude), self.block(body));
                self.out.push(Stmt::While { prelude, cond: cond.clone(), body, checkpoint: None });
            }
            Stmt::Effect { .. } => self.out.push(stmt.clone()),
            Stmt::Derived(d) => self.derived(d),
        }
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
        let dot = self.dot(var);
        let ty = self.table.ty(var).clone();
        let inner = match &ty {
            Ty::Vec(e) | Ty::Array(e) | Ty::Slice(e) => (**e).clone(),
            _ => Ty::Unknown,
        };
        let expr = match expr {
            Expr::Op { op, args, span } => return self.operation(var, op, args, *span),
            Expr::Operand(o) => Expr::Operand(self.dot_operand(o, &ty)),
            Expr::Array(all) => Expr::Array(self.dot_operands(all, &inner)),
            Expr::VecOf(all) => Expr::VecOf(self.dot_operands(all, &inner)),
            Expr::Tuple(all) => {
                let types = match &ty {
                    Ty::Tuple(types) if types.len() == all.len() => types.clone(),
                    _ => vec![Ty::Unknown; all.len()],
                };
                Expr::Tuple(all.iter().zip(&types).map(|(o, ty)| self.dot_operand(o, ty)).collect())
            }
            Expr::Struct(s) => return self.literal(var, dot, s),
            Expr::Boxed(o) => Expr::Boxed(self.dot_operand(o, &Ty::Unknown)),
            Expr::Repeat { value: Operand::Passive(_), .. } | Expr::VecRepeat { value: Operand::Passive(_), .. }
                if inner != Ty::Float =>
            {
                return self.zero(dot, ShapeOf::Value(Place::var(var)));
            }
            Expr::Repeat { value, len } => Expr::Repeat { value: self.dot_operand(value, &inner), len: len.clone() },
            Expr::VecRepeat { value, len } => {
                Expr::VecRepeat { value: self.dot_operand(value, &inner), len: len.clone() }
            }
            Expr::VecNew(_) => Expr::VecNew(PassiveCode::literal(quote!(::std::vec::Vec::new()))),
            Expr::ToVec(p) if self.moves(p.root) => return self.copied(var, dot, p),
            Expr::Content(p) if self.moves(p.root) => Expr::Content(self.dot_of(p)),
            Expr::Pop(p) => Expr::Pop(self.dot_of(p)),
            Expr::Scratch { len } => Expr::Scratch { len: len.clone() },
            Expr::Zero => Expr::Zero,
            Expr::If { cond, place } => Expr::If { cond: cond.clone(), place: self.dot_of(place) },
            Expr::Fresh { place, bar } => Expr::Fresh { place: self.dot_of(place), bar: self.dot(*bar) },
            Expr::Call(_) | Expr::ToVec(_) | Expr::Content(_) | Expr::Passive(_) => {
                return match ty {
                    Ty::Float => self.out.push(Stmt::Let { var: dot, expr: Expr::Zero }),
                    _ => self.zero(dot, ShapeOf::Value(Place::var(var))),
                };
            }
        };
        self.out.push(Stmt::Let { var: dot, expr });
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

    /// `y_dot = Σ ∂y/∂a · a_dot`.
    fn operation(&mut self, var: Var, op: &Op, args: &[Operand], span: Span) {
        if self.quotient(var, op, args, span) {
            return;
        }
        let dots: Vec<Option<Place>> = args.iter().map(|a| self.place_dot(a)).collect();
        let wanted: Vec<bool> = dots.iter().map(Option::is_some).collect();
        let mut partials = Partials {
            table: &mut self.table,
            activity: &mut self.activity,
            base: self.base,
            there: &[],
            out: Vec::new(),
        };
        let mut factors = partials.factors(op, args, var, &wanted, span);
        // All parts of the tangent of `v * v`, `c * v * v`, `v * v * v` or `v * sqrt(v)` at once: a tangent may be many numbers, its
        // factor is one.
        let primal = partials.table.role(var) == Role::Primal;
        let of_root = self.roots.get(&var).filter(|_| primal).and_then(|root| power_of_root(args, *root));
        if let Some(Power { v, other, times }) =
            of_root.or_else(|| power(op, args, |a| self.scales.get(&a).filter(|_| primal)))
        {
            let number = |n| Operand::Passive(PassiveCode::literal(literal(self.base, &n)));
            let (first, op, hint) = match times {
                Times::Two => (args[other].clone(), Op::Add, "twice"),
                Times::Three => (number(quote!(3.0)), Op::Mul, "thrice"),
                Times::ThreeHalves => (number(quote!(1.5)), Op::Mul, "scaled_root"),
            };
            let times = partials.op(op, vec![first, args[other].clone()], hint, span);
            (factors[v], factors[other]) = (Some(Factor::plus(times)), None);
        }
        self.out.append(&mut partials.out);
        let steep = |k: usize| primal && self.unbounded.tangent(&args[k]);
        let marked = factors.iter_mut().enumerate().filter(|(k, _)| steep(*k)).filter_map(|(_, f)| f.as_mut());
        marked.for_each(|factor| factor.strong = Some(StrongZero::Factor));
        let (whole, dot) = (self.varied(var), self.dot(var));
        let terms = dots.into_iter().zip(factors).filter_map(|(d, f)| d.zip(f)).collect();
        self.sum(dot, terms, whole, span);
    }

    /// `dot = Σ factor · place`, which changes where `whole` does.
    fn sum(&mut self, dot: Var, mut terms: Vec<(Place, Factor)>, whole: ParamSet, span: Span) {
        let first = terms.iter().position(|(place, _)| self.varied_dot(place) == whole);
        match first {
            Some(at) => {
                let (place, factor) = terms.remove(at);
                self.start(dot, place, factor, span);
            }
            None => self.out.push(Stmt::Let { var: dot, expr: Expr::Zero }),
        }
        for (place, factor) in terms {
            let on = self.varied_dot(&place);
            let outer = std::mem::take(&mut self.out);
            self.add(dot, place, factor, span);
            let stmts = std::mem::replace(&mut self.out, outer);
            match on == whole {
                true => self.out.extend(stmts),
                false => self.out.push(Stmt::Derived(Derived::Guard { on, body: Block { stmts } })),
            }
        }
    }

    fn varied_dot(&self, place: &Place) -> ParamSet {
        self.activity.varied(place.root)
    }

    fn start(&mut self, dot: Var, place: Place, factor: Factor, span: Span) {
        let (from, op) = (Operand::Place(place), factor.mul());
        let expr = match (factor.minus, factor.by) {
            (false, None) => Expr::Operand(from),
            (true, None) => Expr::Op { op: Op::Neg, args: vec![from], span },
            (false, Some(by)) => Expr::Op { op, args: vec![from, by], span },
            (true, Some(by)) => {
                let scaled = self.scaled(op, from, by, span);
                Expr::Op { op: Op::Neg, args: vec![scaled], span }
            }
        };
        self.out.push(Stmt::Let { var: dot, expr });
    }

    fn add(&mut self, dot: Var, place: Place, factor: Factor, span: Span) {
        let op = if factor.minus { Assign::Sub } else { Assign::Add };
        let mul = factor.mul();
        let value = match factor.by {
            Some(by) => self.scaled(mul, Operand::Place(place), by, span),
            None => Operand::Place(place),
        };
        self.out.push(Stmt::Assign { place: Place::var(dot), op, value, span });
    }

    fn scaled(&mut self, op: Op, from: Operand, by: Operand, span: Span) -> Operand {
        let var = self.table.fresh("flow", Ty::Float, Role::Dot, span);
        self.out.push(Stmt::Let { var, expr: Expr::Op { op, args: vec![from, by], span } });
        Operand::var(var)
    }

    fn assignment(&mut self, place: &Place, op: Assign, value: &Operand, span: Span) {
        let stmt = Stmt::Assign { place: place.clone(), op, value: value.clone(), span };
        if !self.moves(place.root) {
            self.out.push(stmt);
            return;
        }
        let target = self.dot_of(place);
        let declared_only = self.place_dot(value);
        let ty = element(self.table.ty(place.root), &place.path);
        match (op, declared_only) {
            (_, Some(from)) => {
                self.out.push(stmt);
                self.out.push(Stmt::Assign { place: target, op, value: Operand::Place(from), span });
            }
            // rustc knows the type of the variable, and perhaps not that of the value: `None`
            (Assign::Set, None) if place.path.is_empty() && is_whole(value, &ty) => {
                self.out.push(stmt);
                let zero = self.table.fresh("zero", ty, Role::Dot, Span::call_site());
                self.zero(zero, ShapeOf::Value(place.clone()));
                self.out.push(Stmt::Assign { place: target, op, value: Operand::var(zero), span });
            }
            (Assign::Set, None) if place.path.is_empty() || ty == Ty::Float && !self.is_in_data(place) => {
                let zero = self.dot_operand(value, &ty);
                self.out.push(stmt);
                self.out.push(Stmt::Assign { place: target, op, value: zero, span });
            }
            (Assign::Set, None) => {
                self.out.push(stmt);
                self.out.push(Stmt::Derived(Derived::Clear { place: target, whole: true }));
            }
            (Assign::Add | Assign::Sub | Assign::Begin(_), None) => self.out.push(stmt),
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

    fn derived(&mut self, d: &Derived) {
        match d {
            Derived::Zero { var, like } | Derived::Unset { var, like, .. } => {
                self.out.push(Stmt::Derived(d.clone()));
                let dot = self.dot(*var);
                self.zero(dot, like.clone());
            }
            Derived::Release { var } => {
                self.out.push(Stmt::Derived(d.clone()));
                if self.moves(*var) {
                    let var = self.dot(*var);
                    self.out.push(Stmt::Derived(Derived::Release { var }));
                }
            }
            Derived::Acc { place, value, how } => {
                self.out.push(Stmt::Derived(d.clone()));
                let (place, value) = (self.dot_of(place), self.dot_of(value));
                self.out.push(Stmt::Derived(Derived::Acc { place, value, how: *how }));
            }
            Derived::Move { .. } => unreachable!("values are moved last of all"),
            Derived::View { var, place, exclusive, on } => {
                self.out.push(Stmt::Derived(d.clone()));
                if self.moves(*var) {
                    let (dot, place) = (self.dot(*var), self.dot_of(place));
                    self.table.set_ref(dot);
                    let view = Derived::View { var: dot, place, exclusive: *exclusive, on: *on };
                    self.out.push(Stmt::Derived(view));
                }
            }
            Derived::Refill { var, len, with } => {
                self.out.push(Stmt::Derived(d.clone()));
                if self.moves(*var) {
                    let with = match with {
                        Refill::Value(o) => {
                            self.place_dot(o).map_or(Refill::Zero, |dot| Refill::Value(Operand::Place(dot)))
                        }
                        Refill::Zero => Refill::Zero,
                        Refill::Anything => Refill::Anything,
                        Refill::Copy(place) => Refill::Copy(self.dot_of(place)),
                    };
                    let var = self.dot(*var);
                    self.out.push(Stmt::Derived(Derived::Refill { var, len: len.clone(), with }));
                }
            }
            Derived::Fresh { bar, lo, hi } => {
                self.out.push(Stmt::Derived(d.clone()));
                let bar = self.dot(*bar);
                self.out.push(Stmt::Derived(Derived::Fresh { bar, lo: lo.clone(), hi: hi.clone() }));
            }
            Derived::Clear { place, whole } => {
                self.out.push(Stmt::Derived(d.clone()));
                let place = self.dot_of(place);
                self.out.push(Stmt::Derived(Derived::Clear { place, whole: *whole }));
            }
            Derived::Pop { var, place } => {
                self.out.push(Stmt::Derived(d.clone()));
                let (var, place) = (self.dot(*var), self.dot_of(place));
                self.out.push(Stmt::Derived(Derived::Pop { var, place }));
            }
            Derived::Guard { on, body } => {
                let body = self.block(body);
                self.out.push(Stmt::Derived(Derived::Guard { on: *on, body }));
            }
            Derived::PushFrame(r) => self.record(r, Derived::PushFrame),
            Derived::PopFrame(r) => self.record(r, Derived::PopFrame),
            Derived::StoreFrame(r) => self.record(r, Derived::StoreFrame),
            Derived::LoadFrame(r) => self.record(r, Derived::LoadFrame),
            Derived::Loop(l) => self.derived_loop(l),
            Derived::Times { iterations, body } => {
                let body = self.block(body);
                self.out.push(Stmt::Derived(Derived::Times { iterations: *iterations, body }));
            }
            Derived::Sweep(s) => self.sweep(s),
            Derived::Cut { .. }
            | Derived::NoAlias { .. }
            | Derived::LoopBuffers { .. }
            | Derived::Cells { .. }
            | Derived::Chunks { .. }
            | Derived::Parted { .. }
            | Derived::FrameBlock(_)
            | Derived::FrameWindow { .. } => {
                unreachable!("loops are jammed when all tangents are made")
            }
            Derived::Either { .. } => unreachable!("traces have no tangents"),
        }
    }

    fn record(&mut self, record: &TapeFrame, make: fn(TapeFrame) -> Derived) {
        let mut both = record.clone();
        let moving = |list: &[Var]| -> Vec<Var> { list.iter().copied().filter(|v| self.moves(*v)).collect() };
        let (floats, mut wholes) = (moving(&record.floats), moving(&record.wholes));
        wholes.retain(|v| !record.shapes.contains(v));
        both.floats.extend(floats.into_iter().map(|v| self.dot(v)));
        both.carried.extend(self.carried_dots(&record.carried));
        both.whole_dots = wholes.into_iter().map(|v| (self.dot(v), v)).collect();
        self.out.push(Stmt::Derived(make(both)));
    }

    fn derived_loop(&mut self, l: &Loop) {
        let body = self.block(&l.on.body);
        let tangents = body.stmts.iter().find_map(|s| match s {
            Stmt::Derived(Derived::StoreFrame(r) | Derived::LoadFrame(r)) => Some(r.tangents(&self.table)),
            _ => None,
        });
        let record = l.record.map(|w| Widths { tangents: tangents.unwrap_or(0), ..w });
        let on = For { body, ..l.on.clone() };
        let mut first = l.first.clone();
        first.extend(self.carried_dots(&l.first));
        self.out.push(Stmt::Derived(Derived::Loop(Box::new(Loop { on, record, first, ..l.clone() }))));
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

    fn sweep(&mut self, s: &Sweep) {
        let shapes = s.kind == SweepKind::Reverse && s.call.linear;
        let args = if shapes { vec![None; s.call.args.len()] } else { self.arguments(&s.call) };
        let bars = s.bars.iter().map(|bar| bar.as_ref().map(|(p, _)| p.clone())).collect::<Vec<_>>();
        let bars = bars.into_iter().map(|bar| bar.map(|p| self.dot_of(&p))).collect();
        let result = s.result.map(|v| self.dot(v));
        let result_bar = s.result_bar.map(|v| self.dot(v));
        let tangents = Some(SweepTangents { args, result, bars, result_bar });
        self.out.push(Stmt::Derived(Derived::Sweep(Box::new(Sweep { tangents, ..s.clone() }))));
    }
}

/// A product that is a square, perhaps times a constant, a cube, or a number times its root.
struct Power {
    /// Which factor's tangent is that of the product, times a multiple of the other factor.
    v: usize,
    /// The other factor.
    other: usize,
    /// The multiple.
    times: Times,
}

/// The exponent of a power.
enum Times {
    Two,
    Three,
    ThreeHalves,
}

/// The power 3/2, as `v * root` with `root = sqrt(v)`.
fn power_of_root(args: &[Operand], root: Var) -> Option<Power> {
    let other = args.iter().position(|o| o.as_var() == Some(root))?;
    Some(Power { v: 1 - other, other, times: Times::ThreeHalves })
}

/// What `scales` has is of the function's own products: in its adjoint, the same numbers are factors of cotangents.
fn power<'s>(op: &Op, args: &[Operand], scales: impl Fn(Var) -> Option<&'s Scale>) -> Option<Power> {
    let (Op::Mul, [Operand::Place(a), Operand::Place(b)]) = (op, args) else { return None };
    let scale = |k: usize| args[k].as_var().and_then(&scales);
    let times = |scale: &Scale| if matches!(scale, Scale::Square) { Times::Three } else { Times::Two };
    match (scale(0), scale(1)) {
        _ if key(a) == key(b) => Some(Power { v: 0, other: 1, times: Times::Two }),
        (Some(scale), _) => Some(Power { v: 1, other: 0, times: times(scale) }),
        (_, Some(scale)) => Some(Power { v: 0, other: 1, times: times(scale) }),
        _ => None,
    }
}

fn mutates(call: &Call) -> bool {
    call.args.iter().any(|a| matches!(a, CallArg::Mut(_)))
}

/// Whether a value is passive, and of a type that only rustc knows.
fn is_whole(value: &Operand, ty: &Ty) -> bool {
    matches!(value, Operand::Passive(_)) && matches!(ty, Ty::Unknown | Ty::Struct(_))
}
